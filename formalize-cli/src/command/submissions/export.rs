//! `formalize submissions export`.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[cfg(feature = "xlsx")]
use formalize_core::export::{CsvOptions, Guard, Headers, Separator, TextFormat, TextWriter};
use formalize_core::{SubmissionFilter, submissions::Export};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::{FilterArgs, format_of};
use crate::failure::Failure;
use crate::grammar::FormAndFile;
use crate::input::is_standard;
use crate::output::OutputFile;
use crate::progress::Progress;
use crate::session::{Outcome, Session, note};

/// How often the database is asked something while the output is not taken.
const KEPT_ALIVE: Duration = Duration::from_secs(10);

/// What to export, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    place: FormAndFile,
    /// The format: by default that of the file's extension, and csv on standard output
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    filter: FilterArgs,
    /// Headers of csv and xlsx: the paths of values (default), or the labels of the schema
    #[arg(long, value_enum)]
    headers: Option<HeadersArg>,
    /// Cells of csv and xlsx have the labels of choices instead of stored values, and each choice of a multiple choice has a
    /// column. Such a file cannot be imported
    #[arg(long)]
    labels: bool,
    /// The language of labels (default: en)
    #[arg(long)]
    language: Option<String>,
    /// Whether texts in csv that look like formulas get a `'` in front (default: true)
    #[arg(long, value_name = "true|false")]
    formula_guard: Option<bool>,
    /// Begin csv with a byte order mark
    #[arg(long)]
    bom: bool,
    /// What separates the cells of csv (default: comma)
    #[arg(long, value_enum)]
    separator: Option<SeparatorArg>,
    /// End csv or ndjson with a line that has the number of submissions
    #[arg(long)]
    end_marker: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Csv,
    Ndjson,
    Json,
    #[cfg(feature = "xlsx")]
    Xlsx,
}

impl Format {
    const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
            Self::Json => "json",
            #[cfg(feature = "xlsx")]
            Self::Xlsx => "xlsx",
        }
    }
}

