//! Core.
pub mod model {
    //! Values of the domain.
    pub mod data_schema;
}
