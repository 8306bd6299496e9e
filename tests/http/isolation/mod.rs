//! Access control: who may use each route of the OpenAPI document, and what everybody else can find out.

mod cast;
mod existence;
mod look_alikes;
mod matrix;
mod rows;
mod stage;
