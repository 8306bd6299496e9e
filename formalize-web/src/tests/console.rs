//! The pages of the console.

use formalize_core::questions::ShownAnswer;
use formalize_core::{Error, Field, forms::FormAccess, submissions::TableCell};

use super::super::{
    AnswerColumn, AnswerRow, AnswersFilter, AnswersPage, ConsolePage, CreatedLink, DeleteAllPage,
    DeleteGroupPage, Entry, FormFrame, FormOverviewPage, FormRow, FormState, FormTab, Grantee,
    GroupMember, GroupPage, GroupsPage, Holder, LinkPage, LinkPlaces, LinkRow, LinkValues,
    LinksPage, LocalTime, PermissionReason, Problems, Reached, ReachedKind, Right, SettingsPage,
    SettingsValues, SharingPage, Shell, TokenRow, TokensPage, Why, WhyRow,
};
use super::{Data, Page, at, named};

/// All pages of the console.
pub(super) fn pages(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let mut pages = home(shell, data);
    pages.extend(overview(shell, data));
    pages.extend(answers(shell, data));
    pages.extend(settings(shell, data));
    pages.extend(sharing(shell, data));
    pages.extend(links(shell, data));
    pages.extend(groups(shell, data));
    pages.extend(tokens(shell, data));
    pages
}

pub(super) fn time(local: &str) -> LocalTime {
    LocalTime::new(format!("{local}Z"), local)
}

fn home(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let row = |name: &str, state, new_answers| FormRow {
        name: data(name),
        path: at("/console/forms", &data("1")),
        state,
        new_answers,
    };
    let (opens, closes) = (time("2027-02-01T08:00:00"), time("2027-03-31T23:59:59"));
    let page = ConsolePage {
        to_fill_in: vec![
            (
                data("Registration for the spring run"),
                at("/f", &data("1")),
            ),
            (data("Order of shirts"), at("/f", &data("2"))),
        ],
        more_to_fill_in: Some(at("", &data("console?fill-in=1"))),
        forms: vec![
            row(
                "Registration for the spring run",
                FormState::Open(Some(closes.clone())),
                1000,
            ),
            row("Order of shirts", FormState::Opens(opens), 0),
            row("Survey of members", FormState::Closed(closes), 12),
            row("Volunteers", FormState::DraftsOnly, 0),
        ],
        more_forms: Some(at("", &data("console?forms=1"))),
        new_form: Some(at("", &data("console/forms/new"))),
    };
    vec![
        named("console", page.render(shell)),
        named("console-empty", ConsolePage::default().render(shell)),
    ]
}

/// The frame of a form for somebody who manages it.
pub(super) fn frame(name: &str, path: String) -> FormFrame<'_> {
    FormFrame {
        path,
        name: Some(name),
        tabs: vec![
            FormTab::Overview,
            FormTab::Questions,
            FormTab::Answers,
            FormTab::Summary,
            FormTab::Sharing,
            FormTab::Links,
            FormTab::Webhooks,
            FormTab::Settings,
        ],
    }
}

fn overview(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let name = data("Registration for the spring run");
    let path = at("/console/forms", &data("1"));
    let (opens, closes) = (time("2027-02-01T08:00:00"), time("2027-03-31T23:59:59"));
    let link = |label: &str, taken, cap| LinkPlaces {
        label: data(label),
        taken,
        cap,
    };
    let page = FormOverviewPage {
        frame: frame(&name, path),
        state: FormState::Open(Some(closes.clone())),
        new_answers: Some(31),
        address: at(
            "https://forms.example.org/f",
            &data("0193b2f5-6f1c-7b90-8c3e-5a1d9f0e4b27"),
        ),
        fill_in: Some(at("/f", &data("1"))),
        cap: Some(1),
        limit: None,
        takes_drafts: true,
        created: time("2027-01-12T10:15:00"),
        links: vec![
            link("Poster at the town hall", 31, Some(40)),
            link("Newsletter", 112, None),
        ],
        delete: Some(at("", &data("delete"))),
    };
    let mut pages = vec![named("form-overview", page.render(shell))];
    for (name, state) in [
        ("form-open", FormState::Open(None)),
        ("form-later", FormState::Opens(opens)),
        ("form-closed", FormState::Closed(closes)),
        ("form-drafts", FormState::DraftsOnly),
    ] {
        let own = FormFrame {
            name: None,
            tabs: vec![FormTab::Overview],
            ..page.frame.clone()
        };
        let page = FormOverviewPage {
            frame: own,
            state,
            fill_in: None,
            links: Vec::new(),
            takes_drafts: false,
            ..page.clone()
        };
        pages.push(named(name, page.render(shell)));
    }
    pages
}

