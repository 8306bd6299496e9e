//! In which format a request wants an export.

use formalize_core::export::{CsvOptions, Guard, Headers, Separator, TextFormat};
use poem::http::HeaderMap;

use crate::{
    contract::{
        ErrorKey, Parameter,
        parameter::{BOM, END_MARKER, FORMAT, FORMULA_GUARD, HEADERS, LABELS, LANGUAGE, SEPARATOR},
    },
    failure::Refusal,
    middleware::media,
    request::Parameters,
};

/// The media type of workbooks.
#[cfg(feature = "xlsx")]
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The names of formats, the first one for clients that accept any, with their media types as requests and as responses
/// name them.
const FORMATS: &[(&str, &str, &str)] = &[
    ("csv", "text/csv", "text/csv; charset=utf-8"),
    ("ndjson", "application/x-ndjson", "application/x-ndjson"),
    (
        "json",
        "application/json",
        "application/json; charset=utf-8",
    ),
    #[cfg(feature = "xlsx")]
    ("xlsx", XLSX, XLSX),
];

/// The parameters of each format.
const OF_CSV: [Parameter; 7] = [
    HEADERS,
    LABELS,
    LANGUAGE,
    FORMULA_GUARD,
    BOM,
    SEPARATOR,
    END_MARKER,
];
const OF_NDJSON: [Parameter; 1] = [END_MARKER];
const OF_XLSX: [Parameter; 3] = [HEADERS, LABELS, LANGUAGE];

fn parameters_of(format: &str) -> &'static [Parameter] {
    match format {
        "csv" => &OF_CSV,
        "ndjson" => &OF_NDJSON,
        "xlsx" => &OF_XLSX,
        _ => &[],
    }
}

/// What is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// A text, which is sent while it is written.
    Text(TextFormat),
    /// A workbook with these headers.
    #[cfg(feature = "xlsx")]
    Workbook(Headers),
}

/// The format of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportFormat {
    /// The name, which is also the extension of a file.
    pub name: &'static str,
    /// The media type.
    pub content_type: &'static str,
    pub(crate) content: Content,
    /// Whether cells have labels.
    pub(crate) labels: bool,
    /// The language of labels.
    pub(crate) language: String,
}

impl ExportFormat {
    /// The values of `Content-Type` of all formats.
    pub fn content_types() -> impl Iterator<Item = &'static str> {
        FORMATS.iter().map(|(_, _, content_type)| *content_type)
    }

    /// A format for people, by its name: texts have the labels of the questions, and spreadsheets recognize the encoding.
    /// Formats without cells ignore `labels`.
    pub fn for_people(
        name: &str,
        labels: bool,
        language: &str,
        has_decimal_comma: bool,
    ) -> Option<Self> {
        let mut formats = FORMATS.iter();
        let (name, _, content_type) = *formats.find(|(other, ..)| *other == name)?;
        let content = match name {
            "csv" => Content::Text(TextFormat::Csv(CsvOptions {
                headers: Headers::Label,
                guard: Guard::On,
                bom: true,
                // Where decimals have a comma, spreadsheets expect another separator.
                separator: if has_decimal_comma {
                    Separator::Semicolon
                } else {
                    Separator::Comma
                },
                end_marker: false,
            })),
            "ndjson" => Content::Text(TextFormat::Ndjson { end_marker: false }),
            #[cfg(feature = "xlsx")]
            "xlsx" => Content::Workbook(Headers::Label),
            _ => return None,
        };
        Some(Self {
            name,
            content_type,
            content,
            labels: labels && parameters_of(name).contains(&LABELS),
            language: language.to_owned(),
        })
    }

    /// The format that a request names, or else the one that it accepts.
    ///
    /// # Errors
    ///
    /// A refusal if it accepts none, or if a parameter does not apply to the format.
    pub fn of(parameters: &Parameters, headers: &HeaderMap) -> Result<Self, Refusal> {
        let named = parameters.text(&FORMAT);
        let accepted: Vec<&str> = FORMATS.iter().map(|(_, accepted, _)| *accepted).collect();
        let place = match named {
            Some(name) => FORMATS.iter().position(|(other, ..)| *other == name),
            None => media::preferred(headers, &accepted),
        };
        let format = place.and_then(|place| FORMATS.get(place));
        let (name, _, content_type) = *format.ok_or_else(|| {
            let sentence = format!("accept one of {}", accepted.join(", "));
            Refusal::is(ErrorKey::NotAcceptable).saying(sentence)
        })?;
        let applicable = parameters_of(name);
        let idle = OF_CSV.iter().filter(|parameter| {
            parameters.text(parameter).is_some() && !applicable.contains(parameter)
        });
        let idle = idle.map(|parameter| {
            let sentence = format!("{} does not apply to the format `{name}`", parameter.name);
            (parameter.name.to_owned(), sentence)
        });
        let idle: Vec<_> = idle.collect();
        if !idle.is_empty() {
            return Err(Refusal::listing(ErrorKey::InvalidParameter, idle));
        }
        let end_marker = parameters.flag(&END_MARKER);
        let headers = match parameters.text(&HEADERS) {
            Some("label") => Headers::Label,
            _ => Headers::Path,
        };
        let content = match name {
            "csv" => Content::Text(TextFormat::Csv(CsvOptions {
                headers,
                guard: match parameters.text(&FORMULA_GUARD) {
                    Some("false") => Guard::Off,
                    _ => Guard::On,
                },
                bom: parameters.flag(&BOM),
                separator: match parameters.text(&SEPARATOR) {
                    Some("semicolon") => Separator::Semicolon,
                    Some("tab") => Separator::Tab,
                    _ => Separator::Comma,
                },
                end_marker,
            })),
            "ndjson" => Content::Text(TextFormat::Ndjson { end_marker }),
            #[cfg(feature = "xlsx")]
            "xlsx" => Content::Workbook(headers),
            _ => Content::Text(TextFormat::Json),
        };
        Ok(Self {
            name,
            content_type,
            content,
            labels: parameters.flag(&LABELS),
            language: parameters.text(&LANGUAGE).unwrap_or("en").to_owned(),
        })
    }
}
