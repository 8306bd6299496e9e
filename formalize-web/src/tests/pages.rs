//! Every page in each of its states. The example `pictures` writes them to files.

use std::error;

use formalize_core::forms::{FormContact, FormHead};
use formalize_core::questions::{Answers, Entries, Questions};
use formalize_core::{DataSchema, Error, FormName, InvalidFields, Rejection};
use serde_json::json;

use super::{
    Account, DeletePage, EndedPage, FirstSignInPage, FormPage, Language, MessagePage, Notice,
    ReadingPage, SentPage, Shell, SignInFailedPage, SignInPage,
};

#[path = "console.rs"]
mod console;
#[path = "editor.rs"]
mod editor;
#[path = "files.rs"]
mod files;
#[path = "summary.rs"]
mod summary;
#[path = "webhooks.rs"]
mod webhooks;

/// A page with its name.
type Page = (String, String);

/// Makes a text of a person or an operator from one as it might be.
type Data<'a> = &'a dyn Fn(&str) -> String;

/// All pages, with their texts of people and operators from `data`.
pub(crate) fn pages(
    language: Language,
    data: Data<'_>,
) -> Result<Vec<Page>, Box<dyn error::Error>> {
    let links = [
        (data("Imprint"), at("https://example.org", &data("imprint"))),
        (data("Privacy"), at("https://example.org", &data("privacy"))),
    ];
    let (title, logo, user) = (
        data("Running club of Example"),
        at("", &data("logo.svg")),
        data("ada@example.org"),
    );
    let public = Shell {
        title: &title,
        links: &links,
        ..Shell::new(language)
    };
    let signed_in = Shell {
        logo: Some(&logo),
        account: Some(Account {
            user: &user,
            token: data("6f1c"),
        }),
        ..public.clone()
    };
    let mut pages = signing_in(&public, data);
    pages.extend(messages(language, &signed_in, data)?);
    pages.extend(forms(&signed_in, data)?);
    pages.extend(lists(&signed_in, data)?);
    pages.extend(files::pages(&signed_in, data)?);
    pages.extend(console::pages(&signed_in, data));
    pages.extend(editor::pages(&signed_in, data)?);
    pages.extend(summary::pages(&signed_in, data));
    pages.extend(webhooks::pages(&signed_in, data));
    Ok(pages)
}

fn at(base: &str, path: &str) -> String {
    format!("{base}/{path}")
}

fn signing_in(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let (style, base_path, destination) = (
        at("", &data("operator.css")),
        at("", &data("base")),
        at("", &data("f/1")),
    );
    let styled = Shell {
        style: Some(&style),
        base_path: &base_path,
        ..shell.clone()
    };
    let providers = [
        (data("Sign in with Example ID"), at("", &data("sign-in/a"))),
        (data("Sign in as a member"), at("", &data("sign-in/b"))),
    ];
    let token = SignInPage {
        takes_tokens: true,
        destination: Some(&destination),
        ..SignInPage::default()
    };
    let wrong = SignInPage {
        is_wrong: true,
        ..token.clone()
    };
    let several = SignInPage {
        providers: &providers,
        ..token.clone()
    };
    let sign_outs = [(
        data("Example ID"),
        String::from("https://id.example.org/out"),
    )];
    let signed_out = SignInPage {
        sign_outs: &sign_outs,
        ..several.clone()
    };
    let (again, number) = (at("", &data("sign-in")), data("0193"));
    let failed = SignInFailedPage {
        is_outage: false,
        again: &again,
        request_id: &number,
    };
    let outage = SignInFailedPage {
        is_outage: true,
        ..failed
    };
    let sent = [
        (data("/name"), data("Ada Lovelace")),
        (data("/remarks"), data("Vegan")),
    ];
    let ended = |has_lost_files| EndedPage {
        sent: &sent,
        has_lost_files,
    };
    vec![
        named("sign-in", token.render(shell)),
        named("sign-in-wrong", wrong.render(shell)),
        named("sign-in-providers", several.render(shell)),
        named("signed-out", signed_out.render(shell)),
        named("sign-in-failed", failed.render(shell)),
        named("sign-in-outage", outage.render(shell)),
        named("sign-in-impossible", SignInPage::default().render(&styled)),
        named("first-sign-in", FirstSignInPage.render(shell)),
        named("ended", ended(false).render(shell)),
        named("ended-files", ended(true).render(shell)),
    ]
}

