//! Records, as they are declared.

use serde::Serialize;

/// A record as other programs see it.
pub trait View: Serialize {
    /// The fields as they are declared. Other programs see the names of [`field_names`].
    const DECLARED: &'static [&'static str];
}

/// The names in JSON of the fields that a record declares, in order, whether or not it has a value for each.
pub fn field_names(declared: &'static [&'static str]) -> impl Iterator<Item = String> {
    declared.iter().map(|field| camel_case(field))
}

/// `date_created` as `dateCreated`, the name that the derived implementation of `Serialize` writes.
fn camel_case(declared: &str) -> String {
    let mut words = declared.trim_start_matches("r#").split('_');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(word.len().min(1));
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    name
}

/// Declares a record: a struct with the fields that other programs see, in order, with a sentence about each. One that is
/// `revised` also has the revision of what it was made from, which is not a field.
macro_rules! view {
    ($(#[$about:meta])* revised struct $name:ident { $($(#[$of_field:meta])* $field:ident: $type:ty,)+ }) => {
        $crate::view::view! {
            @declare [$(#[$about])*] $name [$($(#[$of_field])* $field: $type,)+]
            [
                #[serde(skip)]
                #[cfg_attr(feature = "openapi", oai(skip))]
                /// The revision of the record.
                pub revision: uuid::Uuid,
            ]
        }
    };
    ($(#[$about:meta])* struct $name:ident { $($(#[$of_field:meta])* $field:ident: $type:ty,)+ }) => {
        $crate::view::view! { @declare [$(#[$about])*] $name [$($(#[$of_field])* $field: $type,)+] [] }
    };
    (
        @declare [$($about:tt)*] $name:ident [$($(#[$of_field:meta])* $field:ident: $type:ty,)+]
        [$($hidden:tt)*]
    ) => {
        #[derive(Debug, serde::Serialize)]
        #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
        #[cfg_attr(feature = "openapi", oai(rename_all = "camelCase"))]
        #[serde(rename_all = "camelCase")]
        $($about)*
        pub struct $name {
            $($(#[$of_field])* pub $field: $type,)+
            $($hidden)*
        }

        impl $crate::View for $name {
            const DECLARED: &'static [&'static str] = &[$(stringify!($field)),+];
        }
    };
}

pub(crate) use view;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::SubmittedFile;

    #[test]
    fn names_of_fields_are_those_that_are_serialized() {
        let text = || "text".to_owned();
        let file = SubmittedFile {
            identifier: "1".into(),
            file_attribute_name: text(),
            file_name: text(),
            file_size: 1,
            mime_type: text(),
            sha256: text(),
            creator_id: text(),
            date_created: "1".into(),
            download_url: text(),
        };
        let json = crate::json(&file);
        let names: Vec<String> = field_names(SubmittedFile::DECLARED).collect();
        let mut at = 0;
        for name in &names {
            let found = json.find(&format!("{name:?}:"));
            assert!(found.is_some_and(|found| found >= at), "{name} in {json}");
            at = found.unwrap_or_default();
        }
        assert_eq!(json.matches(':').count(), names.len());
        assert_eq!(camel_case("r#type"), "type");
    }
}
