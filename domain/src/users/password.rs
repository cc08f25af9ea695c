//! Passwords: argon2id, 19 MiB, two passes, one lane. Slow on purpose: call on a blocking thread.
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};

/// Longer input is refused before hashing; nothing is ever truncated.
pub const LONGEST_BYTES: usize = 1024;

/// An unknown user costs the same time: this is the hash of nobody's password.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$dG9pbWlrLW5vYm9keQ$l3QPBv6CZeKcqIScfmKx6TtZQmRo3WJNzJrPWwSx1pE";

fn argon() -> Argon2<'static> {
    let params = Params::new(19 * 1024, 2, 1, None).unwrap_or(Params::DEFAULT);
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// The PHC string of a password; the error is one plain sentence.
pub fn hash_password(password: &str) -> Result<String, String> {
    argon()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|error| format!("The password cannot be hashed: {error}."))
}

/// Whether the password fits; without a hash the same work is done and the answer is no.
pub fn fits(password: &str, hash: Option<&str>) -> bool {
    let Ok(parsed) = PasswordHash::new(hash.unwrap_or(NOBODY)) else {
        return false;
    };
    argon()
        .verify_password(password.as_bytes(), &parsed)
        .is_ok()
        && hash.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_whole_password() {
        let long = "ä".repeat(100);
        let hash = hash_password(&long).unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        assert!(fits(&long, Some(&hash)));
        assert!(!fits(&long[..72], Some(&hash)));
        assert!(!fits(&format!("{long} "), Some(&hash)));
        assert!(!fits(&long, None));
    }

    #[test]
    fn nobody_s_password_costs_what_anybody_s_does() {
        let hash = hash_password("x").unwrap();
        let cost = |text: &str| {
            let parsed = PasswordHash::new(text).unwrap();
            let output = parsed.hash.map(|hash| hash.len());
            format!(
                "{} {:?} {} {output:?}",
                parsed.algorithm, parsed.version, parsed.params
            )
        };
        assert_eq!(cost(NOBODY), cost(&hash));
    }
}
