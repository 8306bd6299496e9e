//! PostgreSQL: connections, their setup, and the SQL dialect.

mod fragment;
mod listen;
mod migration;
mod open;
pub(super) mod pool;
pub(super) mod session;

pub(super) use fragment::DIALECT;
pub(super) use listen::listen;
pub(super) use migration::migrate;
pub(super) use open::open;
