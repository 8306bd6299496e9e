//! The README's picture of a terminal session. It is drawn from the output of the programs and compared with the file
//! in the repository. `FORMALIZE_UPDATE_DOCS=1` updates the file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use super::block::root;
use super::worlds::World;

const PICTURE: &str = "docs/pictures/first-form.svg";

/// Commands that run before the session and are not shown.
const BEFORE: &str = r#"
cat > workshop.schema.json <<'END'
{"type": "object", "required": ["name", "email"], "additionalProperties": false, "properties": {"name": {"type": "string"},
 "email": {"type": "string", "format": "email"}, "seats": {"type": "integer", "minimum": 1, "maximum": 4}}}
END
FORM=$(formalize forms create --name Workshop --schema workshop.schema.json -o json | sed -n 's/^  "identifier": "\(.*\)",/\1/p')
formalize forms share "$FORM" --with everybody --to fill > /dev/null 2>&1
"#;

/// The commands of the session.
const TYPED: [&str; 4] = [
    r#"echo '{"email": "grace", "seats": 9}' | formalize submissions create --as grace --form $FORM --data -"#,
    r#"echo '{"name": "Grace", "email": "grace@example.org"}' | formalize submissions create --as grace --form $FORM --data -"#,
    "formalize submissions list --form $FORM",
    "formalize check --user mallory --action read_submissions --resource DbpRelayFormalizeForm/$FORM",
];

const COLUMNS: usize = 120;
/// The size of a character, in units of the picture.
const WIDTH: usize = 8;
const HEIGHT: usize = 18;

#[test]
fn the_picture_shows_the_real_output() {
    let world = World::installed(None);
    let script: Vec<_> = std::iter::once(BEFORE).chain(TYPED).collect();
    let ran = world.run_in_turn(&script);
    assert!(ran[0].exits.is_empty(), "{}", ran[0].printed);
    let mut lines = Vec::new();
    for (typed, ran) in TYPED.iter().zip(&ran[1..]) {
        lines.push(format!("$ {typed}"));
        // The seed's dynamic group reads attributes, which the users here do not have.
        let shown = |line: &&str| !line.starts_with("note: dynamic_groups.");
        let printed = ran.printed.lines().filter(shown);
        lines.extend(printed.map(str::to_owned));
    }
    let drawn = draw(&timeless(&lines));
    let file = root().join(PICTURE);
    if std::env::var_os("FORMALIZE_UPDATE_DOCS").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, &drawn).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == drawn,
        "{PICTURE} is out of date; FORMALIZE_UPDATE_DOCS=1 draws it anew"
    );
}

/// Replaces identifiers and times by constants.
fn timeless(lines: &[String]) -> Vec<String> {
    let mut identifiers = BTreeMap::new();
    lines
        .iter()
        .map(|line| timeless_line(line, &mut identifiers))
        .collect()
}

fn timeless_line(line: &str, identifiers: &mut BTreeMap<String, usize>) -> String {
    const IDENTIFIER: &str = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    const INSTANT: &str = "dddd-dd-ddTdd:dd:dd.dddZ";
    const MINUTE: &str = "dddd-dd-dd dd:dd";
    let (mut rest, mut kept) = (line, String::new());
    while !rest.is_empty() {
        if let Some((identifier, after)) = split_like(rest, IDENTIFIER) {
            let next = identifiers.len() + 1;
            let number = *identifiers.entry(identifier.to_owned()).or_insert(next);
            let _ = write!(kept, "0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a{number:02}");
            rest = after;
        } else if let Some((_, after)) = split_like(rest, INSTANT) {
            kept.push_str("2026-11-21T08:00:00.000Z");
            rest = after;
        } else if let Some((_, after)) = split_like(rest, MINUTE) {
            kept.push_str("2026-11-21 08:00");
            rest = after;
        } else {
            let mut characters = rest.chars();
            kept.extend(characters.next());
            rest = characters.as_str();
        }
    }
    kept
}

/// Splits a text after a prefix that has a given shape, in which `x` stands for a hexadecimal and `d` for a decimal
/// digit.
fn split_like<'a>(text: &'a str, shape: &str) -> Option<(&'a str, &'a str)> {
    let (beginning, after) = text.split_at_checked(shape.len())?;
    let fits = |(given, expected): (char, char)| match expected {
        'x' => given.is_ascii_hexdigit(),
        'd' => given.is_ascii_digit(),
        other => given == other,
    };
    beginning
        .chars()
        .zip(shape.chars())
        .all(fits)
        .then_some((beginning, after))
}

fn draw(lines: &[String]) -> String {
    let (width, height) = (WIDTH * COLUMNS + 40, HEIGHT * lines.len() + 70);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
<title>A submission is refused with its mistakes, accepted without them, listed, and kept from who may not see it</title>
<rect width="{width}" height="{height}" rx="8" fill="#1d2330"/>
<circle cx="22" cy="20" r="6" fill="#e5695e"/><circle cx="42" cy="20" r="6" fill="#e2b93d"/><circle cx="62" cy="20" r="6" fill="#5fb364"/>
"##
    );
    for (number, line) in lines.iter().enumerate() {
        let length = line.chars().count();
        assert!(length <= COLUMNS, "too long for the picture: {line}");
        if length == 0 {
            continue;
        }
        let _ = writeln!(
            svg,
            r#"<text x="20" y="{}" fill="{}" xml:space="preserve" textLength="{}">{}</text>"#,
            HEIGHT * number + 56,
            colour(line),
            WIDTH * length,
            escaped(line)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn colour(line: &str) -> &'static str {
    match line {
        typed if typed.starts_with("$ ") => "#8fd0ff",
        bad if bad.starts_with("error") || bad == "denied" => "#ff9a8d",
        _ => "#dde3ee",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
