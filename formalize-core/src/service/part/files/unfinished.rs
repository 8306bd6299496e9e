//! What uploads have stored of files that belong to no submission yet. The quota of a creator counts files of submissions only,
//! so that without this, uploads that are never finished could fill the disk.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::admission::{InUse, Quota};
use crate::id::FileId;
use crate::model::subject::UserId;
use crate::time::Timestamp;

/// Who sends files. All who have the same public link are one user, so they are told apart by where they send from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Sender {
    pub(super) user: UserId,
    pub(super) source: Option<String>,
}

/// The bytes that this process has stored for unfinished uploads. Those of other processes count there.
#[derive(Debug, Default)]
pub(in crate::service) struct Unfinished {
    files: Mutex<HashMap<FileId, Incoming>>,
    bytes: Quota<Sender>,
}

#[derive(Debug)]
struct Incoming {
    bytes: InUse<Sender>,
    /// From then on, a sweep deletes the content.
    expires: Timestamp,
}

impl Unfinished {
    fn files(&self) -> MutexGuard<'_, HashMap<FileId, Incoming>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to count a file. Those whose uploads were dropped and have expired count no longer.
    pub(super) fn begin(&self, id: FileId, sender: &Sender, now: Timestamp, expires: Timestamp) {
        let mut files = self.files();
        files.retain(|_, file| file.expires > now);
        let bytes = self.bytes.begin([sender.clone()]);
        files.insert(id, Incoming { bytes, expires });
    }

    /// Counts more bytes of a file, and returns how many its sender has now, in all files.
    pub(super) fn grow(&self, id: FileId, bytes: u64) -> u64 {
        let files = self.files();
        files.get(&id).map_or(0, |file| {
            let [sum] = file.bytes.add(bytes);
            sum
        })
    }

    /// Ends to count files: they belong to a submission, or their contents were deleted.
    pub(super) fn end(&self, ids: &[FileId]) {
        let mut files = self.files();
        for id in ids {
            files.remove(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn sender(user: &str, source: Option<&str>) -> Sender {
        Sender {
            user: UserId::new(user).unwrap(),
            source: source.map(str::to_owned),
        }
    }

    #[test]
    fn bytes_count_for_their_sender_until_they_end_or_expire() {
        let unfinished = Unfinished::default();
        let ids = [1, 2, 3, 4].map(|number| FileId::from_uuid(Uuid::from_u128(number)));
        let at = |millis| Timestamp::from_millis(millis).unwrap();
        let (alice, bob) = (sender("alice", None), sender("bob", None));
        unfinished.begin(ids[0], &alice, at(0), at(10));
        unfinished.begin(ids[1], &alice, at(1), at(20));
        unfinished.begin(ids[2], &bob, at(1), at(20));
        assert_eq!(unfinished.grow(ids[0], 5), 5);
        assert_eq!(unfinished.grow(ids[1], 2), 7);
        assert_eq!(unfinished.grow(ids[2], 1), 1);
        unfinished.end(&ids[1..2]);
        unfinished.end(&ids[1..2]);
        assert_eq!(unfinished.grow(ids[0], 1), 6);
        unfinished.begin(ids[3], &alice, at(10), at(30));
        assert_eq!(unfinished.grow(ids[3], 1), 1, "the first has expired");
        unfinished.end(&ids);
        assert!(unfinished.files().is_empty());
        assert_eq!(unfinished.bytes.keys(), 0);
    }

    #[test]
    fn senders_behind_one_link_are_told_apart() {
        let unfinished = Unfinished::default();
        let at = |millis| Timestamp::from_millis(millis).unwrap();
        for (number, source) in [(1, "192.0.2.1"), (2, "192.0.2.2")] {
            let id = FileId::from_uuid(Uuid::from_u128(number));
            unfinished.begin(id, &sender("link", Some(source)), at(0), at(10));
            assert_eq!(unfinished.grow(id, 5), 5);
        }
    }
}
