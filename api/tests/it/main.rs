//! The api against a real PostgreSQL, one database a test.
mod gate;
mod input;
mod logs;
mod matrix;
mod reads;
mod sign_in;
mod site;
mod throttle;
mod tokens;
mod users;
mod wire;
