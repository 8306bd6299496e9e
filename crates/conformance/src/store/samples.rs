//! Records and values for the cases.

#![expect(clippy::expect_used, reason = "the cases name possible values only")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use uuid::Uuid;

use formalize_core::store::scope::Subjects;
use formalize_core::store::{GrantRecord, SecretHash};
use formalize_core::{
    Action, Attributes, DynamicGroupId, Form, FormId, FormName, GrantId, Group, GroupId, GroupName,
    Member, Membership, MembershipId, Resource, ResourceClass, ResourceId, ResourceIdentifier,
    ResourceRef, Revision, Subject, Submission, SubmissionId, SubmissionRules, SubmissionState,
    Timestamp, UserId,
    authorization::Object,
    files::{ContentHash, FileAttributeName, FileId, FileName, MimeType, SubmittedFile},
    forms::{
        AdditionalData, AvailableTags, FormContact, FormDetails, FrontendKey, LanguageTag,
        LocalizedNames, SubmissionCap, SubmissionLimit, SubmissionStates, SubmittedAction,
        SubmittedActions,
    },
    idempotency::IdempotencyKey,
    links::{EmbedOrigins, FormLink, LinkId},
    submissions::{Tag, Tags},
    tokens::{ApiToken, TokenId, TokenKind},
};

/// Generates identifiers in non-ascending order, so that a list in order of insertion fails. Every run of a case gets
/// the same ones, and clones continue the same sequence.
#[derive(Debug, Clone, Default)]
pub(super) struct Ids(Arc<AtomicU64>);

impl Ids {
    /// The next identifier, as a UUID of version 7.
    pub(super) fn next(&self) -> Uuid {
        // Multiplying by an odd factor maps different numbers to different numbers.
        let number = self.0.fetch_add(1, Ordering::SeqCst);
        let scattered = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let version = 0x0193_A5B6_7C8D_7000;
        let variant = 1 << 63;
        Uuid::from_u64_pair(version | scattered >> 52, variant | (scattered << 12 >> 2))
    }

    pub(super) fn group(&self, name: &str) -> Group {
        Group {
            id: GroupId::from_uuid(self.next()),
            name: group_name(name),
            date_created: now(),
            revision: self.revision(),
        }
    }

    pub(super) fn membership(&self, group: GroupId, member: Member) -> Membership {
        Membership {
            id: MembershipId::from_uuid(self.next()),
            group,
            member,
            date_created: now(),
        }
    }

    /// A resource. Without an object, it stands for itself.
    pub(super) fn resource(&self, resource: ResourceRef, object: Option<Object>) -> Resource {
        let id = ResourceId::from_uuid(self.next());
        Resource {
            id,
            resource,
            object: object.unwrap_or(Object::Other(id)),
            date_created: now(),
        }
    }

    pub(super) fn grant(&self, subject: &Subject, action: Action, on: &Resource) -> GrantRecord {
        GrantRecord {
            id: GrantId::from_uuid(self.next()),
            subject: subject.clone(),
            action,
            resource: on.id,
            date_created: now(),
        }
    }

    pub(super) fn form(&self, rules: SubmissionRules) -> Form {
        Form {
            id: FormId::from_uuid(self.next()),
            name: form_name("a form"),
            data_feed_schema: None,
            rules,
            details: FormDetails::default(),
            date_created: now(),
            revision: self.revision(),
        }
    }

    pub(super) fn submission(
        &self,
        form: &Form,
        creator: &UserId,
        state: SubmissionState,
    ) -> Submission {
        Submission {
            id: SubmissionId::from_uuid(self.next()),
            form: form.id,
            data: Some("{}".into()),
            state,
            creator: creator.clone(),
            last_modified_by: creator.clone(),
            date_created: now(),
            date_last_modified: now(),
            revision: self.revision(),
            files: Vec::new(),
            tags: Tags::default(),
        }
    }

    /// A file of a submission, added by its creator.
    pub(super) fn file(&self, submission: &Submission, size: u64) -> SubmittedFile {
        SubmittedFile {
            id: FileId::from_uuid(self.next()),
            submission: submission.id,
            attribute: attribute_name("attachments"),
            name: file_name("report.pdf"),
            size,
            mime_type: MimeType::UNKNOWN,
            sha256: ContentHash::of(b""),
            creator: submission.creator.clone(),
            date_created: now(),
        }
    }

    /// A link of the system, without limits.
    pub(super) fn link(&self, form: &Form) -> FormLink {
        let id = LinkId::from_uuid(self.next());
        FormLink {
            id,
            form: form.id,
            label: None,
            date_expires: None,
            cap: None,
            num_submissions: 0,
            once_per_browser: false,
            embed_origins: EmbedOrigins::default(),
            creator: UserId::SYSTEM,
            date_created: now(),
            revision: self.revision(),
        }
    }

    pub(super) fn token(&self, user: &UserId) -> ApiToken {
        ApiToken {
            id: TokenId::from_uuid(self.next()),
            kind: TokenKind::Api,
            user: user.clone(),
            attributes: Attributes::new(),
            date_created: now(),
            date_expires: None,
            date_last_used: None,
            label: None,
            origin: None,
        }
    }

