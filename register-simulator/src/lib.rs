//! The outside world over real HTTP: the state registers, misbehaving by script, with a log of every effect they accepted.

mod answer;
mod control;
mod effects;
mod holds;
mod message;
mod misbehave;
mod proceedings;
mod requests;
mod script;
mod server;
mod tarn;
mod world;

pub use effects::{Effect, Summary};
pub use holds::Held;
pub use requests::Entry;
pub use script::{Act, Millis, Rule};
pub use server::{Handle, start, start_with};
pub use world::{Options, Resend, Settings};