/// What to write.
enum Content {
    Text(TextFormat),
    /// A workbook with these headers.
    #[cfg(feature = "xlsx")]
    Workbook(Headers),
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum HeadersArg {
    Path,
    Label,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum SeparatorArg {
    Comma,
    Semicolon,
    Tab,
}

impl ExportArgs {
    pub(crate) async fn run(self, session: &mut Session) -> Outcome {
        let (form, file) = self.place.given()?;
        let file = file.unwrap_or_else(|| PathBuf::from("-"));
        let content = self.content(&file)?;
        let form = session.form(&form).await?;
        let output = OutputFile::create(&file)?;
        let filter = SubmissionFilter::from(self.filter);
        let (formalize, caller) = session.service();
        let language = self.language.as_deref().unwrap_or("en");
        let submissions = formalize.submissions();
        let mut export = submissions.export(&caller, form, &filter, language).await?;
        if self.labels {
            export = export.with_labels().await?;
        }
        let count = match content {
            Content::Text(format) => write(export, format, output).await?,
            #[cfg(feature = "xlsx")]
            Content::Workbook(headers) => {
                write_workbook(export.with_groups().await?, headers, output).await?
            }
        };
        if !is_standard(&file) {
            let ending = if count == 1 { "" } else { "s" };
            let file = file.display();
            note(&format!("exported {count} submission{ending} to {file}"));
        }
        Ok(())
    }

    /// The format with its options.
    ///
    /// # Errors
    ///
    /// If the format is unknown, or an option does not apply to it.
    fn content(&self, file: &Path) -> Result<Content, Failure> {
        let format = format_of(file, self.format, Format::Csv)?;
        let is_csv = format == Format::Csv;
        let (has_headers, has_lines) = match format {
            Format::Csv => (true, true),
            Format::Ndjson => (false, true),
            Format::Json => (false, false),
            #[cfg(feature = "xlsx")]
            Format::Xlsx => (true, false),
        };
        let unused = [
            ("--headers", self.headers.is_some() && !has_headers),
            ("--labels", self.labels && !has_headers),
            ("--language", self.language.is_some() && !has_headers),
            ("--formula-guard", self.formula_guard.is_some() && !is_csv),
            ("--bom", self.bom && !is_csv),
            ("--separator", self.separator.is_some() && !is_csv),
            ("--end-marker", self.end_marker && !has_lines),
        ];
        if let Some((option, _)) = unused.into_iter().find(|(_, is_unused)| *is_unused) {
            let format = format.name();
            let message = format!("{option} does not apply to the format {format}");
            return Err(Failure::usage(message));
        }
        let headers = match self.headers {
            Some(HeadersArg::Label) => Headers::Label,
            Some(HeadersArg::Path) | None => Headers::Path,
        };
        let text = match format {
            Format::Csv => TextFormat::Csv(CsvOptions {
                headers,
                guard: match self.formula_guard {
                    Some(false) => Guard::Off,
                    Some(true) | None => Guard::On,
                },
                bom: self.bom,
                separator: match self.separator {
                    Some(SeparatorArg::Semicolon) => Separator::Semicolon,
                    Some(SeparatorArg::Tab) => Separator::Tab,
                    Some(SeparatorArg::Comma) | None => Separator::Comma,
                },
                end_marker: self.end_marker,
            }),
            Format::Ndjson => TextFormat::Ndjson {
                end_marker: self.end_marker,
            },
            Format::Json => TextFormat::Json,
            #[cfg(feature = "xlsx")]
            Format::Xlsx => return Ok(Content::Workbook(headers)),
        };
        Ok(Content::Text(text))
    }
}

/// Writes an export, and returns the number of submissions.
async fn write(
    mut export: Export,
    format: TextFormat,
    mut output: OutputFile,
) -> Result<u64, Failure> {
    let progress = Progress::waiting("exporting");
    let mut writer = TextWriter::new(format, export.columns());
    let mut bytes = Vec::new();
    writer.begin(&mut bytes)?;
    while let Some(rows) = export.next().await? {
        writer.rows(&rows, &mut bytes)?;
        output = take(output, &mut export, std::mem::take(&mut bytes)).await?;
        let count = writer.count();
        progress.say(&format!("exporting, {count} submissions"));
    }
    let count = writer.count();
    writer.end(&mut bytes)?;
    output = take(output, &mut export, bytes).await?;
    drop(export);
    output.finish()?;
    Ok(count)
}

/// Writes a workbook, and returns the number of submissions.
#[cfg(feature = "xlsx")]
async fn write_workbook(
    mut export: Export,
    headers: Headers,
    mut output: OutputFile,
) -> Result<u64, Failure> {
    if matches!(output, OutputFile::Terminal) {
        return Err(Failure::usage(
            "a workbook cannot be shown on a terminal; name a file",
        ));
    }
    let progress = Progress::waiting("exporting");
    let mut writer = export.workbook(headers, &output.folder())?;
    while let Some(rows) = export.next().await? {
        writer.rows(&rows)?;
        let count = writer.count();
        progress.say(&format!("exporting, {count} submissions"));
    }
    drop(export);
    let count = writer.count();
    match &mut output {
        OutputFile::Standard | OutputFile::Terminal => writer.end(io::stdout())?,
        OutputFile::File(file, _) => writer.end(file.as_file_mut())?,
    }
    output.finish()?;
    Ok(count)
}

/// Writes bytes. The reader of standard output may be slow, so the database session is kept alive meanwhile.
async fn take(
    mut output: OutputFile,
    export: &mut Export,
    bytes: Vec<u8>,
) -> Result<OutputFile, Failure> {
    let mut writing = spawn_blocking(move || {
        output.write_all(&bytes)?;
        io::Result::Ok(output)
    });
    loop {
        match timeout(KEPT_ALIVE, &mut writing).await {
            Ok(written) => return Ok(written.map_err(io::Error::other)??),
            Err(_) => export.keep_alive().await?,
        }
    }
}
