//! Talks outward: X-Road SOAP 4.0 and the state registers behind it; knows no database and no web framework.

mod charset;
mod config;
mod error;
mod mask;
mod operations;
pub mod tarn;
pub mod xml;
pub mod xroad;

pub use config::{Config, ConfigError, Limits, Member};
pub use error::{CallError, Exchange, Kind};
pub use mask::{EXCERPT_BYTES, excerpt, masked};
pub use operations::{Class, OPERATIONS, Operation, operation};
pub use xroad::Envelope;
