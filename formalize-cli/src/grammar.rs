//! Forms, groups and names, each of which is given as an argument or as an option.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ArgGroup;
use formalize_core::{FormId, GroupId};

use crate::failure::Failure;
use crate::naming::Reference;

/// A form, as an argument or with `--form`.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("form_given").required(true).args(["form", "form_option"]))]
pub(crate) struct FormArg {
    #[command(flatten)]
    form: FormFilterArg,
}

impl FormArg {
    /// # Errors
    ///
    /// If no form was given, which the parser reports before.
    pub(crate) fn given(&self) -> Result<&Reference<FormId>, Failure> {
        let given = self.form.given();
        given.ok_or_else(|| Failure::usage("a form is required"))
    }
}

/// A form that need not be given, as an argument or with `--form`.
#[derive(Debug, clap::Args)]
pub(crate) struct FormFilterArg {
    /// The form: its identifier or unique name, or at least 8 characters with which its identifier begins
    #[arg(id = "form", value_name = "FORM", conflicts_with = "form_option")]
    argument: Option<Reference<FormId>>,
    /// The form, instead of the argument
    #[arg(
        id = "form_option",
        long = "form",
        value_name = "FORM",
        visible_alias = "form-identifier"
    )]
    option: Option<Reference<FormId>>,
}

impl FormFilterArg {
    pub(crate) fn given(&self) -> Option<&Reference<FormId>> {
        self.argument.as_ref().or(self.option.as_ref())
    }
}

/// A group, as an argument or with `--group`.
#[derive(Debug, clap::Args)]
#[group(id = "group_given", required = true, multiple = false)]
pub(crate) struct GroupArg {
    /// The group: its identifier or unique name, or at least 8 characters with which its identifier begins
    #[arg(id = "group", value_name = "GROUP")]
    argument: Option<Reference<GroupId>>,
    /// The group, instead of the argument
    #[arg(
        id = "group_option",
        long = "group",
        value_name = "GROUP",
        visible_alias = "group-identifier"
    )]
    option: Option<Reference<GroupId>>,
}

impl GroupArg {
    /// # Errors
    ///
    /// If no group was given, which the parser reports before.
    pub(crate) fn given(&self) -> Result<&Reference<GroupId>, Failure> {
        let given = self.argument.as_ref().or(self.option.as_ref());
        given.ok_or_else(|| Failure::usage("a group is required"))
    }
}

/// The name of a new record, as an argument or with `--name`.
#[derive(Debug, clap::Args)]
#[group(id = "name_given", required = true, multiple = false)]
pub(crate) struct NameArg {
    /// Display name; names need not be unique
    #[arg(id = "name", value_name = "NAME")]
    argument: Option<String>,
    /// Display name, instead of the argument
    #[arg(id = "name_option", long = "name", value_name = "NAME")]
    option: Option<String>,
}

impl NameArg {
    /// # Errors
    ///
    /// If no name was given, which the parser reports before.
    pub(crate) fn into_given(self) -> Result<String, Failure> {
        let given = self.argument.or(self.option);
        given.ok_or_else(|| Failure::usage("a name is required"))
    }
}

/// A group and its new name, each as an argument or as an option.
#[derive(Debug, clap::Args)]
pub(crate) struct NewNameArgs {
    /// The group: its identifier or unique name, or at least 8 characters with which its identifier begins
    #[arg(value_name = "GROUP", required_unless_present_all = ["group", "name"])]
    first: Option<String>,
    /// The new name
    #[arg(
        value_name = "NAME",
        required_unless_present_any = ["group", "name"],
        conflicts_with_all = ["group", "name"]
    )]
    second: Option<String>,
    /// The group, instead of the argument
    #[arg(long, value_name = "GROUP", visible_alias = "group-identifier")]
    group: Option<Reference<GroupId>>,
    /// The new name, instead of the argument
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

impl NewNameArgs {
    /// # Errors
    ///
    /// If the arguments that the options leave are too few or too many.
    pub(crate) fn given(self) -> Result<(Reference<GroupId>, String), Failure> {
        match (self.group, self.name, self.first, self.second) {
            (None, None, Some(group), Some(name)) | (None, Some(name), Some(group), None) => {
                Ok((Reference::of(&group), name))
            }
            (Some(group), None, Some(name), None) | (Some(group), Some(name), None, None) => {
                Ok((group, name))
            }
            _ => Err(Failure::usage(
                "a group and its new name are required, each once, as in `formalize groups rename GROUP NAME`",
            )),
        }
    }
}

/// A form and a file. With `--form`, the only argument is the file.
#[derive(Debug, clap::Args)]
pub(crate) struct FormAndFile {
    /// The form: its identifier or unique name, or at least 8 characters with which its identifier begins. With --form, this
    /// is the file
    #[arg(value_name = "FORM", required_unless_present = "form")]
    first: Option<OsString>,
    /// The file
    #[arg(value_name = "FILE|-", conflicts_with = "form")]
    second: Option<PathBuf>,
    /// The form, instead of the argument
    #[arg(long, value_name = "FORM", visible_alias = "form-identifier")]
    form: Option<Reference<FormId>>,
}

impl FormAndFile {
    /// The form, and the file if one was given.
    ///
    /// # Errors
    ///
    /// If no form was given, which the parser reports before.
    pub(crate) fn given(&self) -> Result<(Reference<FormId>, Option<PathBuf>), Failure> {
        match (&self.form, &self.first) {
            (Some(form), file) => Ok((form.clone(), file.as_ref().map(PathBuf::from))),
            (None, Some(form)) => Ok((Reference::of(&form.to_string_lossy()), self.second.clone())),
            (None, None) => Err(Failure::usage("a form is required")),
        }
    }
}

/// Adds `ls` as another name of every command `list`.
pub(crate) fn with_ls(command: clap::Command) -> clap::Command {
    let command = if command.get_name() == "list" {
        command.visible_alias("ls")
    } else {
        command
    };
    command.mut_subcommands(with_ls)
}
