//! Tables that come page by page: what has been printed is never needed again.

use std::io::{self, Write};

use comfy_table::{ColumnConstraint, Table, Width, presets};

/// The blanks between two columns.
const GAP: u16 = 2;
/// How narrow a column gets at most, to make the table fit.
const NARROWEST: u16 = 8;

/// The widths of the columns, which the first page decides.
pub(super) struct Layout {
    /// The columns of the terminal; `None` where lines may be as long as they like.
    limit: Option<u16>,
    widths: Vec<u16>,
}

impl Layout {
    pub(super) fn new(limit: Option<u16>) -> Self {
        Self {
            limit,
            widths: Vec::new(),
        }
    }

    /// Writes rows. On a terminal, later ones are wrapped to the widths of the first; elsewhere columns grow with what
    /// they hold, so that every line is a line.
    pub(super) fn write(
        &mut self,
        to: &mut impl Write,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> io::Result<()> {
        let mut table = Table::new();
        // No borders, so that a line can be cut into words.
        table.load_style(presets::NOTHING).force_no_tty();
        for row in rows {
            table.add_row(row);
        }
        if table.is_empty() {
            return Ok(());
        }
        self.arrange(&table.column_max_content_widths());
        let last = self.widths.len().saturating_sub(1);
        for (position, column) in table.column_iter_mut().enumerate() {
            let gap = if position == last { 0 } else { GAP };
            column.set_padding((0, gap));
            let width = self.widths.get(position).copied().unwrap_or(NARROWEST);
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width + gap)));
        }
        writeln!(to, "{}", table.trim_fmt())
    }

    fn arrange(&mut self, natural: &[u16]) {
        let is_first = self.widths.is_empty();
        match self.limit {
            Some(limit) if is_first => self.widths = fitted(natural, limit),
            Some(_) => {}
            None => {
                self.widths.resize(natural.len(), 1);
                for (width, natural) in self.widths.iter_mut().zip(natural) {
                    *width = (*width).max(*natural);
                }
            }
        }
    }
}

/// The widths, with the widest made narrower until the table fits, or no column can give any more.
fn fitted(natural: &[u16], limit: u16) -> Vec<u16> {
    let mut widths: Vec<u16> = natural.iter().map(|width| (*width).max(1)).collect();
    let gaps = natural.len().saturating_sub(1) * usize::from(GAP);
    let room = usize::from(limit).saturating_sub(gaps);
    let needs = |widths: &[u16]| widths.iter().copied().map(usize::from).sum::<usize>();
    while needs(&widths) > room {
        let widest = widths.iter_mut().max().filter(|width| **width > NARROWEST);
        let Some(widest) = widest else {
            break;
        };
        *widest -= 1;
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(limit: Option<u16>, pages: &[&[[&str; 2]]]) -> String {
        let mut layout = Layout::new(limit);
        let mut text = Vec::new();
        for page in pages {
            let rows = page
                .iter()
                .map(|row| row.iter().map(ToString::to_string).collect());
            layout.write(&mut text, rows).unwrap();
        }
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn elsewhere_than_on_a_terminal_a_row_is_a_line_however_long() {
        let long = "word ".repeat(5_000);
        let text = printed(None, &[&[["a", "b"], [long.as_str(), "c"]], &[["d", "e"]]]);
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn on_a_terminal_no_line_is_longer_than_it_is_wide() {
        let id = "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b";
        let pages: [&[[&str; 2]]; 2] = [
            &[["identifier", "name"], [id, "The examination office"]],
            &[[id, "A name that is longer than all those that came before"]],
        ];
        let text = printed(Some(40), &pages);
        assert!(
            text.lines().all(|line| line.chars().count() <= 40),
            "{text}"
        );
        let first: Vec<&str> = text.lines().collect();
        let column = first[0].find("name").unwrap();
        let second = text.lines().find(|line| line.contains("A name")).unwrap();
        assert_eq!(second.find("A name"), Some(column), "{text}");
    }

    #[test]
    fn what_fits_is_not_wrapped() {
        assert_eq!(
            printed(Some(80), &[&[["a", "b"], ["long", "c d"]]]),
            "a     b\nlong  c d\n"
        );
    }

    #[test]
    fn the_widest_columns_give_way() {
        assert_eq!(fitted(&[36, 9, 4], 80), [36, 9, 4]);
        assert_eq!(fitted(&[36, 9, 30], 50), [19, 9, 18]);
        assert_eq!(fitted(&[36, 9, 30], 5), [8, 8, 8]);
        assert_eq!(fitted(&[0], 5), [1]);
    }
}
