//! The settings of web pages.

use std::{fmt, fs, str::FromStr, sync::LazyLock, time::Duration};

use formalize_core::{
    Timestamp, bounded_settings,
    config::{InvalidSetting, Problem, Sources},
};
use jiff::{
    civil::{Date, DateTime, Time},
    tz::{AmbiguousOffset, TimeZone},
};

use super::{OrOff, Switch, Timeout, setting};

/// The settings of web pages.
#[derive(Debug, Clone)]
pub struct PageSettings {
    /// The title of the service.
    pub title: String,
    /// The language for readers who prefer none that pages are written in.
    pub language: PageLanguage,
    /// The time zone of the times that people enter.
    pub time_zone: PageTimeZone,
    /// A style sheet of the operator.
    pub style: Option<PageFile>,
    /// The logo.
    pub logo: Option<PageFile>,
    /// The links in the footer.
    pub links: Vec<PageLink>,
    /// How long after signing in a session ends.
    pub session_lifetime: Timeout,
    /// How long after its last use a session ends.
    pub session_idle: IdleTime,
}

impl PageSettings {
    /// Reads the settings; `None` if there are no pages.
    pub(super) fn read(sources: &mut Sources) -> Result<Option<Self>, Problem> {
        let pages = sources.value::<Switch>(&setting::PAGES);
        let settings = read_all! {
            title: sources.value(&setting::PAGES_TITLE),
            language: sources.value(&setting::PAGES_LANGUAGE),
            time_zone: sources.value(&setting::PAGES_TIME_ZONE),
            style: sources.value(&setting::PAGES_STYLE).map(|OrOff(file)| file),
            logo: sources.value(&setting::PAGES_LOGO).map(|OrOff(file)| file),
            links: sources.list(&setting::PAGES_LINKS),
            session_lifetime: sources.value(&setting::SESSION_LIFETIME),
            session_idle: sources.value(&setting::SESSION_IDLE),
        };
        Ok(pages?.0.then_some(settings))
    }
}

impl Default for PageSettings {
    fn default() -> Self {
        Self {
            title: "formalize".to_owned(),
            language: PageLanguage("en"),
            time_zone: PageTimeZone::default(),
            style: None,
            logo: None,
            links: Vec::new(),
            session_lifetime: Timeout(Duration::from_hours(12)),
            session_idle: IdleTime(Duration::from_hours(2)),
        }
    }
}

/// The tag of a language that pages are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLanguage(&'static str);

impl PageLanguage {
    /// All of them.
    pub const ALL: [Self; 3] = [Self("en"), Self("de"), Self("fr")];

    /// The tag.
    pub const fn tag(self) -> &'static str {
        self.0
    }
}

impl FromStr for PageLanguage {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let found = Self::ALL.into_iter().find(|language| language.0 == text);
        found.ok_or(InvalidSetting("`en`, `de` or `fr`"))
    }
}

impl fmt::Display for PageLanguage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

/// A time zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageTimeZone(TimeZone);

impl PageTimeZone {
    /// The name, as in the IANA time zone database.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The names that people choose from: those of places, and `UTC`.
    pub fn names() -> Vec<&'static str> {
        static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
            let all = jiff::tz::db().available();
            let names = all.map(|name| name.as_str().to_owned());
            let is_place = |name: &str| name.contains('/') && !name.starts_with("Etc/");
            names
                .filter(|name| name == "UTC" || is_place(name))
                .collect()
        });
        NAMES.iter().map(String::as_str).collect()
    }

    /// The offset from UTC of a local time, such as `2026-01-31T08:30:00`; of a time without a date, that of the day of
    /// `now`. `None` if it is not a time.
    ///
    /// Of a local time that exists twice, the earlier one is meant. One that does not exist, because clocks are put
    /// forward, has the offset from before.
    pub fn offset(&self, local: &str, now: Timestamp) -> Option<String> {
        let local: DateTime = if local.contains('T') {
            local.parse().ok()?
        } else {
            let now = jiff::Timestamp::from_millisecond(now.as_millis()).ok()?;
            let today = self.0.to_datetime(now).date();
            today.to_datetime(local.parse().ok()?)
        };
        let (AmbiguousOffset::Unambiguous { offset }
        | AmbiguousOffset::Gap { before: offset, .. }
        | AmbiguousOffset::Fold { before: offset, .. }) =
            self.0.to_ambiguous_timestamp(local).offset();
        if offset.is_zero() {
            return Some("Z".to_owned());
        }
        // Before there was a common time, offsets had seconds. A date with a time has none.
        let minutes = offset.seconds() / 60;
        let (sign, minutes) = (if minutes < 0 { '-' } else { '+' }, minutes.unsigned_abs());
        Some(format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60))
    }

    /// The local time of an instant, such as `2026-01-31T08:30:00`, without fractions of a second.
    pub fn local(&self, instant: Timestamp) -> String {
        let instant = jiff::Timestamp::from_millisecond(instant.as_millis());
        let local = instant.map(|instant| self.0.to_datetime(instant));
        local.map_or_else(
            |_| String::new(),
            |local| local.strftime("%Y-%m-%dT%H:%M:%S").to_string(),
        )
    }

    /// The instant of a local time, such as `2026-01-31T08:30`, as [`PageTimeZone::offset`] reads it. `None` if it is not
    /// one.
    pub fn instant(&self, local: &str) -> Option<Timestamp> {
        let local: DateTime = local.parse().ok().filter(|_| local.contains('T'))?;
        self.instant_of(local)
    }

    /// When a day begins, such as `2026-01-31`, and when the next one does. `None` if it is not a day.
    pub fn day(&self, text: &str) -> Option<(Timestamp, Timestamp)> {
        const LENGTH: usize = 10;
        let day: Date = text.parse().ok().filter(|_| text.len() == LENGTH)?;
        let begin = |day: Date| self.instant_of(day.to_datetime(Time::midnight()));
        Some((begin(day)?, begin(day.tomorrow().ok()?)?))
    }

    fn instant_of(&self, local: DateTime) -> Option<Timestamp> {
        let instant = self.0.to_ambiguous_timestamp(local).compatible().ok()?;
        Timestamp::from_millis(instant.as_millisecond()).ok()
    }
}