/// A form with this name, if there may be one, and the same text as its contact.
pub(super) fn called(name: &str) -> Option<&'static FormHead> {
    Some(Box::leak(Box::new(FormHead {
        name: FormName::new(name).ok()?,
        contact: FormContact::new(name).ok(),
    })))
}

fn named(name: &str, html: String) -> Page {
    (name.to_owned(), html)
}

/// Lists with an item of each kind, some of which are all that the item consists of.
fn lists(shell: &Shell<'_>, data: Data<'_>) -> Result<Vec<Page>, Box<dyn error::Error>> {
    let many: Vec<_> = (0..25).map(|at| data(&format!("Choice {at}"))).collect();
    let few = [data("Small"), data("Large")];
    let text = json!({"type": "string", "title": data("Street")});
    let kinds = [
        ("Text", json!({"type": "string"})),
        ("Long text", json!({"type": "string", "maxLength": 400})),
        ("Email address", json!({"format": "email"})),
        ("Web address", json!({"format": "uri"})),
        ("Date", json!({"format": "date"})),
        ("Time", json!({"format": "time"})),
        ("Date and time", json!({"format": "date-time"})),
        ("Whole number", json!({"type": "integer"})),
        ("Number", json!({"type": "number"})),
        ("Yes or no", json!({"type": "boolean"})),
        ("Consent", json!({"type": "boolean", "const": true})),
        ("One of few", json!({"enum": few})),
        ("One of many", json!({"enum": many})),
        (
            "Several of few",
            json!({"type": "array", "uniqueItems": true, "items": {"enum": few}}),
        ),
        (
            "Several of many",
            json!({"type": "array", "uniqueItems": true, "items": {"enum": many}}),
        ),
        (
            "Group",
            json!({"type": "object", "properties": {"a": text, "b": text}}),
        ),
        (
            "List",
            json!({"type": "array", "minItems": 1, "items": text}),
        ),
        ("Row", json!({"type": "array", "prefixItems": [text, text]})),
        (
            "Variant",
            json!({"oneOf": [
                {"title": data("By post"), "properties": {"a": text}}, {"title": data("By phone"), "required": ["b"]}
            ]}),
        ),
        ("Anything", json!({})),
    ];
    let mut properties = serde_json::Map::new();
    for (at, (name, kind)) in kinds.iter().enumerate() {
        let list = json!({"title": data(name), "type": "array", "minItems": 1, "items": kind});
        properties.insert(format!("k{at:02}"), list);
    }
    let mut named_kinds = serde_json::Map::new();
    for (at, (name, kind)) in kinds.into_iter().enumerate() {
        let mut kind = kind;
        if let Some(members) = kind.as_object_mut() {
            members.insert("title".to_owned(), data(name).into());
        }
        named_kinds.insert(format!("k{at:02}"), kind);
    }
    let all = json!({"title": data("Together"), "type": "array", "minItems": 1, "items": {
        "type": "object", "properties": named_kinds
    }});
    let name = data("Lists");
    let mut pages = Vec::new();
    for (key, schema) in [
        ("lists", json!({ "properties": properties })),
        ("list-of-everything", json!({"properties": {"all": all}})),
    ] {
        let schema = DataSchema::compile(&schema.to_string())?;
        let questions = Questions::of(Some(&schema), None, None)?;
        let page = FormPage::new(called(&name), &questions);
        pages.push(named(key, page.render(shell)));
    }
    Ok(pages)
}

