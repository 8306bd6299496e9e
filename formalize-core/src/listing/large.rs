//! Pages of rows that may be large.

use uuid::Uuid;

use super::{Listing, PAGE_BYTES};
use crate::error::{Error, Result};
use crate::offload::Place;
use crate::page::{Page, Position, Window};

/// A page with fewer bytes than this is small: it is read in well under a millisecond.
const SMALL_PAGE_BYTES: u64 = 64 * 1024;

impl Listing<'_> {
    /// The rows to fetch of those that may be large. Without a place in the queue of expensive work, they are those of a
    /// small page: most pages are small, and read at once. If [they are not all](Self::is_cut), the caller waits for a
    /// place, and then reads the whole page. So one caller's large pages do not take the connections of others.
    pub(crate) fn large_window(&self, place: Option<&Place>) -> Window {
        match place {
            Some(_) => self.window,
            None => Window {
                // More rows than these exceed the bytes.
                limit: (self.window.limit).min(SMALL_PAGE_BYTES / Window::ROW_BYTES + 1),
                bytes: SMALL_PAGE_BYTES,
                ..self.window
            },
        }
    }

    /// Whether the rows of a small page may be only a part of the page. `size` is the number of bytes of the large texts of a
    /// row.
    pub(crate) fn is_cut<T>(&self, rows: &[T], size: impl Fn(&T) -> usize) -> bool {
        let size = |row| Window::ROW_BYTES + size(row) as u64;
        let bytes: u64 = rows.iter().map(size).sum();
        bytes >= SMALL_PAGE_BYTES && (rows.len() as u64) < self.window.limit
    }

    /// The page made of rows that may be large. `row_size` is the number of bytes of the large texts of a row.
    ///
    /// # Errors
    ///
    /// [`Error::PageTooLarge`] if a page with a number would end early.
    pub(crate) fn page_of_large<T>(
        &self,
        rows: Vec<T>,
        id: impl Fn(&T) -> Uuid,
        row_size: impl Fn(&T) -> usize,
    ) -> Result<Page<T>> {
        let size = self.request.size.get() as usize;
        let mut bytes = 0;
        let fitting = rows.iter().take_while(|row| {
            let fits = bytes < PAGE_BYTES;
            bytes += Window::ROW_BYTES + row_size(row) as u64;
            fits
        });
        let fitting = fitting.count();
        let ends_early = fitting < size.min(rows.len());
        let is_numbered = matches!(self.request.position, Position::Number(_));
        ensure!(!ends_early || !is_numbered, Error::PageTooLarge);
        Ok(self.key.page(self.context, size.min(fitting), rows, id))
    }
}