impl Default for PageTimeZone {
    fn default() -> Self {
        Self(TimeZone::UTC)
    }
}

impl FromStr for PageTimeZone {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let found = TimeZone::get(text);
        found.map(Self).map_err(|_| {
            InvalidSetting(
                "a name of the IANA time zone database, such as `Europe/Berlin` or `UTC`",
            )
        })
    }
}

impl fmt::Display for PageTimeZone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A file that pages load: a style sheet or an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFile {
    path: String,
    /// The end of its name.
    pub extension: &'static str,
    /// The media type.
    pub media_type: &'static str,
    /// The content.
    pub content: Vec<u8>,
}

impl PageFile {
    /// The largest file, in bytes.
    const MAX: usize = 256 << 10;

    const KINDS: [(&'static str, &'static str); 4] = [
        ("css", "text/css; charset=utf-8"),
        ("svg", "image/svg+xml"),
        ("png", "image/png"),
        ("webp", "image/webp"),
    ];
}

impl FromStr for PageFile {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let kind = |(extension, _): &(&str, &str)| {
            let (_, end) = text.rsplit_once('.').unwrap_or_default();
            end.eq_ignore_ascii_case(extension)
        };
        let kind = Self::KINDS.into_iter().find(kind);
        let (extension, media_type) = kind.ok_or(InvalidSetting(
            "a file whose name ends with `.css`, `.svg`, `.png` or `.webp`",
        ))?;
        let content =
            fs::read(text).map_err(|_| InvalidSetting("a file that the server can read"))?;
        if content.len() > Self::MAX {
            return Err(InvalidSetting("a file of at most 256 KiB"));
        }
        Ok(Self {
            path: text.to_owned(),
            extension,
            media_type,
            content,
        })
    }
}

impl fmt::Display for PageFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.path)
    }
}

/// A link in the footer of pages: a label, `=`, and an address.
///
/// ```
/// use formalize_http::config::PageLink;
///
/// let link: PageLink = "Imprint=https://example.org/imprint".parse()?;
/// assert_eq!((link.label.as_str(), link.url.as_str()), ("Imprint", "https://example.org/imprint"));
/// # Ok::<(), formalize_core::config::InvalidSetting>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLink {
    /// The text of the link.
    pub label: String,
    /// The address.
    pub url: String,
}

impl FromStr for PageLink {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let link = text.split_once('=').filter(|(label, url)| {
            let is_web = ["https://", "http://", "mailto:", "/"]
                .iter()
                .any(|start| url.starts_with(start));
            !label.trim().is_empty() && is_web
        });
        let (label, url) = link.ok_or(InvalidSetting(
            "a label, `=` and an address, such as `Imprint=https://example.org/imprint`",
        ))?;
        Ok(Self {
            label: label.trim().to_owned(),
            url: url.to_owned(),
        })
    }
}

impl fmt::Display for PageLink {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}={}", self.label, self.url)
    }
}