    /// A session that expires after 100 seconds, and ends 10 seconds after its last use.
    pub(super) fn session(&self, user: &UserId) -> ApiToken {
        ApiToken {
            kind: TokenKind::Session {
                idle: Duration::from_secs(10),
            },
            date_expires: Some(now().saturating_add(Duration::from_secs(100))),
            date_last_used: Some(now()),
            ..self.token(user)
        }
    }

    pub(super) fn revision(&self) -> Revision {
        Revision::from_uuid(self.next())
    }
}

/// A timestamp with milliseconds.
pub(super) fn now() -> Timestamp {
    instant(1_795_000_000_123)
}

pub(super) fn instant(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis).expect("an instant")
}

pub(super) fn user(text: &str) -> UserId {
    UserId::new(text).expect("a user identifier")
}

pub(super) fn idempotency_key(text: &str) -> IdempotencyKey {
    IdempotencyKey::new(text).expect("a key")
}

pub(super) fn dynamic_group(text: &str) -> DynamicGroupId {
    DynamicGroupId::new(text).expect("the name of a dynamic group")
}

pub(super) fn action(text: &str) -> Action {
    Action::new(text).expect("an action")
}

pub(super) fn class(text: &str) -> ResourceClass {
    ResourceClass::new(text).expect("a class")
}

pub(super) fn identifier(text: &str) -> ResourceIdentifier {
    ResourceIdentifier::new(text).expect("an identifier")
}

pub(super) fn group_name(text: &str) -> GroupName {
    GroupName::new(text).expect("the name of a group")
}

pub(super) fn form_name(text: &str) -> FormName {
    FormName::new(text).expect("the name of a form")
}

pub(super) fn frontend_key(text: &str) -> FrontendKey {
    FrontendKey::new(text).expect("the key of a form")
}

pub(super) fn contact(line: &str) -> FormContact {
    FormContact::new(line).expect("the contact of a form")
}

pub(super) fn language(tag: &str) -> LanguageTag {
    LanguageTag::new(tag).expect("a language tag")
}

pub(super) fn localized_names(
    names: impl IntoIterator<Item = (LanguageTag, FormName)>,
) -> LocalizedNames {
    LocalizedNames::new(names).expect("names of a form")
}

pub(super) fn additional_data(value: &serde_json::Value) -> AdditionalData {
    AdditionalData::new(value).expect("additional data")
}

/// The tags `0`, `1`, ... of a form.
pub(super) fn available_tags(number: usize) -> AvailableTags {
    let tags = (0..number).map(|tag| serde_json::json!({"identifier": tag.to_string(), "ä": null}));
    AvailableTags::new(&tags.collect::<Vec<_>>()).expect("the tags of a form")
}

pub(super) fn tags(texts: &[&str]) -> Tags {
    let tag = |text: &&str| Tag::new(text).expect("a tag");
    texts.iter().map(tag).collect()
}

pub(super) fn file_name(text: &str) -> FileName {
    FileName::clean(text).expect("the name of a file")
}

pub(super) fn attribute_name(text: &str) -> FileAttributeName {
    FileAttributeName::new(text).expect("the name of a group of files")
}

pub(super) fn cap(number: i64) -> SubmissionCap {
    SubmissionCap::new(number).expect("a cap")
}

pub(super) fn limit(number: i64) -> SubmissionLimit {
    SubmissionLimit::new(number).expect("a limit")
}

/// The hash of a secret.
pub(super) fn secret(number: u64) -> SecretHash {
    SecretHash::of(&number.to_string())
}

pub(super) fn item(of_class: &str, named: &str) -> ResourceRef {
    ResourceRef::item(class(of_class), identifier(named))
}

/// The user of this name as the holder of a grant.
pub(super) fn holder(name: &str) -> Subject {
    Subject::User(user(name))
}

/// The dynamic group of this name as the holder of a grant.
pub(super) fn dynamic(name: &str) -> Subject {
    Subject::DynamicGroup(dynamic_group(name))
}

pub(super) fn subjects<const N: usize>(subjects: [Subject; N]) -> Subjects {
    Subjects::new(subjects.into())
}

pub(super) fn states(states: &[SubmissionState]) -> SubmissionStates {
    states.iter().copied().collect()
}

pub(super) fn allowed(actions: &[SubmittedAction]) -> SubmittedActions {
    actions.iter().copied().collect()
}

/// The rules of a grant-based form.
pub(super) fn grant_based(actions: &[SubmittedAction]) -> SubmissionRules {
    SubmissionRules {
        grant_based: true,
        ..creator_based(actions)
    }
}

/// The rules of a creator-based form.
pub(super) fn creator_based(actions: &[SubmittedAction]) -> SubmissionRules {
    SubmissionRules {
        allowed_actions_when_submitted: allowed(actions),
        allowed_states: states(SubmissionState::ALL),
        ..SubmissionRules::default()
    }
}
