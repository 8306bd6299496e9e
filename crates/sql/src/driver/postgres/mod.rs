//! PostgreSQL: connections, their setup, and the SQL dialect.

mod driver;
mod fault;
mod fragment;
mod hosts;
mod listen;
mod migration;
mod open;
mod pool;
mod session;

pub(super) use open::open;
