//! Pages of lists.

use uuid::Uuid;

/// The number of items on a page: 1 to 10 000, by default 30.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize(u32);

impl PageSize {
    /// The maximum number of items.
    pub const MAX: u32 = 10_000;

    /// A single item.
    #[cfg(feature = "forms")]
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
    /// # use formalize_conformance::example::*; with_formalize(async |formalize| {
    /// for name in ["Authors", "Editors"] {
    ///     let new = NewGroup { name: GroupName::new(name)? };
    ///     formalize.groups().create(&Caller::System, new).await?;
    /// }
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
    /// # Ok(()) });
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
    ///
    /// ```
    /// use formalize_core::store::Window;
    /// use uuid::Uuid;
    ///
    /// let rows = [1, 2, 3, 4].map(Uuid::from_u128);
    /// let window = Window { after: rows[0], skip: 1, limit: 1, ..Window::ALL };
    /// assert_eq!(window.part_of(rows.into_iter(), |row| *row), [rows[2]]);
    /// ```
    pub fn part_of<T>(self, rows: impl Iterator<Item = T>, id: impl Fn(&T) -> Uuid) -> Vec<T> {
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
