//! The shapes of refusals for the OpenAPI document; `body` writes them.
use utoipa::ToSchema;

/// A refusal on a v1 path.
#[derive(ToSchema)]
#[allow(dead_code, reason = "only the OpenAPI document reads it")]
pub struct Message {
    message: String,
    code: Option<String>,
    #[schema(rename = "requestId")]
    request_id: String,
    #[schema(rename = "traceId")]
    trace_id: String,
}

/// A refusal on a v2 path.
#[derive(ToSchema)]
#[allow(dead_code, reason = "only the OpenAPI document reads it")]
pub struct Problem {
    #[schema(rename = "@type")]
    kind: String,
    title: String,
    status: u16,
    detail: String,
    r#type: String,
    code: Option<String>,
    #[schema(rename = "requestId")]
    request_id: String,
    #[schema(rename = "traceId")]
    trace_id: String,
}

/// What is wrong with the input, on all paths.
#[derive(ToSchema)]
#[allow(dead_code, reason = "only the OpenAPI document reads it")]
pub struct Violations {
    #[schema(rename = "@type")]
    kind: String,
    title: String,
    status: u16,
    detail: String,
    r#type: String,
    violations: Vec<ViolationEntry>,
    #[schema(rename = "requestId")]
    request_id: String,
    #[schema(rename = "traceId")]
    trace_id: String,
}

#[derive(ToSchema)]
#[allow(dead_code, reason = "only the OpenAPI document reads it")]
struct ViolationEntry {
    #[schema(rename = "propertyPath")]
    path: String,
    message: String,
    code: Option<String>,
}
