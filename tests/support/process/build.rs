//! Builds the programs that tests start.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::{env, fs, iter};

use crate::{Error, Result};

/// The programs of the product, and the example that is tested with several servers.
const PROGRAMS: [&str; 3] = ["formalize-server", "formalize", "mirror"];

/// The path of a program, `formalize-server`, `formalize` or `mirror`, built from the current source with the profile of the
/// tests.
///
/// Cargo tells tests the paths only of programs in their own package. So this runs cargo to build them: once per
/// process, or once per run of `cargo nextest`, which uses a process for each test. After `tests/run` has built them,
/// cargo finds nothing to do.
///
/// # Errors
///
/// If there is no such program, or the build fails.
pub fn binary(name: &str) -> Result<PathBuf> {
    static BUILT: OnceLock<Result<BTreeMap<String, PathBuf>>> = OnceLock::new();
    let built = BUILT.get_or_init(|| Target::of_tests()?.build_once());
    let built = built
        .as_ref()
        .map_err(|error| -> Error { error.to_string().into() })?;
    let path = built
        .get(name)
        .ok_or_else(|| format!("there is no program `{name}`"))?;
    Ok(path.clone())
}

/// The path of a program in the tests' package. Cargo builds it together with the tests; if it did not, as when only
/// the library is tested, it is built now.
pub(crate) fn helper_program(name: &str) -> Result<PathBuf> {
    let target = Target::of_tests()?;
    let path = target.program(name);
    if !path.exists() {
        target.build(&["--package", env!("CARGO_PKG_NAME"), "--bin", name])?;
    }
    Ok(path)
}

/// The folder of the current program, which shows how cargo was called.
#[derive(Debug, PartialEq, Eq)]
struct Target {
    /// `<target>/<profile>`, or `<target>/<triple>/<profile>`.
    profile_folder: PathBuf,
    outermost_folder: PathBuf,
    triple: Option<OsString>,
    profile: OsString,
}

impl Target {
    fn of_tests() -> Result<Self> {
        let program = env::current_exe()?;
        // Cargo puts a file into the outermost folder.
        let is_outermost = |folder: &Path| folder.join(".rustc_info.json").exists();
        let found = Self::of_program(&program, is_outermost);
        found.ok_or_else(|| format!("{} is in no target folder of cargo", program.display()).into())
    }

    fn of_program(program: &Path, is_outermost: impl Fn(&Path) -> bool) -> Option<Self> {
        let folder = program.parent()?;
        let in_subfolder = folder.ends_with("deps") || folder.ends_with("examples");
        let profile_folder = if in_subfolder {
            folder.parent()?
        } else {
            folder
        };
        let above = profile_folder.parent()?;
        let (outermost_folder, triple) = if is_outermost(above) {
            (above, None)
        } else {
            (
                above.parent().filter(|folder| is_outermost(folder))?,
                above.file_name(),
            )
        };
        let profile = match profile_folder.file_name()? {
            debug if debug == "debug" => "dev".into(),
            other => other.to_owned(),
        };
        Some(Self {
            profile_folder: profile_folder.to_owned(),
            outermost_folder: outermost_folder.to_owned(),
            triple: triple.map(ToOwned::to_owned),
            profile,
        })
    }

    /// Builds the programs, unless this run of nextest has already done so.
    fn build_once(&self) -> Result<BTreeMap<String, PathBuf>> {
        let run = env::var("NEXTEST_RUN_ID").ok();
        let stamp = self.profile_folder.join(".formalize-programs");
        let lock = fs::File::create(stamp.with_extension("lock"))?;
        lock.lock()?;
        if run.is_none() || fs::read_to_string(&stamp).ok() != run {
            // The same selection as in `tests/run`, so that the features are the same.
            let programs = PROGRAMS.into_iter().flat_map(|name| ["--bin", name]);
            let selection: Vec<_> = iter::once("--workspace").chain(programs).collect();
            self.build(&selection)?;
            fs::write(&stamp, run.unwrap_or_default())?;
        }
        let located = PROGRAMS.map(|name| (name.to_owned(), self.program(name)));
        Ok(located.into())
    }

    fn program(&self, name: &str) -> PathBuf {
        self.profile_folder
            .join(name)
            .with_extension(env::consts::EXE_EXTENSION)
    }

    fn build(&self, selection: &[&str]) -> Result<()> {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.arg("build").arg("--quiet").args(selection);
        command
            .arg("--manifest-path")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        command
            .arg("--target-dir")
            .arg(&self.outermost_folder)
            .arg("--profile")
            .arg(&self.profile);
        // They are those of the test. Build scripts that use them would be run again.
        let of_package = |name: &OsString| {
            let name = name.as_encoded_bytes();
            let prefixes: [&[u8]; 3] = [b"CARGO_PKG_", b"CARGO_MANIFEST_", b"OUT_DIR"];
            prefixes.iter().any(|prefix| name.starts_with(prefix))
        };
        for (name, _) in env::vars_os().filter(|(name, _)| of_package(name)) {
            command.env_remove(name);
        }
        if let Some(triple) = &self.triple {
            command.arg("--target").arg(triple);
        }
        let output = command.stdin(Stdio::null()).output()?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!(
            "cargo build failed: {}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cargo_invocation_is_derived_from_the_path() {
        let table = [
            (
                "/w/target/debug/deps/http-0123",
                "/w/target/debug",
                None,
                "dev",
            ),
            (
                "/w/target/release/deps/http-0123",
                "/w/target/release",
                None,
                "release",
            ),
            (
                "/w/target/dist/examples/first",
                "/w/target/dist",
                None,
                "dist",
            ),
            ("/w/target/debug/formalize", "/w/target/debug", None, "dev"),
            (
                "/w/target/x86_64-unknown-linux-musl/debug/deps/http-0123",
                "/w/target/x86_64-unknown-linux-musl/debug",
                Some("x86_64-unknown-linux-musl"),
                "dev",
            ),
        ];
        for (program, profile_folder, triple, profile) in table {
            let expected = Target {
                profile_folder: profile_folder.into(),
                outermost_folder: "/w/target".into(),
                triple: triple.map(Into::into),
                profile: profile.into(),
            };
            let found = Target::of_program(Path::new(program), |folder| folder.ends_with("target"));
            assert_eq!(found, Some(expected), "{program}");
        }
        assert_eq!(
            Target::of_program(Path::new("/usr/bin/http"), |_| false),
            None
        );
    }
}
