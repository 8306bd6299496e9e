//! Windows of lists as SQL: the first rows of each of several ordered sets of identifiers, merged.
//!
//! A caller's grants are spread over many subjects. An index has each subject's identifiers in order, so the first ones
//! are cheap to find, however many follow. A page contains only identifiers that are among the first `skip + limit` of
//! a set. Joining all grants first would cost as much as the number of the caller's grants.

use std::borrow::Cow;

use formalize_core::Action;
use formalize_core::store::Window;
use formalize_core::store::scope::{Holding, Subjects};
use uuid::Uuid;

use super::driver::{Argument, Dialect, Range, Statement, saturated, sql};

/// The end of a query in `EXISTS` that is evaluated for one row after the other. Without it, SQLite 3.51 makes a join of the
/// query, in which OFFSET counts an item once for each row that matches, and PostgreSQL a join or a hash table of all rows.
pub(super) const FENCE: &str = " LIMIT 1 OFFSET 0";

/// How statements call a table, whose own name begins so that it differs from those of other programs in the database.
pub(super) fn alias(table: &str) -> &str {
    table.strip_prefix("formalize_").unwrap_or(table)
}

/// A table, called so, after `FROM`.
fn aliased(table: &str) -> String {
    format!("formalize_{table} AS {table}")
}

/// A statement under construction.
pub(super) struct Query<'a> {
    dialect: Dialect,
    arguments: Vec<Argument<'a>>,
    /// The identifier before which the rows end.
    before: Option<String>,
    newest_first: bool,
}

impl<'a> Query<'a> {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            arguments: Vec::new(),
            before: None,
            newest_first: false,
        }
    }

    /// Only rows before an identifier, in the order of identifiers or the reverse one.
    pub(super) fn order(&mut self, before: Option<Uuid>, newest_first: bool) {
        self.before = before.map(|before| self.bind(before));
        self.newest_first = newest_first;
    }

    /// The keyword after a column that rows are ordered by.
    fn direction(&self) -> &'static str {
        if self.newest_first { " DESC" } else { "" }
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Adds an argument and returns its placeholder.
    pub(super) fn bind(&mut self, argument: impl Into<Argument<'a>>) -> String {
        self.arguments.push(argument.into());
        format!("${}", self.arguments.len())
    }

    pub(super) fn bind_subjects(&mut self, subjects: &Subjects) -> String {
        let subjects: Vec<String> = subjects.iter().map(ToString::to_string).collect();
        self.bind(subjects)
    }

    pub(super) fn bind_actions(&mut self, actions: &[Action]) -> String {
        let actions: Vec<String> = actions.iter().map(ToString::to_string).collect();
        self.bind(actions)
    }

    pub(super) fn statement(self, text: impl Into<Cow<'static, str>>) -> Statement<'a> {
        sql(text).bind_all(self.arguments)
    }

    /// Selects `columns` of the rows in a window of the table, among those whose identifiers the sources return. `None` if
    /// there are no sources, because the list is then empty.
    pub(super) fn rows(
        self,
        columns: &str,
        table: &str,
        sources: &[Source],
        window: Window,
    ) -> Option<Statement<'a>> {
        let (from, id) = (aliased(table), format!("{table}.id"));
        self.joined_rows(columns, &from, &id, sources, window)
    }

    /// The same of the tables `from`, in which `id` is the identifier that the sources return.
    pub(super) fn joined_rows(
        mut self,
        columns: &str,
        from: &str,
        id: &str,
        sources: &[Source],
        window: Window,
    ) -> Option<Statement<'a>> {
        let page = self.page(sources, window)?;
        let rows = self.dialect.looked_up(
            &format!("({page}) AS page"),
            columns,
            &format!("{from} WHERE {id} = page.id"),
        );
        let text = format!("{rows} ORDER BY page.id{}", self.direction());
        Some(self.statement(text))
    }

    /// Like [`Query::rows`] for rows with large texts, which end after the bytes of the window. The database adds up the
    /// sizes and returns no more, because rows that were sent to this process take memory even if they are not used.
    /// Neither database reads a large text to determine its size.
    pub(super) fn large_rows(
        mut self,
        columns: &str,
        (table, texts): (&str, &[&str]),
        sources: &[Source],
        window: Window,
    ) -> Option<Statement<'a>> {
        let page = self.page(sources, window)?;
        let of_table = format!("{} WHERE {table}.id = page.id", aliased(table));
        let mut sizes = vec![Window::ROW_BYTES.to_string()];
        let sizes_of_texts = texts.iter();
        sizes.extend(sizes_of_texts.map(|text| format!("coalesce(octet_length({text}), 0)")));
        let size = sizes.join(" + ");
        let bytes = self.bind(Bounds::from(window).bytes);
        let direction = self.direction();
        // SQLite would copy every text of the page to add up the sizes, if they were not computed first.
        let sizes = self.dialect.looked_up(
            &format!("({page}) AS page"),
            &format!("page.id AS id, {size} AS size"),
            &of_table,
        );
        let rows = self.dialect.looked_up(
            &format!(
                "(SELECT sizes.id, sum(sizes.size) OVER (ORDER BY sizes.id{direction}) - sizes.size \
                 AS bytes_before FROM sizes) AS page"
            ),
            columns,
            &format!("{of_table} AND page.bytes_before < {bytes}"),
        );
        let select =
            format!("WITH sizes AS MATERIALIZED ({sizes}) {rows} ORDER BY page.id{direction}");
        Some(self.statement(select))
    }

    /// The number of rows in a window, as `counted`. `None` if there is no source, and so no row.
    pub(super) fn count(mut self, sources: &[Source], window: Window) -> Option<Statement<'a>> {
        let page = self.page(sources, window)?;
        Some(self.statement(format!("SELECT count(*) AS counted FROM ({page}) AS page")))
    }

    /// Whether the sources return anything; `None` if there is no source.
    pub(super) fn exists(&mut self, sources: &[Source]) -> Option<String> {
        let first = self.page(sources, Window::ONE)?;
        Some(format!("EXISTS ({first})"))
    }

    /// The identifiers of a window.
    fn page(&mut self, sources: &[Source], window: Window) -> Option<String> {
        let bounds = Bounds::from(window);
        let range = Range {
            after: self.bind(bounds.after),
            before: self.before.clone(),
            newest_first: self.newest_first,
        };
        let (limit, skip) = (self.bind(bounds.limit), self.bind(bounds.skip));
        match sources {
            [] => None,
            [only] if only.each.is_empty() => Some(format!(
                "{} LIMIT {limit} OFFSET {skip}",
                only.behind(self.dialect, &range)
            )),
            several => {
                let reach = self.bind(bounds.reach);
                let firsts: Vec<String> = several
                    .iter()
                    .map(|source| source.first(self.dialect, &range, &reach))
                    .collect();
                Some(format!(
                    "SELECT DISTINCT id FROM ({}) AS merged ORDER BY id{} LIMIT {limit} OFFSET {skip}",
                    firsts.join(" UNION ALL "),
                    self.direction()
                ))
            }
        }
    }
}

