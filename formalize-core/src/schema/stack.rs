//! A stack that is large enough, whatever the schema and the data nest.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// The stack that checking one sub-schema takes, with that of a debug build and a good margin.
const FRAME_BYTES: usize = 4 * 1024;

/// So much stack may be used on the thread of the caller.
const SMALL_STACK: usize = 512 * 1024;

/// The largest stack that is asked for. Pages of it that are not used take no memory.
const LARGEST_STACK: usize = 1024 * 1024 * 1024;

/// Runs `work`, which nests `frames` checks of sub-schemas, with a stack that is large enough.
///
/// `None` where there cannot be one, or where `work` panics.
pub(super) fn with_stack<T: Send>(frames: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    let bytes = frames.saturating_mul(FRAME_BYTES);
    let guarded = || catch_unwind(AssertUnwindSafe(work)).ok();
    if bytes <= SMALL_STACK {
        return guarded();
    }
    if bytes > LARGEST_STACK {
        return None;
    }
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(bytes + SMALL_STACK);
        builder.spawn_scoped(scope, guarded).ok()?.join().ok()?
    })
}
