//! The context of a command: the service, the caller and the output.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Write};
use std::pin::pin;
use std::time::Duration;

use formalize_core::config::WebhookSettings;
use formalize_core::file_store::folder::FolderFileStore;
use formalize_core::{
    Attributes, Caller, Deletion, Error, Expected, Formalize, Page, PageRequest, PageSize,
    ResourceRef, Revision, authorization::Operation,
};
use formalize_views::deletion::DeletedRecords;

use crate::failure::{Exit, Failure};
use crate::names::Names;
use crate::output::{Column, Printer, Record, plain};
use crate::progress::Progress;

/// The result of a command.
pub(crate) type Outcome = Result<(), Failure>;

/// The context of a command.
pub(crate) struct Session {
    pub(crate) formalize: Formalize,
    /// The folder of the contents of files, if the command needs them and they are in one.
    pub(crate) files_folder: Option<FolderFileStore>,
    pub(crate) caller: Caller,
    /// The values of `--attribute`.
    pub(crate) attributes: Attributes,
    pub(crate) printer: Printer,
    /// How requests of webhooks are sent.
    pub(crate) webhooks: WebhookSettings,
    /// The beginning of public links.
    pub(crate) base_url: String,
    /// Whether to delete without confirmation.
    pub(crate) yes: bool,
}

/// The number of records to fetch at a time. Forms and submissions may be up to 1 MiB each.
const PAGE_SIZE: u32 = 200;

impl Session {
    /// The service and the caller, for lists, which borrow the printer.
    pub(crate) fn service(&self) -> (Formalize, Caller) {
        (self.formalize.clone(), self.caller.clone())
    }

    /// The names that tables show; other formats have identifiers only.
    pub(crate) fn names(&self) -> Names {
        let is_off = !self.printer.is_table();
        Names::new(self.formalize.clone(), self.caller.clone(), is_off)
    }

    /// Prints a whole list, page by page.
    pub(crate) async fn print_list<T, R>(
        &mut self,
        fetch: impl AsyncFnMut(&PageRequest) -> Result<Page<T>, Error>,
    ) -> Outcome
    where
        R: Record + From<T>,
    {
        let columns = self.printer.columns::<R>();
        self.print_list_of::<T, R>(columns, fetch).await
    }

    /// Prints a whole list, as a table with these columns.
    pub(crate) async fn print_list_of<T, R>(
        &mut self,
        columns: Vec<Column>,
        fetch: impl AsyncFnMut(&PageRequest) -> Result<Page<T>, Error>,
    ) -> Outcome
    where
        R: Record + From<T>,
    {
        let mut list = self.printer.list_of::<R>(columns)?;
        each_page(fetch, |items| {
            let records: Vec<R> = items.into_iter().map(R::from).collect();
            Ok(list.page(&records)?)
        })
        .await?;
        Ok(list.end()?)
    }

    /// Prints what a deletion would remove.
    pub(crate) fn print_deletion(&mut self, deletion: Deletion) -> Outcome {
        Ok(self.printer.item(&DeletedRecords::from(deletion))?)
    }

    /// Prints a changed record if the caller may read it.
    pub(crate) fn print_changed<T, R>(&mut self, changed: Option<T>) -> Outcome
    where
        R: Record + From<T>,
    {
        match changed {
            Some(changed) => self.printer.item(&R::from(changed))?,
            None => note("changed; the user may not read it"),
        }
        Ok(())
    }

    /// Whether to ask for confirmation before a deletion: not with `--yes`, and not if the caller lacks permission,
    /// which the service reports.
    pub(crate) async fn must_ask(
        &self,
        resource: &ResourceRef,
        operation: Operation,
    ) -> Result<bool, Failure> {
        if self.yes {
            return Ok(false);
        }
        let resources = self.formalize.resources();
        Ok(resources.may(&self.caller, resource, operation).await?)
    }
}

/// The record to change, in the revision that was read, so that concurrent changes are not overwritten. If the user may
/// not read it, in any revision.
///
/// # Errors
///
/// If the store fails. The change itself reports any other error.
pub(crate) fn as_read<I: Copy, T>(
    id: I,
    read: Result<T, Error>,
    revision: impl FnOnce(T) -> Revision,
) -> Result<Expected<I>, Error> {
    match read {
        Ok(record) => Ok(Expected::in_one_of(id, vec![revision(record)])),
        Err(error @ Error::Store(_)) => Err(error),
        Err(_) => Ok(id.into()),
    }
}

/// Reads a list from the first page to the last.
pub(crate) async fn each_page<T>(
    mut fetch: impl AsyncFnMut(&PageRequest) -> Result<Page<T>, Error>,
    mut take: impl FnMut(Vec<T>) -> Outcome,
) -> Outcome {
    let size = PageSize::new(PAGE_SIZE).unwrap_or_default();
    let mut request = PageRequest {
        size,
        ..PageRequest::default()
    };
    loop {
        let page = fetch(&request).await?;
        take(page.items)?;
        match page.next {
            Some(cursor) => request = PageRequest::after(cursor, size),
            None => return Ok(()),
        }
    }
}

