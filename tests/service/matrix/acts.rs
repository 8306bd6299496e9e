//! The acts of the matrix.

use std::time::Duration;

use async_trait::async_trait;
use formalize_core::file_store::whole;
use formalize_core::questions::Entries;
use formalize_core::{
    Action, Attributes, Caller, Change, Error, FormChange, FormFilter, GroupChange, GroupFilter,
    Member, NewMembership, ResourceFilter, Result, SubmissionChange, SubmissionFilter,
    SubmissionId, SubmissionRules, SubmissionState, User,
    authorization::Operation,
    files::{FileAttributeName, FileName, NewFile},
    links::{FormLinkChange, NewFormLink},
    tokens::{NewApiToken, NewOwnToken, NewSession},
    webhooks::{
        AttemptError, DeliveryFilter, NewWebhook, Resend, WebhookAnswer, WebhookChange,
        WebhookRequest, WebhookTransport,
    },
};
use formalize_tests::world::{
    everything, holder, new_form, new_grant, new_group, new_session, new_submission, thing, user_id,
};

use super::stage::{Spot, Stage};

/// One act. Each kind of item that a list may contain is an act of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    CreateGroup,
    CreateSurvey,
    CreateOtherForm,
    CreateSubmission,
    GetGroup,
    ListGroup,
    UpdateGroup,
    DeleteGroup,
    AddUser,
    AddOpenGroup,
    AddHiddenGroup,
    GetMember,
    ListMember,
    RemoveMember,
    GetForm,
    AskForm,
    ListForm,
    ListFormWithSubmissions,
    ListFormToLookAfter,
    ListFormToFillIn,
    UpdateForm,
    DeleteForm,
    GetSubmission(Spot),
    ListSubmission(Spot),
    UpdateSubmission(Spot),
    DeleteSubmission(Spot),
    DeleteAll,
    ListFiles(Spot),
    GetFile(Spot),
    ReadFile(Spot),
    AddFile(Spot),
    RemoveFile(Spot),
    GetResource(Spot),
    ListResource(Spot),
    CreateGrant(Spot),
    GetGrant(Spot),
    ListGrant(Spot),
    DeleteGrant(Spot),
    CreateLink,
    GetLink,
    ListLink,
    UpdateLink,
    DeleteLink,
    CreateWebhook,
    GetWebhook,
    ListWebhook,
    UpdateWebhook,
    RotateWebhookSecret,
    TestWebhook,
    ListWebhookDeliveries,
    ResendDeliveries,
    DeleteWebhook,
    CreateWebhookOfAllForms,
    CreateToken,
    ListTokens,
    RevokeToken,
    CreateOwnToken,
    ListOwnTokens,
    RevokeOwnToken,
    BeginSession,
    EndSessions,
    Register,
    Deregister,
    CheckOthers,
    SearchPeople,
    ReadLocalData,
}

/// The acts of one column, each with its letter.
pub(super) type Column = (String, Vec<(char, Act)>);

