//! What goes wrong becomes an answer here and nowhere else: status, body in the style of the path, log line.
mod body;
mod schema;

use axum::extract::Request;
use axum::extract::multipart::MultipartError;
use axum::http::header::{ALLOW, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::Violation;

use crate::gate::Known;

pub use body::Style;
pub use schema::{Message, Problem, Violations};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// One refused or failed request.
#[derive(Debug, Clone)]
pub struct Error {
    status: StatusCode,
    message: String,
    code: Option<&'static str>,
    violations: Vec<Violation>,
    stale: Option<(Option<String>, i32)>,
    retry_after_s: Option<i64>,
    /// For the log only: never a value that a person typed.
    cause: Option<String>,
}

impl Error {
    fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            code: None,
            violations: Vec::new(),
            stale: None,
            retry_after_s: None,
            cause: None,
        }
    }

    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "Ei leitud.")
    }

    /// No token, or one that is malformed, unknown, expired or revoked: never told apart.
    pub fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "Palun logige uuesti sisse")
    }

    /// The password tab's refusal.
    pub fn wrong_password() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "Sisestatud kasutajatunnus või parool on vale",
        )
    }

    pub fn forbidden() -> Self {
        Self::new(StatusCode::FORBIDDEN, "Puuduvad piisavad õigused")
    }

    pub fn too_many_tries(wait_s: i64) -> Self {
        let message = format!("Liiga palju katseid. Proovige uuesti {wait_s} sekundi pärast.");
        Self {
            retry_after_s: Some(wait_s),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, message)
        }
    }

    pub fn too_many_calls() -> Self {
        let message = "Korraga on töös liiga palju päringuid. Proovige mõne hetke pärast uuesti.";
        Self {
            retry_after_s: Some(1),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, message)
        }
    }

    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub fn too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "Päring on liiga suur.")
    }

    /// A form that broke off, cannot be read, or is larger than allowed.
    pub fn of_form(error: &MultipartError) -> Self {
        match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Self::too_large(),
            _ => Self::malformed("Päringu sisu katkes või ei ole loetav."),
        }
    }

    pub fn too_slow() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "Päring ei jõudnud õigel ajal kohale.",
        )
    }

    pub fn media_type() -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "Päringu sisu tüüp ei sobi.",
        )
    }

    pub fn not_acceptable() -> Self {
        Self::new(StatusCode::NOT_ACCEPTABLE, "Küsitud vastuse tüüpi ei ole.")
    }

    pub fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "Seda teed mööda nii teha ei saa.",
        )
    }

    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code: Some(code),
            ..Self::new(StatusCode::CONFLICT, message)
        }
    }

    pub fn invalid(path: impl Into<String>, message: impl Into<String>) -> Self {
        domain::Error::invalid(path, message).into()
    }

    /// The same refusal as one of the parameter `field`: whatever its status was, now 422 with its place below the field.
    pub fn within(mut self, field: &str) -> Self {
        if self.violations.is_empty() {
            return Self::invalid(field, "Väärtus on vigane.");
        }
        for violation in &mut self.violations {
            violation.path = if violation.path.is_empty() {
                field.to_owned()
            } else {
                format!("{field}.{}", violation.path)
            };
        }
        self
    }

    /// For now only; the caller may try again.
    pub fn busy(cause: impl Into<String>) -> Self {
        Self {
            retry_after_s: Some(2),
            cause: Some(cause.into()),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "Teenus ei ole hetkel kättesaadav. Proovige mõne aja pärast uuesti.",
            )
        }
    }

    /// The disk or the quota is full.
    pub fn no_room(cause: impl Into<String>) -> Self {
        Self {
            cause: Some(cause.into()),
            ..Self::new(
                StatusCode::INSUFFICIENT_STORAGE,
                "Failihoidlas ei ole ruumi. Proovige hiljem uuesti.",
            )
        }
    }

    /// What the log says of it.
    pub fn cause(&self) -> Option<&str> {
        self.cause.as_deref()
    }

    /// Our own fault; `cause` goes to the log.
    pub fn internal(cause: impl Into<String>) -> Self {
        Self {
            cause: Some(cause.into()),
            ..Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "Süsteemi viga. Proovige mõne aja pärast uuesti.",
            )
        }
    }

    /// Status and first field, for tests of extractors.
    #[cfg(test)]
    pub fn sketch(&self) -> String {
        let status = self.status.as_u16();
        self.violations.first().map_or_else(
            || status.to_string(),
            |first| format!("{status} {}", first.path),
        )
    }

    pub fn is_forbidden(&self) -> bool {
        self.status == StatusCode::FORBIDDEN
    }
}

