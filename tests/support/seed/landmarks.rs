//! The size and the notable records of a filled store.

use formalize_core::{FormId, GroupId, SubmissionId};

/// How many records of each kind to create.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// The submissions of the largest form; others have a tenth of it, a hundredth, and so on.
    pub submissions: usize,
    /// All forms.
    pub forms: usize,
    /// The forms that the reader with the most access may read; others may read a tenth of them, a hundredth, and so
    /// on.
    pub readable: usize,
    /// All groups that have users as members.
    pub groups: usize,
    /// The depth of their nesting.
    pub depth: usize,
    /// The memberships of users in them.
    pub memberships: usize,
    /// The members of the group that is moved.
    pub moved: usize,
    /// The groups in the long chain.
    pub chain: usize,
}

/// The number of groups that a user is a direct member of.
pub(super) const GROUPS_OF_USER: usize = 10;
/// The groups in the short chain.
pub(super) const SHORT_CHAIN: usize = 5;
/// The minimum after division, so that the first page of every list is full.
pub(super) const SMALLEST: usize = 100;
/// What the reader with the least access may read.
pub(super) const FEWEST_READABLE: usize = 10;

impl Sizes {
    /// The sizes that the targets assume.
    pub const fn large() -> Self {
        Self {
            submissions: 1_000_000,
            forms: 500_000,
            readable: 100_000,
            groups: 100_000,
            depth: 5,
            memberships: 1_000_000,
            moved: 10_000,
            chain: 1_000,
        }
    }

    /// A small database that the large one is compared with.
    pub const fn few() -> Self {
        Self {
            submissions: 1_000,
            forms: 100,
            readable: 100,
            groups: 100,
            depth: 5,
            memberships: 1_000,
            moved: 10,
            chain: 5,
        }
    }

    /// A fraction of everything except the depth.
    #[must_use]
    pub const fn divided_by(self, divisor: usize) -> Self {
        Self {
            submissions: self.submissions / divisor,
            forms: self.forms / divisor,
            readable: self.readable / divisor,
            groups: self.groups / divisor,
            depth: self.depth,
            memberships: self.memberships / divisor,
            moved: self.moved / divisor,
            chain: self.chain / divisor,
        }
    }
}

/// `largest`, a tenth of it, and so on down to `smallest`.
pub(super) fn decades(largest: usize, smallest: usize) -> Vec<usize> {
    let tenths = std::iter::successors(Some(largest), |size| Some(size / 10));
    let mut sizes: Vec<usize> = tenths.take_while(|size| *size >= smallest).collect();
    sizes.reverse();
    sizes
}

/// The notable records of a filled database.
#[derive(Debug, Clone)]
pub struct Landmarks {
    /// A form with a schema of fifteen fields, which [`writers`] may submit to and [`READER`] may read.
    pub form: FormId,
    /// A submission of it.
    pub submission: SubmissionId,
    /// Forms that [`READER`] may read, by the number of their submissions.
    pub forms_by_size: Vec<(usize, FormId)>,
    /// Users with the number of forms that they may read.
    pub readers: Vec<(usize, String)>,
    /// A group with many members.
    pub moved: GroupId,
    /// The group that it is moved to; [`MOVER`] manages both.
    pub target: GroupId,
}

/// May read submissions through a group nested in the one that holds the grant.
pub const READER: &str = "reader";
/// The prefix of the users who may create submissions, in the same way.
pub(super) const WRITER: &str = "writer";
/// May move a group.
pub const MOVER: &str = "mover";
/// The first of the users who are members of equally many groups.
pub const MEMBER: &str = "member-0";
/// The prefix of these users.
pub(super) const MEMBER_PREFIX: &str = "member-";
/// A member of the innermost of five nested groups, the outermost of which may read a form.
pub const AT_SHORT_CHAIN: &str = "at-short-chain";
/// The same with many groups.
pub const AT_LONG_CHAIN: &str = "at-long-chain";

/// All users above except the writers.
const OTHERS: [&str; 5] = [READER, MOVER, MEMBER, AT_SHORT_CHAIN, AT_LONG_CHAIN];
/// The number of writers: as many as send at a time.
const WRITERS: usize = 64;

/// The users who may create submissions.
pub fn writers() -> impl Iterator<Item = String> {
    (0..WRITERS).map(|number| format!("{WRITER}-{number}"))
}

/// All users above.
pub fn users() -> impl Iterator<Item = String> {
    OTHERS.into_iter().map(str::to_owned).chain(writers())
}

/// A form with fields of the usual kinds.
pub const SCHEMA: &str = r#"{
  "type": "object",
  "required": ["givenName", "familyName", "email", "age"],
  "additionalProperties": false,
  "properties": {
    "givenName": {"type": "string", "minLength": 1, "maxLength": 100},
    "familyName": {"type": "string", "minLength": 1, "maxLength": 100},
    "email": {"type": "string", "format": "email"},
    "phone": {"type": "string", "pattern": "^[+0-9 ]{5,20}$"},
    "street": {"type": "string", "maxLength": 200},
    "city": {"type": "string", "maxLength": 100},
    "postcode": {"type": "string", "pattern": "^[0-9]{4,5}$"},
    "country": {"enum": ["AT", "CH", "DE", "FR", "IT"]},
    "born": {"type": "string", "format": "date"},
    "age": {"type": "integer", "minimum": 0, "maximum": 150},
    "height": {"type": "number", "exclusiveMinimum": 0},
    "student": {"type": "boolean"},
    "languages": {"type": "array", "items": {"type": "string"}, "uniqueItems": true, "maxItems": 10},
    "diet": {"enum": ["none", "vegetarian", "vegan"]},
    "remarks": {"type": "string", "maxLength": 2000}
  }
}"#;

/// Data that matches [`SCHEMA`], with all fifteen fields.
pub const DATA: &str = r#"{"givenName":"Grace","familyName":"Hopper","email":"grace@example.org","phone":"+43 316 8731","street":"Main Street 1","city":"Graz","postcode":"8010","country":"AT","born":"1986-12-09","age":39,"height":1.68,"student":false,"languages":["en","de"],"diet":"none","remarks":"arrives late"}"#;
