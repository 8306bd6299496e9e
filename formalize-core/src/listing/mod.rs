//! The way from the request for a page to its rows, and cursors.

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::model::subject::{Caller, UserId};
use crate::page::{Page, PageRequest, Position, Window};

#[cfg(feature = "forms")]
mod large;

/// A page ends with the item that reaches this number of bytes.
pub(crate) const PAGE_BYTES: u64 = 8 * 1024 * 1024;

/// The bytes of rows to fetch: with this many, the row that follows a page is always among them, which shows that another
/// page follows. Schemas and data have up to 1 MiB; names in other languages and additional data, less than 128 KiB together.
const FETCHED_BYTES: u64 = PAGE_BYTES + (1024 + 128) * 1024 + Window::ROW_BYTES;

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
        let mut cursor = HEXLOWER.encode(last.as_bytes());
        cursor.push_str(&HEXLOWER.encode(tag.get(..TAG_BYTES).unwrap_or_default()));
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

secret! { CursorKey }

/// Decodes lower-case hexadecimal digits; `None` for any other text.
pub(crate) fn from_hex(text: &str) -> Option<Vec<u8>> {
    HEXLOWER.decode(text.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::subject::UserId;
    use crate::page::PageSize;

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
