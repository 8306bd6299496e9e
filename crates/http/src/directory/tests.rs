use std::{
    fs,
    time::{Duration, SystemTime},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

const PEOPLE: &str = r#"
{"identifier": "straus", "givenName": "Jörg", "familyName": "Strauß"}
{"identifier": "aerzte@Example.org", "givenName": "Änne", "familyName": "von Ärzte-Lüdenscheidt", "preparedFilters": ["staff", "x"]}
{"identifier": "b2", "givenName": "Bob", "familyName": "adams", "localData": {"email": "bob@example.org"}}
{"identifier": "b1", "givenName": "Bob", "familyName": "Adams"}
{"identifier": "nameless"}
"#;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn open(&self, kind: Kind, name: &str, text: impl AsRef<[u8]>) -> Result<Records, String> {
        let path = self.write(name, text);
        read::read(kind, &path).map_err(|problem| problem.to_string())
    }
}

fn found(records: &Records, text: &str, filter: Option<&str>) -> Vec<String> {
    let search = Search::new(text, filter);
    let found = records.find(&search, 0);
    found
        .map(|(_, record)| record.identifier().to_owned())
        .collect()
}

#[test]
fn people_are_sorted_and_found_by_their_names() {
    let people = Folder::new()
        .open(Kind::People, "people.ndjson", PEOPLE)
        .unwrap();
    let sorted = ["nameless", "b1", "b2", "straus", "aerzte@Example.org"];
    assert_eq!(found(&people, "", None), sorted);
    assert_eq!(people.len(), 5);
    for (text, expected) in [
        ("ä", &["aerzte@Example.org"][..]),
        ("ÄRZ", &["aerzte@Example.org"]),
        ("lüd änn", &["aerzte@Example.org"]),
        ("Ärzte-Lüd", &["aerzte@Example.org"]),
        // Words begin with a word of the search, identifiers contain it.
        ("scheidt", &[]),
        ("ample", &["aerzte@Example.org"]),
        ("EXAMPLE.org", &["aerzte@Example.org"]),
        ("strauß", &["straus"]),
        ("STRAUSS", &["straus"]),
        ("STRAUẞ", &["straus"]),
        ("bob adams", &["b1", "b2"]),
        ("bob 2", &["b2"]),
        ("bob eve", &[]),
        // Local data are not searched.
        ("email", &[]),
        ("bob@example.org", &[]),
        ("  ", &sorted),
    ] {
        assert_eq!(found(&people, text, None), expected, "{text}");
    }
    assert_eq!(found(&people, "", Some("staff")), ["aerzte@Example.org"]);
    assert_eq!(found(&people, "bob", Some("staff")), [""; 0]);
    assert_eq!(found(&people, "", Some("sta")), [""; 0]);
}

#[test]
fn records_are_kept_as_they_were() {
    let folder = Folder::new();
    let people = folder.open(Kind::People, "p.ndjson", PEOPLE).unwrap();
    let bob = people.get("b2").unwrap();
    let members = json!({ "identifier": "b2", "givenName": "Bob", "familyName": "adams" });
    assert_eq!(Value::from(bob.members()), members);
    let local = json!({ "email": "bob@example.org" });
    assert_eq!(Value::from(bob.local_data()), local);
    let nameless = people.get("nameless").unwrap();
    let members = json!({ "identifier": "nameless", "givenName": "", "familyName": "" });
    assert_eq!(Value::from(nameless.members()), members);
    assert!(nameless.local_data().is_empty());
    assert!(people.get("B2").is_none());

    let rooms = r#"
        {"identifier": "2", "name": "Hörsaal West", "seats": 200, "building": {"name": "Tower"}}
        {"identifier": "1", "name": "Library"}
    "#;
    let rooms = folder.open(Kind::Rooms, "rooms.ndjson", rooms).unwrap();
    assert_eq!(found(&rooms, "", None), ["2", "1"]);
    assert_eq!(found(&rooms, "west", None), ["2"]);
    assert_eq!(found(&rooms, "tower", None), [""; 0]);
    let room = json!({
        "identifier": "2", "name": "Hörsaal West", "seats": 200, "building": { "name": "Tower" },
    });
    assert_eq!(Value::from(rooms.get("2").unwrap().members()), room);
}

#[test]
fn people_can_be_a_table() {
    let folder = Folder::new();
    let text = "\u{feff}familyName,identifier,email,givenName,office\r\n\
        Adams,alice,a@example.org,Alice,\r\n\"von\n Berg\",bob,,Bob,\"4, left\"\r\n";
    let people = folder.open(Kind::People, "people.csv", text).unwrap();
    let alice = people.get("alice").unwrap();
    let members = json!({ "identifier": "alice", "givenName": "Alice", "familyName": "Adams" });
    assert_eq!(Value::from(alice.members()), members);
    let local = json!({ "email": "a@example.org" });
    assert_eq!(Value::from(alice.local_data()), local);
    let bob = people.get("bob").unwrap();
    let local = json!({ "office": "4, left" });
    assert_eq!(Value::from(bob.local_data()), local);
    assert_eq!(found(&people, "berg", None), ["bob"]);
}

