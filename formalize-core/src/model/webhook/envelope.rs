//! The body of a request. It consists of the same bytes at every attempt, from every server and every release, because
//! receivers may compare what they got twice.

use super::frozen::{FrozenSubmission, Object};
use crate::id::{EventId, FormId, WebhookId};
use crate::model::event::{Event, EventData};
use crate::model::event_type::EventType;
use crate::model::webhook::Payload;
use crate::model::words::SubmissionState;
use crate::time::Timestamp;

/// An event, and what a webhook sends with it.
pub(crate) struct Envelope<'a> {
    pub(crate) event: &'a Event,
    pub(crate) payload: Payload,
    pub(crate) frozen: Option<&'a FrozenSubmission>,
}

impl Envelope<'_> {
    /// The text. Members are written in a fixed order, which no library decides.
    pub(crate) fn to_body(&self) -> String {
        let event = self.event;
        let mut body = String::new();
        let mut data = Object::begin(&mut body);
        data.text("identifier", &event.id.to_string());
        data.raw("sequence", &event.sequence.to_string());
        data.text("type", event.event_type.as_str());
        data.text("timestamp", &event.timestamp.to_string());
        data.raw("version", &Event::VERSION.to_string());
        data.raw("data", &self.data());
        data.end();
        body
    }

    fn data(&self) -> String {
        let mut text = String::new();
        let mut data = Object::begin(&mut text);
        for (name, value) in self.event.data.members() {
            data.optional(name, value.as_deref());
        }
        let has_submission = matches!(
            self.event.event_type,
            EventType::SubmissionSubmitted | EventType::SubmissionUpdated
        );
        if has_submission && self.payload == Payload::Full {
            if let Some(submission) = self.submission() {
                data.raw("submission", &submission);
            } else {
                data.raw("submission", "null");
                data.raw("submissionOmitted", "true");
            }
        }
        data.end();
        text
    }

    /// The submission as readers of the form see it.
    fn submission(&self) -> Option<String> {
        let frozen = self.frozen?;
        let EventData::Submission {
            submission,
            form,
            creator,
            ..
        } = &self.event.data
        else {
            return None;
        };
        let mut text = String::new();
        let mut item = Object::begin(&mut text);
        item.text("identifier", &submission.to_string());
        item.text("formIdentifier", &form.to_string());
        item.optional("dataFeedElement", frozen.data.as_deref());
        item.text("submissionState", SubmissionState::Submitted.as_str());
        item.text("creatorId", creator.as_str());
        item.text("lastModifiedById", frozen.last_modified_by.as_str());
        item.text("dateCreated", &frozen.date_created.to_string());
        item.text("dateLastModified", &frozen.date_last_modified.to_string());
        // Without them, the bytes are those that an earlier version has sent of this event.
        if let Some(object) = &frozen.tags_and_files {
            item.members(object);
        }
        item.end();
        Some(text)
    }
}

/// The body of a test, which belongs to no event in the log.
pub(crate) fn test_body(
    id: EventId,
    now: Timestamp,
    webhook: WebhookId,
    form: Option<FormId>,
) -> String {
    let mut data = String::new();
    let mut members = Object::begin(&mut data);
    members.text("webhookIdentifier", &webhook.to_string());
    members.optional(
        "formIdentifier",
        form.map(|form| form.to_string()).as_deref(),
    );
    members.end();

    let mut body = String::new();
    let mut envelope = Object::begin(&mut body);
    envelope.text("identifier", &id.to_string());
    envelope.raw("sequence", "null");
    envelope.text("type", "webhook.test");
    envelope.text("timestamp", &now.to_string());
    envelope.raw("version", &Event::VERSION.to_string());
    envelope.raw("data", &data);
    envelope.end();
    body
}

/// More kinds of members, which only bodies of requests have.
impl Object<'_> {
    fn optional(&mut self, name: &str, value: Option<&str>) {
        match value {
            Some(value) => self.text(name, value),
            None => self.raw(name, "null"),
        }
    }

    /// The members of an object that was written before, behind others.
    fn members(&mut self, object: &str) {
        let members = object.strip_prefix('{');
        if let Some(members) = members.and_then(|members| members.strip_suffix('}')) {
            self.text.push(',');
            self.text.push_str(members);
        }
    }
}

#[cfg(test)]
mod tests {
    use formalize_schema::FileAttributeName;
    use uuid::Uuid;

    use super::*;
    use crate::id::{FileId, Revision, SubmissionId};
    use crate::model::event::NewEvent;
    use crate::model::file::SubmittedFile;
    use crate::model::file::hash::ContentHash;
    use crate::model::file::mime_type::MimeType;
    use crate::model::file::name::FileName;
    use crate::model::subject::UserId;
    use crate::model::submission::Submission;
    use crate::model::tag::Tag;
    use crate::model::webhook::tags_and_files;

    const EVENT: Uuid = Uuid::from_u128(0x0193_a5b6_7c8d_7e9f_8a0b_1c2d_3e4f_5a6b);
    const FORM: &str = "00000000-0000-0000-0000-000000000002";

    fn event(event_type: EventType, data: EventData) -> Event {
        let new = NewEvent {
            id: EventId::from_uuid(EVENT),
            timestamp: "2026-11-25T08:00:00.5Z".parse().unwrap(),
            event_type,
            data,
        };
        new.placed(7)
    }

    fn submission() -> EventData {
        EventData::Submission {
            submission: SubmissionId::from_uuid(Uuid::from_u128(1)),
            form: FORM.parse().unwrap(),
            creator: UserId::new("bob").unwrap(),
            by: UserId::SYSTEM,
        }
    }