fn cell(text: String) -> TableCell {
    TableCell {
        shown: ShownAnswer::Text(text.clone()),
        stored: text,
    }
}

/// A table of answers.
fn answers_page<'n>(name: &'n str, data: Data<'_>) -> AnswersPage<'n> {
    let path = at("/console/forms", &data("1"));
    let column = |label: &str, is_shown| AnswerColumn {
        pointer: at("", &data("column")),
        label: data(label),
        is_shown,
    };
    let more = |cells: [&str; 3]| {
        // A cell shows the beginning of a long answer.
        let guest = ShownAnswer::Named(vec![(data("Name"), ShownAnswer::Text(data("Ida")))]);
        let chosen = TableCell {
            shown: ShownAnswer::Several(vec![guest]),
            stored: data("[{}, {}]"),
        };
        let texts = cells.into_iter().map(|text| cell(data(text)));
        texts.chain([chosen]).collect()
    };
    let row = |creator: &str, is_draft, cells: [&str; 3]| AnswerRow {
        path: at("/s", &data("1")),
        created: time("2027-02-03T14:05:09"),
        creator: data(creator),
        is_draft,
        files: usize::from(is_draft) * 2,
        cells: more(cells),
    };
    AnswersPage {
        frame: frame(name, path),
        filter: AnswersFilter {
            state: String::new(),
            creator: data("ada@example.org"),
            from: data("2027-02-01"),
            until: data("2027-02-28"),
        },
        may_read: true,
        columns: vec![
            column("Full name", true),
            column("Email address", true),
            column("Remarks", true),
            column("Guests", true),
            column("Distance", false),
        ],
        rows: vec![
            row(
                "ada@example.org",
                false,
                ["Ada Lovelace", "ada@example.org", "Vegan"],
            ),
            row(
                "grace@example.org",
                false,
                [
                    "Grace Hopper",
                    "grace@example.org",
                    "I bring my own cup, and a friend who would like to help at the finish.",
                ],
            ),
            row(
                "link:0193b2f5-6f1c-7b90-8c3e-5a1d9f0e4b27",
                true,
                ["Jean Bartik", "jean@example.org", "–"],
            ),
        ],
        next: Some(at("", &data("console?cursor=2"))),
        first: Some(at("", &data("console?cursor=1"))),
        formats: &[("XLSX", "xlsx"), ("CSV", "csv"), ("NDJSON", "ndjson")],
        download: at("", &data("export")),
        delete: Some(at("", &data("delete"))),
        delete_form: Some(at("", &data("delete"))),
    }
}