bounded_settings! {
    /// How long a session may be unused: at least ten minutes, because uses are recorded to within five.
    pub IdleTime(Duration) = Timeout in Duration::from_mins(10).., "at least `10m`";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_times_have_the_offset_of_their_day() {
        let berlin: PageTimeZone = "Europe/Berlin".parse().unwrap();
        let now = |text: &str| text.parse::<Timestamp>().unwrap();
        let (winter, summer) = (now("2026-01-31T12:00:00Z"), now("2026-07-31T12:00:00Z"));
        for (local, offset) in [
            ("2026-01-31T08:30:00", Some("+01:00")),
            ("2026-07-31T08:30:00", Some("+02:00")),
            // Clocks are put forward at 02:00 and back at 03:00.
            ("2026-03-29T02:30:00", Some("+01:00")),
            ("2026-10-25T02:30:00", Some("+02:00")),
            ("0001-01-01T00:00:00.5", Some("+00:53")),
            ("2026-01-31", None),
            ("2026-01-31T25:00:00", None),
            ("never", None),
        ] {
            assert_eq!(berlin.offset(local, winter).as_deref(), offset, "{local}");
        }
        assert_eq!(berlin.offset("08:30:00", winter).unwrap(), "+01:00");
        assert_eq!(berlin.offset("08:30:00", summer).unwrap(), "+02:00");
        let utc = PageTimeZone::default();
        assert_eq!(utc.offset("2026-07-31T08:30:00", winter).unwrap(), "Z");
        let refused = "Berlin".parse::<PageTimeZone>().unwrap_err();
        assert!(refused.to_string().contains("IANA"), "{refused}");
    }

    #[test]
    fn names_are_those_of_places() {
        let names = PageTimeZone::names();
        for (name, is_place) in [
            ("Europe/Berlin", true),
            ("America/Argentina/Ushuaia", true),
            ("UTC", true),
            ("Etc/GMT+1", false),
            ("CET", false),
        ] {
            assert_eq!(names.contains(&name), is_place, "{name}");
        }
        for name in names {
            let zone: PageTimeZone = name.parse().unwrap();
            assert_eq!(zone.name(), name);
        }
    }

    #[test]
    fn instants_have_local_times() {
        let berlin: PageTimeZone = "Europe/Berlin".parse().unwrap();
        for (instant, local) in [
            ("2026-01-31T07:30:00Z", "2026-01-31T08:30:00"),
            ("2026-07-31T06:30:59.999Z", "2026-07-31T08:30:59"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:53:28"),
        ] {
            assert_eq!(berlin.local(instant.parse().unwrap()), local);
        }
        for (local, instant) in [
            ("2026-01-31T08:30", Some("2026-01-31T07:30:00.000Z")),
            ("2026-07-31T08:30:30", Some("2026-07-31T06:30:30.000Z")),
            ("2026-03-29T02:30", Some("2026-03-29T01:30:00.000Z")),
            ("2026-10-25T02:30", Some("2026-10-25T00:30:00.000Z")),
            ("2026-01-31", None),
            ("08:30", None),
            ("soon", None),
        ] {
            let found = berlin.instant(local).map(|found| found.to_string());
            assert_eq!(found.as_deref(), instant, "{local}");
        }
    }

    #[test]
    fn days_begin_at_local_midnight() {
        let berlin: PageTimeZone = "Europe/Berlin".parse().unwrap();
        let day = |zone: &PageTimeZone, text| {
            let (begin, end) = zone.day(text)?;
            Some((begin.to_string(), end.to_string()))
        };
        for (text, begin, end) in [
            (
                "2026-01-31",
                "2026-01-30T23:00:00.000Z",
                "2026-01-31T23:00:00.000Z",
            ),
            // Clocks are put forward and back on these days.
            (
                "2026-03-29",
                "2026-03-28T23:00:00.000Z",
                "2026-03-29T22:00:00.000Z",
            ),
            (
                "2026-10-25",
                "2026-10-24T22:00:00.000Z",
                "2026-10-25T23:00:00.000Z",
            ),
        ] {
            let expected = Some((begin.to_owned(), end.to_owned()));
            assert_eq!(day(&berlin, text), expected, "{text}");
        }
        // In Cairo, clocks were put forward at midnight.
        let cairo: PageTimeZone = "Africa/Cairo".parse().unwrap();
        let (begin, _) = day(&cairo, "2024-04-26").unwrap();
        assert_eq!(begin, "2024-04-25T22:00:00.000Z");
        for text in ["", "2026-02-30", "2026-01-31T08:30", "20260131", "soon"] {
            assert_eq!(berlin.day(text), None, "{text}");
        }
    }

    #[test]
    fn links_have_a_label_and_an_address() {
        for text in [
            "Imprint",
            "=https://example.org",
            "Imprint=example.org",
            "Imprint=javascript:1",
        ] {
            assert!(text.parse::<PageLink>().is_err(), "{text}");
        }
        let link = "Help = me=mailto:help@example.org";
        assert!(
            link.parse::<PageLink>().is_err(),
            "the label ends at the first `=`"
        );
        assert!("Help=mailto:help@example.org".parse::<PageLink>().is_ok());
    }

    #[test]
    fn files_are_read_and_recognized_by_their_names() {
        let folder = std::env::temp_dir().join(format!("formalize-pages-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let named = |name: &str, content: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, content).unwrap();
            path.to_str().unwrap().parse::<PageFile>()
        };
        let style = named("own.CSS", b"a {}").unwrap();
        assert_eq!(
            (style.extension, style.content.as_slice()),
            ("css", &b"a {}"[..])
        );
        assert!(named("logo.gif", b"").is_err());
        assert!(named("logo.png", &vec![0; PageFile::MAX]).is_ok());
        assert!(named("large.png", &vec![0; PageFile::MAX + 1]).is_err());
        assert!("/nowhere/logo.png".parse::<PageFile>().is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn sessions_are_idle_for_ten_minutes_at_least() {
        assert!("599s".parse::<IdleTime>().is_err());
        assert_eq!("10m".parse::<IdleTime>().unwrap().to_string(), "600s");
    }
}