/// Acts on records.
pub(super) fn on_records() -> Vec<Column> {
    let of_submission = |spot| {
        vec![
            ('r', Act::GetSubmission(spot)),
            ('l', Act::ListSubmission(spot)),
            ('u', Act::UpdateSubmission(spot)),
            ('d', Act::DeleteSubmission(spot)),
        ]
    };
    let of_files = |spot| {
        vec![
            ('l', Act::ListFiles(spot)),
            ('r', Act::GetFile(spot)),
            ('c', Act::ReadFile(spot)),
            ('a', Act::AddFile(spot)),
            ('d', Act::RemoveFile(spot)),
        ]
    };
    vec![
        (
            "create".to_owned(),
            vec![
                ('g', Act::CreateGroup),
                ('f', Act::CreateSurvey),
                ('F', Act::CreateOtherForm),
                ('s', Act::CreateSubmission),
            ],
        ),
        (
            "group".to_owned(),
            vec![
                ('r', Act::GetGroup),
                ('l', Act::ListGroup),
                ('u', Act::UpdateGroup),
                ('d', Act::DeleteGroup),
            ],
        ),
        (
            "members".to_owned(),
            vec![
                ('u', Act::AddUser),
                ('g', Act::AddOpenGroup),
                ('h', Act::AddHiddenGroup),
                ('r', Act::GetMember),
                ('l', Act::ListMember),
                ('d', Act::RemoveMember),
            ],
        ),
        (
            "form".to_owned(),
            vec![
                ('r', Act::GetForm),
                ('q', Act::AskForm),
                ('l', Act::ListForm),
                ('w', Act::ListFormWithSubmissions),
                ('a', Act::ListFormToLookAfter),
                ('f', Act::ListFormToFillIn),
                ('u', Act::UpdateForm),
                ('D', Act::DeleteAll),
                ('d', Act::DeleteForm),
            ],
        ),
        ("submitted".to_owned(), of_submission(Spot::Submitted)),
        ("draft".to_owned(), of_submission(Spot::Draft)),
        ("files of submitted".to_owned(), of_files(Spot::Submitted)),
        ("files of draft".to_owned(), of_files(Spot::Draft)),
        (
            "links".to_owned(),
            vec![
                ('c', Act::CreateLink),
                ('r', Act::GetLink),
                ('l', Act::ListLink),
                ('u', Act::UpdateLink),
                ('d', Act::DeleteLink),
            ],
        ),
        (
            "webhooks".to_owned(),
            vec![
                ('c', Act::CreateWebhook),
                ('r', Act::GetWebhook),
                ('l', Act::ListWebhook),
                ('u', Act::UpdateWebhook),
                ('s', Act::RotateWebhookSecret),
                ('t', Act::TestWebhook),
                ('v', Act::ListWebhookDeliveries),
                ('a', Act::ResendDeliveries),
                ('d', Act::DeleteWebhook),
                ('A', Act::CreateWebhookOfAllForms),
            ],
        ),
    ]
}

/// Acts on resources and their grants.
pub(super) fn on_resources() -> Vec<Column> {
    let columns = Spot::ALL.map(|(spot, name)| {
        let acts = vec![
            ('r', Act::GetResource(spot)),
            ('l', Act::ListResource(spot)),
            ('c', Act::CreateGrant(spot)),
            ('g', Act::GetGrant(spot)),
            ('s', Act::ListGrant(spot)),
            ('d', Act::DeleteGrant(spot)),
        ];
        (name.to_owned(), acts)
    });
    columns.into()
}

/// Acts of the owner of the service.
pub(super) fn of_the_owner() -> Vec<Column> {
    vec![
        (
            "tokens".to_owned(),
            vec![
                ('c', Act::CreateToken),
                ('l', Act::ListTokens),
                ('d', Act::RevokeToken),
            ],
        ),
        (
            "own tokens".to_owned(),
            vec![
                ('c', Act::CreateOwnToken),
                ('l', Act::ListOwnTokens),
                ('d', Act::RevokeOwnToken),
            ],
        ),
        (
            "sessions".to_owned(),
            vec![('c', Act::BeginSession), ('d', Act::EndSessions)],
        ),
        (
            "resources".to_owned(),
            vec![('r', Act::Register), ('d', Act::Deregister)],
        ),
        (
            "others".to_owned(),
            vec![
                ('c', Act::CheckOthers),
                ('s', Act::SearchPeople),
                ('l', Act::ReadLocalData),
            ],
        ),
    ]
}

