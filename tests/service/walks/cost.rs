//! What pages read, from the plans of their statements.

use formalize_sql::Plan;
use serde_json::Value;

/// What a page read: rows and blocks in PostgreSQL, steps of the virtual machine in SQLite.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    pub(super) rows: u64,
    pub(super) blocks: u64,
}

/// What statements took together.
pub(super) fn cost(plans: &[Plan]) -> Cost {
    let mut cost = Cost::default();
    for plan in plans {
        if let Some(run) = plan.run {
            cost.rows += u64::try_from(run.steps).unwrap();
            continue;
        }
        let json: Value = serde_json::from_str(&plan.steps).unwrap();
        let top = &json[0]["Plan"];
        let blocks =
            ["Shared Hit Blocks", "Shared Read Blocks"].map(|blocks| top[blocks].as_u64().unwrap());
        cost.blocks += blocks.iter().sum::<u64>();
        cost.rows += rows_of(top);
    }
    cost
}

/// The rows that a step and those below it read. PostgreSQL reports averages over the repetitions of a step.
fn rows_of(node: &Value) -> u64 {
    let number = |name: &str| node[name].as_f64().unwrap_or_default();
    let of = [
        "Actual Rows",
        "Rows Removed by Filter",
        "Rows Removed by Join Filter",
        "Rows Removed by Index Recheck",
    ];
    let each: f64 = of.into_iter().map(number).sum();
    let below: u64 = node["Plans"]
        .as_array()
        .into_iter()
        .flatten()
        .map(rows_of)
        .sum();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of rows"
    )]
    let own = (each * number("Actual Loops")).ceil() as u64;
    own + below
}

/// The steps of a plan, one per line.
pub(super) fn outlined(plan: &Plan) -> String {
    fn outline(node: &Value, depth: usize, lines: &mut Vec<String>) {
        let text = |name: &str| node[name].as_str().unwrap_or_default();
        lines.push(format!(
            "{}{} {} {} rows={} loops={} filtered={}",
            "  ".repeat(depth),
            text("Node Type"),
            text("Relation Name"),
            text("Index Name"),
            node["Actual Rows"],
            node["Actual Loops"],
            node["Rows Removed by Filter"]
        ));
        for below in node["Plans"].as_array().into_iter().flatten() {
            outline(below, depth + 1, lines);
        }
    }
    match serde_json::from_str::<Value>(&plan.steps) {
        Ok(json) => {
            let mut lines = Vec::new();
            outline(&json[0]["Plan"], 0, &mut lines);
            lines.join("\n")
        }
        Err(_) => plan.steps.clone(),
    }
}
