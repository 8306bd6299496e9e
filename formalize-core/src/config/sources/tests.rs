use super::*;
use crate::config::DatabaseUrl;
use crate::config::setting::DATABASE_URL;

const NAME: Setting = Setting::new("name", "TEXT", Shape::Text);
const SIZE: Setting = Setting::new("size", "SIZE", Shape::Size);
const SWITCH: Setting = Setting::new("switch", "true|false", Shape::Switch);
const LIST: Setting = Setting::new("list", "TEXT,...", Shape::List);

const URL: &str = "FORMALIZE_DATABASE_URL";
const URL_FILE: &str = "FORMALIZE_DATABASE_URL_FILE";

fn sources(text: &str) -> Sources {
    Sources::new(text.parse().unwrap())
}

fn url(mut sources: Sources) -> Result<String, String> {
    let url = sources.value::<DatabaseUrl>(&DATABASE_URL);
    sources
        .finish(&["listen", "issuers"])
        .map_err(|error| error.to_string())?;
    Ok(url.unwrap().expose().to_owned())
}

#[test]
fn flags_override_the_environment_the_file_and_the_default() {
    assert_eq!(url(sources("")).unwrap(), "sqlite://formalize.db");
    let in_file = || sources("database_url = 'sqlite://file'");
    assert_eq!(url(in_file()).unwrap(), "sqlite://file");
    let in_variable = || in_file().variable(URL, "sqlite://variable");
    assert_eq!(url(in_variable()).unwrap(), "sqlite://variable");
    let flag = in_variable().flag(&DATABASE_URL, "sqlite://flag");
    assert_eq!(url(flag).unwrap(), "sqlite://flag");
    let empty = in_file().variable(URL, "").variable(URL_FILE, "");
    assert_eq!(
        url(empty).unwrap(),
        "sqlite://file",
        "an empty variable is treated as unset"
    );
}

#[test]
fn a_secret_can_come_from_a_separate_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("url");
    let named = || sources("database_url = 'sqlite://file'").variable(URL_FILE, &file);
    let missing = url(named()).unwrap_err();
    assert!(
        missing.starts_with("FORMALIZE_DATABASE_URL_FILE: cannot read "),
        "{missing}"
    );
    std::fs::write(&file, "postgres://a:secret@b/c\r\n").unwrap();
    assert_eq!(url(named()).unwrap(), "postgres://a:secret@b/c");
    let both = url(named().variable(URL, "sqlite://variable")).unwrap_err();
    assert_eq!(
        both,
        "FORMALIZE_DATABASE_URL_FILE: must not be set together with `FORMALIZE_DATABASE_URL`"
    );
    let flag = named()
        .variable(URL, "x")
        .flag(&DATABASE_URL, "sqlite://flag");
    assert_eq!(url(flag).unwrap(), "sqlite://flag", "a flag overrides both");
}

#[test]
fn problems_name_the_source_but_not_the_value() {
    let message = "must be a URL that begins with `sqlite://` or `postgres://`";
    let expect = |sources, place: &str| {
        assert_eq!(url(sources).unwrap_err(), format!("{place}: {message}"));
    };
    expect(sources("database_url = 'x'"), "database_url");
    expect(sources("").variable(URL, "x"), URL);
    let flag = || sources("").flag(&DATABASE_URL, "x");
    expect(flag(), "--database-url");
    let beaten = sources("database_url = 'x'").variable(URL, "sqlite://variable");
    expect(beaten, "database_url");
}

#[test]
fn each_shape_accepts_its_type() {
    for (text, setting, message) in [
        ("name = 1", NAME, "a string, not a number"),
        ("switch = 'yes'", SWITCH, "`true` or `false`, not a string"),
        ("size = []", SIZE, "a string or a number, not an array"),
        ("list = 'x'", LIST, "an array of strings, not a string"),
        ("list = [1]", LIST, "an array of strings"),
    ] {
        let wrong = sources(text).list::<String>(&setting).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            format!("{}: must be {message}", setting.key)
        );
    }
}

#[test]
fn lists_outside_the_file_are_comma_separated() {
    let list = |mut sources: Sources| sources.list::<String>(&LIST).unwrap();
    let in_file = || sources("list = ['a,b', 'c']");
    assert_eq!(list(in_file()), ["a,b", "c"]);
    let flag = |text: &str| list(in_file().flag(&LIST, text));
    assert_eq!(flag("d, e,"), ["d", "e"]);
    assert_eq!(flag(""), [""; 0], "an empty flag is an empty list");
}

#[test]
fn all_problems_and_unknown_keys_are_reported_at_once() {
    let mut sources = sources(
        "lissten = 1\nlisten = 1\nissuers = []\ndatabase_url = 1\n\
         [policies]\ncreate_form = 'true'",
    );
    sources.library();
    let told = url(sources).unwrap_err();
    let expected = "database_url: must be a string, not a number\n\
         lissten: unknown key, did you mean `listen`?\n\
         policies.create_form: unknown key, did you mean `create_forms`?";
    assert_eq!(told, expected, "keys of other programs are ignored");
}

#[test]
fn effective_values_have_their_types() {
    let text = "name = 'x'\nsize = '7'\nswitch = false\nlist = ['a']";
    let mut sources = sources(text);
    for setting in [NAME, SIZE, SWITCH, LIST] {
        sources.list::<String>(&setting).unwrap();
    }
    let expected = "list = [\"a\"]\nname = \"x\"\nsize = 7\nswitch = false";
    assert_eq!(sources.finish(&[]).unwrap(), expected.parse().unwrap());
}

#[test]
fn problems_are_reported_for_every_source() {
    let sources = sources("database_url = 1").flag(&DATABASE_URL, "x");
    assert_eq!(url(sources).unwrap_err().lines().count(), 2);
}