impl Act {
    /// The operation whose rule applies.
    pub(super) fn operation(self) -> Operation {
        match self {
            Self::CreateGroup => Operation::GroupCreate,
            Self::GetGroup => Operation::GroupGet,
            Self::ListGroup => Operation::GroupList,
            Self::UpdateGroup => Operation::GroupUpdate,
            Self::DeleteGroup => Operation::GroupDelete,
            Self::AddUser => Operation::MembershipCreate,
            Self::AddOpenGroup | Self::AddHiddenGroup => Operation::MembershipCreateOfChild,
            Self::GetMember => Operation::MembershipGet,
            Self::ListMember => Operation::MembershipList,
            Self::RemoveMember => Operation::MembershipDelete,
            Self::CreateSurvey | Self::CreateOtherForm => Operation::FormCreate,
            Self::GetForm => Operation::FormGet,
            Self::AskForm => Operation::FormQuestions,
            Self::ListForm | Self::ListFormWithSubmissions | Self::ListFormToLookAfter => {
                Operation::FormList
            }
            Self::ListFormToFillIn => Operation::FormListToFillIn,
            Self::UpdateForm => Operation::FormUpdate,
            Self::DeleteForm => Operation::FormDelete,
            Self::CreateSubmission => Operation::SubmissionCreate,
            Self::GetSubmission(_) => Operation::SubmissionGet,
            Self::ListSubmission(_) => Operation::SubmissionList,
            Self::UpdateSubmission(_) => Operation::SubmissionUpdate,
            Self::DeleteSubmission(_) => Operation::SubmissionDelete,
            Self::DeleteAll => Operation::SubmissionDeleteAll,
            Self::ListFiles(_) => Operation::SubmissionFileList,
            Self::GetFile(_) => Operation::SubmissionFileGet,
            Self::ReadFile(_) => Operation::SubmissionFileRead,
            Self::AddFile(_) => Operation::SubmissionFileAdd,
            Self::RemoveFile(_) => Operation::SubmissionFileRemove,
            Self::GetResource(_) => Operation::ResourceGet,
            Self::ListResource(_) => Operation::ResourceList,
            Self::CreateGrant(_) => Operation::GrantCreate,
            Self::GetGrant(_) => Operation::GrantGet,
            Self::ListGrant(_) => Operation::GrantList,
            Self::DeleteGrant(_) => Operation::GrantDelete,
            Self::CreateLink => Operation::LinkCreate,
            Self::GetLink => Operation::LinkGet,
            Self::ListLink => Operation::LinkList,
            Self::UpdateLink => Operation::LinkUpdate,
            Self::DeleteLink => Operation::LinkDelete,
            Self::CreateWebhook => Operation::WebhookCreate,
            Self::GetWebhook => Operation::WebhookGet,
            Self::ListWebhook => Operation::WebhookList,
            Self::UpdateWebhook => Operation::WebhookUpdate,
            Self::RotateWebhookSecret => Operation::WebhookRotateSecret,
            Self::TestWebhook => Operation::WebhookTest,
            Self::ListWebhookDeliveries => Operation::WebhookDeliveries,
            Self::ResendDeliveries => Operation::WebhookResend,
            Self::DeleteWebhook => Operation::WebhookDelete,
            Self::CreateWebhookOfAllForms => Operation::WebhookOfAllForms,
            Self::CreateToken => Operation::TokenCreate,
            Self::ListTokens => Operation::TokenList,
            Self::RevokeToken => Operation::TokenRevoke,
            Self::CreateOwnToken => Operation::OwnTokenCreate,
            Self::ListOwnTokens => Operation::OwnTokenList,
            Self::RevokeOwnToken => Operation::OwnTokenRevoke,
            Self::BeginSession => Operation::SessionCreate,
            Self::EndSessions => Operation::SessionEndAll,
            Self::Register => Operation::ResourceRegister,
            Self::Deregister => Operation::ResourceDeregister,
            Self::CheckOthers => Operation::CheckOthers,
            Self::SearchPeople => Operation::PeopleSearch,
            Self::ReadLocalData => Operation::LocalDataOfOthers,
        }
    }

    /// Whether the act removes something that a later act needs. At each spot, grants are deleted last.
    pub(super) fn uses_up_the_stage(self) -> bool {
        matches!(
            self,
            Self::DeleteGroup
                | Self::RemoveMember
                | Self::DeleteForm
                | Self::DeleteAll
                | Self::DeleteSubmission(_)
                | Self::RemoveFile(_)
                | Self::Deregister
        )
    }