fn messages(
    language: Language,
    shell: &Shell<'_>,
    data: Data<'_>,
) -> Result<Vec<Page>, InvalidFields> {
    let id = data("0193b2f5");
    let mut pages: Vec<_> = [400, 403, 404, 405, 413, 429, 500, 503]
        .map(|status| {
            let page = MessagePage::error(language, status).request_id(&id);
            named(&format!("error-{status}"), page.render(shell))
        })
        .into();
    let closed = data("The registration opens in March.");
    for (name, reason, text) in [
        ("closed", Error::FormNotAvailable, None),
        ("closed-cap", Error::SubmissionCapReached, None),
        ("closed-limit", Error::SubmissionLimitReached, None),
        ("closed-by-author", Error::FormNotAvailable, Some(&*closed)),
    ] {
        let page = MessagePage::closed(language, &reason, text);
        pages.push(named(name, page.render(shell)));
    }
    let form = FormName::new(data("Registration for the spring run"))?;
    let form = FormHead::named(form);
    let form_with_contact = FormHead {
        contact: Some(FormContact::new(data("Registry, room 12"))?),
        ..form.clone()
    };
    let sent = SentPage {
        form: &form,
        thanks: None,
        receipt: None,
        answers: None,
        again: None,
    };
    let thanks = data("See you at the start. We will send your number by email.");
    let sent_with_all = SentPage {
        form: &form_with_contact,
        thanks: Some(&thanks),
        receipt: Some(data("0193b2f5-6f1c-7b90-8c3e-5a1d9f0e4b27")),
        answers: Some(at("", &data("s/1"))),
        again: Some(at("", &data("f/1"))),
    };
    let submission = at("", &data("s/1"));
    let delete = DeletePage {
        token: data("6f1c"),
        submission: &submission,
    };
    pages.extend([
        named("sent", sent.render(shell)),
        named("sent-with-all", sent_with_all.render(shell)),
        named("delete", delete.render(shell)),
    ]);
    Ok(pages)
}

fn forms(shell: &Shell<'_>, data: Data<'_>) -> Result<Vec<Page>, Box<dyn error::Error>> {
    let schema = schema(data)?;
    let empty = Questions::of(Some(&schema), None, None)?;
    let entered = [
        ("/name", "A"),
        ("/email", &data("ada@")),
        ("/category", "team"),
        ("items:/members", "- -"),
        ("/members/0/name", &data("Grace Hopper")),
        ("/members/0/shirt", "M"),
        ("/members/1/name", ""),
        ("/members/1/shirt", ""),
        ("/pace", &data("fast")),
        ("/remarks", &data("Vegan")),
        ("/consent", ""),
    ];
    let entries = Entries::new(entered.map(|(name, text)| (name.to_owned(), text.to_owned())))?;
    let answers = Answers::of(Some(&schema), None, &entries, None)?;
    let wrong = Questions::of(Some(&schema), Some(&answers.data), None)?;
    let stored = json!({
        "name": data("Ada Lovelace"), "email": data("ada@example.org"), "category": "runner", "birthday": "1975-12-10",
        "distance": 10, "pace": 5.5, "meals": [1, 3],
        "address": {"street": data("12 St James’s Square"), "town": data("London")},
        "remarks": data("I bring my own cup.\nSee you there."), "consent": true
    });
    let answered = Questions::of(Some(&schema), Some(&stored.to_string()), None)?;

    let (name, delete, token) = (
        data("Registration for the spring run"),
        at("", &data("s/1/delete")),
        data("6f1c"),
    );
    let hidden = [("token", token.as_str())];
    let form = FormPage {
        hidden: &hidden,
        saves_drafts: true,
        ..FormPage::new(called(&name), &empty)
    };
    let problems = FormPage {
        entries: Some(&entries),
        ..FormPage::new(called(&name), &wrong)
    };
    let changes = FormPage {
        is_change: true,
        delete: Some(&delete),
        ..FormPage::new(called(&name), &answered)
    };
    let draft = FormPage {
        sends: false,
        ..form.clone()
    };
    let public = FormPage {
        has_honeypot: true,
        ..form.clone()
    };
    let closed = FormPage {
        entries: Some(&entries),
        closed: Some(&Error::SubmissionLimitReached),
        ..FormPage::new(called(&name), &empty)
    };
    let origin = at("https://example.org", &data("site"));
    let framed = Shell {
        account: None,
        frame: Some(origin),
        ..shell.clone()
    };
    let reading = ReadingPage {
        form: called(&name),
        questions: &answered,
        files: &[],
        notice: Some(Notice::Changed),
        delete: Some(delete.clone()),
    };
    let nothing = ReadingPage {
        form: None,
        questions: &empty,
        files: &[],
        notice: None,
        delete: None,
    };
    let mut pages = vec![
        named("form", form.render(shell)),
        named("form-problems", problems.render(shell)),
        named("form-changes", changes.render(shell)),
        named("form-draft", draft.render(shell)),
        named("form-public", public.render(&framed)),
        named("form-closed", closed.render(shell)),
        named("reading", reading.render(shell)),
        named("reading-empty", nothing.render(shell)),
    ];
    pages.extend(notices(shell, &form));
    Ok(pages)
}

