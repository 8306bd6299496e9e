//! Checks a database for corruption and inconsistencies.
//!
//! Transactions of the store never cause these. Other programs and faulty disks can, and so can copying the files of a
//! database while it is in use.

use std::fmt;

use data_encoding::HEXLOWER_PERMISSIVE;
use formalize_core::StoreError;
use formalize_core::internals::CURSOR_KEY;
use formalize_core::store::{ReadSettings, StoreResult};
use uuid::Uuid;

use super::driver::{Database, Purpose, Transaction, saturated, sql};
use super::record::Record;

mod contents;
mod cycles;
mod invariant;
mod log;
mod objects;
mod rows;
mod schemas;

pub use contents::{ContentChecks, ContentVerification, ContentVerificationError};
use cycles::Nesting;
use invariant::{INVARIANTS, Invariant};
use objects::Objects;
use rows::{ROWS, Rows};
use schemas::Schemas;

/// Defines the kinds of findings with their names.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)+) => {
        /// The invariant that a [`Finding`] violates.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FindingKind { $($(#[$doc])* $kind,)+ }

        impl FindingKind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)+];

            /// The name for programs.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$kind => $name,)+ }
            }
        }
    };
}

kinds! {
    /// The files of the database are damaged, as reported by the database. Nothing else is checked then.
    Damage = "damage",
    /// A table, column, index or other object that the migrations create is missing in the database.
    MissingObject = "missing-object",
    /// The definition of an object differs from the one in the migrations.
    ChangedObject = "changed-object",
    /// An object that the migrations do not create, such as a trigger. Views and tables of another program are harmless
    /// if they do not refer to the tables of the store.
    UnknownObject = "unknown-object",
    /// Groups contain each other.
    GroupCycle = "group-cycle",
    /// A membership whose group or member does not exist.
    OrphanMembership = "orphan-membership",
    /// A grant whose resource, group or public link does not exist.
    OrphanGrant = "orphan-grant",
    /// A resource whose record does not exist.
    OrphanResource = "orphan-resource",
    /// A submission whose form does not exist.
    OrphanSubmission = "orphan-submission",
    /// A file whose submission does not exist, or a content in the file store that is not that of a file.
    OrphanFile = "orphan-file",
    /// A public link whose grant does not exist.
    OrphanLink = "orphan-link",
    /// A count of submissions whose form does not exist.
    OrphanPlace = "orphan-place",
    /// A record without the resource that grants on it need.
    MissingResource = "missing-resource",
    /// A row of `formalize_settings` that the service needs is missing or invalid.
    MissingSetting = "missing-setting",
    /// A value that is stored twice for faster queries differs from the original.
    WrongCopy = "wrong-copy",
    /// The number of submissions counted towards a cap, or the number or bytes of files, is wrong.
    WrongCount = "wrong-count",
    /// A row with a value that is invalid for its column.
    Unreadable = "unreadable",
    /// The event log has gaps, duplicates, or events that get no position.
    EventLog = "event-log",
    /// A webhook or a delivery that nothing reads or sends, or that refers to nothing.
    Webhook = "webhook",
    /// The schema of a form is invalid.
    InvalidSchema = "invalid-schema",
    /// The data of a submission is not JSON, or does not match the schema that it was submitted under.
    InvalidSubmission = "invalid-submission",
    /// The files of a submission do not match the rules that they were checked by.
    InvalidFiles = "invalid-files",
    /// The file store does not have the content of a file.
    MissingFile = "missing-file",
    /// The content of a file has another size than the file.
    WrongSize = "wrong-size",
    /// The content of a file has another hash than the file, or cannot be read to its end.
    WrongHash = "wrong-hash",
}

impl fmt::Display for FindingKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A problem in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The invariant that it violates.
    pub kind: FindingKind,
    /// The table, if it is known.
    pub table: Option<&'static str>,
    /// The identifier of the record; for counts, that of the form.
    pub record: Option<Uuid>,
    /// A description of the problem, without any user's data.
    pub what: String,
}

impl Finding {
    fn of(
        kind: FindingKind,
        table: impl Into<Option<&'static str>>,
        record: impl Into<Option<Uuid>>,
        what: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            table: table.into(),
            record: record.into(),
            what: what.into(),
        }
    }
}

/// What is wrong with a record.
type Fault = (FindingKind, String);

/// How much was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checked {
    /// The number of invariants, each checked on all of its records.
    pub invariants: u64,
    /// The number of records that were read.
    pub records: u64,
    /// The number of submissions whose data or files do not match the current schema of their form but may have matched
    /// an earlier one. They cannot be checked because old schemas are not kept.
    pub unjudged: u64,
}

