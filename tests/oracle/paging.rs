//! Lists, read in every way: as one page, page by page, and cursor by cursor.

use std::fmt::Debug;

use formalize_core::{Page, PageRequest, PageSize, Position, Result};
use formalize_tests::world::everything;

/// Everything in a list; with a size, what it shows must be the same in pages of that size.
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

/// The first page is the same as by cursor; the one behind the last is empty.
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