/// The page of a form with each notice.
fn notices(shell: &Shell<'_>, form: &FormPage<'_>) -> Vec<Page> {
    let notices = [
        ("saved", Notice::Saved),
        ("changed", Notice::Changed),
        ("draft-only", Notice::OnlyDraft),
        ("resend", Notice::Resend),
        ("too-fast", Notice::TooFast),
        ("conflict", Notice::Conflict),
        ("not-open", Notice::NotOpen),
        ("cap", Notice::CapReached),
        ("limit", Notice::LimitReached),
        ("failed", Notice::Failed),
    ];
    let pages = notices.map(|(name, notice)| {
        let page = FormPage {
            notice: Some(notice),
            ..form.clone()
        };
        named(&format!("form-{name}"), page.render(shell))
    });
    pages.into()
}

/// A form as a club might have it. Texts of its author begin with `@`.
const SCHEMA: &str = r#"{
  "type": "object",
  "required": ["name", "email", "category", "consent"],
  "x-form": {"send": "@Register"},
  "properties": {
    "name": {"type": "string", "title": "@Full name", "minLength": 2, "maxLength": 100, "x-form": {"autocomplete": "name"}},
    "email": {"type": "string", "format": "email", "title": "@Email address", "description": "@We only use it for questions about your registration."},
    "category": {"title": "@Category", "oneOf": [
      {"const": "runner", "title": "@Runner"}, {"const": "team", "title": "@Team of runners"}, {"const": "helper", "title": "@Helper"}
    ]},
    "birthday": {"type": "string", "format": "date", "title": "@Date of birth"},
    "distance": {"title": "@Distance", "oneOf": [
      {"const": 5, "title": "@5 km"}, {"const": 10, "title": "@10 km"}, {"const": 21.1, "title": "@Half marathon"},
      {"const": 42.2, "title": "@Marathon"}, {"const": 168.8, "title": "@Relay"}, {"const": 7, "title": "@Nordic walking"}
    ]},
    "pace": {"type": "number", "title": "@Expected pace", "minimum": 3, "maximum": 12.5, "x-form": {"hint": "@In minutes per kilometre."}},
    "meals": {"type": "array", "title": "@Meals", "uniqueItems": true, "items": {"oneOf": [
      {"const": 1, "title": "@Breakfast"}, {"const": 2, "title": "@Lunch"}, {"const": 3, "title": "@Dinner"}
    ]}},
    "address": {"type": "object", "title": "@Address", "properties": {
      "street": {"type": "string", "title": "@Street and number", "x-form": {"autocomplete": "street-address"}},
      "town": {"type": "string", "title": "@Town"}
    }},
    "remarks": {"type": "string", "title": "@Remarks", "maxLength": 1000, "description": "@See the rules of the race at https://example.org/rules."},
    "consent": {"type": "boolean", "const": true, "title": "@I agree that my name is published in the list of results."}
  },
  "if": {"properties": {"category": {"const": "team"}}, "required": ["category"]},
  "then": {"properties": {"members": {
    "type": "array", "title": "@Members", "minItems": 2, "maxItems": 4,
    "items": {"type": "object", "required": ["name"], "properties": {
      "name": {"type": "string", "title": "@Name"},
      "shirt": {"title": "@Size of the shirt", "oneOf": [
        {"const": "S", "title": "@Small"}, {"const": "M", "title": "@Medium"}, {"const": "L", "title": "@Large"}
      ]}
    }}
  }}}
}"#;

fn schema(data: Data<'_>) -> Result<DataSchema, Rejection> {
    let mut parts = SCHEMA.split("\"@");
    let mut schema = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (text, behind) = part.split_once('"').unwrap_or_default();
        schema += &json!(data(text)).to_string();
        schema += behind;
    }
    DataSchema::compile(&schema)
}
