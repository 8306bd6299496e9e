//! Nobody gets in: who may do what, route by route as the OpenAPI document has them, and what everybody else learns.

mod cast;
mod existence;
mod look_alikes;
mod matrix;
mod rows;
mod stage;
