//! Opens a SQLite database from a URL.

use std::path::{Path, PathBuf};

use formalize_core::StoreError;
use formalize_core::store::StoreResult;
use percent_encoding::percent_decode_str;

use super::driver::SqliteDriver;
use super::unchanged::Unchanged;
use super::{Access, Connection, File};
use crate::SqlOptions;
use crate::driver::StoreMetrics;
use crate::driver::fault::reworded;

pub(in crate::driver) async fn open(
    url: &str,
    options: &SqlOptions,
    metrics: StoreMetrics,
) -> StoreResult<SqliteDriver> {
    let mut file = parse(url, options)?;
    let mut unchanged = None;
    if options.read_only {
        // The state is taken before the first page is read.
        unchanged = Unchanged::unless_in_use(&file.path);
        file.access = match unchanged {
            Some(_) => Access::ReadUnchanging,
            None => Access::Read,
        };
    }
    let first = connect(&file).await?;
    Ok(SqliteDriver::new(first, file, options, metrics, unchanged))
}

async fn connect(file: &File) -> StoreResult<Connection> {
    let opened = file.clone().open().await;
    opened.map_err(|error| named(error, &file.path))
}

fn named(error: StoreError, file: &Path) -> StoreError {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    let missing = folder.filter(|folder| matches!(folder.try_exists(), Ok(false)));
    reworded(error, |cause| match missing {
        // SQLite only says that it cannot open the file.
        Some(folder) => format!(
            "cannot open {}: the folder {} does not exist",
            file.display(),
            folder.display()
        ),
        None => format!("cannot open {}: {cause}", file.display()),
    })
}

/// Parses `sqlite://relative.db` or `sqlite:///absolute.db`, percent-encoded, optionally with `?mode=rw` or
/// `?mode=rwc`.
fn parse(url: &str, options: &SqlOptions) -> StoreResult<File> {
    let (address, mode) = url.split_once('?').unwrap_or((url, ""));
    let create = match mode {
        "" => options.create,
        "mode=rwc" => true,
        "mode=rw" => false,
        "mode=memory" => return Err(in_memory()),
        _ => {
            return Err(refused(
                "the only known parameters are `mode=rw` and `mode=rwc`",
            ));
        }
    };
    Ok(File {
        path: path(address)?,
        access: if create {
            Access::Create
        } else {
            Access::Write
        },
        wait: options.wait,
    })
}

fn path(address: &str) -> StoreResult<PathBuf> {
    let name = address.strip_prefix("sqlite:").unwrap_or(address);
    let name = percent_decode_str(name.strip_prefix("//").unwrap_or(name)).decode_utf8();
    let name = name.map_err(|_| refused("the file name must be percent-encoded UTF-8"))?;
    if name.is_empty() {
        return Err(refused(
            "the file name is missing, as in `sqlite://formalize.db`",
        ));
    }
    if name.contains(":memory:") || name.starts_with("file:") {
        return Err(in_memory());
    }
    Ok(PathBuf::from(name.into_owned()))
}

fn refused(why: &str) -> StoreError {
    StoreError::Failed(format!("invalid SQLite URL: {why}"))
}

fn in_memory() -> StoreError {
    refused(
        "databases in memory are not supported, because each connection has its own; name a file",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(url: &str) -> Result<String, StoreError> {
        parse(url, &SqlOptions::default()).map(|parsed| parsed.path.to_string_lossy().into_owned())
    }

    #[test]
    fn urls_contain_file_names() {
        for (url, name) in [
            ("sqlite://formalize.db", "formalize.db"),
            ("sqlite:formalize.db", "formalize.db"),
            ("sqlite:///var/lib/f.db?mode=rwc", "/var/lib/f.db"),
            ("sqlite://a%20b%3F%25.db", "a b?%.db"),
        ] {
            assert_eq!(file(url).unwrap(), name);
        }
    }

    #[tokio::test]
    async fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        for create in [true, false] {
            let options = SqlOptions {
                create,
                ..SqlOptions::default()
            };
            let url = format!("sqlite://{}/formalize.db", missing.display());
            let error = connect(&parse(&url, &options).unwrap()).await.err();
            let said = error.unwrap().to_string();
            let folder = format!("the folder {} does not exist", missing.display());
            assert!(said.ends_with(&folder), "{said}");
        }
        // Whether this one exists is not known.
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let url = format!("sqlite://{}/below/formalize.db", file.display());
        let error = connect(&parse(&url, &SqlOptions::default()).unwrap()).await;
        let said = error.err().unwrap().to_string();
        assert!(!said.contains("does not exist"), "{said}");
    }

    #[test]
    fn databases_without_a_file_are_rejected() {
        let in_memory = "databases in memory are not supported";
        let no_name = "the file name is missing, as in `sqlite://formalize.db`";
        for (url, problem) in [
            ("sqlite::memory:", in_memory),
            ("sqlite://:memory:", in_memory),
            ("sqlite://%3Amemory%3A", in_memory),
            ("sqlite://x.db?mode=memory", in_memory),
            ("sqlite://file::memory:", in_memory),
            ("sqlite://", no_name),
            (
                "sqlite://x.db?cache=shared",
                "the only known parameters are `mode=rw` and `mode=rwc`",
            ),
            (
                "sqlite://%ff.db",
                "the file name must be percent-encoded UTF-8",
            ),
        ] {
            let Err(StoreError::Failed(message)) = file(url) else {
                panic!("{url} is accepted");
            };
            let expected = format!("invalid SQLite URL: {problem}");
            assert!(message.starts_with(&expected), "{url}: {message}");
        }
    }
}
