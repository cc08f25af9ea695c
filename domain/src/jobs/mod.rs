//! The queue of record.
