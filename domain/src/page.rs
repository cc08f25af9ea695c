//! One page of a list: checked limits in, rows and total out.
use crate::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    pub limit: i64,
    pub offset: i64,
}

impl Page {
    /// `page` counts from 1; errors name the field.
    pub fn new(page: i64, limit: i64, most: i64) -> Result<Self> {
        if page < 1 {
            return Err(Error::invalid(
                "page",
                "Lehekülg peab olema täisarv alates 1.",
            ));
        }
        if limit < 1 || limit > most {
            return Err(Error::invalid(
                "limit",
                format!("Ridade arv lehel peab olema 1 kuni {most}."),
            ));
        }
        let offset = (page - 1).checked_mul(limit);
        offset
            .map(|offset| Self { limit, offset })
            .ok_or_else(|| Error::invalid("page", "Lehekülg on liiga suur."))
    }
}

/// Rows of one page and how many there are in all.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed<T> {
    pub rows: Vec<T>,
    pub total: i64,
}

impl<T> Listed<T> {
    /// The same page with each row turned.
    pub fn map<U>(self, turn: impl FnMut(T) -> U) -> Listed<U> {
        Listed {
            rows: self.rows.into_iter().map(turn).collect(),
            total: self.total,
        }
    }
}
