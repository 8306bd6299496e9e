//! The cells of what every submission has, besides its data.

use crate::model::submission::Submission;

/// The names of the files as a cell.
pub(super) fn names_of_files(row: &Submission) -> String {
    let names: Vec<&str> = row.files.iter().map(|file| file.name.as_str()).collect();
    names.join(", ")
}

/// The tags as a cell: a JSON array, or an empty cell for a submission without tags.
pub(super) fn json_of_tags(row: &Submission) -> String {
    let tags: Vec<&str> = row.tags.iter().collect();
    if tags.is_empty() {
        return String::new();
    }
    serde_json::Value::from(tags).to_string()
}

/// The cells before those of the data.
pub(super) fn first_cells(row: &Submission) -> [String; 6] {
    [
        row.id.to_string(),
        row.state.as_str().to_owned(),
        row.creator.to_string(),
        row.date_created.to_string(),
        row.last_modified_by.to_string(),
        row.date_last_modified.to_string(),
    ]
}