    /// Performs the act. Returns whether it was allowed or, for a list, whether the list contains the item.
    pub(super) async fn perform(self, stage: &Stage<'_>, caller: &Caller) -> bool {
        let outcome = match self.operation() {
            Operation::GroupCreate
            | Operation::GroupGet
            | Operation::GroupList
            | Operation::GroupUpdate
            | Operation::GroupDelete => self.on_groups(stage, caller).await,
            Operation::FormCreate
            | Operation::FormGet
            | Operation::FormQuestions
            | Operation::FormList
            | Operation::FormListToFillIn
            | Operation::FormUpdate
            | Operation::FormDelete => self.on_forms(stage, caller).await,
            Operation::MembershipCreate
            | Operation::MembershipCreateOfChild
            | Operation::MembershipGet
            | Operation::MembershipList
            | Operation::MembershipDelete => self.on_members(stage, caller).await,
            Operation::ResourceGet
            | Operation::ResourceList
            | Operation::GrantCreate
            | Operation::GrantGet
            | Operation::GrantList
            | Operation::GrantDelete => self.on_grants(stage, caller).await,
            Operation::CheckOthers | Operation::PeopleSearch | Operation::LocalDataOfOthers => {
                self.on_others(stage, caller).await
            }
            Operation::LinkCreate
            | Operation::LinkGet
            | Operation::LinkList
            | Operation::LinkUpdate
            | Operation::LinkDelete => self.on_links(stage, caller).await,
            Operation::WebhookCreate
            | Operation::WebhookGet
            | Operation::WebhookList
            | Operation::WebhookUpdate
            | Operation::WebhookRotateSecret
            | Operation::WebhookTest
            | Operation::WebhookDeliveries
            | Operation::WebhookResend
            | Operation::WebhookDelete
            | Operation::WebhookOfAllForms => self.on_webhooks(stage, caller).await,
            Operation::TokenCreate
            | Operation::TokenList
            | Operation::TokenRevoke
            | Operation::OwnTokenCreate
            | Operation::OwnTokenList
            | Operation::OwnTokenRevoke
            | Operation::SessionCreate
            | Operation::SessionEndAll
            | Operation::ResourceRegister
            | Operation::ResourceDeregister => self.on_the_service(stage, caller).await,
            Operation::SubmissionFileList
            | Operation::SubmissionFileGet
            | Operation::SubmissionFileRead
            | Operation::SubmissionFileAdd
            | Operation::SubmissionFileRemove => self.on_files(stage, caller).await,
            _ => self.on_submissions(stage, caller).await,
        };
        match outcome {
            Ok(shown) => shown,
            Err(Error::Forbidden) => false,
            Err(error) => panic!("{self:?}: {error}"),
        }
    }

    async fn on_groups(self, stage: &Stage<'_>, caller: &Caller) -> Result<bool> {
        let (groups, group) = (stage.world.groups(), stage.group);
        match self {
            Self::CreateGroup => groups.create(caller, new_group("New")).await.map(done),
            Self::GetGroup => groups.get(caller, group).await.map(done),
            Self::ListGroup => {
                let page = groups
                    .list(caller, &GroupFilter::default(), &everything())
                    .await?;
                Ok(page.items.iter().any(|shown| shown.item.id == group))
            }
            Self::UpdateGroup => {
                let change = GroupChange::default();
                groups.update(caller, group, change).await.map(done)
            }
            _ => groups.delete(caller, group).await.map(done),
        }
    }

    async fn on_members(self, stage: &Stage<'_>, caller: &Caller) -> Result<bool> {
        let memberships = stage.world.memberships();
        let group = stage.group;
        let add = async |member| {
            let created = memberships
                .create(caller, NewMembership { group, member })
                .await?;
            memberships.delete(&Caller::System, created.id).await?;
            Ok(true)
        };
        match self {
            Self::AddUser => add(Member::User(user_id(&stage.fresh_name()))).await,
            Self::AddOpenGroup => add(Member::ChildGroup(stage.open_group)).await,
            Self::AddHiddenGroup => add(Member::ChildGroup(stage.hidden_group)).await,
            Self::GetMember => memberships.get(caller, stage.member).await.map(done),
            Self::ListMember => {
                let page = memberships.list(caller, group, &everything()).await?;
                Ok(page.items.iter().any(|shown| shown.id == stage.member))
            }
            _ => memberships.delete(caller, stage.member).await.map(done),
        }
    }