fn answers(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let name = data("Registration for the spring run");
    let page = answers_page(&name, data);
    let empty = AnswersPage {
        filter: AnswersFilter::default(),
        columns: Vec::new(),
        rows: Vec::new(),
        next: None,
        first: None,
        formats: &[],
        delete: None,
        ..page.clone()
    };
    let not_allowed = AnswersPage {
        may_read: false,
        ..empty.clone()
    };
    let confirmation = data("Registration for the spring run");
    let delete = DeleteAllPage {
        frame: page.frame.clone(),
        with_form: false,
        token: data("6f1c"),
        confirmation: &confirmation,
        is_wrong: false,
        problems: Problems::default(),
    };
    let old = DeleteAllPage {
        problems: Problems::of_old_page(),
        ..delete.clone()
    };
    let wrong = DeleteAllPage {
        with_form: true,
        is_wrong: true,
        ..delete.clone()
    };
    vec![
        named("answers", page.render(shell)),
        named("answers-empty", empty.render(shell)),
        named("answers-not-allowed", not_allowed.render(shell)),
        named("delete-answers", delete.render(shell)),
        named("delete-form", wrong.render(shell)),
        named("delete-answers-old", old.render(shell)),
    ]
}

fn settings(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let (name, path) = (
        data("Registration for the spring run"),
        at("/console/forms", &data("1")),
    );
    let zone = data("Europe/Berlin");
    let values = SettingsValues {
        name: data("Registration for the spring run"),
        contact: data("Registry, room 12"),
        starts: "2027-02-01T08:00".to_owned(),
        ends: "2027-03-31T23:59:59".to_owned(),
        time_zone: zone.clone(),
        states: vec!["draft".to_owned(), "submitted".to_owned()],
        cap: "1".to_owned(),
        limit: String::new(),
        actions: vec!["read".to_owned()],
        is_grant_based: false,
    };
    let page = SettingsPage {
        frame: frame(&name, path),
        token: data("6f1c"),
        revision: data("0193"),
        values: values.clone(),
        stored: None,
        problems: Problems::default(),
        is_saved: true,
        time_zones: vec![&zone],
        delete: Some(at("", &data("delete"))),
    };
    let wrong = SettingsPage {
        problems: Problems::of_fields([
            Field::Name,
            Field::Contact,
            Field::AvailableStarts,
            Field::AvailabilityEnds,
            Field::MaxNumSubmissionsPerCreator,
            Field::AllowedSubmissionStates,
            Field::GrantBasedSubmissionAuthorization,
        ])
        .with_time_zone(true),
        is_saved: false,
        delete: None,
        ..page.clone()
    };
    let conflict = SettingsPage {
        problems: Problems::of(&Error::RevisionMismatch),
        stored: Some(SettingsValues {
            name: data("Registration for the summer run"),
            contact: String::new(),
            starts: String::new(),
            limit: "300".to_owned(),
            states: Vec::new(),
            actions: vec!["read".to_owned(), "manage".to_owned()],
            is_grant_based: true,
            ..values
        }),
        is_saved: false,
        ..page.clone()
    };
    vec![
        named("settings", page.render(shell)),
        named("settings-wrong", wrong.render(shell)),
        named("settings-conflict", conflict.render(shell)),
    ]
}

