//! The conditions that leave out forms that are being deleted, with what belongs to them.

/// A condition: the form is not deleted. A statement that waited for the lock of a form evaluates it again with the latest row.
pub(super) const KEPT: &str = "NOT forms.deleted";

/// The same for rows that are read without their form, and for lists: `form` is its identifier, or null. This reads only an
/// index of the few forms that are being deleted. In a row of SQLite, the mark stands behind the schema.
pub(super) fn is_kept(form: &str) -> String {
    format!(
        "({form} IS NULL OR {form} NOT IN (SELECT forms.id FROM formalize_forms AS forms WHERE forms.deleted))"
    )
}
