//! The beginning of a case number, as typed: `101`, `101/19`, `101/1999/`, `101/1999/12`, `101/1999/0012`.
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::cases::Number;
use crate::cases::number::NotANumber;

/// Which numbers begin so, as ranges that an index can serve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberStart {
    pub prefix: RangeInclusive<i16>,
    pub year: Option<RangeInclusive<i16>>,
    /// Any of these; empty: any index.
    pub index: Vec<RangeInclusive<i32>>,
}

impl NumberStart {
    pub fn holds(&self, number: Number) -> bool {
        self.prefix.contains(&number.prefix)
            && self
                .year
                .as_ref()
                .is_none_or(|year| year.contains(&number.year))
            && (self.index.is_empty()
                || self.index.iter().any(|range| range.contains(&number.index)))
    }
}

impl FromStr for NumberStart {
    type Err = NotANumber;

    fn from_str(text: &str) -> Result<Self, NotANumber> {
        let mut parts = text.split('/');
        let prefix = parts.next().unwrap_or_default();
        let (year, index) = (parts.next(), parts.next());
        if parts.next().is_some()
            || (year.is_some() && prefix.len() != 3)
            || (index.is_some() && year.is_none_or(|y| y.len() != 4))
        {
            return Err(NotANumber);
        }
        Ok(Self {
            prefix: fixed_width(prefix, 3)?,
            year: year
                .filter(|y| !y.is_empty())
                .map(|y| fixed_width(y, 4))
                .transpose()?,
            index: match index {
                None | Some("") => Vec::new(),
                Some(digits) => indexes(digits)?,
            },
        })
    }
}

/// Numbers written with `width` digits that begin with these.
fn fixed_width(digits: &str, width: usize) -> Result<RangeInclusive<i16>, NotANumber> {
    let value = number(digits, 1, width)?;
    let step = 10_i32.pow(u32::try_from(width - digits.len()).map_err(|_| NotANumber)?);
    let small = |n: i32| i16::try_from(n).map_err(|_| NotANumber);
    Ok(small(value * step)?..=small(value * step + step - 1)?)
}

/// Indexes that begin with these digits; with a leading zero, indexes padded to four digits that do.
fn indexes(digits: &str) -> Result<Vec<RangeInclusive<i32>>, NotANumber> {
    let value = number(digits, 1, 9)?;
    if digits.starts_with('0') {
        let step = 10_i32
            .pow(u32::try_from(4_usize.saturating_sub(digits.len())).map_err(|_| NotANumber)?);
        return Ok(vec![(value * step).max(1)..=value * step + step - 1]);
    }
    let longest = 10 - digits.len();
    Ok((0..longest)
        .map_while(|more| {
            let step = 10_i32.pow(u32::try_from(more).ok()?);
            Some(value.checked_mul(step)?..=value.checked_mul(step)?.checked_add(step - 1)?)
        })
        .collect())
}

fn number(digits: &str, least: usize, most: usize) -> Result<i32, NotANumber> {
    if (least..=most).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) {
        digits.parse().map_err(|_| NotANumber)
    } else {
        Err(NotANumber)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_numbers_that_begin_so() {
        let numbers = [
            "101/1999/7",
            "101/1999/12",
            "101/1999/1200",
            "101/2024/12",
            "110/1999/12",
            "023/1999/123456789",
            "101/1999/120000000",
        ];
        for (start, which) in [
            ("1", vec![0, 1, 2, 3, 4, 6]),
            ("0", vec![5]),
            ("02", vec![5]),
            ("101", vec![0, 1, 2, 3, 6]),
            ("101/", vec![0, 1, 2, 3, 6]),
            ("101/1", vec![0, 1, 2, 6]),
            ("101/1999/", vec![0, 1, 2, 6]),
            ("101/1999/12", vec![1, 2, 6]),
            ("101/1999/0012", vec![1]),
            ("101/1999/00", vec![0, 1]),
            ("023/1999/123456789", vec![5]),
        ] {
            let start: NumberStart = start.parse().unwrap();
            let found: Vec<usize> = (0..numbers.len())
                .filter(|i| start.holds(numbers[*i].parse().unwrap()))
                .collect();
            assert_eq!(found, which, "{start:?}");
        }
        for bad in [
            "",
            "a",
            "1234",
            "10/1999",
            "101/19991",
            "101/19/1",
            "101/1999/1/",
            "101/1999/x",
            "101/1999/1234567890",
            "-1",
        ] {
            assert_eq!(bad.parse::<NumberStart>(), Err(NotANumber), "{bad}");
        }
    }
}
