//! Values that several settings have, and their syntax.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::InvalidSetting;

/// Declares settings whose values are those of another one within bounds, and says what they must be.
#[doc(hidden)] // For the settings of the server.
#[macro_export]
macro_rules! bounded_settings {
    ($($(#[$doc:meta])+ $vis:vis $name:ident($value:ty) = $base:ident in $bounds:expr, $must_be:literal;)+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis struct $name($vis $value);

        impl std::str::FromStr for $name {
            type Err = $crate::config::InvalidSetting;

            fn from_str(text: &str) -> Result<Self, $crate::config::InvalidSetting> {
                let $base(value) = text.parse()?;
                if ($bounds).contains(&value) {
                    Ok(Self(value))
                } else {
                    Err($crate::config::InvalidSetting($must_be))
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $base(self.0).fmt(formatter)
            }
        }
    )+};
}

/// Declares the words for the values of a setting, and says that there are only these.
#[doc(hidden)] // For the settings of the server.
#[macro_export]
macro_rules! worded_setting {
    ($name:ident, $must_be:literal: $($word:literal = $value:ident),+) => {
        impl std::str::FromStr for $name {
            type Err = $crate::config::InvalidSetting;

            fn from_str(text: &str) -> Result<Self, $crate::config::InvalidSetting> {
                match text {
                    $($word => Ok(Self::$value),)+
                    _ => Err($crate::config::InvalidSetting($must_be)),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(match self {
                    $(Self::$value => $word,)+
                })
            }
        }
    };
}

pub(super) use {bounded_settings, worded_setting};

/// A duration: a whole number and `ms`, `s`, `m`, `h`, `d` or `w`.
///
/// ```
/// use formalize_core::config::Period;
/// let period: Period = "90s".parse()?;
/// assert_eq!(period.0.as_secs(), 90);
/// # Ok::<(), formalize_core::config::InvalidSetting>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period(pub Duration);

impl FromStr for Period {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let refused =
            InvalidSetting("a whole number and a unit, such as `10s` (ms, s, m, h, d, w)");
        let (number, unit) = split(text).ok_or(refused)?;
        let millis = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            "w" => 604_800_000,
            _ => return Err(refused),
        };
        number
            .checked_mul(millis)
            .map(Duration::from_millis)
            .map(Self)
            .ok_or(refused)
    }
}

impl fmt::Display for Period {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.0.as_millis();
        if millis.is_multiple_of(1000) {
            write!(formatter, "{}s", millis / 1000)
        } else {
            write!(formatter, "{millis}ms")
        }
    }
}

bounded_settings! {
    /// A timeout: a [`Period`] longer than zero.
    pub Timeout(Duration) = Period in Duration::from_nanos(1).., "longer than `0s`";
}

/// A number of bytes: a whole number, alone or with `B`, `KiB`, `MiB` or `GiB`.
///
/// ```
/// use formalize_core::config::ByteSize;
/// let size: ByteSize = "4MiB".parse()?;
/// assert_eq!(size.0, 4 << 20);
/// # Ok::<(), formalize_core::config::InvalidSetting>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteSize(pub usize);

impl FromStr for ByteSize {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let refused = InvalidSetting(
            "a whole number of bytes, or one with a unit, such as `4MiB` (B, KiB, MiB, GiB)",
        );
        let (number, unit) = split(text).ok_or(refused)?;
        let bytes: u64 = match unit {
            "" | "B" => 1,
            "KiB" => 1 << 10,
            "MiB" => 1 << 20,
            "GiB" => 1 << 30,
            _ => return Err(refused),
        };
        let size = number
            .checked_mul(bytes)
            .and_then(|size| size.try_into().ok());
        size.map(Self).ok_or(refused)
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |unit: usize| self.0 > 0 && self.0.is_multiple_of(unit);
        match [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
            .into_iter()
            .find(|(_, unit)| fits(*unit))
        {
            Some((name, unit)) => write!(formatter, "{}{name}", self.0 / unit),
            None => write!(formatter, "{}B", self.0),
        }
    }
}

/// A whole number from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count(pub u32);

impl FromStr for Count {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        match split(text) {
            Some((number @ 1.., "")) => u32::try_from(number).map(Self).ok(),
            _ => None,
        }
        .ok_or(InvalidSetting("a whole number from 1"))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A value, or `off`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrOff<T>(pub Option<T>);

const OFF: &str = "off";

impl<T: FromStr> FromStr for OrOff<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        match text {
            OFF => Ok(Self(None)),
            _ => text.parse().map(Some).map(Self),
        }
    }
}

impl<T: fmt::Display> fmt::Display for OrOff<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(formatter),
            None => formatter.write_str(OFF),
        }
    }
}

/// Splits a text into a number and its unit.
fn split(text: &str) -> Option<(u64, &str)> {
    let digits = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(digits)?;
    Some((number.parse().ok()?, unit))
}

/// `true` or `false`.
///
/// ```
/// use formalize_core::config::Switch;
/// let switch: Switch = "true".parse()?;
/// assert!(switch.0);
/// # Ok::<(), formalize_core::config::InvalidSetting>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch(pub bool);

impl FromStr for Switch {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let refused = |_| InvalidSetting("`true` or `false`");
        text.parse().map(Self).map_err(refused)
    }
}

impl fmt::Display for Switch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_require_a_unit() {
        for (text, millis) in [
            ("10s", 10_000),
            ("250ms", 250),
            ("2m", 120_000),
            ("1w", 604_800_000),
            ("0s", 0),
        ] {
            let period: Period = text.parse().unwrap();
            assert_eq!(period.0.as_millis(), millis, "{text}");
            assert_eq!(period.to_string().parse(), Ok(period));
        }
        for text in [
            "",
            "10",
            "s",
            "-1s",
            "1.5s",
            "10 s",
            "1y",
            "99999999999999999999w",
            "é",
        ] {
            assert!(text.parse::<Period>().is_err(), "{text}");
        }
        assert_eq!("1ms".parse(), Ok(Timeout(Duration::from_millis(1))));
        assert!("0s".parse::<Timeout>().is_err());
    }

    #[test]
    fn sizes_default_to_bytes() {
        for (text, bytes) in [
            ("0", 0),
            ("4096B", 4096),
            ("4MiB", 4 << 20),
            ("1GiB", 1 << 30),
            ("5KiB", 5120),
        ] {
            let size: ByteSize = text.parse().unwrap();
            assert_eq!(size.0, bytes, "{text}");
            assert_eq!(size.to_string().parse(), Ok(size));
        }
        for text in ["", "MiB", "4MB", "4mib", "-1", "4 MiB", "99999999999GiB"] {
            assert!(text.parse::<ByteSize>().is_err(), "{text}");
        }
    }

    #[test]
    fn counts_begin_at_one() {
        for text in ["1", "100", "4294967295"] {
            assert_eq!(text.parse::<Count>().unwrap().to_string(), text);
        }
        for text in ["", "0", "-1", "1.5", "10s", "4294967296"] {
            assert!(text.parse::<Count>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_value_can_be_off() {
        assert_eq!("off".parse(), Ok(OrOff::<Count>(None)));
        assert_eq!("5".parse(), Ok(OrOff(Some(Count(5)))));
        assert!("0".parse::<OrOff<Count>>().is_err());
        assert_eq!(OrOff::<Count>(None).to_string(), "off");
    }
}