#[test]
fn a_problem_names_its_line() {
    let folder = Folder::new();
    for (text, expected) in [
        ("{}", "line 1: `identifier` is missing"),
        (
            "{\"identifier\": \"a\"}\n\n{\"identifier\": 1}",
            "line 3: `identifier` must be a string",
        ),
        (
            r#"{"identifier": ""}"#,
            "line 1: `identifier` must have 1 to 255 characters and no control characters",
        ),
        (
            "{\"identifier\": \"a\"}\n{\"identifier\": \"a\"}",
            "line 2: another record has the same `identifier`",
        ),
        ("[]", "line 1: the line must be a JSON object"),
        (
            r#"{"identifier": "a", "givenName": null}"#,
            "line 1: `givenName` must be a string",
        ),
        (
            r#"{"identifier": "a", "localData": []}"#,
            "line 1: `localData` must be an object",
        ),
        (
            r#"{"identifier": "a", "preparedFilters": [1]}"#,
            "line 1: `preparedFilters` must be an array of strings",
        ),
        (
            r#"{"identifier": "a", "email": "x"}"#,
            "line 1: people have no member `email`; put other data in `localData`",
        ),
    ] {
        let refused = folder.open(Kind::People, "people.ndjson", text).err();
        assert_eq!(refused.as_deref(), Some(expected), "{text}");
    }
    let broken = "{\"identifier\": \"a\"}\n{\"identifier\": \"secret\"";
    let refused = folder.open(Kind::People, "people.ndjson", broken);
    let refused = refused.err().unwrap();
    assert!(refused.starts_with("line 2: the line "), "{refused}");
    assert!(!refused.contains("secret"), "{refused}");
    let refused = folder.open(Kind::People, "people.ndjson", b"\n\xff");
    assert_eq!(refused.err().unwrap(), "line 2: the line is not UTF-8");
    for name in ["@id", "@type", "@context", "error", "hydra:view"] {
        let text = json!({ "identifier": "1", name: "x" }).to_string();
        let refused = folder.open(Kind::Courses, "courses.ndjson", text);
        let expected = format!("line 1: records must not have a member `{name}`");
        assert_eq!(refused.err(), Some(expected));
    }
    for (text, expected) in [
        (
            "identifier;givenName;familyName\na;b;c\n",
            "line 1: the header has no column `identifier`; columns are separated by commas",
        ),
        (
            "identifier,givenName,familyName,x,x\n",
            "line 1: two columns have the same name",
        ),
        (
            "identifier,givenName,familyName\na,b,c\nd,e\n",
            "line 3: the line has 2 fields, and the header 3",
        ),
        (
            "identifier,givenName,familyName\na,b,c\na,e,f\n",
            "line 3: another record has the same `identifier`",
        ),
        (
            "identifier,givenName,familyName\n,b,c\n",
            "line 2: `identifier` is missing",
        ),
    ] {
        let refused = folder.open(Kind::People, "people.csv", text).err();
        assert_eq!(refused.as_deref(), Some(expected), "{text}");
    }
    let refused = read::read(Kind::People, Path::new("/nonexistent/people.ndjson"));
    let refused = refused.err().unwrap().to_string();
    assert!(refused.starts_with("cannot read the file: "), "{refused}");
}

#[test]
fn a_file_has_a_maximum_number_of_records() {
    let lines = |count: usize| -> String {
        let lines = (0..count).map(|number| format!("{{\"identifier\":\"{number}\"}}\n"));
        lines.collect()
    };
    let folder = Folder::new();
    let people = folder.open(Kind::People, "p.ndjson", lines(500_000));
    assert_eq!(people.unwrap().len(), 500_000);
    let refused = folder.open(Kind::People, "p.ndjson", lines(500_001));
    let expected = "line 500001: a file has at most 500000 records";
    assert_eq!(refused.err().as_deref(), Some(expected));
}

#[test]
fn a_changed_file_replaces_the_records_if_it_is_valid() {
    let folder = Folder::new();
    let path = folder.write("people.ndjson", r#"{"identifier": "alice"}"#);
    // Versions differ although they may be written within the resolution of the clock of the file system.
    let mut time = SystemTime::UNIX_EPOCH;
    let mut replace = |text: &str| {
        time += Duration::from_secs(1);
        fs::write(&path, text).unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(time).unwrap();
    };
    replace(r#"{"identifier": "alice"}"#);
    let file = DirectoryFile::open(Kind::People, &path).unwrap();
    let directory = Directory::new([file]);
    let [file] = directory.files() else {
        panic!("there is one file");
    };
    let knows = |name: &str| directory.records(Kind::People).get(name).is_some();
    assert!(!file.refresh().unwrap());
    let snapshot = directory.records(Kind::People);

    replace(r#"{"identifier": "carol"}"#);
    assert!(file.refresh().unwrap());
    assert!(knows("carol") && !knows("alice"));
    assert!(snapshot.get("alice").is_some());

    replace("{\"identifier\": \"dave\"}\n{");
    assert!(file.refresh().is_err());
    assert!(knows("carol") && !knows("dave"));
    // A version is refused once.
    assert!(!file.refresh().unwrap());

    fs::remove_file(&path).unwrap();
    assert!(file.refresh().is_err());
    assert!(!file.refresh().unwrap());
    assert!(knows("carol"));

    replace("");
    assert!(file.refresh().unwrap());
    assert!(!knows("carol"));
    assert!(directory.records(Kind::Rooms).is_empty());
}
