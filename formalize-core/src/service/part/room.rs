//! The room for the reasons of many refusals that are reported together.

use formalize_schema::Rejection;
use formalize_schema::internals::listing::MAX_BYTES;

use crate::model::batch::SubmissionBatch;
use crate::model::file::rejection::FilesRejection;

/// The room for the rejections of a batch: the first ones are told in detail, with 64 KiB of violations altogether, and the
/// others in brief.
#[derive(Debug, Clone)]
pub(crate) struct Room {
    rejections: usize,
    bytes: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            rejections: SubmissionBatch::MAX_DETAILED,
            bytes: MAX_BYTES,
        }
    }
}

impl Room {
    /// Whether all further rejections are told in brief.
    pub(crate) fn is_used_up(&self) -> bool {
        self.rejections == 0
    }

    /// The rejection, as detailed as there is room.
    pub(crate) fn fit(&mut self, rejection: Rejection) -> Rejection {
        if self.takes(rejection.size()) {
            rejection
        } else {
            rejection.in_brief()
        }
    }

    /// The same for files.
    pub(crate) fn fit_files(&mut self, rejection: &FilesRejection) -> FilesRejection {
        if self.takes(rejection.size()) {
            rejection.clone()
        } else {
            rejection.in_brief()
        }
    }

    fn takes(&mut self, bytes: usize) -> bool {
        let left = self.bytes.checked_sub(bytes);
        let is_detailed = self.rejections > 0 && left.is_some();
        self.rejections = self.rejections.saturating_sub(1);
        if let (true, Some(left)) = (is_detailed, left) {
            self.bytes = left;
        }
        is_detailed
    }
}

#[cfg(test)]
mod tests {
    use formalize_schema::{DataSchema, Violation};

    use super::*;
    use serde_json::json;

    fn refused(violations: usize) -> Rejection {
        let schema = DataSchema::compile(r#"{"items": {"type": "string"}}"#).unwrap();
        schema.validate(&json!(vec![1; violations])).unwrap_err()
    }

    #[test]
    fn the_first_rejections_are_told_in_detail() {
        let mut room = Room::default();
        for _ in 0..64 {
            assert!(!room.is_used_up());
            assert_eq!(room.fit(refused(2)), refused(2));
        }
        assert!(room.is_used_up());
        let brief = room.fit(refused(2));
        assert_eq!(brief.messages(), ["/0: must be a string", "and 1 more"]);
        assert!(brief.violations()[0].params.is_empty());
    }

    #[test]
    fn all_rejections_share_the_bytes() {
        let mut room = Room::default();
        let sizes: Vec<usize> = (0..1_000).map(|_| room.fit(refused(64)).size()).collect();
        let in_detail = sizes.iter().filter(|size| **size > 1_000);
        let bytes: usize = in_detail.clone().sum();
        assert!((5..64).contains(&in_detail.count()));
        assert!(bytes <= MAX_BYTES);
        assert!(sizes.iter().sum::<usize>() < 2 * MAX_BYTES);
    }

    #[test]
    fn a_long_rejection_is_short_in_brief() {
        let mut long =
            Violation::of_keyword("type", format!("/{}", "a/".repeat(900)), "m".repeat(2_000));
        long.params
            .insert("pattern".to_owned(), "p".repeat(10_000).into());
        let brief = Rejection::from(long).in_brief();
        assert!(brief.size() < 1_500, "{}", brief.size());
        assert_eq!(brief.omitted(), 0);
    }
}