/// A check of a whole database in one snapshot; see [`SqlStore::verify`](super::SqlStore::verify).
pub struct Verification {
    database: Database,
    tx: Transaction,
    steps: std::vec::IntoIter<Step>,
    /// The current step, and the row after which it continues.
    current: Option<(Step, Uuid)>,
    schemas: Schemas,
    checked: Checked,
    /// Whether all tables are as expected.
    is_readable: bool,
}

#[derive(Clone, Copy)]
enum Step {
    Damage,
    Objects,
    Strangers,
    Nesting,
    Settings,
    Violating(&'static Invariant),
    Rows(&'static Rows),
    Log,
}

impl Step {
    fn all() -> Vec<Self> {
        let violating = INVARIANTS.iter().map(Self::Violating);
        let rows = ROWS.iter().map(Self::Rows);
        let first = [
            Self::Damage,
            Self::Objects,
            Self::Strangers,
            Self::Nesting,
            Self::Settings,
        ];
        first
            .into_iter()
            .chain(violating)
            .chain(rows)
            .chain([Self::Log])
            .collect()
    }

    /// The number of invariants that it checks.
    fn invariants(self) -> u64 {
        match self {
            Self::Damage
            | Self::Objects
            | Self::Strangers
            | Self::Nesting
            | Self::Settings
            | Self::Violating(_) => 1,
            Self::Rows(rows) => rows.invariants,
            Self::Log => u64::try_from(log::CHECKS.len()).unwrap_or(u64::MAX),
        }
    }
}

/// A part of a step.
struct Part {
    findings: Vec<Finding>,
    /// The row after which the step continues, if it does.
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

/// The number of rows to read at a time, if they are small.
const PAGE: usize = 500;

impl Verification {
    pub(super) async fn new(database: Database) -> StoreResult<Self> {
        let tx = database.begin(Purpose::Scan).await?;
        Ok(Self {
            database,
            tx,
            steps: Step::all().into_iter(),
            current: None,
            schemas: Schemas::default(),
            checked: Checked::default(),
            is_readable: true,
        })
    }

    /// Whether records could be read. They cannot if the database is damaged or tables are missing, which are findings.
    pub fn is_readable(&self) -> bool {
        self.is_readable
    }

    /// Checks the next part. Returns its findings, or `None` when everything was checked.
    ///
    /// # Errors
    ///
    /// If the database cannot be read, or its files were opened with [`SqlOptions::read_only`](super::SqlOptions) and
    /// another program has changed them. The check cannot be continued then.
    pub async fn proceed(&mut self) -> StoreResult<Option<Vec<Finding>>> {
        let findings = self.proceed_unchecked().await;
        // What was read while the files changed is not reliable, be it a finding or an error.
        self.database.check_unchanged()?;
        findings
    }

    async fn proceed_unchecked(&mut self) -> StoreResult<Option<Vec<Finding>>> {
        let begun = self.current.take();
        let next = begun.or_else(|| Some((self.steps.next()?, Uuid::nil())));
        let Some((step, after)) = next else {
            return Ok(None);
        };
        let part = match step {
            Step::Damage => {
                let found = self.tx.damage().await?;
                self.damage(found)
            }
            Step::Objects => self.objects().await?,
            Step::Strangers => {
                let found = self.tx.strangers().await?;
                self.damage(found)
            }
            Step::Nesting => self.nesting().await?,
            Step::Settings => self.settings().await?,
            Step::Violating(invariant) => self.violating(invariant, after).await?,
            Step::Rows(rows) => self.each_of(rows, after).await?,
            Step::Log => Part::last(log::findings(&mut self.tx).await?),
        };
        match part.rest_behind {
            Some(row) => self.current = Some((step, row)),
            None => self.checked.invariants += step.invariants(),
        }
        Ok(Some(part.findings))
    }

    /// How much was checked so far.
    pub fn checked(&self) -> Checked {
        self.checked
    }

    fn stop(&mut self) {
        self.steps = Vec::new().into_iter();
        self.is_readable = false;
    }

    fn damage(&mut self, found: Vec<String>) -> Part {
        if !found.is_empty() {
            self.stop();
        }
        let finding = |what| Finding::of(FindingKind::Damage, None, None, what);
        Part::last(found.into_iter().map(finding).collect())
    }

    /// A database that a service has used has the key from which all others are derived. If it is lost, the next start makes
    /// another one, and everything that was signed is invalid: cursors, sessions of links, attempts to sign in.
    async fn settings(&mut self) -> StoreResult<Part> {
        let used = sql("SELECT id FROM formalize_resources LIMIT 1");
        if self.tx.optional(used).await?.is_none() {
            return Ok(Part::last(Vec::new()));
        }
        let key = self.tx.find_setting(CURSOR_KEY).await?;
        let key = key.and_then(|key| HEXLOWER_PERMISSIVE.decode(key.as_bytes()).ok());
        if key.is_some_and(|key| key.len() == 32) {
            return Ok(Part::last(Vec::new()));
        }
        let what = format!("the row `{CURSOR_KEY}` is missing or invalid");
        let finding = Finding::of(
            FindingKind::MissingSetting,
            "formalize_settings",
            None,
            what,
        );
        Ok(Part::last(vec![finding]))
    }

    async fn objects(&mut self) -> StoreResult<Part> {
        let found = match Objects::read(&mut self.tx).await {
            Err(StoreError::Failed(what)) => return Ok(self.damage(vec![what])),
            found => found?,
        };
        let compared = objects::compare(&found, self.tx.dialect().expected_objects());
        if !compared.is_readable {
            self.stop();
        }
        Ok(Part::last(compared.findings))
    }

    /// The schema of the database, as the files `objects.txt` have the expected ones.
    pub(super) async fn describe(&mut self) -> StoreResult<String> {
        Ok(Objects::read(&mut self.tx).await?.to_string())
    }

    /// This step needs memory for all nested groups, but not for the users in them. The other steps need none.
    async fn nesting(&mut self) -> StoreResult<Part> {
        let mut nesting = Nesting::default();
        let mut after = Uuid::nil();
        loop {
            let select = sql(
                "SELECT id, group_id, child_group_id FROM formalize_memberships \
                 WHERE child_group_id IS NOT NULL AND id > $1 ORDER BY id LIMIT $2",
            );
            let select = select.bind(after).bind(saturated(PAGE));
            let rows = self.tx.all(select).await?;
            for row in &rows {
                let record = Record::new("formalize_memberships", row);
                nesting.add(record.uuid("group_id")?, record.uuid("child_group_id")?);
            }
            match rows.last() {
                Some(last) if rows.len() == PAGE => {
                    after = Record::new("formalize_memberships", last).id()?;
                }
                _ => break,
            }
        }
        let cycles = nesting.cycles();
        let findings = cycles.iter().filter_map(|cycle| in_a_circle(cycle));
        Ok(Part::last(findings.collect()))
    }

    async fn violating(&mut self, invariant: &Invariant, after: Uuid) -> StoreResult<Part> {
        let select = invariant.select(self.tx.dialect(), after, saturated(PAGE));
        let violating = self.tx.read_ids(invariant.table, select).await?;
        let rest_behind = violating.last().copied();
        let finding = |id| Finding::of(invariant.kind, invariant.table, id, invariant.what);
        Ok(Part {
            rest_behind: rest_behind.filter(|_| violating.len() == PAGE),
            findings: violating.into_iter().map(finding).collect(),
        })
    }

    async fn each_of(&mut self, rows: &Rows, after: Uuid) -> StoreResult<Part> {
        let select = rows.select(self.tx.dialect(), after);
        let found = self.tx.all(select).await?;
        self.checked.records += u64::try_from(found.len()).unwrap_or(u64::MAX);
        if rows.need_schemas() {
            self.schemas.learn(&mut self.tx, &found).await?;
        }
        let mut findings = Vec::new();
        let mut last = None;
        for row in &found {
            let id = Record::new(rows.table, row).id()?;
            let verdict = rows.judge(row, &self.schemas)?;
            self.checked.unjudged += u64::from(verdict.is_unknown());
            let finding = |(kind, what)| Finding::of(kind, rows.table, id, what);
            findings.extend(verdict.faults.into_iter().map(finding));
            last = Some(id);
        }
        Ok(Part {
            findings,
            rest_behind: last.filter(|_| found.len() == rows.page),
        })
    }
}

/// The maximum number of groups of a cycle to list.
const NAMED: usize = 8;

fn in_a_circle(cycle: &[Uuid]) -> Option<Finding> {
    let first = *cycle.first()?;
    let mut names: Vec<String> = cycle.iter().take(NAMED).map(Uuid::to_string).collect();
    if cycle.len() > NAMED {
        names.push(format!("{} more", cycle.len() - NAMED));
    }
    let what = format!("contains itself: {}", names.join(" > "));
    Some(Finding::of(
        FindingKind::GroupCycle,
        "formalize_groups",
        first,
        what,
    ))
}