fn sharing(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let (name, path) = (
        data("Registration for the spring run"),
        at("/console/forms", &data("1")),
    );
    let access = |access| (Right::Access(access), Some(data("access:fill:user:ada")));
    let single = |action: &str| (Right::Action(action.to_owned()), Some(data("grant:1")));
    let holder = |grantee, rights| Holder { grantee, rights };
    let (fill, read) = (FormAccess::Fill, FormAccess::ReadAnswers);
    let page = SharingPage {
        frame: frame(&name, path),
        token: data("6f1c"),
        manages_form: true,
        holders: vec![
            holder(
                Grantee::User(data("ada@example.org")),
                vec![access(FormAccess::Manage)],
            ),
            holder(
                Grantee::Group("1".to_owned(), data("Committee")),
                vec![access(fill), access(read), single("delete_submissions")],
            ),
            holder(
                Grantee::DynamicGroup(data("members")),
                vec![access(FormAccess::ChangeAnswers), access(FormAccess::Edit)],
            ),
            holder(Grantee::Everybody, vec![access(fill)]),
            holder(
                Grantee::Link(data("link:0193")),
                vec![(Right::Action("create_submissions".to_owned()), None)],
            ),
        ],
        next: Some(at("", &data("sharing?cursor=1"))),
        holders_of_answers: vec![holder(
            Grantee::User(data("bob@example.org")),
            ["create_submissions", "read", "update", "delete", "manage"]
                .map(|action| (Right::OnAnswers(action.to_owned()), Some(data("grant:2"))))
                .into(),
        )],
        next_of_answers: Some(at("", &data("sharing?answers=1"))),
        groups: vec![
            Grantee::Everybody,
            Grantee::DynamicGroup(data("members")),
            Grantee::Group(data("1"), data("Committee")),
        ],
        search: data("commi"),
        has_more_groups: true,
        entered: Entry {
            holder: "user".to_owned(),
            user: data("link:1"),
            right: "action:read".to_owned(),
        },
        why: None,
        problems: Problems::default(),
    };
    let pages = [
        ("sharing", Problems::default()),
        (
            "sharing-wrong",
            Problems::of_fields([Field::UserIdentifier, Field::DynamicGroupIdentifier]),
        ),
        ("sharing-last", Problems::of(&Error::LastManageGrant)),
        ("sharing-exists", Problems::of(&Error::GrantExists)),
    ];
    let pages = pages.into_iter().map(|(name, problems)| {
        let page = SharingPage {
            problems,
            ..page.clone()
        };
        named(name, page.render(shell))
    });
    let of_answers = SharingPage {
        manages_form: false,
        ..page.clone()
    };
    let nobody = SharingPage {
        holders_of_answers: Vec::new(),
        next_of_answers: None,
        ..of_answers.clone()
    };
    let of_answers = [("sharing-answers", of_answers), ("sharing-nobody", nobody)];
    let of_answers = of_answers.map(|(name, page)| named(name, page.render(shell)));
    let whys = whys(data).into_iter().map(|(name, why)| {
        let page = SharingPage {
            why: Some(why),
            ..page.clone()
        };
        named(name, page.render(shell))
    });
    pages.chain(of_answers).chain(whys).collect()
}

/// What can be found about the permissions of a person.
fn whys(data: Data<'_>) -> [(&'static str, Why); 3] {
    let row = |because, access| WhyRow {
        because,
        rights: vec![Right::Access(access), Right::Action("delete".to_owned())],
    };
    let reasons = vec![
        row(PermissionReason::Oneself, FormAccess::Fill),
        row(
            PermissionReason::Member(vec![data("Committee")]),
            FormAccess::ReadAnswers,
        ),
        row(
            PermissionReason::Member(vec![data("Trainers"), data("Staff"), data("Club")]),
            FormAccess::Edit,
        ),
        row(PermissionReason::Everybody, FormAccess::Fill),
        row(
            PermissionReason::DynamicGroup(data("members")),
            FormAccess::Fill,
        ),
        row(
            PermissionReason::MaybeDynamicGroup(data("guests")),
            FormAccess::Fill,
        ),
    ];
    let found = Why {
        user: data("ada@example.org"),
        reasons,
        manages_everything: true,
        is_invalid: false,
    };
    let none = Why {
        reasons: Vec::new(),
        manages_everything: false,
        ..found.clone()
    };
    let invalid = Why {
        is_invalid: true,
        ..none.clone()
    };
    [
        ("sharing-why", found),
        ("sharing-why-none", none),
        ("sharing-why-invalid", invalid),
    ]
}