/// Counts the records of a list that satisfy `counts`.
pub(crate) async fn tally<T>(
    fetch: impl AsyncFnMut(&PageRequest) -> Result<Page<T>, Error>,
    mut counts: impl FnMut(&T) -> bool,
) -> Result<usize, Failure> {
    let mut total = 0;
    let counting = each_page(fetch, |items| {
        total += items.into_iter().filter(&mut counts).count();
        Ok(())
    });
    with_spinner("counting", counting).await?;
    Ok(total)
}

/// Waits for work, with a spinner on a terminal if it takes long.
pub(crate) async fn with_spinner<T>(doing: &str, work: impl Future<Output = T>) -> T {
    const SOON: Duration = Duration::from_millis(300);
    let mut work = pin!(work);
    if let Ok(done) = tokio::time::timeout(SOON, &mut work).await {
        return done;
    }
    let _progress = Progress::waiting(doing);
    work.await
}

/// `1 grant`, `2 grants`, `3 deliveries`.
pub(crate) fn plural<N: Copy + Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if number == N::from(1) => format!("{number} {noun}"),
        Some(stem) => format!("{number} {stem}ies"),
        None => format!("{number} {noun}s"),
    }
}

/// Writes a line to standard error and ignores errors.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{}", plain(text));
}

/// Asks for confirmation of a deletion.
///
/// # Errors
///
/// Without a terminal, or if the answer is not yes.
pub(crate) fn confirm(consequence: &str) -> Outcome {
    let someone_is_there = io::stdin().is_terminal() && io::stderr().is_terminal();
    let answers = someone_is_there.then(|| io::stdin().lock());
    ask(consequence, answers, &mut io::stderr())
}

fn ask(consequence: &str, answers: Option<impl BufRead>, questions: &mut impl Write) -> Outcome {
    let Some(mut answers) = answers else {
        let message = format!("{consequence}; confirm with --yes");
        return Err(Failure::usage(message));
    };
    write!(questions, "{}. Continue? [y/N] ", plain(consequence))?;
    questions.flush()?;
    let mut answer = String::new();
    answers.read_line(&mut answer)?;
    if ["y", "yes"].contains(&answer.trim().to_lowercase().as_str()) {
        Ok(())
    } else {
        Err(Failure::new(
            Exit::Failed,
            "not confirmed; nothing was deleted",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formalize_core::Position;

    fn answered(answer: &str) -> (Outcome, String) {
        let mut asked = Vec::new();
        let outcome = ask("this deletes 2 grants", Some(answer.as_bytes()), &mut asked);
        (outcome, String::from_utf8(asked).unwrap())
    }

    #[test]
    fn only_yes_confirms() {
        for answer in ["y\n", "Y\n", " yes \n", "YES"] {
            assert_eq!(answered(answer).0, Ok(()), "{answer:?}");
        }
        for answer in ["", "\n", "n\n", "yess\n", "no\ny\n"] {
            let refused = answered(answer).0.unwrap_err();
            assert_eq!(refused.exit, Exit::Failed, "{answer:?}");
        }
        assert_eq!(answered("y").1, "this deletes 2 grants. Continue? [y/N] ");
    }

    #[test]
    fn without_a_terminal_confirmation_fails() {
        let mut asked = Vec::new();
        let refused = ask("this deletes 2 grants", None::<&[u8]>, &mut asked).unwrap_err();
        assert_eq!(refused.exit, Exit::Usage);
        assert_eq!(
            refused.report(),
            "error: this deletes 2 grants; confirm with --yes\n"
        );
        assert!(asked.is_empty());
    }

    #[tokio::test]
    async fn all_pages_of_a_list_are_read() {
        let mut asked = Vec::new();
        let pages = async |request: &PageRequest| {
            asked.push(request.position.clone());
            let cursor = |number: usize| (number < 3).then(|| number.to_string());
            Ok(Page {
                items: vec![asked.len(), 10],
                next: cursor(asked.len()),
            })
        };
        assert_eq!(tally(pages, |item| *item < 10).await, Ok(3));
        let cursor = |cursor: &str| Position::Cursor(cursor.to_owned());
        assert_eq!(asked, [Position::First, cursor("1"), cursor("2")]);
    }

    #[tokio::test]
    async fn a_list_that_fails_midway_is_an_error() {
        let pages = async |request: &PageRequest| match request.position {
            Position::First => Ok(Page {
                items: vec![1],
                next: Some("x".to_owned()),
            }),
            _ => Err(Error::InvalidCursor),
        };
        let failed = tally(pages, |_| true).await.unwrap_err();
        assert_eq!(failed.exit, Exit::Failed);
    }

    #[test]
    fn nouns_have_the_right_number() {
        assert_eq!(plural(0, "grant"), "0 grants");
        assert_eq!(plural(1, "grant"), "1 grant");
    }
}
