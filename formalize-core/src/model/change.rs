//! Changes of optional fields.

/// A change of an optional field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Change<T> {
    /// Keep the value.
    #[default]
    Keep,
    /// Remove the value.
    Clear,
    /// Set this value.
    Set(T),
}

impl<T> Change<T> {
    /// The value after the change.
    pub(crate) fn apply(self, old: Option<T>) -> Option<T> {
        match self {
            Self::Keep => old,
            Self::Clear => None,
            Self::Set(new) => Some(new),
        }
    }
}