    async fn on_forms(self, stage: &Stage<'_>, caller: &Caller) -> Result<bool> {
        let (forms, form) = (stage.world.forms(), stage.form);
        let create = async |name| {
            let new = new_form(name, SubmissionRules::default());
            forms.create(caller, new).await.map(done)
        };
        let list = async |where_read_form_submissions_granted| {
            let filter = FormFilter {
                where_read_form_submissions_granted,
                ..FormFilter::default()
            };
            let page = forms.list(caller, &filter, &everything()).await?;
            Ok(page.items.iter().any(|shown| shown.item.id == form))
        };
        match self {
            Self::CreateSurvey => create("Survey of tastes").await,
            Self::CreateOtherForm => create("Application").await,
            Self::GetForm => forms.get(caller, form).await.map(done),
            Self::AskForm => {
                let asked = forms.questions(caller, form, None, None).await.map(done);
                let answered = forms.fill_in(caller, form, Entries::default(), None).await;
                let reason = |error: &Error| error.to_string();
                assert_eq!(
                    asked.as_ref().map_err(reason),
                    answered.map(done).as_ref().map_err(reason)
                );
                asked
            }
            Self::ListForm => list(false).await,
            Self::ListFormWithSubmissions => list(true).await,
            Self::ListFormToLookAfter => {
                let page = forms.list_to_look_after(caller, &everything()).await?;
                Ok(page.items.iter().any(|shown| shown.item.id == form))
            }
            Self::ListFormToFillIn => {
                let page = forms.list_to_fill_in(caller, &everything()).await?;
                Ok(page.items.iter().any(|shown| shown.id == form))
            }
            Self::UpdateForm => {
                let change = FormChange::default();
                forms.update(caller, form, change).await.map(done)
            }
            _ => forms.delete(caller, form).await.map(done),
        }
    }

    async fn on_submissions(self, stage: &Stage<'_>, caller: &Caller) -> Result<bool> {
        let (submissions, form) = (stage.world.submissions(), stage.form);
        match self {
            Self::CreateSubmission => {
                let new = new_submission(form, "{}", SubmissionState::Submitted);
                submissions.create(caller, new).await.map(done)
            }
            Self::GetSubmission(spot) => {
                let id = submission_at(stage, spot);
                submissions.get(caller, id).await.map(done)
            }
            Self::ListSubmission(spot) => {
                let filter = SubmissionFilter::default();
                let page = submissions
                    .list(caller, form, &filter, &everything())
                    .await?;
                let id = submission_at(stage, spot);
                Ok(page.items.iter().any(|shown| shown.item.id == id))
            }
            Self::UpdateSubmission(spot) => {
                let change = SubmissionChange {
                    data: Change::Keep,
                    state: match spot {
                        Spot::Draft => SubmissionState::Draft.into(),
                        _ => SubmissionState::Submitted.into(),
                    },
                    ..SubmissionChange::default()
                };
                let id = submission_at(stage, spot);
                submissions.update(caller, id, change).await.map(done)
            }
            Self::DeleteSubmission(spot) => {
                let id = submission_at(stage, spot);
                submissions.delete(caller, id).await.map(done)
            }
            _ => submissions.delete_all(caller, form).await.map(done),
        }
    }

    async fn on_files(self, stage: &Stage<'_>, caller: &Caller) -> Result<bool> {
        let files = stage.world.files();
        match self {
            Self::GetFile(spot) => {
                let (submission, file) = stage.file_at(spot);
                files.get(caller, submission, file).await.map(done)
            }
            Self::ReadFile(spot) => {
                let (submission, file) = stage.file_at(spot);
                files.open(caller, submission, file).await.map(done)
            }
            Self::AddFile(spot) => {
                let (submission, _) = stage.file_at(spot);
                let mut upload = files.upload(caller, submission).await?;
                let name = FileName::clean("notes.txt")?;
                let new = NewFile::new(FileAttributeName::new("notes")?, name);
                upload.add(new, whole("some text")).await?;
                upload.finish().await.map(done)
            }
            Self::RemoveFile(spot) => {
                let (submission, file) = stage.file_at(spot);
                files.remove(caller, submission, file).await.map(done)
            }
            Self::ListFiles(spot) => {
                let (submission, file) = stage.file_at(spot);
                let page = files.list(caller, submission, None, &everything()).await?;
                Ok(page.items.iter().any(|shown| shown.id == file))
            }
            other => panic!("{other:?} is not an operation on files"),
        }
    }

