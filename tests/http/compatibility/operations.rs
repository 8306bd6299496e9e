//! What two documents say of the same operations.

use serde_json::{Map, Value};

use super::schemas::{Narrowing, Side};

/// What of the earlier document does not hold any more.
pub(super) fn breaking_changes(old: &Value, new: &Value) -> Vec<String> {
    let mut changes = Vec::new();
    for (path, methods) in members(&old["paths"]) {
        for (method, operation) in members(methods) {
            let mut comparison = Comparison {
                old,
                new,
                name: format!("{} {path}", method.to_uppercase()),
                changes: &mut changes,
            };
            match new["paths"][path].get(method) {
                Some(successor) => comparison.operation(operation, successor),
                None => comparison.note("was removed"),
            }
        }
    }
    changes
}

/// The members of an object; none of anything else.
pub(super) fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

struct Comparison<'a> {
    old: &'a Value,
    new: &'a Value,
    name: String,
    changes: &'a mut Vec<String>,
}

impl Comparison<'_> {
    fn note(&mut self, change: &str) {
        self.changes.push(format!("{} {change}", self.name));
    }

    fn operation(&mut self, old: &Value, new: &Value) {
        let ids = [old, new].map(|operation| operation["operationId"].as_str().unwrap_or_default());
        if ids[0] != ids[1] {
            self.note(&format!("is called {} and no longer {}", ids[1], ids[0]));
        }
        if old["security"] == serde_json::json!([]) && old["security"] != new["security"] {
            self.note("needs credentials");
        }
        self.parameters(&old["parameters"], &new["parameters"]);
        self.body(&old["requestBody"], &new["requestBody"]);
        self.responses(&old["responses"], &new["responses"]);
    }

    fn parameters(&mut self, old: &Value, new: &Value) {
        let same = |a: &Value, b: &Value| a["name"] == b["name"] && a["in"] == b["in"];
        for parameter in items(old) {
            match items(new).find(|other| same(parameter, other)) {
                Some(successor) => {
                    let place = format!("parameter {}", parameter["name"]);
                    self.sent(&place, &parameter["schema"], &successor["schema"]);
                }
                None => self.note(&format!("parameter {} was removed", parameter["name"])),
            }
        }
        for parameter in items(new).filter(|parameter| parameter["required"] == true) {
            let was_required =
                items(old).any(|other| same(parameter, other) && other["required"] == true);
            if !was_required {
                self.note(&format!("parameter {} is required", parameter["name"]));
            }
        }
    }

    fn body(&mut self, old: &Value, new: &Value) {
        if new["required"] == true && old["required"] != true {
            self.note("requires a body");
        }
        for (media, described) in members(&old["content"]) {
            match new["content"].get(media) {
                Some(successor) => {
                    let place = format!("body {media}");
                    self.sent(&place, &described["schema"], &successor["schema"]);
                }
                None => self.note(&format!("does not take {media} any more")),
            }
        }
    }

    fn responses(&mut self, old: &Value, new: &Value) {
        for (status, response) in members(old) {
            match new.get(status) {
                Some(successor) => self.response(status, response, successor),
                None => self.note(&format!("does not answer {status} any more")),
            }
        }
        // A success that clients do not know; further refusals they meet like those that they know.
        for (status, _) in members(new).filter(|(status, _)| status.starts_with('2')) {
            if old.get(status).is_none() {
                self.note(&format!("may answer {status}"));
            }
        }
    }

    fn response(&mut self, status: &str, old: &Value, new: &Value) {
        for id in items(&old["x-error-ids"]) {
            if !items(&new["x-error-ids"]).any(|other| other == id) {
                self.note(&format!("{status} has no {id} any more"));
            }
        }
        for (header, _) in members(&old["headers"]) {
            if new["headers"].get(header).is_none() {
                self.note(&format!("{status} has no header {header} any more"));
            }
        }
        for (media, described) in members(&old["content"]) {
            match new["content"].get(media) {
                Some(successor) => {
                    let place = format!("{status} {media}");
                    self.answered(&place, &described["schema"], &successor["schema"]);
                }
                None => self.note(&format!("{status} is not {media} any more")),
            }
        }
    }

    /// Whatever could be sent can be sent still.
    fn sent(&mut self, place: &str, old: &Value, new: &Value) {
        let narrowing = Narrowing::new(Side::Request, self.old, self.new);
        self.narrowed(place, narrowing.of(old, new));
    }

    /// Whatever may be answered could be answered before.
    fn answered(&mut self, place: &str, old: &Value, new: &Value) {
        let narrowing = Narrowing::new(Side::Response, self.new, self.old);
        self.narrowed(place, narrowing.of(new, old));
    }

    fn narrowed(&mut self, place: &str, faults: Vec<String>) {
        for fault in faults {
            self.note(&format!("{place}{fault}"));
        }
    }
}
