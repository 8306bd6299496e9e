//! Marks of large responses, which need a reservation of memory.

use poem::Response;

/// Responses up to this size, in bytes, need no reservation. So small requests are served while the budget is used up.
const SMALL: usize = 64 << 10;

/// Marks a response whose body was composed for it alone, and that is larger than 64 KiB.
#[derive(Debug, Clone, Copy)]
pub struct Large {
    /// The size of the body.
    pub bytes: usize,
}

/// What is sent in place of a large response for which there is no memory, with the same status.
#[derive(Debug, Clone)]
pub struct Brief(pub String);

impl Large {
    /// Whether a body of this size is large.
    pub const fn is(bytes: usize) -> bool {
        bytes > SMALL
    }

    /// Marks the response if a body of this size is large.
    pub fn mark(response: &mut Response, bytes: usize) {
        if Self::is(bytes) {
            response.set_data(Self { bytes });
        }
    }
}