/// A set of identifiers that can be read in order, or one such set for each row of some tables.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// The tables that have a set for each of their rows: none, or those that the conditions refer to.
    pub(super) each: Vec<String>,
    /// The tables of the set; SQLite visits them in this order.
    pub(super) from: String,
    /// The column of the identifier.
    pub(super) id: &'static str,
    /// The conditions for the rows of the set.
    pub(super) conditions: Vec<String>,
    /// The columns directly before the identifier in an index, and their values in all rows.
    pub(super) lead: Vec<(&'static str, String)>,
    /// Whether the rows are sorted after all of them were found, because no index has the set in order.
    pub(super) is_sorted: bool,
}

impl Source {
    /// One set: the rows of a table that satisfy the conditions.
    pub(super) fn of(table: &str, id: &'static str, conditions: Vec<String>) -> Self {
        Self {
            each: Vec::new(),
            from: aliased(table),
            id,
            conditions,
            lead: Vec::new(),
            is_sorted: false,
        }
    }

    /// The items on which a subject holds an action, one set for each subject and action. Only for items with records
    /// of their own (groups and forms), because the index that the sets are read from has their conditions.
    pub(super) fn granted(query: &mut Query<'_>, subjects: &str, holding: &Holding) -> Self {
        let actions = query.bind_actions(&holding.actions);
        let class = query.bind(holding.class.to_string());
        Self {
            each: vec![
                query.dialect.texts("subject", subjects),
                query.dialect.texts("action", &actions),
            ],
            from: "formalize_grants AS grants".to_owned(),
            id: "grants.anchor",
            conditions: vec![
                "grants.anchor <> grants.resource_id AND grants.form_id IS NULL".to_owned(),
            ],
            lead: vec![
                ("grants.subject", "subject.value".to_owned()),
                ("grants.class", class),
                ("grants.action", "action.value".to_owned()),
            ],
            is_sorted: false,
        }
    }

    /// The items on which a subject holds one of several actions, one source for each holding.
    pub(super) fn granted_any(
        query: &mut Query<'_>,
        subjects: &str,
        holdings: &[Holding],
    ) -> Vec<Self> {
        let holdings = holdings.iter();
        holdings
            .map(|holding| Self::granted(query, subjects, holding))
            .collect()
    }

    /// Joins one more table after the others.
    pub(super) fn join(mut self, table: &str, condition: &str) -> Self {
        self.from = format!("{} CROSS JOIN {}", self.from, aliased(table));
        self.and(condition)
    }

    /// Only with a row of another table that meets a condition. `on` selects that row. As a join, PostgreSQL might read the
    /// other table first.
    pub(super) fn whose(self, table: &str, on: &str, condition: &str) -> Self {
        self.and(format!("(SELECT {condition} FROM {table} WHERE {on})"))
    }

