//! Reads lists in every way: as one page, page by page, and by cursor.

use std::fmt::Debug;

use formalize_core::{Page, PageRequest, PageSize, Position, Result};
use formalize_tests::world::everything;

/// Reads the whole list. With a page size, reads it again in pages, which must give the same items.
pub(crate) async fn read<T: Debug + PartialEq>(
    size: Option<PageSize>,
    list: impl AsyncFn(PageRequest) -> Result<Page<T>>,
) -> Result<Vec<T>> {
    let whole = list(everything()).await?;
    assert_eq!(whole.next, None);
    if let Some(size) = size {
        by_cursor(size, &whole.items, &list).await?;
        by_number(size, &whole.items, &list).await?;
    }
    Ok(whole.items)
}

async fn by_cursor<T: Debug + PartialEq>(
    size: PageSize,
    whole: &[T],
    list: &impl AsyncFn(PageRequest) -> Result<Page<T>>,
) -> Result<()> {
    let mut pages = whole.chunks(size.get() as usize);
    let mut position = Position::Number(1);
    loop {
        let page = list(PageRequest { size, position }).await?;
        assert_eq!(page.items, pages.next().unwrap_or_default());
        assert_eq!(page.next.is_some(), pages.len() > 0);
        let Some(next) = page.next else {
            return Ok(());
        };
        position = Position::Cursor(next);
    }
}

/// The first page must be the same by number and by cursor, and the page after the last must be empty.
async fn by_number<T: Debug + PartialEq>(
    size: PageSize,
    whole: &[T],
    list: &impl AsyncFn(PageRequest) -> Result<Page<T>>,
) -> Result<()> {
    let pages = whole.chunks(size.get() as usize).chain([&[][..]]);
    for (number, items) in (1..).zip(pages).skip(1) {
        let position = Position::Number(number);
        let page = list(PageRequest { size, position }).await?;
        assert_eq!(page.items, items, "page {number}");
    }
    Ok(())
}