fn links(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let (name, path) = (
        data("Registration for the spring run"),
        at("/console/forms", &data("1")),
    );
    let zone = data("Europe/Berlin");
    let row = |label: &str, is_expired, taken, cap| LinkRow {
        path: at("", &data("links/1")),
        label: data(label),
        expires: Some(time("2027-03-31T23:59:59")),
        is_expired,
        taken,
        cap,
    };
    let values = LinkValues {
        label: data("Poster at the town hall"),
        expires: "2027-03-31T23:59".to_owned(),
        cap: "40".to_owned(),
        is_once: true,
        origins: data("https://example.org"),
    };
    let page = LinksPage {
        frame: frame(&name, path),
        token: data("6f1c"),
        links: vec![
            row("Poster at the town hall", false, 31, Some(40)),
            row("Newsletter", false, 112, None),
            row("Early birds", true, 20, Some(50)),
            row("Table at the fair", false, 50, Some(50)),
        ],
        next: Some(at("", &data("links?cursor=1"))),
        created: None,
        values: LinkValues::default(),
        problems: Problems::default(),
        time_zone: &zone,
    };
    // Rows and columns that look like a code.
    let code = (0..33_u32).map(|row| {
        (0..33)
            .map(|column| (row * 7 + column * column * 3 + row * column) % 5 < 2)
            .collect()
    });
    let created = LinksPage {
        created: Some(CreatedLink {
            url: at(
                "https://forms.example.org/l",
                &data("fml_6w2xv3c4n5m6q7w8e9r0"),
            ),
            snippet: Some(data("<script src=\"/embed.js\"></script>")),
            code: code.collect(),
        }),
        ..page.clone()
    };
    let wrong = LinksPage {
        links: Vec::new(),
        next: None,
        values: values.clone(),
        problems: Problems::of_fields([
            Field::Label,
            Field::Expires,
            Field::MaxNumSubmissions,
            Field::EmbedOrigins,
        ]),
        ..page.clone()
    };
    let one = LinkPage {
        frame: page.frame.clone(),
        token: data("6f1c"),
        revision: data("0193"),
        label: data("Poster at the town hall"),
        taken: 31,
        values,
        stored: None,
        problems: Problems::default(),
        is_saved: true,
        time_zone: &zone,
    };
    let conflict = LinkPage {
        problems: Problems::of(&Error::RevisionMismatch),
        stored: Some(LinkValues {
            label: data("Poster at the library"),
            expires: String::new(),
            cap: data("60"),
            is_once: !one.values.is_once,
            origins: data("https://example.org"),
        }),
        is_saved: false,
        ..one.clone()
    };
    vec![
        named("links", page.render(shell)),
        named("link-created", created.render(shell)),
        named("links-wrong", wrong.render(shell)),
        named("link", one.render(shell)),
        named("link-conflict", conflict.render(shell)),
    ]
}

fn groups(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let list = GroupsPage {
        groups: vec![
            (data("Committee"), at("", &data("groups/1"))),
            (data("Trainers"), at("", &data("groups/2"))),
        ],
        next: Some(at("", &data("groups?cursor=1"))),
        search: data("tr"),
        token: Some(data("6f1c")),
        name: data("Helpers"),
        problems: Problems::default(),
    };
    let wrong = GroupsPage {
        problems: Problems::of_fields([Field::Name]),
        ..list.clone()
    };
    let (name, new_name, user) = (data("Committee"), data("Board"), data("link:1"));
    let search = data("Train");
    let member = |name: &str, path, is_group| GroupMember {
        id: data("0193"),
        name: data(name),
        path,
        is_group,
    };
    let group = GroupPage {
        name: &name,
        token: data("6f1c"),
        revision: data("0194"),
        members: vec![
            member("ada@example.org", None, false),
            member("Trainers", Some(at("", &data("groups/2"))), true),
        ],
        next: Some(at("", &data("groups/1?cursor=1"))),
        reached: reached(data),
        next_reached: Some(at("", &data("groups/1?reach=1"))),
        groups: vec![(data("2"), data("Trainers"))],
        search: &search,
        has_more_groups: true,
        may_rename: true,
        may_add: true,
        may_remove: true,
        delete: Some(at("", &data("delete"))),
        new_name: &new_name,
        user: &user,
        child: "",
        problems: Problems::default(),
        is_conflict: false,
        is_saved: true,
    };
    let conflict = GroupPage {
        problems: Problems::of(&Error::RevisionMismatch),
        is_conflict: true,
        is_saved: false,
        ..group.clone()
    };
    let refused = GroupPage {
        problems: Problems::of_fields([Field::UserIdentifier, Field::ChildGroupIdentifier]),
        is_saved: false,
        ..group.clone()
    };
    let mut pages = vec![
        named("groups", list.render(shell)),
        named("groups-wrong", wrong.render(shell)),
        named("groups-empty", GroupsPage::default().render(shell)),
        named("group", group.render(shell)),
        named("group-wrong", refused.render(shell)),
        named("group-conflict", conflict.render(shell)),
    ];
    for (name, error) in [
        ("group-full", Error::MembershipLimitReached),
        ("group-gone", Error::MembershipNotFound),
        ("group-failed", Error::FormNotAvailable),
    ] {
        let page = GroupPage {
            problems: Problems::of(&error),
            ..refused.clone()
        };
        pages.push(named(name, page.render(shell)));
    }
    let reading = GroupPage {
        name: &name,
        members: Vec::new(),
        ..GroupPage::default()
    };
    let delete = DeleteGroupPage {
        name: &name,
        token: data("6f1c"),
        path: at("", &data("groups/1")),
        problems: Problems::of_old_page(),
    };
    pages.push(named("group-reading", reading.render(shell)));
    pages.push(named("delete-group", delete.render(shell)));
    pages
}

