//! Statements about memberships, and the search through nested groups.

use async_trait::async_trait;
use formalize_core::store::{Inserted, ReadMemberships, StoreResult, Window, WriteMemberships};
use formalize_core::{GroupId, Member, Membership, MembershipId, UserId};

use super::driver::{Row, Transaction, sql};
use super::query::window_of;
use super::record::{Record, inserted};

const COLUMNS: &str = "id, group_id, user_id, child_group_id, date_created";

pub(super) fn read(row: &Row) -> StoreResult<Membership> {
    let record = Record::new("formalize_memberships", row);
    let user = record
        .optional_text("user_id")?
        .map(UserId::new)
        .transpose();
    let user = record.checked("user_id", user)?;
    let child = record.optional_uuid("child_group_id")?;
    let member = match (user, child) {
        (Some(user), None) => Ok(Member::User(user)),
        (None, Some(child)) => Ok(Member::ChildGroup(GroupId::from_uuid(child))),
        _ => Err("neither or both"),
    };
    Ok(Membership {
        id: MembershipId::from_uuid(record.id()?),
        group: GroupId::from_uuid(record.uuid("group_id")?),
        member: record.checked("child_group_id", member)?,
        date_created: record.instant("date_created")?,
    })
}

/// The beginning of a query that uses the groups of a user, as the table `reached`.
///
/// `UNION` removes groups that were found before, so the search terminates even with diamonds and cycles.
pub(super) fn groups_reached(user: &str) -> String {
    format!(
        "WITH RECURSIVE reached (id) AS (\
             SELECT group_id FROM formalize_memberships AS memberships WHERE user_id = {user} \
             UNION \
             SELECT memberships.group_id FROM reached \
             JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id)"
    )
}

/// Whether a user is a direct member of any group. If not, no search is needed.
pub(super) fn is_member(user: &str) -> String {
    format!("EXISTS (SELECT 1 FROM formalize_memberships AS memberships WHERE user_id = {user})")
}

#[async_trait]
impl ReadMemberships for Transaction {
    async fn groups_of(&mut self, user: &UserId) -> StoreResult<Vec<GroupId>> {
        let select = format!("{} SELECT id FROM reached", groups_reached("$1"));
        let select = sql(select).bind(user.as_str());
        let ids = self.read_ids("formalize_memberships", select).await?;
        Ok(ids.into_iter().map(GroupId::from_uuid).collect())
    }

    async fn memberships_above(&mut self, user: &UserId) -> StoreResult<Vec<Membership>> {
        let select = sql(format!(
            "WITH RECURSIVE reached ({COLUMNS}) AS (\
                 SELECT {COLUMNS} FROM formalize_memberships AS memberships WHERE user_id = $1 \
                 UNION \
                 SELECT memberships.id, memberships.group_id, memberships.user_id, \
                     memberships.child_group_id, memberships.date_created \
                 FROM reached JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.group_id) \
             SELECT {COLUMNS} FROM reached"
        ));
        self.read_all(select.bind(user.as_str()), read).await
    }

    async fn is_within(&mut self, inner: GroupId, outer: GroupId) -> StoreResult<bool> {
        let select = sql("WITH RECURSIVE reached (id) AS (\
                 SELECT $1 \
                 UNION \
                 SELECT memberships.group_id FROM reached \
                 JOIN formalize_memberships AS memberships ON memberships.child_group_id = reached.id) \
             SELECT 1 FROM reached WHERE id = $2")
        .bind(inner.as_uuid())
        .bind(outer.as_uuid());
        Ok(self.optional(select).await?.is_some())
    }

    async fn find_membership(&mut self, id: MembershipId) -> StoreResult<Option<Membership>> {
        let select = sql(format!(
            "SELECT {COLUMNS} FROM formalize_memberships WHERE id = $1"
        ))
        .bind(id.as_uuid());
        self.read_one(select.brief(), read).await
    }

    async fn memberships_of(&mut self, ids: &[MembershipId]) -> StoreResult<Vec<Membership>> {
        let ids: Vec<_> = ids.iter().map(|id| id.as_uuid()).collect();
        let of_ids = self.dialect().any_uuid("id", "$1");
        let select =
            format!("SELECT {COLUMNS} FROM formalize_memberships AS memberships WHERE {of_ids}");
        self.read_all(sql(select).bind(ids), read).await
    }

    async fn memberships(
        &mut self,
        group: GroupId,
        window: Window,
    ) -> StoreResult<Vec<Membership>> {
        let select = format!("SELECT {COLUMNS} FROM formalize_memberships AS memberships");
        let of_group = ("group_id", group.as_uuid());
        let select = window_of(self.dialect(), &select, of_group, "id", window);
        self.read_all(select, read).await
    }
}

#[async_trait]
impl WriteMemberships for Transaction {
    async fn lock_memberships(&mut self) -> StoreResult<()> {
        let lock = sql(self.dialect().lock_memberships());
        self.run(lock.brief()).await.map(drop)
    }

    async fn insert_membership(&mut self, membership: &Membership) -> StoreResult<Inserted> {
        let (user, child) = match &membership.member {
            Member::User(user) => (Some(user.as_str()), None),
            Member::ChildGroup(child) => (None, Some(child.as_uuid())),
        };
        let insert = sql(
            "INSERT INTO formalize_memberships (id, group_id, user_id, child_group_id, date_created) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        )
        .bind(membership.id.as_uuid())
        .bind(membership.group.as_uuid())
        .bind(user)
        .bind(child)
        .bind(membership.date_created.as_millis());
        self.run(insert.brief()).await.map(inserted)
    }

    async fn delete_membership(&mut self, id: MembershipId) -> StoreResult<bool> {
        let delete = sql("DELETE FROM formalize_memberships WHERE id = $1").bind(id.as_uuid());
        Ok(self.run(delete.brief()).await? > 0)
    }
}