    /// The set in the order of another identifier, which no index has.
    pub(super) fn ordered_by(mut self, id: &'static str) -> Self {
        let lead = std::mem::take(&mut self.lead).into_iter();
        let lead = lead.map(|(column, value)| format!("{column} = {value}"));
        self.conditions.extend(lead);
        Self {
            id,
            is_sorted: true,
            ..self
        }
    }

    pub(super) fn and(mut self, condition: impl Into<String>) -> Self {
        self.conditions.push(condition.into());
        self
    }

    /// The rows with a value in a column of an index, which comes directly before the identifier or before the next such
    /// column. They must be rows of one table in which each identifier is unique.
    pub(super) fn led_by(mut self, column: &'static str, value: impl Into<String>) -> Self {
        self.lead.push((column, value.into()));
        self
    }

    /// Every identifier once, in any order.
    pub(super) fn distinct(&self, dialect: Dialect) -> String {
        let lead = self.lead.iter();
        let lead = lead.map(|(column, value)| format!(" AND {column} = {value}"));
        let lead: String = lead.collect();
        let rest = format!("{} WHERE {}{lead}", self.from, self.conditions());
        if self.each.is_empty() {
            format!("SELECT DISTINCT {} AS id FROM {rest}", self.id)
        } else {
            dialect.joined_to_each(&self.each(), self.id, &rest)
        }
    }

    fn each(&self) -> String {
        self.each.join(" CROSS JOIN ")
    }

    /// The first identifiers of each set.
    fn first(&self, dialect: Dialect, range: &Range, reach: &str) -> String {
        let set = format!("{} LIMIT {reach}", self.behind(dialect, range));
        if self.each.is_empty() {
            format!("SELECT id FROM ({set}) AS found")
        } else {
            dialect.of_each(&self.each(), &set)
        }
    }

    /// The identifiers of a set in a range, in its order.
    fn behind(&self, dialect: Dialect, range: &Range) -> String {
        let (id, from) = (self.id, &self.from);
        let conditions = self.conditions();
        let (in_range, direction) = (range.condition(id), range.direction());
        if self.is_sorted {
            let rows = format!("SELECT {id} AS id FROM {from} WHERE {conditions} AND {in_range}");
            let rows = dialect.fenced(&rows);
            return format!("SELECT DISTINCT id FROM ({rows}) AS found ORDER BY 1{direction}");
        }
        if self.lead.is_empty() {
            return format!(
                "SELECT DISTINCT {id} AS id FROM {from} WHERE {conditions} AND {in_range} ORDER BY 1{direction}"
            );
        }
        let lead = self.lead.iter();
        let lead: Vec<_> = lead.map(|(column, value)| (*column, &**value)).collect();
        let behind = dialect.behind(&lead, id, range);
        format!("SELECT {id} AS id FROM {from} WHERE {conditions} AND {behind}")
    }

    fn conditions(&self) -> String {
        if self.conditions.is_empty() {
            "TRUE".to_owned()
        } else {
            self.conditions.join(" AND ")
        }
    }
}

/// A window as numbers for a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) after: Uuid,
    pub(super) limit: i64,
    pub(super) skip: i64,
    /// How many identifiers of each set can be in the window.
    reach: i64,
    bytes: i64,
}

impl From<Window> for Bounds {
    fn from(window: Window) -> Self {
        let skip = saturated(window.skip);
        // Databases add the two numbers, which must not overflow.
        let limit = saturated(window.limit).min(i64::MAX - skip);
        Self {
            after: window.after,
            limit,
            skip,
            reach: skip + limit,
            bytes: saturated(window.bytes),
        }
    }
}

/// A window of the rows that `select` returns with a value in a column. An index has them in the order of `id`.
pub(super) fn window_of<'a>(
    dialect: Dialect,
    select: &str,
    (column, value): (&str, impl Into<Argument<'a>>),
    id: &str,
    window: Window,
) -> Statement<'a> {
    let bounds = Bounds::from(window);
    let behind = dialect.behind(&[(column, "$1")], id, &Range::after("$2"));
    sql(format!("{select} WHERE {behind} LIMIT $3 OFFSET $4"))
        .bind(value)
        .bind(bounds.after)
        .bind(bounds.limit)
        .bind(bounds.skip)
}

/// Whether the database can contain a text: PostgreSQL rejects NUL, even in queries.
pub(super) fn can_be_stored(text: &str) -> bool {
    !text.contains('\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_do_not_exceed_database_integers() {
        let window = Window {
            skip: u64::MAX,
            ..Window::ALL
        };
        let bounds = Bounds::from(window);
        assert_eq!(
            (bounds.skip, bounds.limit, bounds.reach),
            (i64::MAX, 0, i64::MAX)
        );
        let bounds = Bounds::from(Window {
            skip: 30,
            ..Window::ALL
        });
        assert_eq!((bounds.limit, bounds.reach), (i64::MAX - 30, i64::MAX));
    }
}
