//! PostgreSQL: its connections, how they are set up, and its spelling of SQL.

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
