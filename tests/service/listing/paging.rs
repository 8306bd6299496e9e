//! Lists, read in every way: as one page, page by page, and cursor by cursor.

use std::fmt::Debug;

use formalize_core::{Page, PageRequest, PageSize, Position, Result};
use formalize_tests::world::everything;

/// In which ways to read a list.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ways {
    /// As one page.
    Whole,
    /// Also in pages of this size, by number and by cursor.
    Pages(u32),
}

/// Everything in a list. It is in order, has nothing twice, and is the same in whatever pages it is read.
pub(super) async fn read<T: Debug + PartialEq, K: Debug + Ord>(
    ways: Ways,
    id: impl Fn(&T) -> K,
    list: impl AsyncFn(PageRequest) -> Result<Page<T>>,
) -> Vec<T> {
    let whole = list(everything()).await.unwrap();
    assert_eq!(whole.next, None);
    let whole = whole.items;
    let ids: Vec<K> = whole.iter().map(id).collect();
    assert!(ids.is_sorted_by(|a, b| a < b), "in order: {ids:?}");
    if let Ways::Pages(size) = ways {
        read_pages(PageSize::new(size).unwrap(), &whole, list).await;
    }
    whole
}

async fn read_pages<T: Debug + PartialEq>(
    size: PageSize,
    whole: &[T],
    list: impl AsyncFn(PageRequest) -> Result<Page<T>>,
) {
    let pages: Vec<&[T]> = whole.chunks(size.get() as usize).collect();
    let mut position = Position::Number(1);
    let mut read = 0;
    loop {
        let page = list(PageRequest { size, position }).await.unwrap();
        assert_eq!(page.items, pages.get(read).copied().unwrap_or_default());
        read += 1;
        assert_eq!(page.next.is_some(), read < pages.len());
        let Some(next) = page.next else { break };
        position = Position::Cursor(next);
    }
    for (number, items) in (1..).zip(&pages) {
        let position = Position::Number(number);
        let page = list(PageRequest { size, position }).await.unwrap();
        assert_eq!(page.items, *items, "page {number}");
    }
}
