//! What a store is filled with, and where to find it again.

use formalize_core::{FormId, GroupId, SubmissionId};

/// How much of everything there is.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// The submissions of the largest form; others have a tenth of that, a hundredth, and so on.
    pub submissions: usize,
    /// All forms.
    pub forms: usize,
    /// The forms that the reader of most may read; others may read a tenth of them, a hundredth, and so on.
    pub readable: usize,
    /// All groups that users are in.
    pub groups: usize,
    /// How deep these are nested.
    pub depth: usize,
    /// All memberships of users in them.
    pub memberships: usize,
    /// The members of the group that is moved.
    pub moved: usize,
    /// The groups in the long chain.
    pub chain: usize,
}

/// How many groups a user is a direct member of.
pub(super) const GROUPS_OF_USER: usize = 10;
/// The groups in the short chain.
pub(super) const SHORT_CHAIN: usize = 5;
/// The least that a size is divided to: the first page of a list is full everywhere.
pub(super) const SMALLEST: usize = 100;
/// What the poorest reader may read.
pub(super) const FEWEST_READABLE: usize = 10;

impl Sizes {
    /// The sizes that the targets speak of.
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

    /// Hardly anything: what the large database is compared with.
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

    /// A fraction of everything but of the depth.
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

/// What a database was filled with, as far as it is asked for.
#[derive(Debug, Clone)]
pub struct Landmarks {
    /// A form with the schema of fifteen fields, which [`writers`] may submit to and [`READER`] read.
    pub form: FormId,
    /// A submission of it.
    pub submission: SubmissionId,
    /// Forms by the number of their submissions, which [`READER`] may read.
    pub forms_by_size: Vec<(usize, FormId)>,
    /// The number of forms that a user may read, with the user.
    pub readers: Vec<(usize, String)>,
    /// A group with many members.
    pub moved: GroupId,
    /// The group that it is moved under; [`MOVER`] manages both.
    pub target: GroupId,
}

/// May read submissions, by a group that is nested in the one that holds the grant.
pub const READER: &str = "reader";
/// What the names of those begin with who may make submissions, in the same way.
pub(super) const WRITER: &str = "writer";
/// May move a group.
pub const MOVER: &str = "mover";
/// The first of the users who are each in as many groups as the others.
pub const MEMBER: &str = "member-0";
/// What the names of these users begin with.
pub(super) const MEMBER_PREFIX: &str = "member-";
/// A member of the lowest of five groups, one within the other, the highest of which may read a form.
pub const AT_SHORT_CHAIN: &str = "at-short-chain";
/// The same with many groups.
pub const AT_LONG_CHAIN: &str = "at-long-chain";

/// Everybody above but the writers.
const OTHERS: [&str; 5] = [READER, MOVER, MEMBER, AT_SHORT_CHAIN, AT_LONG_CHAIN];
/// As many as send at a time.
const WRITERS: usize = 64;

/// Those who may make submissions.
pub fn writers() -> impl Iterator<Item = String> {
    (0..WRITERS).map(|number| format!("{WRITER}-{number}"))
}

/// Everybody above.
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

/// Data that satisfies [`SCHEMA`], with all fifteen fields.
pub const DATA: &str = r#"{"givenName":"Grace","familyName":"Hopper","email":"grace@example.org","phone":"+43 316 8731","street":"Main Street 1","city":"Graz","postcode":"8010","country":"AT","born":"1986-12-09","age":39,"height":1.68,"student":false,"languages":["en","de"],"diet":"none","remarks":"arrives late"}"#;
