//! Pages of lists, and cursors.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::model::subject::{Caller, UserId};
use crate::offload::Place;

/// The number of items on a page: 1 to 10 000, by default 30.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize(u32);

impl PageSize {
    /// The maximum number of items.
    pub const MAX: u32 = 10_000;

    /// A single item.
    pub(crate) const ONE: Self = Self(1);

    /// Creates a page size.
    ///
    /// # Errors
    ///
    /// [`InvalidPageSize`] outside 1 to 10 000.
    ///
    /// ```
    /// use formalize_core::{InvalidPageSize, PageSize};
    ///
    /// assert_eq!(PageSize::new(50)?.get(), 50);
    /// assert_eq!(PageSize::new(0), Err(InvalidPageSize));
    /// # Ok::<(), InvalidPageSize>(())
    /// ```
    pub const fn new(size: u32) -> Result<Self, InvalidPageSize> {
        if size >= 1 && size <= Self::MAX {
            Ok(Self(size))
        } else {
            Err(InvalidPageSize)
        }
    }

    /// The number of items.
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// A page size outside 1 to 10 000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a page has 1 to {} items", PageSize::MAX)]
pub struct InvalidPageSize;

impl Default for PageSize {
    fn default() -> Self {
        Self(30)
    }
}

/// The position of a page in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Position {
    /// The first page. Cursors lead to the others.
    First,
    /// The page with this number, starting at 1. The cost grows with the number. A page that ends early, because its
    /// items are large, is an error: the number of the next page would skip items.
    Number(u32),
    /// The page after the one with this cursor. The cost does not depend on the position.
    Cursor(String),
}

/// Selects a page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// The number of items.
    pub size: PageSize,
    /// The position.
    pub position: Position,
}

impl Default for PageRequest {
    /// The first page, with the default size.
    fn default() -> Self {
        Self {
            size: PageSize::default(),
            position: Position::First,
        }
    }
}

impl PageRequest {
    /// The page after the one with this cursor.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use formalize_core::store::memory::MemoryStore;
    /// # use formalize_core::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<()> {
    /// # let formalize = Formalize::builder(Arc::new(MemoryStore::new())).build().await?;
    /// # for name in ["Authors", "Editors"] {
    /// #     let new = NewGroup { name: GroupName::new(name)? };
    /// #     formalize.groups().create(&Caller::System, new).await?;
    /// # }
    /// let size = PageSize::new(1)?;
    /// let mut request = PageRequest { size, ..PageRequest::default() };
    /// let mut names = Vec::new();
    /// loop {
    ///     let page = formalize.groups().list(&Caller::System, &GroupFilter::default(), &request).await?;
    ///     names.extend(page.items.into_iter().map(|shown| shown.item.name.as_str().to_owned()));
    ///     match page.next {
    ///         Some(cursor) => request = PageRequest::after(cursor, size),
    ///         None => break,
    ///     }
    /// }
    /// assert_eq!(names, ["Authors", "Editors"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn after(cursor: impl Into<String>, size: PageSize) -> Self {
        Self {
            size,
            position: Position::Cursor(cursor.into()),
        }
    }
}

/// A page of a list, ordered by creation and then identifier.
///
/// A page of forms or submissions ends after 8 MiB of schemas or data, but has at least one item. So it may have fewer items
/// than requested although another page follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<String>,
}

impl<T> Default for Page<T> {
    /// The only page of an empty list.
    fn default() -> Self {
        Self {
            items: Vec::new(),
            next: None,
        }
    }
}

impl<T> Page<T> {
    /// Converts every item.
    ///
    /// ```
    /// use formalize_core::Page;
    ///
    /// let page = Page { items: vec![1, 2], next: None };
    /// assert_eq!(page.map(|number| number * 10).items, [10, 20]);
    /// ```
    pub fn map<U>(self, turn: impl FnMut(T) -> U) -> Page<U> {
        Page {
            items: self.items.into_iter().map(turn).collect(),
            next: self.next,
        }
    }
}

/// Selects rows of a store in the order of their identifiers.
///
/// ```
/// use formalize_core::store::Window;
///
/// let third = Window { skip: 2, ..Window::ONE };
/// assert_eq!((third.skip, third.limit), (2, 1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Only rows after this identifier; the nil UUID precedes all.
    pub after: Uuid,
    /// The number of rows to skip.
    pub skip: u64,
    /// The maximum number of rows.
    pub limit: u64,
    /// The number of bytes after which a store may leave out rows of forms and submissions, to limit its memory. The schema,
    /// names and additional data or the submitted data of each row count, and another [`Window::ROW_BYTES`]. Rows must not be
    /// left out before.
    pub bytes: u64,
}

impl Window {
    /// The rows in this window, of all rows of a list in its order. The limit of bytes is ignored.
    pub(crate) fn part_of<T>(
        self,
        rows: impl Iterator<Item = T>,
        id: impl Fn(&T) -> Uuid,
    ) -> Vec<T> {
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        rows.filter(|row| id(row) > self.after)
            .skip(count(self.skip))
            .take(count(self.limit))
            .collect()
    }