/// What members of a group may do.
fn reached(data: Data<'_>) -> Vec<Reached> {
    let other = |action: &str| Right::Other(data(action));
    let one = |name: &str, path: Option<&str>, kind, rights| Reached {
        name: data(name),
        path: path.map(|path| at("", &data(path))),
        kind,
        rights,
    };
    let access = |access| Right::Access(access);
    vec![
        one(
            "Registration for the spring run",
            Some("forms/1"),
            ReachedKind::Form,
            vec![access(FormAccess::Fill), access(FormAccess::ReadAnswers)],
        ),
        one(
            "Survey",
            Some("forms/2/submissions"),
            ReachedKind::Answers,
            vec![other("read")],
        ),
        one("0193", None, ReachedKind::Answer, vec![other("update")]),
        one(
            "Trainers",
            Some("groups/2"),
            ReachedKind::Group,
            vec![other("add_members")],
        ),
        one(
            "handbook",
            None,
            ReachedKind::Other(data("Document")),
            vec![other("publish")],
        ),
    ]
}

fn tokens(shell: &Shell<'_>, data: Data<'_>) -> Vec<Page> {
    let row = |label: Option<&str>, is_session, is_own| TokenRow {
        id: "0193".to_owned(),
        label: label.map(data),
        is_session,
        is_own,
        created: time("2027-01-12T10:15:00"),
        used: (!is_own).then(|| time("2027-02-12T10:15:00")),
        expires: is_session.then(|| time("2027-03-12T10:15:00")),
    };
    let page = TokensPage {
        tokens: vec![
            row(None, true, true),
            row(None, true, false),
            row(Some("Nightly report"), false, false),
            row(None, false, false),
        ],
        next: Some(at("", &data("tokens?cursor=1"))),
        token: data("6f1c"),
        created: None,
        may_create: true,
        label: data("Export"),
        days: Some("90".to_owned()),
        problems: Problems::default(),
    };
    let created = TokensPage {
        created: Some(data("fmz_6w2xv3c4n5m6q7w8e9r0")),
        ..page.clone()
    };
    let wrong = TokensPage {
        problems: Problems::of_fields([Field::Label]),
        ..page.clone()
    };
    let reading = TokensPage {
        may_create: false,
        next: None,
        problems: Problems::of(&Error::TokenNotFound),
        ..page.clone()
    };
    vec![
        named("tokens", page.render(shell)),
        named("token-created", created.render(shell)),
        named("tokens-wrong", wrong.render(shell)),
        named("tokens-reading", reading.render(shell)),
    ]
}