    fn frozen() -> FrozenSubmission {
        FrozenSubmission {
            data: Some(r#"{"a": "ä\u0000</script>"}"#.into()),
            last_modified_by: UserId::SYSTEM,
            date_created: "2026-11-25T07:00:00Z".parse().unwrap(),
            date_last_modified: "2026-11-25T08:00:00.5Z".parse().unwrap(),
            tags_and_files: None,
        }
    }

    /// A submission with two tags and a file.
    fn with_tags_and_file() -> Submission {
        let id = SubmissionId::from_uuid(Uuid::from_u128(1));
        let bob = UserId::new("bob").unwrap();
        let now = "2026-11-25T08:00:00Z".parse().unwrap();
        Submission {
            id,
            form: FORM.parse().unwrap(),
            data: None,
            state: SubmissionState::Submitted,
            creator: bob.clone(),
            last_modified_by: bob.clone(),
            date_created: now,
            date_last_modified: now,
            revision: Revision::from_uuid(Uuid::from_u128(5)),
            files: vec![SubmittedFile {
                id: FileId::from_uuid(Uuid::from_u128(4)),
                submission: id,
                attribute: FileAttributeName::new("cv").unwrap(),
                name: FileName::clean("CV \"ä\".pdf").unwrap(),
                size: 3,
                mime_type: MimeType::from_stored("application/pdf".to_owned()),
                sha256: ContentHash::of(b"one"),
                creator: bob,
                date_created: now,
            }],
            tags: ["checked", "\"ä\""]
                .into_iter()
                .filter_map(Tag::new)
                .collect(),
        }
    }

    const HEAD: &str =
        r#"{"identifier":"0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b","sequence":7,"type":"#;

    /// These bytes must never change while the version is 1.
    #[test]
    fn the_bytes_of_version_1() {
        let updated = event(EventType::SubmissionUpdated, submission());
        let frozen = frozen();
        let mut envelope = Envelope {
            event: &updated,
            payload: Payload::Full,
            frozen: Some(&frozen),
        };
        let ids = r#""submissionIdentifier":"00000000-0000-0000-0000-000000000001","formIdentifier":"00000000-0000-0000-0000-000000000002","creatorId":"bob","by":null"#;
        let head = format!(
            r#"{HEAD}"submission.updated","timestamp":"2026-11-25T08:00:00.500Z","version":1,"data":{{{ids}"#
        );
        let full = r#","submission":{"identifier":"00000000-0000-0000-0000-000000000001","formIdentifier":"00000000-0000-0000-0000-000000000002","dataFeedElement":"{\"a\": \"ä\\u0000</script>\"}","submissionState":"submitted","creatorId":"bob","lastModifiedById":"","dateCreated":"2026-11-25T07:00:00.000Z","dateLastModified":"2026-11-25T08:00:00.500Z"}}}"#;
        assert_eq!(envelope.to_body(), format!("{head}{full}"));
        let kept = FrozenSubmission {
            tags_and_files: Some(tags_and_files(&with_tags_and_file()).into()),
            ..frozen.clone()
        };
        envelope.frozen = Some(&kept);
        let more = r#","tags":["checked","\"ä\""],"submittedFiles":[{"identifier":"00000000-0000-0000-0000-000000000004","fileAttributeName":"cv","fileName":"CV \"ä\".pdf","fileSize":3,"mimeType":"application/pdf","sha256":"7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed","creatorId":"bob","dateCreated":"2026-11-25T08:00:00.000Z"}]}}}"#;
        let before = full.strip_suffix("}}}").unwrap();
        assert_eq!(envelope.to_body(), format!("{head}{before}{more}"));
        envelope.frozen = None;
        let omitted = r#","submission":null,"submissionOmitted":true}}"#;
        assert_eq!(envelope.to_body(), format!("{head}{omitted}"));
        envelope.payload = Payload::Thin;
        assert_eq!(envelope.to_body(), format!("{head}}}}}"));
    }

    #[test]
    fn the_end_of_a_submission_has_no_data() {
        let deleted = event(EventType::SubmissionDeleted, submission());
        let envelope = Envelope {
            event: &deleted,
            payload: Payload::Full,
            frozen: None,
        };
        assert!(!envelope.to_body().contains("\"submission\""));
    }

    /// The envelope and the events of the interface are the same JSON.
    #[test]
    fn envelopes_are_events() {
        let form = FORM.parse().unwrap();
        let deleted = event(EventType::FormDeleted, EventData::Form { form });
        let envelope = Envelope {
            event: &deleted,
            payload: Payload::Full,
            frozen: None,
        };
        let body: serde_json::Value = serde_json::from_str(&envelope.to_body()).unwrap();
        assert_eq!(body, deleted.to_json());
    }

    #[test]
    fn a_test_has_no_position() {
        let now = "2026-11-25T08:00:00Z".parse().unwrap();
        let body = test_body(
            EventId::from_uuid(EVENT),
            now,
            WebhookId::from_uuid(Uuid::from_u128(3)),
            None,
        );
        let expected = r#"{"identifier":"0193a5b6-7c8d-7e9f-8a0b-1c2d3e4f5a6b","sequence":null,"type":"webhook.test","timestamp":"2026-11-25T08:00:00.000Z","version":1,"data":{"webhookIdentifier":"00000000-0000-0000-0000-000000000003","formIdentifier":null}}"#;
        assert_eq!(body, expected);
    }
}
