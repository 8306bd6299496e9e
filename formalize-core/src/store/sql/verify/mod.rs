//! Looks through a database for what cannot be.
//!
//! A transaction of the store never leaves these behind. Other programs can, and disks; so can a copy that was made of
//! the files of a database while it was being written to.

use std::fmt;

use uuid::Uuid;

use super::driver::{Transaction, sql};
use super::record::Record;
use crate::store::{StoreError, StoreResult};

mod cycles;
mod invariant;
mod rows;
mod schemas;

use cycles::Nesting;
use invariant::{INVARIANTS, Invariant};
use rows::Rows;
use schemas::Schemas;

/// Kinds of findings, each with its name.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)+) => {
        /// Which invariant a [`Finding`] is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FindingKind { $($(#[$doc])* $kind,)+ }

        impl FindingKind {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)+];

            /// A word for programs.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$kind => $name,)+ }
            }
        }
    };
}

kinds! {
    /// The files of the database are damaged, by what the database itself says. Nothing else is looked at then.
    Damage = "damage",
    /// Groups contain each other.
    GroupCycle = "group-cycle",
    /// A membership of, or in, a group that is not there.
    OrphanMembership = "orphan-membership",
    /// A grant on a resource, or to a group, that is not there.
    OrphanGrant = "orphan-grant",
    /// A resource about a record that is not there.
    OrphanResource = "orphan-resource",
    /// A submission of a form that is not there.
    OrphanSubmission = "orphan-submission",
    /// A count of the submissions of a form that is not there.
    OrphanPlace = "orphan-place",
    /// A record on which grants should be possible and are not.
    MissingResource = "missing-resource",
    /// What is written down twice, so that it is found fast, is not the same.
    WrongCopy = "wrong-copy",
    /// Somebody has another number of submissions than is counted against the cap.
    WrongCount = "wrong-count",
    /// A row with a value that its column cannot have.
    Unreadable = "unreadable",
    /// The schema of a form cannot be used.
    InvalidSchema = "invalid-schema",
    /// The data of a submission is no JSON, or breaks the schema that it was submitted under.
    InvalidSubmission = "invalid-submission",
}

impl fmt::Display for FindingKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Something in a database that cannot be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which invariant it breaks.
    pub kind: FindingKind,
    /// The table, if one can be named.
    pub table: Option<&'static str>,
    /// The identifier of the record, or for counts that of the form.
    pub record: Option<Uuid>,
    /// What is wrong, in words that hold no user's data.
    pub what: String,
}

impl Finding {
    fn of(kind: FindingKind, table: &'static str, record: Uuid, what: impl Into<String>) -> Self {
        Self {
            kind,
            table: Some(table),
            record: Some(record),
            what: what.into(),
        }
    }
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checked {
    /// How many invariants were checked, each on all records that it is about.
    pub invariants: u64,
    /// How many records were read.
    pub records: u64,
    /// How many submissions do not fit the schema of their form as it is and may have fitted the one before: forms
    /// keep no earlier schemas, so that nothing can be said of these.
    pub unjudged: u64,
}

/// One look through a whole database, in one snapshot of it; see [`SqlStore::verify`](super::SqlStore::verify).
pub struct Verification {
    tx: Transaction,
    steps: std::vec::IntoIter<Step>,
    /// What is under way, and behind which row it goes on.
    current: Option<(Step, Uuid)>,
    schemas: Schemas,
    checked: Checked,
}

#[derive(Clone, Copy)]
enum Step {
    Damage,
    Nesting,
    Violating(&'static Invariant),
    Rows(Rows),
}

impl Step {
    fn all() -> Vec<Self> {
        let violating = INVARIANTS.iter().map(Self::Violating);
        let rows = Rows::ALL.into_iter().map(Self::Rows);
        [Self::Damage, Self::Nesting]
            .into_iter()
            .chain(violating)
            .chain(rows)
            .collect()
    }

