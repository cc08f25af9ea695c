//! The number of a case: bureau prefix, year, running index; unique in the whole country.
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// Written `101/2024/7`; sorted by year, index, prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number {
    pub prefix: i16,
    pub year: i16,
    pub index: i32,
}

impl Number {
    /// From an outer join; none where no case was found.
    pub(crate) fn joined(
        prefix: Option<i16>,
        year: Option<i16>,
        index: Option<i32>,
    ) -> Option<Self> {
        Some(Self {
            prefix: prefix?,
            year: year?,
            index: index?,
        })
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:03}/{}/{}", self.prefix, self.year, self.index)
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.year, self.index, self.prefix).cmp(&(other.year, other.index, other.prefix))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The text is no case number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a case number looks like 101/2024/7")]
pub struct NotANumber;

impl FromStr for Number {
    type Err = NotANumber;

    /// Takes the index padded with zeros too: `101/2024/0007`.
    fn from_str(text: &str) -> Result<Self, NotANumber> {
        let mut parts = text.split('/');
        let mut digits = |least: usize, most: usize| {
            let part = parts.next().ok_or(NotANumber)?;
            let fits = (least..=most).contains(&part.len());
            if fits && part.bytes().all(|b| b.is_ascii_digit()) {
                part.parse::<i32>().map_err(|_| NotANumber)
            } else {
                Err(NotANumber)
            }
        };
        let (prefix, year, index) = (digits(3, 3)?, digits(4, 4)?, digits(1, 9)?);
        if parts.next().is_some() || prefix == 0 || !(1990..=2100).contains(&year) || index == 0 {
            return Err(NotANumber);
        }
        let small = |value: i32| i16::try_from(value).map_err(|_| NotANumber);
        Ok(Self {
            prefix: small(prefix)?,
            year: small(year)?,
            index,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_numbers() {
        for (text, shown) in [
            ("101/2024/7", "101/2024/7"),
            ("023/2024/0007", "023/2024/7"),
            ("101/1990/123456789", "101/1990/123456789"),
        ] {
            assert_eq!(text.parse::<Number>().unwrap().to_string(), shown);
        }
        for text in [
            "",
            "101/2024",
            "101/2024/",
            "101/2024/0",
            "1/2024/7",
            "000/2024/7",
            "101/1989/7",
            "101/2024/7/1",
            "101-2024-7",
            "101/2024/+7",
            " 101/2024/7",
            "101/2024/1234567890",
            "١٠١/2024/7",
        ] {
            assert_eq!(text.parse::<Number>(), Err(NotANumber), "{text}");
        }
    }

    #[test]
    fn sorts_by_year_then_index_then_prefix() {
        let mut numbers: Vec<Number> = ["102/2024/10", "101/2024/9", "101/2024/10", "103/2023/99"]
            .map(|text| text.parse().unwrap())
            .into();
        numbers.sort();
        let shown: Vec<String> = numbers.iter().map(Number::to_string).collect();
        assert_eq!(
            shown,
            ["103/2023/99", "101/2024/9", "101/2024/10", "102/2024/10"]
        );
    }
}
