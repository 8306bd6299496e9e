//! Macros for the whole crate.

/// Returns the error unless the condition is true.
macro_rules! ensure {
    ($condition:expr, $error:expr) => {
        if !$condition {
            return Err($error.into());
        }
    };
}

/// Displays values as their `as_str`.
macro_rules! displayed {
    ($($name:ident)+) => {$(
        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }
    )+};
}

/// Hides what is in these values, because secrets must not appear in logs.
macro_rules! secret {
    ($($name:ident)+) => {$(
        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    )+};
}

/// Makes values of an enum of what its variants contain.
macro_rules! from_variants {
    ($name:ident { $($variant:ident($content:ty))+ }) => {$(
        impl From<$content> for $name {
            fn from(content: $content) -> Self {
                Self::$variant(content)
            }
        }
    )+};
}

/// An enum whose values have words.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident or $unknown:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_meta])* $variant,)+ }

        impl $name {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The word for it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $unknown;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word { $($word => Ok(Self::$variant),)+ _ => Err($unknown) }
            }
        }

        displayed! { $name }
    };
}
