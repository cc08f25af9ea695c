//! Whether a session and a token of it are still good: pure.
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{ChosenRole, SignedIn};
use crate::Role;
use crate::ids::{RoleId, TenantId, UserId};

pub const TOKEN_LIFE: TimeDelta = TimeDelta::minutes(15);
pub const IDLE: TimeDelta = TimeDelta::minutes(30);
const GRACE: TimeDelta = TimeDelta::seconds(30);
const TOUCH: TimeDelta = TimeDelta::seconds(30);

/// A session with its user and role, as read now.
#[derive(Debug)]
pub struct Session {
    pub now: DateTime<Utc>,
    pub id: Uuid,
    pub user_id: i64,
    pub username: String,
    pub user_disabled: bool,
    pub seen_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub ended: bool,
    pub role_id: Option<i64>,
    pub role: Option<Role>,
    pub role_ended: bool,
    pub tenant_id: Option<i64>,
    pub tenant_code: Option<String>,
}

/// A token with its session.
#[derive(Debug)]
pub struct Token {
    pub session: Session,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub replaced_at: Option<DateTime<Utc>>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Judged {
    Valid { rotate: bool, touch: bool },
    Refused,
    Reused,
}

pub fn session_lives(session: &Session) -> bool {
    !session.ended
        && !session.user_disabled
        && session.now < session.expires_at
        && session.now - session.seen_at < IDLE
}

pub fn judge(token: &Token) -> Judged {
    let session = &token.session;
    let now = session.now;
    if !session_lives(session) || session.role_ended {
        return Judged::Refused;
    }
    match token.replaced_at {
        Some(at) if now - at >= GRACE => Judged::Reused,
        _ if now >= token.expires_at => Judged::Refused,
        replaced => Judged::Valid {
            rotate: replaced.is_none() && now - token.created_at > TOKEN_LIFE / 2,
            touch: now - session.seen_at > TOUCH,
        },
    }
}

impl Session {
    pub fn signed_in(&self) -> SignedIn {
        let role = match (self.role_id, self.role, self.tenant_id, &self.tenant_code) {
            (Some(role_id), Some(role), Some(tenant_id), Some(code)) => Some(ChosenRole {
                role_id: RoleId(role_id),
                role,
                tenant_id: TenantId(tenant_id),
                tenant_code: code.clone(),
            }),
            _ => None,
        };
        SignedIn {
            session_id: self.id,
            user_id: UserId(self.user_id),
            username: self.username.clone(),
            role,
        }
    }
}

impl Token {
    pub fn signed_in(&self) -> SignedIn {
        self.session.signed_in()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(age: i64, replaced: Option<i64>) -> Token {
        let now = DateTime::UNIX_EPOCH + TimeDelta::days(20_000);
        let ago = |seconds| now - TimeDelta::seconds(seconds);
        Token {
            session: Session {
                now,
                id: Uuid::nil(),
                user_id: 1,
                username: "taitur".into(),
                user_disabled: false,
                seen_at: ago(10),
                expires_at: now + TimeDelta::hours(1),
                ended: false,
                role_id: None,
                role: None,
                role_ended: false,
                tenant_id: None,
                tenant_code: None,
            },
            created_at: ago(age),
            expires_at: ago(age) + TOKEN_LIFE,
            replaced_at: replaced.map(ago),
        }
    }

    #[test]
    fn judges_tokens_by_age_and_rotation() {
        let valid = |rotate| Judged::Valid {
            rotate,
            touch: false,
        };
        for (age, replaced, expected) in [
            (0, None, valid(false)),
            (450, None, valid(false)),
            (451, None, valid(true)),
            (899, None, valid(true)),
            (900, None, Judged::Refused),
            (600, Some(29), valid(false)),
            (600, Some(30), Judged::Reused),
            (5_000, Some(4_000), Judged::Reused),
        ] {
            assert_eq!(judge(&token(age, replaced)), expected, "{age} {replaced:?}");
        }
    }

    #[test]
    fn refuses_when_session_user_or_role_is_over() {
        let changes: [fn(&mut Session); 5] = [
            |s| s.ended = true,
            |s| s.user_disabled = true,
            |s| s.role_ended = true,
            |s| s.expires_at = s.now,
            |s| s.seen_at = s.now - IDLE,
        ];
        for change in changes {
            let mut token = token(0, None);
            change(&mut token.session);
            assert_eq!(judge(&token), Judged::Refused);
        }
    }
}