    /// All rows.
    pub const ALL: Self = Self {
        after: Uuid::nil(),
        skip: 0,
        limit: i64::MAX as u64,
        bytes: i64::MAX as u64,
    };

    /// What a row counts besides its large texts, in bytes.
    pub const ROW_BYTES: u64 = 512;

    /// The first row.
    pub const ONE: Self = Self {
        limit: 1,
        ..Self::ALL
    };
}

/// Selects submissions in a scope, and their order. A [`Window`] applies to what is selected.
///
/// ```
/// use formalize_core::store::Selection;
///
/// let of_bob = Selection { creator: Some("bob"), ..Selection::default() };
/// assert!(!of_bob.newest_first);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Selection<'a> {
    /// Only submissions of this creator.
    pub creator: Option<&'a str>,
    /// Only submissions with this tag.
    pub tag: Option<&'a str>,
    /// Only submissions before this identifier.
    pub before: Option<Uuid>,
    /// Whether the highest identifier comes first.
    pub newest_first: bool,
}

/// A page ends with the item that reaches this number of bytes.
pub(crate) const PAGE_BYTES: u64 = 8 * 1024 * 1024;

/// The bytes of rows to fetch: with this many, the row that follows a page is always among them, which shows that another
/// page follows. Schemas and data have up to 1 MiB; names in other languages and additional data, less than 128 KiB together.
const FETCHED_BYTES: u64 = PAGE_BYTES + (1024 + 128) * 1024 + Window::ROW_BYTES;

/// A page with fewer bytes than this is small: it is read in well under a millisecond.
const SMALL_PAGE_BYTES: u64 = 64 * 1024;

/// The list that a cursor belongs to: its name, the caller, and the filters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListContext<'a> {
    pub(crate) list: &'static str,
    pub(crate) caller: &'a Caller,
    pub(crate) filters: &'a [Option<&'a str>],
}

/// A page of a list between its request and its rows.
pub(crate) struct Listing<'a> {
    key: &'a CursorKey,
    context: ListContext<'a>,
    request: &'a PageRequest,
    /// The rows to fetch.
    pub(crate) window: Window,
}

impl Listing<'_> {
    /// The page made of the rows of the window.
    pub(crate) fn page<T>(&self, rows: Vec<T>, id: impl Fn(&T) -> Uuid) -> Page<T> {
        let size = self.request.size.get() as usize;
        self.key.page(self.context, size, rows, id)
    }

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
        if ends_early && matches!(self.request.position, Position::Number(_)) {
            return Err(Error::PageTooLarge);
        }
        Ok(self.key.page(self.context, size.min(fitting), rows, id))
    }
}

/// The key that authenticates cursors. It is kept in the store, so that cursors work on all servers of a store.
#[derive(Clone)]
pub(crate) struct CursorKey([u8; 32]);

const TAG_BYTES: usize = 16;

impl CursorKey {
    pub(crate) const fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// A page of a list to be read.
    pub(crate) fn listing<'a>(
        &'a self,
        context: ListContext<'a>,
        request: &'a PageRequest,
    ) -> Result<Listing<'a>> {
        let window = self.window(context, request)?;
        Ok(Listing {
            key: self,
            context,
            request,
            window,
        })
    }

    /// The rows to fetch for a page: one more than its size, which shows whether another page follows.
    fn window(&self, context: ListContext<'_>, request: &PageRequest) -> Result<Window> {
        let size = u64::from(request.size.get());
        let (after, skip) = match &request.position {
            Position::First => (Uuid::nil(), 0),
            Position::Number(number) => (Uuid::nil(), u64::from(number.saturating_sub(1)) * size),
            Position::Cursor(cursor) => {
                (self.open(context, cursor).ok_or(Error::InvalidCursor)?, 0)
            }
        };
        Ok(Window {
            after,
            skip,
            limit: size + 1,
            bytes: FETCHED_BYTES,
        })
    }

    /// Builds a page of this size from the rows that [`CursorKey::window`] selects.
    fn page<T>(
        &self,
        context: ListContext<'_>,
        size: usize,
        mut rows: Vec<T>,
        id: impl Fn(&T) -> Uuid,
    ) -> Page<T> {
        let more = rows.len() > size;
        rows.truncate(size);
        let next = rows
            .last()
            .filter(|_| more)
            .map(|last| self.seal(context, id(last)));
        Page { items: rows, next }
    }

    /// The cursor behind an identifier, or whatever else the bytes of the list mean.
    pub(crate) fn seal(&self, context: ListContext<'_>, last: Uuid) -> String {
        let tag = self.mac(context, last).finalize().into_bytes();
        let mut cursor = hex::encode(last.as_bytes());
        cursor.push_str(&hex::encode(tag.get(..TAG_BYTES).unwrap_or_default()));
        cursor
    }

    /// The reverse of [`CursorKey::seal`]; `None` if the cursor was not made for this list.
    pub(crate) fn open(&self, context: ListContext<'_>, cursor: &str) -> Option<Uuid> {
        let bytes = from_hex(cursor)?;
        let (id, tag) = bytes.split_at_checked(16)?;
        let last = Uuid::from_slice(id).ok()?;
        if tag.len() != TAG_BYTES {
            return None;
        }
        // Compares in constant time.
        self.mac(context, last)
            .verify_truncated_left(tag)
            .ok()
            .map(|()| last)
    }

    /// Derives a key for another purpose.
    pub(crate) fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut mac = self.hmac();
        // The input for a cursor begins with 0 or 1.
        mac.update(&[2]);
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    fn hmac(&self) -> Hmac<Sha256> {
        #[expect(clippy::expect_used, reason = "HMAC takes keys of every length")]
        <Hmac<Sha256> as KeyInit>::new_from_slice(&self.0).expect("a key of any length")
    }

    /// The parts are length-prefixed, so that different contexts never have the same input.
    fn mac(&self, context: ListContext<'_>, last: Uuid) -> Hmac<Sha256> {
        let mut mac = self.hmac();
        let caller = context.caller.user_id().map(UserId::as_str);
        let parts = [Some(context.list), caller]
            .into_iter()
            .chain(context.filters.iter().copied());
        for part in parts {
            mac.update(&[u8::from(part.is_some())]);
            let text = part.unwrap_or_default();
            mac.update(&(text.len() as u64).to_be_bytes());
            mac.update(text.as_bytes());
        }
        mac.update(last.as_bytes());
        mac
    }
}

