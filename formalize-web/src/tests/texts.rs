//! The texts on pages: where they come from, and that they stay texts.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use formalize_core::questions::Questions;
use scraper::{Html, Node};
use serde_json::json;

use super::pages::pages;
use super::{
    Asset, FormPage, Language, Shell, all, assert_survives, called, compile, page_in, text,
};

/// Texts that try to be more than text.
const HOSTILE: [&str; 9] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' autofocus onfocus='alert(1)",
    "</textarea></title></style><svg/onload=alert(1)>",
    "javascript:alert(1)",
    "&lt;b&gt; &amp; &#60;",
    "{{7*7}} ${7*7} <%= 7 %>",
    "\u{202e}txt.exe\u{2066}",
    "https://example.org/\"onmouseover=alert(1)",
];

/// Browsers open the site behind the `@`.
#[test]
fn an_address_with_the_name_of_a_user_is_no_link() {
    for (address, is_linked) in [
        ("https://example.org/", true),
        ("https://example.org/@ada?from=a@b#c@d", true),
        ("https://bank.example@other.example/", false),
        ("https://bank.example:443@other.example", false),
        ("https://@other.example", false),
    ] {
        let description = format!("See {address}, please.");
        let schema = json!({"properties": {"a": {"type": "string", "description": description}}});
        let questions = Questions::of(Some(&compile(&schema)), None, None).unwrap();
        let page = page_in(Language::English, &questions);
        let help = all(&page, "p.help")[0];
        assert_eq!(text(help), description);
        let links = all(&page, "p.help a");
        let targets: Vec<_> = links.iter().filter_map(|link| link.attr("href")).collect();
        let expected = is_linked.then_some(address);
        assert_eq!(targets, expected.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn texts_of_people_stay_texts() {
    for hostile in HOSTILE {
        let schema = json!({
            "title": hostile, "description": hostile,
            "x-form": {"send": hostile},
            "properties": {
                hostile: {
                    "type": "string", "title": hostile, "description": hostile, "default": hostile,
                    "x-form": {"hint": hostile, "autocomplete": hostile}
                },
                "long": {"type": "string", "maxLength": 500},
                "choice": {"oneOf": [{"const": hostile, "title": hostile}, {"const": "b"}]},
                "many": {"enum": [hostile, 1, 2, 3, 4, 5, 6]},
                "json": {}
            }
        });
        let data = json!({hostile: hostile, "long": hostile, "choice": hostile, "many": hostile, "json": {hostile: hostile}, "more": hostile});
        let schema = compile(&schema);
        assert_survives(&schema, &data);
        let questions = Questions::of(Some(&schema), Some(&data.to_string()), None).unwrap();
        let links = [(hostile.to_owned(), "https://example.org/imprint".to_owned())];
        let hidden = [("key", hostile)];
        let shell = Shell {
            title: hostile,
            links: &links,
            ..Shell::new(Language::English)
        };
        let page = FormPage {
            hidden: &hidden,
            ..FormPage::new(called(hostile), &questions)
        };
        let html = page.render(&shell);
        let page = Html::parse_document(&html);
        let known = [
            "html", "head", "meta", "title", "link", "body", "a", "header", "p", "main", "footer",
            "ul", "li", "h1", "form", "div", "fieldset", "legend", "label", "input", "textarea",
            "select", "option", "button", "span", "bdi", "script",
        ];
        for element in all(&page, "*") {
            let name = element.value().name();
            assert!(known.contains(&name), "{hostile}: <{name}>");
            for (attribute, value) in element.value().attrs() {
                assert!(
                    !attribute.starts_with("on") && attribute != "style",
                    "{hostile}: {attribute}"
                );
                if name == "script" || attribute == "src" {
                    assert_eq!(element.attr("src"), Some(Asset::Script.path()));
                    assert_eq!(text(element), "");
                }
                if attribute == "href" {
                    assert!(
                        ["#", "/", "https://"]
                            .iter()
                            .any(|start| value.starts_with(start)),
                        "{hostile}: {value}"
                    );
                }
            }
        }
        assert_eq!(text(all(&page, "h1")[0]), hostile);
        assert!(
            all(&page, "button.primary")
                .into_iter()
                .any(|button| text(button) == hostile)
        );
    }
}

/// `PreEscaped` would make HTML of a text.
#[test]
fn all_texts_are_escaped() {
    let mut pending = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = 0;
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(path).unwrap();
            pending.extend(entries.map(|entry| entry.unwrap().path()));
        } else if !path.ends_with("tests/texts.rs") {
            let code = fs::read_to_string(&path).unwrap();
            assert!(!code.contains("PreEscaped"), "{}", path.display());
            files += 1;
        }
    }
    assert!(files > 30, "{files}");
}

/// The elements of a page, with the names of their attributes.
fn shape(page: &Html) -> Vec<(&str, Vec<&str>)> {
    let elements = all(page, "*").into_iter().map(|element| {
        let attributes = element.value().attrs().map(|(name, _)| name);
        (element.value().name(), attributes.collect())
    });
    elements.collect()
}

#[test]
fn texts_stay_texts_on_every_page() {
    for hostile in HOSTILE {
        let given = RefCell::new(Vec::new());
        // A number tells the places apart.
        let numbered = |text: &str| {
            let mut given = given.borrow_mut();
            let text = format!("{text}{}", given.len());
            given.push(text.clone());
            text
        };
        let harmless = hostile.replace(['<', '>', '"', '\'', '&'], "x");
        let expected = pages(Language::English, &|_| numbered(&harmless)).unwrap();
        given.take();
        let mut shown = Vec::new();
        for ((name, html), (_, expected)) in pages(Language::English, &|_| numbered(hostile))
            .unwrap()
            .into_iter()
            .zip(expected)
        {
            let page = Html::parse_document(&html);
            assert_eq!(
                shape(&page),
                shape(&Html::parse_document(&expected)),
                "{hostile}: {name}"
            );
            for element in all(&page, "*") {
                shown.push(text(element));
                for (attribute, value) in element.value().attrs() {
                    let starts = ["#", "/", "https://"];
                    let is_address = matches!(attribute, "href" | "src" | "action");
                    assert!(
                        !is_address || starts.iter().any(|start| value.starts_with(start)),
                        "{hostile}: {name}: {value}"
                    );
                    shown.push(value.to_owned());
                }
            }
        }
        for text in given.take() {
            assert!(shown.iter().any(|shown| shown.contains(&text)), "{text}");
        }
    }
}

/// What people read or hear on a page.
fn words(page: &Html) -> Vec<&str> {
    const ATTRIBUTES: [&str; 7] = [
        "alt",
        "title",
        "aria-label",
        "placeholder",
        "label",
        "data-added",
        "data-removed",
    ];
    let mut words = Vec::new();
    for node in page.tree.nodes() {
        match node.value() {
            Node::Text(text) => words.push(&**text),
            Node::Element(element) => {
                words.extend(ATTRIBUTES.into_iter().filter_map(|name| element.attr(name)));
            }
            _ => {}
        }
    }
    words
}

#[test]
fn all_words_of_pages_are_from_the_catalogue_of_the_language() {
    // In the language for tests, texts in plain letters would be the same in all languages.
    for language in Language::ALL.into_iter().chain([Language::Pseudo]) {
        // The texts, and what surrounds their placeholders. The longest first, since some are parts of others.
        let texts = language.catalogue().values();
        let parts =
            |text: &'static String| text.split(['{', '}']).step_by(2).chain([text.as_str()]);
        let mut known: Vec<_> = texts
            .flat_map(parts)
            .map(str::trim)
            .filter(|part| part.contains(char::is_alphabetic))
            .collect();
        known.sort_by_key(|part| std::cmp::Reverse(part.len()));
        // This text is no number, no date and no email address.
        for (name, html) in pages(language, &|_| "0-0-0".to_owned()).unwrap() {
            let page = Html::parse_document(&html);
            for text in words(&page) {
                let rest = known
                    .iter()
                    .fold(text.to_owned(), |rest, part| rest.replace(part, " "));
                // The names of the time zone, of keywords and of formats are the same in all languages.
                let names = ["UTC", "maxLength", "CSV", "XLSX", "NDJSON"];
                let rest = names
                    .into_iter()
                    .fold(rest, |rest, name| rest.replace(name, " "));
                assert!(
                    !rest.contains(char::is_alphabetic),
                    "{language:?}: {name}: {text}: {rest}"
                );
            }
        }
    }
}

#[test]
fn counts_that_are_withheld_are_words() {
    let pages = pages(Language::English, &str::to_owned).unwrap();
    let (_, html) = pages
        .iter()
        .find(|(name, _)| name == "summary-withheld")
        .unwrap();
    let page = Html::parse_document(html);
    let texts = |selector: &str| -> Vec<String> {
        let found = all(&page, selector).into_iter();
        found.map(text).collect()
    };
    assert_eq!(texts("h2#total"), ["The newest 100000 answers"]);
    let expected = [
        ["20", "withheld", "fewer than 5", "fewer than 5"].as_slice(),
        &["20", "67%", "withheld", "", "fewer than 5", ""],
        &["20", "withheld", "fewer than 5", "fewer than 5"],
    ];
    assert_eq!(texts("tbody td"), expected.concat());
    // Bars without a number look different, and the page says what that means.
    let heights: Vec<_> = all(&page, "figure rect")
        .into_iter()
        .map(|bar| {
            (
                bar.attr("height").unwrap(),
                bar.attr("class") == Some("withheld"),
            )
        })
        .collect();
    let (full, hollow) = (("100", false), ("8", true));
    assert_eq!(
        heights,
        [full, hollow, hollow, hollow, full, hollow, hollow]
    );
    assert_eq!(texts("figcaption").len(), 2);
    assert!(texts("dl.facts").is_empty());
}