    async fn on_webhooks(self, stage: &Stage<'_>, caller: &Caller) -> Result<bool> {
        let webhooks = stage.world.webhooks();
        let url = webhooks.parse_url("https://example.org/hook").unwrap();
        if self == Self::CreateWebhookOfAllForms {
            let new = NewWebhook::of_all_forms(url);
            return webhooks.create(caller, new).await.map(done);
        }
        let new = NewWebhook::of(stage.form, url);
        if self == Self::CreateWebhook {
            return webhooks.create(caller, new).await.map(done);
        }
        let (webhook, _) = webhooks.create(&Caller::System, new).await?;
        let id = webhook.id;
        let acted = match self {
            Self::GetWebhook => webhooks.get(caller, id).await.map(done),
            Self::ListWebhook => {
                let page = webhooks.list(caller, None, &everything()).await?;
                Ok(page.items.contains(&webhook))
            }
            Self::UpdateWebhook => {
                let change = WebhookChange::default();
                webhooks.update(caller, id, change).await.map(done)
            }
            Self::RotateWebhookSecret => {
                let overlap = Duration::from_mins(1);
                webhooks.rotate_secret(caller, id, overlap).await.map(done)
            }
            Self::TestWebhook => webhooks.test(caller, id, &Accepting).await.map(done),
            Self::ListWebhookDeliveries => {
                let all = DeliveryFilter::default();
                let listed = webhooks.deliveries(caller, id, &all, &everything()).await;
                listed.map(done)
            }
            Self::ResendDeliveries => {
                let since = Resend::Since {
                    since: webhook.date_created,
                    until: None,
                    all: false,
                };
                webhooks.resend(caller, id, since).await.map(done)
            }
            _ => webhooks.delete(caller, id).await.map(done),
        };
        webhooks.delete(&Caller::System, id).await.ok();
        acted
    }

    async fn on_grants(self, stage: &Stage<'_>, caller: &Caller) -> Result<bool> {
        let (resources, grants) = (stage.world.resources(), stage.world.grants());
        match self {
            Self::GetResource(spot) => {
                let record = stage.shared(spot).resource;
                resources.get(caller, record).await.map(done)
            }
            Self::ListResource(spot) => {
                let filter = ResourceFilter::default();
                let page = resources.list(caller, &filter, &everything()).await?;
                let resource = stage.at(spot);
                Ok(page.items.iter().any(|it| it.item.resource == resource))
            }
            Self::CreateGrant(spot) => {
                let subject = holder(&stage.fresh_name());
                let new = new_grant(&subject, &Action::MANAGE, &stage.at(spot));
                let created = grants.create(caller, new).await?;
                grants.delete(&Caller::System, created.item.id).await?;
                Ok(true)
            }
            Self::GetGrant(spot) => {
                let grant = stage.shared(spot).grant;
                grants.get(caller, grant).await.map(done)
            }
            Self::ListGrant(spot) => {
                let grant = stage.shared(spot).grant;
                let filter = ResourceFilter::default();
                let page = grants.list(caller, &filter, &everything()).await?;
                Ok(page.items.iter().any(|shown| shown.item.id == grant))
            }
            Self::DeleteGrant(spot) => {
                let grant = stage.shared(spot).grant;
                grants.delete(caller, grant).await.map(done)
            }
            _ => unreachable!("{self:?} is about no resource"),
        }
    }

