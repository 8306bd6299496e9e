//! Files in the words of a reader: what is allowed, types and sizes.

use formalize_core::questions::FileQuestion;

use crate::language::Language;

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// Which files are allowed: number, size and types.
pub(crate) fn allowed(language: Language, question: &FileQuestion) -> String {
    let rule = &question.rule;
    let (least, most) = (rule.min_number(), rule.max_number());
    let key = match least {
        _ if most == 1 => "file.single",
        0 | 1 => "file.upTo",
        _ if least == most => "file.exactly",
        _ => "file.between",
    };
    let types = rule.allowed_types().map(|name| type_name(language, &name));
    let types = types.collect::<Vec<_>>().join(", ");
    let size = language.number(&rule.max_size_mb().to_string());
    let values = [
        ("least", least.to_string()),
        ("most", most.to_string()),
        ("size", size),
        ("types", types),
    ];
    language.say_with(key, &values)
}

/// A type as people call it. Rare ones keep their name.
pub(crate) fn type_name(language: Language, mime_type: &str) -> String {
    let name = match mime_type {
        "*/*" => language.say("file.anyType"),
        "image/*" => language.say("file.images"),
        "audio/*" => language.say("file.audio"),
        "video/*" => language.say("file.video"),
        "text/*" | "text/plain" => language.say("file.text"),
        "application/pdf" => "PDF",
        "application/zip" => "ZIP",
        "application/json" => "JSON",
        "application/msword" => "DOC",
        "application/vnd.ms-excel" => "XLS",
        "application/vnd.ms-powerpoint" => "PPT",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "DOCX",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => "XLSX",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation" => "PPTX",
        "application/vnd.oasis.opendocument.text" => "ODT",
        "application/vnd.oasis.opendocument.spreadsheet" => "ODS",
        "application/vnd.oasis.opendocument.presentation" => "ODP",
        "image/png" => "PNG",
        "image/jpeg" => "JPEG",
        "image/gif" => "GIF",
        "image/webp" => "WebP",
        "image/avif" => "AVIF",
        "image/svg+xml" => "SVG",
        "text/csv" => "CSV",
        other => other,
    };
    name.to_owned()
}

/// The size of a file, with at most one decimal.
pub(crate) fn size(language: Language, bytes: u64) -> String {
    let (key, number) = match bytes {
        0..KIB => ("file.bytes", bytes.to_string()),
        KIB..MIB => ("file.kilobytes", (bytes / KIB).to_string()),
        _ => {
            let tenths = bytes / (MIB / 10);
            let number = format!("{}.{}", tenths / 10, tenths % 10);
            ("file.megabytes", language.number(&number))
        }
    };
    language.say_with(key, &[("size", &number)])
}

#[cfg(test)]
mod tests {
    use formalize_core::DataSchema;
    use formalize_core::questions::Questions;

    use super::*;

    #[test]
    fn what_is_allowed_is_said_in_words() {
        for (rule, english, german) in [
            (
                r#"{"allowedMimeTypes": ["application/pdf"]}"#,
                "One file, up to 10 MB: PDF.",
                "Eine Datei, bis 10 MB: PDF.",
            ),
            (
                r#"{"minNumber": 0, "maxNumber": 2, "maxSizeMb": 2.5, "allowedMimeTypes": ["IMAGE/PNG", "text/*"]}"#,
                "At most 2 files, each up to 2.5 MB: PNG, text files.",
                "Höchstens 2 Dateien, jede bis 2,5 MB: PNG, Textdateien.",
            ),
            (
                r#"{"minNumber": 2, "allowedMimeTypes": ["*/*"]}"#,
                "Exactly 2 files, each up to 10 MB: any type.",
                "Genau 2 Dateien, jede bis 10 MB: jede Art.",
            ),
            (
                r#"{"minNumber": 2, "maxNumber": 3, "allowedMimeTypes": ["application/x-rare"]}"#,
                "Between 2 and 3 files, each up to 10 MB: application/x-rare.",
                "Zwischen 2 und 3 Dateien, jede bis 10 MB: application/x-rare.",
            ),
        ] {
            let schema = format!(r#"{{"files": {{"a": {rule}}}}}"#);
            let schema = DataSchema::compile(&schema).unwrap();
            let questions = Questions::of(Some(&schema), None, None).unwrap();
            for (language, words) in [(Language::English, english), (Language::German, german)] {
                assert_eq!(allowed(language, &questions.files[0]), words);
            }
        }
    }

    #[test]
    fn sizes_are_short() {
        for (bytes, words) in [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1024, "1 kB"),
            (MIB - 1, "1023 kB"),
            (MIB, "1.0 MB"),
            (MIB * 5 / 2, "2.5 MB"),
            (1024 * MIB, "1024.0 MB"),
        ] {
            let said = size(Language::English, bytes);
            assert_eq!(said, words);
        }
        assert_eq!(size(Language::German, MIB * 5 / 2), "2,5 MB");
        assert_eq!(size(Language::French, MIB * 5 / 2), "2,5 Mo");
    }
}
