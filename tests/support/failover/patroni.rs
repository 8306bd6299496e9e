//! The REST interface of Patroni.

use serde_json::{Value, json};

use super::{Cluster, Recipe, files};
use crate::Result;

/// A node, as Patroni describes it.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) node: usize,
    role: String,
    is_running: bool,
    /// Whether it is a standby that receives from the primary.
    pub(super) follows: bool,
}

impl Member {
    fn read(item: &Value, recipe: Recipe) -> Option<Self> {
        let text = |key| item.get(key)?.as_str();
        let (name, role, state) = (text("name")?, text("role")?, text("state")?);
        Some(Self {
            node: (0..files::NODES).find(|node| files::name(*node) == name)?,
            role: role.to_owned(),
            is_running: state == "running",
            follows: role != "leader" && state == recipe.state_of_standbys(),
        })
    }

    fn is_primary(&self) -> bool {
        self.role == "leader" && self.is_running
    }

    fn is_synchronous(&self) -> bool {
        ["sync_standby", "quorum_standby"].contains(&self.role.as_str())
    }
}

/// Whether all standbys follow the primary, and one of them is synchronous.
pub(super) fn are_complete(members: &[Member]) -> bool {
    members.len() == files::NODES
        && members.iter().all(|it| it.is_primary() || it.follows)
        && members.iter().any(Member::is_primary)
        && members.iter().any(Member::is_synchronous)
}

impl Cluster {
    /// All nodes, according to the first one that answers.
    pub(super) async fn members(&self) -> Result<Vec<Member>> {
        let mut failure = None;
        for node in &self.network.nodes {
            match self.members_according_to(node.patroni).await {
                Ok(members) => return Ok(members),
                Err(error) => failure = Some(error),
            }
        }
        Err(failure.unwrap_or_else(|| "there are no nodes".into()))
    }

    async fn members_according_to(&self, port: u16) -> Result<Vec<Member>> {
        let url = format!("http://127.0.0.1:{port}/cluster");
        let answer: Value = self.http.get(url).send().await?.json().await?;
        let members = answer.get("members").and_then(Value::as_array);
        let members = members.into_iter().flatten();
        let read = |member| Member::read(member, self.recipe);
        Ok(members.filter_map(read).collect())
    }

    /// The primary.
    pub(super) async fn primary(&self) -> Result<usize> {
        let members = self.members().await?;
        let primary = members.iter().find(|it| it.is_primary());
        Ok(primary.ok_or("there is no primary")?.node)
    }

    /// A synchronous standby.
    pub(super) async fn standby(&self) -> Result<usize> {
        let members = self.members().await?;
        let standby = members.iter().find(|it| it.is_synchronous() && it.follows);
        Ok(standby.ok_or("there is no synchronous standby")?.node)
    }

    /// Makes a standby the primary, and waits until it is. Returns its number.
    pub(super) async fn switch_over(&self) -> Result<usize> {
        let (primary, standby) = (self.primary().await?, self.standby().await?);
        let ports = self.network.nodes.get(primary).ok_or("no such node")?;
        let url = format!("http://127.0.0.1:{}/switchover", ports.patroni);
        let body = json!({"leader": files::name(primary), "candidate": files::name(standby)});
        let time = std::time::Duration::from_mins(1);
        let request = self.http.post(url).timeout(time).json(&body);
        let answer = request.send().await?;
        let status = answer.status();
        if status != 200 {
            let text = answer.text().await?;
            return Err(format!("the switchover failed: {status} {text}").into());
        }
        Ok(standby)
    }
}
