//! The queues of expensive work.

use std::num::NonZero;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tracing::Span;

use super::{OffloadError, drop_after};
use crate::admission::{FairQueue, InUse, Permit, Quota};
use crate::model::subject::{Caller, UserId};

/// The number of tasks that can wait for each running one. Most take a millisecond or less, so a full queue is empty before
/// rejected callers retry. The slowest take about 100 ms, so even a queue of those is processed before clients time out. A
/// waiting task keeps the text that it processes, at most one request body.
const WAITING_EACH: usize = 128;

/// One user's tasks may take up this part of the queue: a quarter.
const SHARES: usize = 4;

/// A task takes up another place in the queue for this many bytes that it keeps while it waits, so that large pages use as
/// much memory as there are places.
const BYTES_OF_PLACE: usize = 1 << 20;

/// The queue of this process.
static LINE: LazyLock<Line> = LazyLock::new(Line::of_process);

/// The queue of tasks whose callers hold locks. It has separate threads and is short: there are no more such callers
/// than writing connections.
static LOCK_HOLDERS: LazyLock<Line> = LazyLock::new(Line::of_process);

/// The queue of tasks whose callers read a snapshot: exports and summaries. Each of them has one task at a time, so they take
/// turns. It has separate threads, because those who hold locks must not wait for such tasks.
static SNAPSHOT_READERS: LazyLock<Line> = LazyLock::new(Line::of_process);

/// The queue in which a task waits.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Turn<'a> {
    /// The caller's share of the common queue.
    Of(&'a Caller),
    /// The same, for a task that keeps this many bytes while it waits.
    WithBytes(&'a Caller, usize),
    /// The queue of callers who hold locks. In the common queue they would also delay everyone who waits for these locks.
    HoldingLocks,
    /// The queue of callers who read a snapshot. They hold a connection, so they must not wait in the common queue.
    ReadingSnapshot,
}

/// A queue of tasks in which users take turns, with limited room.
pub(crate) struct Line {
    queue: FairQueue<UserId>,
    /// The tasks that read from a database: as many of a user at a time as there are turns.
    reads: FairQueue<UserId>,
    /// The room that tasks take up, those that run included.
    room: Quota<Part>,
    room_of_all: u64,
    room_of_user: u64,
}

/// Who takes up room in a queue.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Part {
    All,
    Of(Option<UserId>),
}

/// Runs expensive work on a separate thread, so that it does not block the threads that serve requests. As many tasks run at
/// once as half the number of processors; for each of them, up to 128 others can wait, in order of arrival. Dropping the future
/// gives up the place in the queue.
///
/// Any async runtime will do. Starting a thread takes about ten microseconds.
///
/// # Errors
///
/// [`OffloadError::TooMuchWaiting`] if the queue is full, [`OffloadError::Interrupted`] if the work panics or no thread can be
/// started. Both convert to [`Error`](enum@crate::Error).
///
/// ```
/// use formalize_core::{DataSchema, offload};
///
/// # formalize_conformance::example::run(async || {
/// let schema = offload(|| DataSchema::compile(r#"{"type": "object"}"#)).await??;
/// assert_eq!(schema.text(), r#"{"type": "object"}"#);
/// # Ok(()) });
/// ```
pub async fn offload<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, OffloadError> {
    LINE.work(None, work).await
}

/// The same as [`offload`], for work that a caller requested. A user's tasks take up at most a quarter of the queue, and users
/// take turns, so that one of them cannot keep the others waiting.
///
/// # Errors
///
/// As [`offload`]; [`OffloadError::TooMuchWaiting`] also if the caller's share of the queue is full.
///
/// ```
/// use formalize_core::{Caller, UserId, offload_for, parse_json};
///
/// # formalize_conformance::example::run(async || {
/// let bob = Caller::user(UserId::new("bob")?);
/// let data = offload_for(&bob, || parse_json("[1, 2]")).await??;
/// assert_eq!(data.to_string(), "[1,2]");
/// # Ok(()) });
/// ```
pub async fn offload_for<T: Send + 'static>(
    caller: &Caller,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, OffloadError> {
    offload_in_turn(Turn::Of(caller), work).await
}

/// [`offload_for`] for those who hold locks as well.
pub(crate) async fn offload_in_turn<T: Send + 'static>(
    turn: Turn<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, OffloadError> {
    match turn {
        Turn::Of(caller) => LINE.work(caller.user_id(), work).await,
        Turn::WithBytes(caller, bytes) => LINE.work_with(caller.user_id(), bytes, work).await,
        Turn::HoldingLocks => LOCK_HOLDERS.work(None, work).await,
        Turn::ReadingSnapshot => SNAPSHOT_READERS.work(None, work).await,
    }
}