impl From<domain::Error> for Error {
    fn from(error: domain::Error) -> Self {
        match error {
            domain::Error::NotFound => Self::not_found(),
            domain::Error::Forbidden => Self::forbidden(),
            domain::Error::Refused { code, message } => Self::conflict(code, message),
            domain::Error::Invalid(violations) => Self {
                violations,
                ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, "")
            },
            domain::Error::Stale {
                changed_by,
                version,
            } => Self {
                stale: Some((changed_by, version)),
                ..Self::new(
                    StatusCode::PRECONDITION_FAILED,
                    "Andmeid on vahepeal muudetud. Laadige need uuesti.",
                )
            },
            domain::Error::Database(error) => database(&error),
            domain::Error::Store(error) if domain::files::is_full(&error) => {
                Self::no_room(format!("file store: {error}"))
            }
            domain::Error::Store(error) => Self::busy(format!("file store: {error}")),
        }
    }
}

fn database(error: &sqlx::Error) -> Error {
    let Some(inner) = error.as_database_error() else {
        return match error {
            sqlx::Error::RowNotFound => Error::not_found(),
            sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::WorkerCrashed => Error::busy(format!("database: {error}")),
            other => Error::internal(format!("database: {other}")),
        };
    };
    // The message may hold values: the code and the constraint say enough.
    let code = inner.code().unwrap_or_default();
    let cause = format!(
        "database: {code} {}",
        inner.constraint().unwrap_or_default()
    );
    match code.as_ref() {
        // Not a character of text, or a number out of range: input that slipped through.
        "22021" | "22P05" | "22003" => Error::invalid("", "Väärtus on vigane."),
        // Lost or refused connections, lock time-outs, deadlocks.
        "55P03" | "40001" | "40P01" | "57P01" | "57P02" | "57P03" | "25P03" => Error::busy(cause),
        // Connection; resources: too many connections, a full disk.
        code if code.starts_with("08") || code.starts_with("53") => Error::busy(cause),
        _ => Error::internal(cause),
    }
}

impl IntoResponse for Error {
    /// A bare status with the error beside it; `render` writes the body, since its style depends on the path.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Gives a refused answer its body and headers; other answers pass.
pub fn render(style: &Style, known: &Known, response: Response) -> Response {
    let status = response.status();
    if status.is_success() || status.is_redirection() || status.is_informational() {
        return response;
    }
    let error = response
        .extensions()
        .get::<Error>()
        .cloned()
        .unwrap_or_else(|| by_status(status));
    if status.is_server_error() {
        tracing::error!(
            http.status = status.as_u16(),
            cause = error.cause.as_deref(),
            "a request failed"
        );
    }
    let mut made = body::make(&error, style, known);
    let headers = made.headers_mut();
    // The router names a route's own methods after this.
    if let Some(allow) = response.headers().get(ALLOW) {
        headers.insert(ALLOW, allow.clone());
    }
    if let Some(wait) = error.retry_after_s {
        headers.insert(RETRY_AFTER, HeaderValue::from(wait));
    }
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    made
}

/// For answers that axum gives by itself.
fn by_status(status: StatusCode) -> Error {
    match status {
        StatusCode::NOT_FOUND => Error::not_found(),
        StatusCode::METHOD_NOT_ALLOWED => Error::method_not_allowed(),
        StatusCode::PAYLOAD_TOO_LARGE => Error::too_large(),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Error::media_type(),
        status if status.is_server_error() => Error::internal("an answer without a cause"),
        status => Error::new(status, "Päring on vigane."),
    }
}

/// The fallback of unknown paths below /api.
pub async fn unknown_path(_: Request) -> Error {
    Error::not_found()
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        database(&error)
    }
}