    async fn on_others(self, stage: &Stage<'_>, caller: &Caller) -> Result<bool> {
        let other = User {
            id: user_id(&stage.fresh_name()),
            attributes: Attributes::new(),
        };
        let people = stage.world.people();
        match self {
            Self::SearchPeople => people.check_search(caller).map(done),
            Self::ReadLocalData => {
                let readable = people.readable_local_data(caller);
                Ok(readable.includes(other.id.as_str()))
            }
            _ => {
                let resources = stage.world.resources();
                resources.check_all_of(caller, other, &[]).await.map(done)
            }
        }
    }

    async fn on_links(self, stage: &Stage<'_>, caller: &Caller) -> Result<bool> {
        let links = stage.world.links();
        let new = NewFormLink::to(stage.form);
        if self == Self::CreateLink {
            return links.create(caller, new).await.map(done);
        }
        let (link, _) = links.create(&Caller::System, new).await?;
        match self {
            Self::GetLink => links.get(caller, link.id).await.map(done),
            Self::ListLink => {
                let page = links.list(caller, stage.form, &everything()).await?;
                Ok(page.items.contains(&link))
            }
            Self::UpdateLink => {
                let change = FormLinkChange::default();
                links.update(caller, link.id, change).await.map(done)
            }
            _ => links.delete(caller, link.id).await.map(done),
        }
    }

    async fn on_the_service(self, stage: &Stage<'_>, caller: &Caller) -> Result<bool> {
        let (tokens, resources) = (stage.world.tokens(), stage.world.resources());
        let new = NewApiToken {
            user: user_id(&stage.fresh_name()),
            attributes: Attributes::new(),
            date_expires: None,
        };
        match self {
            Self::CreateToken => tokens.create(caller, new).await.map(done),
            Self::ListTokens => tokens.list(caller, &everything()).await.map(done),
            Self::RevokeToken => {
                let (token, _) = tokens.create(&Caller::System, new).await?;
                tokens.revoke(caller, token.id).await.map(done)
            }
            Self::CreateOwnToken => {
                let new = NewOwnToken {
                    label: None,
                    lifetime: NewOwnToken::MAX_LIFETIME,
                };
                // Only users have sessions.
                let Caller::User(user) = caller else {
                    return Err(Error::Forbidden);
                };
                let session = NewSession {
                    attributes: user.attributes.clone(),
                    ..new_session(user.id.as_str())
                };
                let sessions = stage.world.sessions();
                let (session, _) = sessions.create(&Caller::System, session).await?;
                tokens.create_own(&session, new).await.map(done)
            }
            Self::ListOwnTokens => tokens.list_own(caller, &everything()).await.map(done),
            Self::RevokeOwnToken => {
                let user = caller.user_id().cloned().unwrap_or(new.user.clone());
                let new = NewApiToken { user, ..new };
                // Nobody has a token for the user of a public link.
                let Ok((token, _)) = tokens.create(&Caller::System, new).await else {
                    return Ok(false);
                };
                tokens.revoke_own(caller, token.id).await.map(done)
            }
            Self::BeginSession => {
                let new = new_session(&stage.fresh_name());
                stage.world.sessions().create(caller, new).await.map(done)
            }
            Self::EndSessions => {
                let (sessions, user) = (stage.world.sessions(), user_id(&stage.fresh_name()));
                sessions.end_all_of(caller, &user).await.map(done)
            }
            Self::Register => {
                let resource = thing(&stage.fresh_name());
                resources.register(caller, resource, None).await.map(done)
            }
            _ => resources.deregister(caller, &stage.thing).await.map(done),
        }
    }
}

fn done<T>(_: T) -> bool {
    true
}

fn submission_at(stage: &Stage<'_>, spot: Spot) -> SubmissionId {
    match spot {
        Spot::Draft => stage.draft,
        _ => stage.submitted,
    }
}

/// A receiver that accepts everything.
struct Accepting;

#[async_trait]
impl WebhookTransport for Accepting {
    async fn send(&self, _: &WebhookRequest) -> Result<WebhookAnswer, AttemptError> {
        Ok(WebhookAnswer {
            status: 204,
            retry_after: None,
        })
    }
}
