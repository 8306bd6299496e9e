//! Stands in for `part/` when the feature `forms` is off.

use std::future::{Ready, ready};

use crate::service::Shared;
use crate::service::steps::{Maintained, Run};
use crate::statistics::Statistics;

#[derive(Clone, Copy, Default)]
pub(in crate::service) struct FormsOptions();

pub(in crate::service) struct FormsPart;

impl FormsPart {
    pub(in crate::service) fn new(_: FormsOptions) -> Self {
        Self
    }

    pub(in crate::service) fn statistics(&self, kernel: Statistics) -> Statistics {
        let Self = self;
        kernel
    }
}

pub(in crate::service) fn maintain(_: &Shared, _: &mut Run<'_>, _: &mut Maintained) -> Ready<()> {
    ready(())
}

pub(in crate::service) fn delete_remains(
    _: &Shared,
    _: &mut Run<'_>,
    _: &mut Maintained,
) -> Ready<()> {
    ready(())
}
