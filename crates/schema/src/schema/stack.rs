//! A stack that is large enough for any nesting of the schema and the data.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// The stack used to check one sub-schema in a debug build, with a generous margin.
const FRAME_BYTES: usize = 4 * 1024;

/// The maximum stack used on the caller's thread.
const SMALL_STACK: usize = 512 * 1024;

/// Runs `work`, which nests `frames` checks of sub-schemas, on a stack that is large enough. Its unused pages
/// take no memory.
///
/// Returns `None` if such a stack is not available, or if `work` panics.
pub(super) fn with_stack<T: Send>(frames: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    let bytes = frames.saturating_mul(FRAME_BYTES);
    let guarded = || catch_unwind(AssertUnwindSafe(work)).ok();
    if bytes <= SMALL_STACK {
        return guarded();
    }
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(bytes + SMALL_STACK);
        builder.spawn_scoped(scope, guarded).ok()?.join().ok()?
    })
}
