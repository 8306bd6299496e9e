//! The configuration files of the recipe in `docs/high-availability.md`, with the addresses and folders of a test.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::Result;

/// The number of nodes in the recipe.
pub(super) const NODES: usize = 3;

/// How a cluster is configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recipe {
    /// As in `docs/high-availability.md`.
    Documented,
    /// With a short lease, and without strict mode. With Patroni 3.0.2, a frozen primary that returns takes the lease back from
    /// the new one. What the new one has acknowledged meanwhile is lost.
    Unsafe,
}

impl Recipe {
    /// The state of a standby that receives from the primary, according to Patroni.
    pub(super) fn state_of_standbys(self) -> &'static str {
        match self {
            // After a restart it is `running` for a while before it receives.
            Self::Documented => "streaming",
            // Patroni 3.0.2 does not tell whether it receives.
            Self::Unsafe => "running",
        }
    }
}

/// The ports of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ports {
    pub(super) postgres: u16,
    pub(super) patroni: u16,
}

/// All ports, on the loopback address.
#[derive(Debug)]
pub(super) struct Network {
    pub(super) etcd: u16,
    etcd_peer: u16,
    pub(super) haproxy: u16,
    pub(super) nodes: Vec<Ports>,
}

impl Network {
    /// Chooses free ports. The listeners that find them are closed together, so that all differ.
    pub(super) fn choose() -> Result<Self> {
        let listen = |_| TcpListener::bind("127.0.0.1:0");
        let listeners = (0..3 + 2 * NODES).map(listen);
        let listeners = listeners.collect::<io::Result<Vec<_>>>()?;
        let ports = listeners.iter().map(|it| Ok(it.local_addr()?.port()));
        let mut ports = ports.collect::<Result<Vec<u16>>>()?.into_iter();
        let mut next = || ports.next().ok_or("too few ports");
        let (etcd, etcd_peer, haproxy) = (next()?, next()?, next()?);
        let nodes = (0..NODES).map(|_| {
            Ok(Ports {
                postgres: next()?,
                patroni: next()?,
            })
        });
        Ok(Self {
            etcd,
            etcd_peer,
            haproxy,
            nodes: nodes.collect::<Result<_>>()?,
        })
    }

    /// The configuration of etcd. One process stands for the three of the recipe.
    pub(super) fn etcd(&self, folder: &Path) -> Result<String> {
        let data = folder.join("data").display().to_string();
        let peers: Vec<_> = (1..=NODES)
            .map(|number| format!("node{number}=http://10.0.0.1{number}:2380"))
            .collect();
        let peer = format!("127.0.0.1:{}", self.etcd_peer);
        Template::read("etcd.yml")?
            .replace(&peers.join(","), &format!("node1=http://{peer}"))?
            .replace("/var/lib/etcd/formalize", &data)?
            .replace("10.0.0.11:2379", &format!("127.0.0.1:{}", self.etcd))?
            .replace("10.0.0.11:2380", &peer)
            .map(Template::finish)
    }

    /// The configuration of HAProxy.
    pub(super) fn haproxy(&self) -> Result<String> {
        let mut file = Template::read("haproxy.cfg")?
            .replace("127.0.0.1:5000", &format!("127.0.0.1:{}", self.haproxy))?
            .replace("check port 8008 ", "check ")?;
        for (number, ports) in (1..).zip(&self.nodes) {
            let (postgres, patroni) = (ports.postgres, ports.patroni);
            let here = format!("127.0.0.1:{postgres} port {patroni}");
            file = file.replace(&format!("10.0.0.1{number}:5432"), &here)?;
        }
        Ok(file.finish())
    }

    /// The configuration of Patroni on a node, whose files are in this folder.
    pub(super) fn patroni(
        &self,
        node: usize,
        folder: &Path,
        programs: &Path,
        recipe: Recipe,
    ) -> Result<String> {
        let ports = self.nodes.get(node).ok_or("there is no such node")?;
        let folder = folder.display().to_string();
        let programs = programs.display().to_string();
        let template = Template::read("patroni.yml")?;
        let template = match recipe {
            Recipe::Documented => template,
            Recipe::Unsafe => template
                .replace("ttl: 20", "ttl: 5")?
                .replace("mode_strict: true", "mode_strict: false")?,
        };
        template
            .replace("node1", &name(node))?
            .replace(
                "10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379",
                &format!("127.0.0.1:{}", self.etcd),
            )?
            .replace("10.0.0.11:8008", &format!("127.0.0.1:{}", ports.patroni))?
            .replace("10.0.0.11:5432", &format!("127.0.0.1:{}", ports.postgres))?
            .replace("10.0.0.0/24", "127.0.0.1/32")?
            .replace("/var/lib/postgresql", &folder)?
            .replace("/var/run/postgresql", &folder)?
            .replace("/usr/lib/postgresql/15/bin", &programs)
            .map(Template::finish)
    }
}

/// The name of a node in the configuration.
pub(super) fn name(node: usize) -> String {
    format!("node{}", node + 1)
}

/// The statements of the recipe that create the database.
pub(super) fn creation() -> Result<String> {
    Ok(fs::read_to_string(folder().join("create.sql"))?)
}

/// The password of a role in the recipe.
pub(super) fn password(of: &str) -> String {
    format!("secret-of-{of}")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../packaging/high-availability")
}

/// A file of the recipe, whose values are replaced.
struct Template(String);

impl Template {
    fn read(name: &str) -> Result<Self> {
        Ok(Self(fs::read_to_string(folder().join(name))?))
    }

    /// Fails if there is nothing to replace, so that a change of the recipe cannot go unnoticed.
    fn replace(self, from: &str, to: &str) -> Result<Self> {
        if !self.0.contains(from) {
            return Err(format!("the recipe does not contain `{from}`").into());
        }
        Ok(Self(self.0.replace(from, to)))
    }

    fn finish(self) -> String {
        self.0
    }
}
