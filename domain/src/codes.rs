//! Estonian codes with check digits: personal, registry, reference number, IBAN. Length is a rule, the check digit a hint,
//! since registers hold faulty old codes. Codes are text, never numbers.
use chrono::NaiveDate;

/// Why a text cannot be a code at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    #[error("must be {expected} characters, not {found}")]
    Length {
        expected: &'static str,
        found: usize,
    },
    #[error("holds characters that have no place in it")]
    Characters,
}

/// 11 digits: century and sex, birth date, serial, check digit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PersonalCode(String);

/// As stored and sent: 0 male, 1 female.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i16)]
pub enum Gender {
    Male = 0,
    Female = 1,
}

impl PersonalCode {
    pub fn parse(text: &str) -> Result<Self, CodeError> {
        digits(text, 11, "11").map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the check digit fits and the birth date exists.
    pub fn is_sound(&self) -> bool {
        let (body, check) = self.0.split_at(10);
        let expected = mod_11(
            body,
            [1, 2, 3, 4, 5, 6, 7, 8, 9, 1],
            [3, 4, 5, 6, 7, 8, 9, 1, 2, 3],
        );
        self.birth_date().is_some() && check.as_bytes()[0] == b'0' + expected
    }

    /// None when the code's date does not exist.
    pub fn birth_date(&self) -> Option<NaiveDate> {
        let century = match self.0.as_bytes()[0] {
            b'1' | b'2' => 1800,
            b'3' | b'4' => 1900,
            b'5' | b'6' => 2000,
            b'7' | b'8' => 2100,
            _ => return None,
        };
        let two = |at: usize| self.0[at..at + 2].parse::<u32>().ok();
        NaiveDate::from_ymd_opt(century + i32::try_from(two(1)?).ok()?, two(3)?, two(5)?)
    }

    /// None when the first digit is none of 1 to 8.
    pub fn gender(&self) -> Option<Gender> {
        match self.0.as_bytes()[0] {
            b'1' | b'3' | b'5' | b'7' => Some(Gender::Male),
            b'2' | b'4' | b'6' | b'8' => Some(Gender::Female),
            _ => None,
        }
    }
}

/// 8 digits of the business register.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RegistryCode(String);

impl RegistryCode {
    pub fn parse(text: &str) -> Result<Self, CodeError> {
        digits(text, 8, "8").map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the check digit fits.
    pub fn is_sound(&self) -> bool {
        let (body, check) = self.0.split_at(7);
        let expected = mod_11(body, [1, 2, 3, 4, 5, 6, 7], [3, 4, 5, 6, 7, 8, 9]);
        check.as_bytes()[0] == b'0' + expected
    }
}

/// 2 to 20 digits, the last one a 7-3-1 check digit; blanks between groups are dropped.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReferenceNumber(String);

impl ReferenceNumber {
    pub fn parse(text: &str) -> Result<Self, CodeError> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        if !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(CodeError::Characters);
        }
        if !(2..=20).contains(&text.len()) {
            return Err(CodeError::Length {
                expected: "2–20",
                found: text.len(),
            });
        }
        Ok(Self(text))
    }

    /// Adds the check digit to a base of 1 to 19 digits.
    pub fn of_base(base: &str) -> Result<Self, CodeError> {
        if !base.bytes().all(|b| b.is_ascii_digit()) {
            return Err(CodeError::Characters);
        }
        Self::parse(&format!("{base}{}", check_731(base)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the check digit fits and there is no leading zero.
    pub fn is_sound(&self) -> bool {
        let (base, check) = self.0.split_at(self.0.len() - 1);
        !self.0.starts_with('0') && check.as_bytes()[0] == b'0' + check_731(base)
    }
}

/// An account number: 20 characters for Estonia, 15 to 34 elsewhere; blanks are dropped, letters raised.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Iban(String);

impl Iban {
    pub fn parse(text: &str) -> Result<Self, CodeError> {
        let text: String = text
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| c.to_ascii_uppercase())
            .collect();
        let bytes = text.as_bytes();
        let shaped = bytes.iter().all(u8::is_ascii_alphanumeric)
            && bytes.iter().take(2).all(u8::is_ascii_alphabetic)
            && bytes.iter().skip(2).take(2).all(u8::is_ascii_digit);
        if !shaped {
            return Err(CodeError::Characters);
        }
        let estonian = text.starts_with("EE");
        let (fits, expected) = if estonian {
            (text.len() == 20, "20")
        } else {
            ((15..=34).contains(&text.len()), "15–34")
        };
        if !fits {
            return Err(CodeError::Length {
                expected,
                found: text.len(),
            });
        }
        if estonian && !bytes[2..].iter().all(u8::is_ascii_digit) {
            return Err(CodeError::Characters);
        }
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The two digits of the bank in an Estonian account number.
    pub fn bank_code(&self) -> Option<&str> {
        self.0.starts_with("EE").then(|| &self.0[4..6])
    }

    /// Whether the number modulo 97 is 1 and, in Estonia, the last digit is the 7-3-1 check of the 13 before it.
    pub fn is_sound(&self) -> bool {
        let moved = self.0.bytes().skip(4).chain(self.0.bytes().take(4));
        let rest = moved.fold(0_u32, |rest, byte| match byte {
            b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
            _ => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
        });
        let own_check =
            !self.0.starts_with("EE") || self.0.as_bytes()[19] == b'0' + check_731(&self.0[6..19]);
        rest == 1 && own_check
    }
}

/// A code that a spreadsheet turned into a number, such as `3,9E+10`.
pub fn looks_like_exponent(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.split_once(['E', 'e']) else {
        return false;
    };
    let number = |part: &str, more: &[u8]| {
        part.bytes().any(|b| b.is_ascii_digit())
            && part
                .bytes()
                .all(|b| b.is_ascii_digit() || more.contains(&b))
    };
    number(mantissa, b".,") && number(exponent, b"+") && exponent.starts_with('+')
}

fn digits(text: &str, length: usize, expected: &'static str) -> Result<String, CodeError> {
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(CodeError::Characters);
    }
    if text.len() != length {
        return Err(CodeError::Length {
            expected,
            found: text.len(),
        });
    }
    Ok(text.to_owned())
}

/// The two-stage check of personal and registry codes: 10 in both stages means 0.
fn mod_11<const N: usize>(body: &str, first: [u32; N], second: [u32; N]) -> u8 {
    for weights in [first, second] {
        let sum: u32 = body
            .bytes()
            .zip(weights)
            .map(|(byte, weight)| u32::from(byte - b'0') * weight)
            .sum();
        if sum % 11 < 10 {
            return u8::try_from(sum % 11).unwrap_or(0);
        }
    }
    0
}

/// Weights 7, 3, 1 from the right; what is missing to the next ten.
fn check_731(base: &str) -> u8 {
    let sum: u32 = base
        .bytes()
        .rev()
        .zip([7, 3, 1].into_iter().cycle())
        .map(|(byte, weight)| u32::from(byte - b'0') * weight)
        .sum();
    u8::try_from((10 - sum % 10) % 10).unwrap_or(0)
}

#[cfg(test)]
mod tests;