/// A place in a queue. It counts like a running task until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    running: Permit<UserId>,
    reading: Option<Permit<UserId>>,
    room: InUse<Part, 2>,
    taken: Instant,
}

impl Place {
    /// Gives up the place. The user's next task that reads waits for as long again as this one took: a database uses other
    /// processors than a place stands for, so a user who always had a page being read would take up most of a small
    /// machine. A user who reads one page after another hardly waits, because composing and sending a page takes longer.
    pub(crate) fn rest(self) {
        drop(self.running);
        drop_after(self.taken.elapsed(), (self.reading, self.room));
    }
}

/// Waits for a time, in any async runtime.
pub(crate) async fn pause(time: Duration) {
    let (end, over) = oneshot::channel::<()>();
    drop_after(time, end);
    let _ = over.await;
}

/// Waits for a place in the caller's share of the queue, for reading much from a database. The caller must hold neither a
/// connection, because whoever has a place may wait for one, nor another place.
pub(crate) async fn place_to_read(caller: &Caller) -> Result<Place, OffloadError> {
    LINE.place(caller.user_id(), Task::Read).await
}

/// What a place is for.
#[derive(Debug, Clone, Copy)]
enum Task {
    /// To read from a database.
    Read,
    /// To compute something. The task keeps this many bytes while it waits.
    Compute(usize),
}

impl Line {
    /// Uses half of the processors, so that the others keep serving requests.
    fn of_process() -> Self {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        Self::new((processors / 2).max(1), WAITING_EACH)
    }

    /// A queue with so many places, in which so many tasks of each user can wait. One task of a user runs at a time.
    pub(crate) fn of_users(places: usize, waiting_of_user: usize) -> Self {
        Self::with(places, 1, places * (1 + WAITING_EACH), 1 + waiting_of_user)
    }

    fn new(places: usize, waiting_each: usize) -> Self {
        let room = places * (1 + waiting_each);
        let turns = (places / 2).max(1);
        Self::with(places, turns, room, (room / SHARES).max(1))
    }

    fn with(places: usize, turns: usize, room: usize, room_of_user: usize) -> Self {
        Self {
            queue: FairQueue::new(places, turns),
            reads: FairQueue::by_key(turns),
            room: Quota::default(),
            room_of_all: room as u64,
            room_of_user: room_of_user as u64,
        }
    }

    /// Waits for a place for a task of the caller. It must hold no connection.
    pub(crate) async fn place_of(&self, caller: &Caller) -> Result<Place, OffloadError> {
        self.place(caller.user_id(), Task::Compute(0)).await
    }

    async fn work<T: Send + 'static>(
        &self,
        user: Option<&UserId>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, OffloadError> {
        self.work_with(user, 0, work).await
    }

    /// Waits for a place.
    async fn place(&self, user: Option<&UserId>, task: Task) -> Result<Place, OffloadError> {
        let bytes = match task {
            Task::Read => 0,
            Task::Compute(bytes) => bytes,
        };
        // Never more than a share, so that a single task of any size is accepted.
        let needed = (1 + (bytes / BYTES_OF_PLACE) as u64).min(self.room_of_user);
        let parts = [Part::All, Part::Of(user.cloned())];
        let of_user = user.map_or(u64::MAX, |_| self.room_of_user);
        let room = self.room.take(parts, [self.room_of_all, of_user], needed);
        let room = room.map_err(|_| OffloadError::TooMuchWaiting)?;
        let reading = match task {
            Task::Read => Some(self.reads.take(user).await),
            Task::Compute(_) => None,
        };
        Ok(Place {
            running: self.queue.take(user).await,
            reading,
            room,
            taken: Instant::now(),
        })
    }

    /// A task that keeps this many bytes while it waits.
    async fn work_with<T: Send + 'static>(
        &self,
        user: Option<&UserId>,
        bytes: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, OffloadError> {
        let place = self.place(user, Task::Compute(bytes)).await?;
        let (result, awaited) = oneshot::channel();
        let span = Span::current();
        let work = move || {
            let done = span.in_scope(work);
            // Released before the result is sent, so that the receiver can start the next task.
            drop(place);
            // The receiver may have been dropped.
            let _ = result.send(done);
        };
        let thread = thread::Builder::new()
            .name("offload".to_owned())
            .spawn(work);
        thread.map_err(|_| OffloadError::Interrupted)?;
        awaited.await.map_err(|_| OffloadError::Interrupted)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex, mpsc};
    use std::task::{Context, Waker};

    use super::*;