impl std::fmt::Debug for CursorKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("CursorKey(..)")
    }
}

/// Decodes lower-case hexadecimal digits; `None` for any other text.
pub(crate) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let has_upper = text.bytes().any(|byte| byte.is_ascii_uppercase());
    hex::decode(text).ok().filter(|_| !has_upper)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::subject::UserId;

    fn context<'a>(caller: &'a Caller, filters: &'a [Option<&'a str>]) -> ListContext<'a> {
        ListContext {
            list: "groups",
            caller,
            filters,
        }
    }

    #[test]
    fn a_cursor_is_valid_only_for_its_caller_list_and_filters() {
        let key = CursorKey::new([7; 32]);
        let (alice, bob) = (
            Caller::user(UserId::new("alice").unwrap()),
            Caller::user(UserId::new("bob").unwrap()),
        );
        let last = Uuid::from_u128(42);
        let cursor = key.seal(context(&alice, &[Some("a")]), last);
        assert_eq!(key.open(context(&alice, &[Some("a")]), &cursor), Some(last));
        assert_eq!(key.open(context(&bob, &[Some("a")]), &cursor), None);
        assert_eq!(
            key.open(context(&Caller::System, &[Some("a")]), &cursor),
            None
        );
        assert_eq!(key.open(context(&alice, &[Some("b")]), &cursor), None);
        assert_eq!(key.open(context(&alice, &[None]), &cursor), None);
        assert_eq!(
            CursorKey::new([8; 32]).open(context(&alice, &[Some("a")]), &cursor),
            None
        );
        let other = ListContext {
            list: "forms",
            caller: &alice,
            filters: &[Some("a")],
        };
        assert_eq!(key.open(other, &cursor), None);
    }

    #[test]
    fn debug_output_hides_the_key() {
        assert_eq!(format!("{:?}", CursorKey::new([7; 32])), "CursorKey(..)");
    }

    #[test]
    fn forged_cursors_are_rejected() {
        let key = CursorKey::new([7; 32]);
        let cursor = key.seal(context(&Caller::System, &[]), Uuid::from_u128(42));
        let flipped: String = cursor.chars().rev().collect();
        for forged in [
            "",
            "0",
            "zz",
            "é",
            cursor.get(..62).unwrap(),
            cursor.get(..32).unwrap(),
            &cursor.to_uppercase(),
            &flipped,
        ] {
            assert_eq!(
                key.open(context(&Caller::System, &[]), forged),
                None,
                "{forged}"
            );
        }
    }

    #[test]
    fn a_page_with_exactly_the_remaining_items_is_the_last() {
        let key = CursorKey::new([7; 32]);
        let size = PageSize::new(2).unwrap();
        let ids = |n| (1..=n).map(Uuid::from_u128).collect::<Vec<_>>();
        assert_eq!(
            key.page(context(&Caller::System, &[]), 2, ids(2), |id| *id)
                .next,
            None
        );
        let page = key.page(context(&Caller::System, &[]), 2, ids(3), |id| *id);
        assert_eq!(page.items, ids(2));
        let next = PageRequest::after(page.next.unwrap(), size);
        let window = key.window(context(&Caller::System, &[]), &next).unwrap();
        assert_eq!(
            window,
            Window {
                after: Uuid::from_u128(2),
                skip: 0,
                limit: 3,
                bytes: FETCHED_BYTES,
            }
        );
    }
}
