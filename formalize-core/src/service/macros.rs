//! Macros for the use cases.

/// Work that reads with one call.
macro_rules! reading {
    (|$tx:ident| $call:expr) => {
        async |mut $tx: Box<dyn $crate::store::ReadTx>| Ok($call.await?)
    };
}

/// Work that writes with one call, and commits.
macro_rules! writing {
    (|$tx:ident| $call:expr) => {
        async |mut $tx: Box<dyn $crate::store::OwnedTx>| {
            let done = $call.await?;
            Ok($crate::service::transact::End::commit($tx, done))
        }
    };
}

/// Makes methods of a builder, each of which sets a field.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident($value:ident: $type:ty) => $($field:ident).+;)+) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, $value: $type) -> Self {
            self.$($field).+ = $value;
            self
        }
    )+};
}

/// Makes the methods that return the services.
macro_rules! services {
    ($($(#[$doc:meta])* $name:ident: $service:ident;)+) => {$(
        $(#[$doc])*
        pub fn $name(&self) -> $service<'_> {
            $service(&self.0)
        }
    )+};
}