    #[tokio::test]
    async fn work_returns_its_result_unless_it_panics() {
        assert_eq!(offload(|| 1 + 1).await, Ok(2));
        let panicking = || -> usize { std::panic::resume_unwind(Box::new("on purpose")) };
        assert_eq!(offload(panicking).await, Err(OffloadError::Interrupted));
        assert_eq!(offload(|| 3).await, Ok(3), "its place is free again");
    }

    #[tokio::test]
    async fn concurrency_is_limited() {
        static AT_ONCE: AtomicUsize = AtomicUsize::new(0);
        static MOST: AtomicUsize = AtomicUsize::new(0);
        let work = || {
            MOST.fetch_max(AT_ONCE.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(2));
            AT_ONCE.fetch_sub(1, Ordering::SeqCst);
        };
        let works: Vec<_> = (0..40).map(|_| tokio::spawn(offload(work))).collect();
        for work in works {
            assert_eq!(work.await.unwrap(), Ok(()));
        }
        let processors = thread::available_parallelism().unwrap().get();
        let most = MOST.load(Ordering::SeqCst);
        assert!(most <= (processors / 2).max(1), "{most} at once");
    }

    #[tokio::test]
    async fn a_cancelled_task_leaves_the_queue() {
        static DONE: AtomicUsize = AtomicUsize::new(0);
        let line = Line::new(1, 1);
        let taken = line.queue.take(None).await;
        for _ in 0..3 {
            let waiting = line.work(None, || DONE.fetch_add(1, Ordering::SeqCst));
            let waited = tokio::time::timeout(Duration::from_millis(5), waiting).await;
            assert!(waited.is_err(), "all places are taken");
        }
        drop(taken);
        assert_eq!(line.work(None, || 1).await, Ok(1));
        assert_eq!(DONE.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn a_full_queue_rejects_tasks() {
        let line = Arc::new(Line::new(2, 3));
        let begin = Arc::new(std::sync::Barrier::new(3));
        let works: Vec<_> = (0..8)
            .map(|work| {
                let (line, begin) = (Arc::clone(&line), Arc::clone(&begin));
                tokio::spawn(async move {
                    let work = move || {
                        // The first two tasks run until the test releases them.
                        if work < 2 {
                            begin.wait();
                        }
                    };
                    line.work(None, work).await
                })
            })
            .collect();
        while line.free_room() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(
            line.work(None, || ()).await,
            Err(OffloadError::TooMuchWaiting)
        );
        begin.wait();
        for work in works {
            assert_eq!(work.await.unwrap(), Ok(()));
        }
        assert_eq!(line.work(None, || 1).await, Ok(1), "there is room again");
    }

    fn user(name: &str) -> UserId {
        UserId::new(name).unwrap()
    }

    impl Line {
        fn free_room(&self) -> u64 {
            self.room_of_all - self.room.used(&Part::All)
        }
    }

    /// A queue whose only place is taken until the returned sender is dropped.
    async fn blocked(waiting: usize) -> (Arc<Line>, mpsc::Sender<()>) {
        let line = Arc::new(Line::new(1, waiting));
        let (release, released) = mpsc::channel();
        let blocking = Arc::clone(&line);
        tokio::spawn(async move { blocking.work(None, move || released.recv()).await });
        while line.queue.free() > 0 {
            tokio::task::yield_now().await;
        }
        (line, release)
    }

    #[tokio::test]
    async fn one_user_cannot_fill_the_queue() {
        let (line, release) = blocked(11).await;
        let works: Vec<_> = (0..12)
            .map(|_| {
                let line = Arc::clone(&line);
                tokio::spawn(async move { line.work(Some(&user("mallory")), || ()).await })
            })
            .collect();
        while !works
            .iter()
            .skip(3)
            .all(tokio::task::JoinHandle::is_finished)
        {
            tokio::task::yield_now().await;
        }
        let other = Arc::clone(&line);
        let other = tokio::spawn(async move { other.work(Some(&user("alice")), || ()).await });
        drop(release);
        assert_eq!(other.await.unwrap(), Ok(()));
        let mut done = 0;
        for work in works {
            done += usize::from(work.await.unwrap().is_ok());
        }
        assert_eq!(done, 3, "a quarter of the room");
        assert_eq!(line.work(Some(&user("bob")), || 1).await, Ok(1));
        assert_eq!(
            (line.queue.keys(), line.room.keys()),
            (0, 0),
            "unused shares are dropped"
        );
    }

    #[tokio::test]
    async fn a_task_that_keeps_much_memory_takes_up_more_places() {
        let (line, release) = blocked(39).await;
        let page = |name| {
            let line = Arc::clone(&line);
            async move { line.work_with(Some(&user(name)), 4 << 20, || ()).await }
        };
        let works: Vec<_> = (0..3).map(|_| tokio::spawn(page("mallory"))).collect();
        while !works.iter().any(tokio::task::JoinHandle::is_finished) {
            tokio::task::yield_now().await;
        }
        let other = tokio::spawn(page("alice"));
        while line.free_room() > 24 {
            tokio::task::yield_now().await;
        }
        drop(release);
        let mut done = 0;
        for work in works {
            done += usize::from(work.await.unwrap().is_ok());
        }
        assert_eq!(
            done, 2,
            "a share has ten places, and each of these tasks needs five"
        );
        assert_eq!(other.await.unwrap(), Ok(()));
        let huge = line.work_with(Some(&user("bob")), usize::MAX, || 1).await;
        assert_eq!(huge, Ok(1), "it is alone");
    }

    #[tokio::test]
    async fn users_take_turns() {
        let (line, release) = blocked(99).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut works = Vec::new();
        for name in ["mallory", "mallory", "mallory", "alice", "bob"] {
            let before = line.free_room();
            let (waiting, order) = (Arc::clone(&line), Arc::clone(&order));
            works.push(tokio::spawn(async move {
                let work = move || order.lock().unwrap().push(name);
                waiting.work(Some(&user(name)), work).await
            }));
            while line.free_room() == before {
                tokio::task::yield_now().await;
            }
        }
        drop(release);
        for work in works {
            assert_eq!(work.await.unwrap(), Ok(()));
        }
        let order = order.lock().unwrap();
        assert_eq!(*order, ["mallory", "alice", "bob", "mallory", "mallory"]);
    }

    #[tokio::test]
    async fn after_reading_a_user_rests_and_others_do_not() {
        let line = Line::new(1, 9);
        let mallory = user("mallory");
        let place = line.place(Some(&mallory), Task::Read).await.unwrap();
        let taken = place.taken;
        let waiting = line.work(None, || ());
        let waited = tokio::time::timeout(Duration::from_millis(200), waiting).await;
        assert!(waited.is_err(), "the place is taken");
        let worked = taken.elapsed();
        place.rest();
        let asked = Instant::now();
        let alice = line.place(Some(&user("alice")), Task::Read).await;
        drop(alice.unwrap());
        assert_eq!(line.work(Some(&mallory), || 1).await, Ok(1));
        let waited = asked.elapsed();
        assert!(waited < worked, "others and other tasks waited {waited:?}");
        drop(line.place(Some(&mallory), Task::Read).await.unwrap());
        assert!(taken.elapsed() >= worked * 2, "the same user waits");
    }

    #[tokio::test]
    async fn one_thread_drops_everything_in_time() {
        struct Dropped(u32, Instant, mpsc::Sender<(u32, bool, thread::ThreadId)>);
        impl Drop for Dropped {
            fn drop(&mut self) {
                let in_time = self.1 <= Instant::now();
                let _ = self.2.send((self.0, in_time, thread::current().id()));
            }
        }
        let (dropped, all) = mpsc::channel();
        // The first one must not keep the others.
        for (number, time) in [(0, 3_600_000), (1, 20), (2, 10), (3, 0)] {
            let time = Duration::from_millis(time);
            drop_after(
                time,
                Dropped(number, Instant::now() + time, dropped.clone()),
            );
        }
        let all: Vec<_> = all.iter().take(3).collect();
        let thread = all[0].2;
        for number in 1..=3 {
            assert!(all.contains(&(number, true, thread)), "{all:?}");
        }
    }

    #[tokio::test]
    async fn a_user_with_many_tasks_leaves_places_to_others() {
        let line = Line::of_users(2, 7);
        let [mallory, alice] = ["mallory", "alice"].map(|name| Caller::user(user(name)));
        let running = line.place_of(&mallory).await.unwrap();
        let mut waiting: Vec<_> = (0..7).map(|_| Box::pin(line.place_of(&mallory))).collect();
        for place in &mut waiting {
            let polled = place.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert!(polled.is_pending());
        }
        let refused = line.place_of(&mallory).await;
        assert_eq!(refused.unwrap_err(), OffloadError::TooMuchWaiting);
        let other = line.place_of(&alice).await.unwrap();
        drop((running, other));
        for place in waiting {
            drop(place.await.unwrap());
        }
    }

    #[tokio::test]
    async fn a_panicking_task_leaves_the_queue() {
        let line = Line::new(1, 0);
        for _ in 0..2 {
            let panicking = || std::panic::resume_unwind(Box::new("on purpose"));
            assert_eq!(
                line.work::<()>(None, panicking).await,
                Err(OffloadError::Interrupted)
            );
            while line.free_room() == 0 {
                tokio::task::yield_now().await;
            }
        }
    }
}
