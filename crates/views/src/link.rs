//! Public links to forms.

use formalize_core::{
    self as core, Field, FormId, InvalidFields, Timestamp,
    links::{EmbedOrigins, LinkCap, LinkLabel},
};
use serde_json::Number;

use crate::{
    Id, Instant, OrNull,
    request::{Clearable, LIGHT, Nullable, Optional, Required, request_body},
    value_types::{self as values, whole},
    view::view,
};
request_body! {
    "A public link to create."
    NewFormLink as "NewFormLink" {
        form: Required<values::Identifier> = FormIdentifier,
            "Identifier of the form.";
        label: Nullable<values::Label> = Label,
            "Label for those who manage the link: 1 to 255 characters, no control characters.";
        expires: Nullable<values::Moment> = Expires,
            "When the link expires; default: never.";
        cap: Nullable<values::LinkCap> = MaxNumSubmissions,
            "Maximum number of submissions through the link; default: unlimited.";
        once: Optional<values::Flag> = OncePerBrowser,
            "Whether a browser that has submitted is not asked again; a cookie remembers it, so this is no protection.";
        origins: Optional<values::Origins> = EmbedOrigins,
            "Origins of web pages that may show the link in a frame, at most 20; default: none.";
    }
    light up to LIGHT;
    build(self, members) -> core::links::NewFormLink {
        let label = members.accept_some(self.label.map(LinkLabel::new));
        let expires = members.accept_some(self.expires.as_deref().map(instant));
        let cap = members.accept_some(self.cap.as_ref().map(cap_of));
        let origins = members.accept_some(self.origins.map(EmbedOrigins::new));
        Some(core::links::NewFormLink {
            form: FormId::named(&self.form?),
            label,
            date_expires: expires,
            cap,
            once_per_browser: self.once.unwrap_or_default(),
            embed_origins: origins.unwrap_or_default(),
        })
    }
}

request_body! {
    "A change of a public link; absent fields keep their values, null clears them."
    FormLinkChange as "FormLinkChange" {
        label: Clearable<values::Label> = Label,
            "New label: 1 to 255 characters, no control characters.";
        expires: Clearable<values::Moment> = Expires,
            "When the link expires; null: never.";
        cap: Clearable<values::LinkCap> = MaxNumSubmissions,
            "Maximum number of submissions through the link; null: unlimited.";
        once: Optional<values::Flag> = OncePerBrowser,
            "Whether a browser that has submitted is not asked again.";
        origins: Optional<values::Origins> = EmbedOrigins,
            "New origins of web pages that may show the link in a frame, at most 20.";
    }
    light up to LIGHT;
    build(self, members) -> core::links::FormLinkChange {
        let origins = members.accept_some(self.origins.map(EmbedOrigins::new));
        Some(core::links::FormLinkChange {
            label: members.accept_change(self.label, |text| LinkLabel::new(text.as_str())),
            date_expires: members.accept_change(self.expires, |text| instant(text)),
            cap: members.accept_change(self.cap, cap_of),
            once_per_browser: self.once,
            embed_origins: origins,
        })
    }
}

fn instant(text: &str) -> Result<Timestamp, InvalidFields> {
    let parsed = text.parse();
    parsed.map_err(|_| InvalidFields::FormLink(vec![Field::Expires]))
}

fn cap_of(number: &Number) -> Result<LinkCap, InvalidFields> {
    let refused = || InvalidFields::FormLink(vec![Field::MaxNumSubmissions]);
    whole(number).ok_or_else(refused).and_then(LinkCap::new)
}

view! {
    /// A public link to a form.
    revised struct FormLink {
        /// Identifier of the link.
        identifier: Id,
        /// Identifier of the form.
        form_identifier: Id,
        /// Label for those who manage the link.
        label: OrNull<String>,
        /// The link itself: anyone with this URL may submit. Only in the response of `createFormLink`.
        #[serde(skip_serializing_if = "Option::is_none")]
        url: Option<String>,
        /// When it expires; null: never.
        expires: OrNull<Instant>,
        /// Maximum number of submissions through the link; null: unlimited.
        max_num_submissions: OrNull<i64>,
        /// Number of submissions through the link; deleted ones do not count.
        num_submissions: i64,
        /// Whether a browser that has submitted is not asked again. A cookie remembers it, so this is no protection.
        once_per_browser: bool,
        /// Origins of web pages that may show the link in a frame.
        embed_origins: Vec<String>,
        /// When it was created.
        date_created: Instant,
        /// Identifier of the user who created it; empty for the system.
        creator_id: String,
    }
}

impl FormLink {
    /// A new link with its URL, which cannot be read again.
    pub fn created(link: core::links::FormLink, url: String) -> Self {
        Self {
            url: Some(url),
            ..link.into()
        }
    }
}

impl From<core::links::FormLink> for FormLink {
    fn from(link: core::links::FormLink) -> Self {
        let label = link.label.as_ref().map(LinkLabel::as_str);
        Self {
            identifier: link.id.into(),
            form_identifier: link.form.into(),
            label: label.map(str::to_owned).into(),
            url: None,
            expires: link.date_expires.map(Instant::from).into(),
            max_num_submissions: link.cap.map(LinkCap::get).into(),
            num_submissions: link.num_submissions,
            once_per_browser: link.once_per_browser,
            embed_origins: link.embed_origins.iter().map(str::to_owned).collect(),
            date_created: link.date_created.into(),
            creator_id: link.creator.to_string(),
            revision: link.revision.as_uuid(),
        }
    }
}