    /// How many invariants it looks after.
    fn invariants(self) -> u64 {
        match self {
            Self::Damage | Self::Nesting | Self::Violating(_) => 1,
            Self::Rows(rows) => rows.invariants(),
        }
    }
}

/// A part of a step.
struct Part {
    findings: Vec<Finding>,
    /// The row behind which the step goes on, if it does.
    rest_behind: Option<Uuid>,
}

impl Part {
    fn last(findings: Vec<Finding>) -> Self {
        Self {
            findings,
            rest_behind: None,
        }
    }
}

/// How many rows are looked at a time, of those that are small.
const PAGE: usize = 500;

fn limit(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

impl Verification {
    pub(super) fn new(tx: Transaction) -> Self {
        Self {
            tx,
            steps: Step::all().into_iter(),
            current: None,
            schemas: Schemas::default(),
            checked: Checked::default(),
        }
    }

    /// Goes on with the next part; tells what was found in it, or `None` when all has been looked at.
    ///
    /// # Errors
    ///
    /// When the database cannot be read; the rest cannot be looked at then.
    pub async fn proceed(&mut self) -> StoreResult<Option<Vec<Finding>>> {
        let begun = self.current.take();
        let next = begun.or_else(|| Some((self.steps.next()?, Uuid::nil())));
        let Some((step, after)) = next else {
            return Ok(None);
        };
        let part = match step {
            Step::Damage => self.damage().await?,
            Step::Nesting => self.nesting().await?,
            Step::Violating(invariant) => self.violating(invariant, after).await?,
            Step::Rows(rows) => self.each_of(rows, after).await?,
        };
        match part.rest_behind {
            Some(row) => self.current = Some((step, row)),
            None => self.checked.invariants += step.invariants(),
        }
        Ok(Some(part.findings))
    }

    /// How much has been looked at so far.
    pub fn checked(&self) -> Checked {
        self.checked
    }

    async fn damage(&mut self) -> StoreResult<Part> {
        let found = self.tx.damage().await?;
        if !found.is_empty() {
            self.steps = Vec::new().into_iter();
        }
        let findings = found.into_iter().map(|what| Finding {
            kind: FindingKind::Damage,
            table: None,
            record: None,
            what,
        });
        Ok(Part::last(findings.collect()))
    }

    /// Of what is checked, this alone takes memory: for groups within groups, not for the users in them.
    async fn nesting(&mut self) -> StoreResult<Part> {
        let mut nesting = Nesting::default();
        let mut after = Uuid::nil();
        loop {
            let select = sql("SELECT id, group_id, child_group_id FROM memberships \
                 WHERE child_group_id IS NOT NULL AND id > $1 ORDER BY id LIMIT $2");
            let select = select.bind(after).bind(limit(PAGE));
            let rows = self.tx.all(select).await?;
            for row in &rows {
                let record = Record::new("memberships", row);
                nesting.add(record.uuid("group_id")?, record.uuid("child_group_id")?);
            }
            match rows.last() {
                Some(last) if rows.len() == PAGE => {
                    after = Record::new("memberships", last).id()?;
                }
                _ => break,
            }
        }
        let cycles = nesting.cycles();
        let findings = cycles.iter().filter_map(|cycle| in_a_circle(cycle));
        Ok(Part::last(findings.collect()))
    }

    async fn violating(&mut self, invariant: &Invariant, after: Uuid) -> StoreResult<Part> {
        let select = invariant.select(self.tx.dialect(), after, limit(PAGE));
        let rows = self.tx.all(select).await?;
        let violating = rows
            .iter()
            .map(|row| Record::new(invariant.table, row).id())
            .collect::<StoreResult<Vec<_>>>()?;
        let rest_behind = violating.last().copied();
        let finding = |id| Finding::of(invariant.kind, invariant.table, id, invariant.what);
        Ok(Part {
            rest_behind: rest_behind.filter(|_| violating.len() == PAGE),
            findings: violating.into_iter().map(finding).collect(),
        })
    }

    async fn each_of(&mut self, rows: Rows, after: Uuid) -> StoreResult<Part> {
        let page = rows.page();
        let found = self.tx.all(rows.select(after, limit(page))).await?;
        self.checked.records += u64::try_from(found.len()).unwrap_or(u64::MAX);
        if rows == Rows::Submissions {
            self.schemas.learn(&mut self.tx, &found).await?;
        }
        let mut findings = Vec::new();
        for row in &found {
            match rows.judge(row, &self.schemas)? {
                rows::Verdict::Right => {}
                rows::Verdict::Wrong(finding) => findings.push(finding),
                rows::Verdict::Unknown => self.checked.unjudged += 1,
            }
        }
        let last = found.last().filter(|_| found.len() == page);
        let rest_behind = last
            .map(|row| Record::new(rows.table(), row).id())
            .transpose()?;
        Ok(Part {
            findings,
            rest_behind,
        })
    }
}

/// The most groups of a cycle that are named.
const NAMED: usize = 8;

fn in_a_circle(cycle: &[Uuid]) -> Option<Finding> {
    let first = *cycle.first()?;
    let mut names: Vec<String> = cycle.iter().take(NAMED).map(Uuid::to_string).collect();
    if cycle.len() > NAMED {
        names.push(format!("{} more", cycle.len() - NAMED));
    }
    let what = format!("is within itself: {}", names.join(" > "));
    Some(Finding::of(FindingKind::GroupCycle, "groups", first, what))
}

/// What could not be read is a finding; that nothing could be read is a failure.
fn unreadable(table: &'static str, id: Uuid, failed: StoreError) -> StoreResult<Finding> {
    match failed {
        StoreError::Failed(what) => Ok(Finding::of(FindingKind::Unreadable, table, id, what)),
        StoreError::Unavailable(_) | StoreError::Deadlock(_) | StoreError::Refused(_) => {
            Err(failed)
        }
    }
}
