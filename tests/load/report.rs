//! Reports the results beside their targets.

use std::fmt;

use comfy_table::{Table, presets};
use formalize_tests::Result;
use serde_json::{Value, json};

/// The target of a result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
}

impl Target {
    fn is_met_by(self, measured: f64) -> bool {
        match self {
            Self::AtLeast(bound) => measured >= bound,
            Self::AtMost(bound) => measured <= bound,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(bound) => write!(formatter, "≥ {bound}"),
            Self::AtMost(bound) => write!(formatter, "≤ {bound}"),
        }
    }
}

/// One result.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    what: String,
    /// `B`, `×`, `ms` or `MB`.
    unit: &'static str,
    measured: f64,
    must: Option<Target>,
    aim: Option<Target>,
}

impl Figure {
    pub(crate) fn new(what: impl Into<String>, measured: f64, unit: &'static str) -> Self {
        Self {
            what: what.into(),
            unit,
            measured,
            must: None,
            aim: None,
        }
    }

    /// Sets the required target, and optionally a better one.
    pub(crate) fn must(self, must: Target, aim: Option<Target>) -> Self {
        Self {
            must: Some(must),
            aim,
            ..self
        }
    }

    fn verdict(&self) -> &'static str {
        let met = |target: Option<Target>| target.map(|target| target.is_met_by(self.measured));
        match (met(self.must), met(self.aim)) {
            (Some(false), _) => "MISSED",
            (Some(true), Some(true)) => "aim met",
            (Some(true), _) => "met",
            (None, _) => "",
        }
    }
}

/// All results of a run.
#[derive(Debug)]
pub(crate) struct Report {
    store: &'static str,
    /// Whether the database was as large as the targets assume.
    at_full_scale: bool,
    figures: Vec<Figure>,
}

impl Report {
    pub(crate) fn new(store: &'static str, at_full_scale: bool) -> Self {
        Self {
            store,
            at_full_scale,
            figures: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, figure: Figure) {
        crate::note(&format!(
            "  {}: {} {}",
            figure.what,
            short(figure.measured),
            figure.unit
        ));
        self.figures.push(figure);
    }

    pub(crate) fn all_met(&self) -> bool {
        self.figures
            .iter()
            .all(|figure| figure.verdict() != "MISSED")
    }

    pub(crate) fn to_json(&self) -> Result<String> {
        let target = |target: Option<Target>| match target {
            None => Value::Null,
            Some(Target::AtLeast(bound)) => json!({"atLeast": bound}),
            Some(Target::AtMost(bound)) => json!({"atMost": bound}),
        };
        let figures: Vec<Value> = self
            .figures
            .iter()
            .map(|figure| {
                json!({
                    "what": figure.what,
                    "measured": figure.measured,
                    "unit": figure.unit,
                    "must": target(figure.must),
                    "aim": target(figure.aim),
                })
            })
            .collect();
        let document = json!({
            "store": self.store,
            "fullScale": self.at_full_scale,
            "figures": figures,
        });
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header(["What", "Measured", "Must", "Aim", ""]);
        let text = |target: Option<Target>| target.map(|it| it.to_string()).unwrap_or_default();
        for figure in &self.figures {
            table.add_row([
                figure.what.clone(),
                format!("{} {}", short(figure.measured), figure.unit),
                text(figure.must),
                text(figure.aim),
                figure.verdict().to_owned(),
            ]);
        }
        writeln!(formatter, "{table}")?;
        if self.at_full_scale {
            return Ok(());
        }
        writeln!(formatter, "At a hundredth of the full scale.")
    }
}

/// Results on a shared machine are not accurate to more than three significant digits.
fn short(figure: f64) -> String {
    match figure.abs() {
        large if large >= 100.0 => format!("{figure:.0}"),
        medium if medium >= 10.0 => format!("{figure:.1}"),
        _ => format!("{figure:.2}"),
    }
}
