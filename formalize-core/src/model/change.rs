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
