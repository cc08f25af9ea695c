//! Money: whole cents of euro, never a float, never wrapping.
use std::fmt;

/// The largest amount that is taken from outside: 10^13 cents.
pub const LIMIT_CENTS: i64 = 10_000_000_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, sqlx::Type)]
#[sqlx(transparent)]
pub struct Cents(pub i64);

impl Cents {
    pub const ZERO: Self = Self(0);

    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// `self × permille / 1000`, halves rounded away from zero.
    pub fn permille(self, permille: i32) -> Option<Self> {
        let product = i128::from(self.0) * i128::from(permille);
        let half = if product < 0 { -500 } else { 500 };
        i64::try_from((product + half) / 1000).ok().map(Self)
    }
}

/// As an Estonian reads it: `1 234,56 €` with non-breaking spaces and U+2212 for minus.
impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 0 {
            f.write_str("\u{2212}")?;
        }
        let cents = self.0.unsigned_abs();
        let euros = (cents / 100).to_string();
        for (position, digit) in euros.chars().enumerate() {
            if position > 0 && (euros.len() - position).is_multiple_of(3) {
                f.write_str("\u{a0}")?;
            }
            write!(f, "{digit}")?;
        }
        write!(f, ",{:02}\u{a0}€", cents % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_amounts_as_in_estonia() {
        for (cents, text) in [
            (0, "0,00\u{a0}€"),
            (5, "0,05\u{a0}€"),
            (123_456, "1\u{a0}234,56\u{a0}€"),
            (-100_000_000, "\u{2212}1\u{a0}000\u{a0}000,00\u{a0}€"),
            (
                i64::MIN,
                "\u{2212}92\u{a0}233\u{a0}720\u{a0}368\u{a0}547\u{a0}758,08\u{a0}€",
            ),
        ] {
            assert_eq!(Cents(cents).to_string(), text);
        }
    }

    #[test]
    fn rounds_halves_away_from_zero() {
        assert_eq!(Cents(25).permille(240), Some(Cents(6)));
        assert_eq!(Cents(1).permille(500), Some(Cents(1)));
        assert_eq!(Cents(-1).permille(500), Some(Cents(-1)));
        assert_eq!(Cents(i64::MAX).permille(2000), None);
    }
}
