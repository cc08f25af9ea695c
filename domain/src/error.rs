//! The one error of the domain: few kinds, each mapped to an answer in one place of each process.
use std::borrow::Cow;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// One thing wrong with the input: where, what to do about it (Estonian), and a stable code.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Violation {
    #[serde(rename = "propertyPath")]
    pub path: String,
    pub message: String,
    pub code: Option<Cow<'static, str>>,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Not there, or another bureau's: the two are never told apart.
    #[error("not found")]
    NotFound,
    /// The actor's role may not do this.
    #[error("forbidden")]
    Forbidden,
    /// Allowed in general, but not in the present state; the message is for the user (Estonian).
    #[error("{code}: {message}")]
    Refused { code: &'static str, message: String },
    /// The input is wrong.
    #[error("invalid: {0:?}")]
    Invalid(Vec<Violation>),
    /// The row was saved by somebody else since it was read.
    #[error("stale")]
    Stale {
        changed_by: Option<String>,
        version: i32,
    },
    #[error("{}", of_database(.0))]
    Database(#[from] sqlx::Error),
    #[error("file store: {0}")]
    Store(#[from] object_store::Error),
}

/// For logs. A message about data may hold a value of it: there the code and the constraint say enough.
fn of_database(error: &sqlx::Error) -> String {
    let Some(inner) = error.as_database_error() else {
        return error.to_string();
    };
    let code = inner.code().unwrap_or_default();
    let constraint = inner.constraint().unwrap_or_default();
    // Data, constraints, names and syntax, what a function raises.
    let of_data = ["22", "23", "42", "P0"];
    match of_data.iter().any(|class| code.starts_with(class)) {
        true => format!("database: {code} {constraint}"),
        false => format!("database: {code} {}", inner.message()),
    }
}

impl Error {
    /// Somebody else held a row for longer than the statement waits.
    pub fn is_held(&self) -> bool {
        matches!(self, Self::Database(sqlx::Error::Database(error)) if error.code().as_deref() == Some("55P03"))
    }

    pub fn refused(code: &'static str, message: impl Into<String>) -> Self {
        Self::Refused {
            code,
            message: message.into(),
        }
    }

    pub fn invalid(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid(vec![Violation {
            path: path.into(),
            message: message.into(),
            code: None,
        }])
    }
}
