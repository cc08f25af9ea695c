//! Who acts: a user in one chosen role of one bureau, or the machine.
use crate::db::Scope;
use crate::ids::{RoleId, TenantId, UserId};
use crate::{Error, Result};

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, sqlx::Type,
)]
#[sqlx(type_name = "role_code")]
pub enum Role {
    /// A bailiff: own bureau.
    #[serde(rename = "KT")]
    #[sqlx(rename = "KT")]
    Kt,
    /// The chamber: reads all, launches over all.
    #[serde(rename = "koda")]
    #[sqlx(rename = "koda")]
    Koda,
    /// The operator: reads all, steers the queues.
    #[serde(rename = "dev")]
    #[sqlx(rename = "dev")]
    Dev,
}

/// A signed-in user with the role chosen for this session.
#[derive(Debug, Clone)]
pub struct Actor {
    pub user_id: UserId,
    pub username: String,
    pub role_id: RoleId,
    pub role: Role,
    pub tenant_id: TenantId,
    pub tenant_code: String,
    pub request_id: String,
}

impl Actor {
    /// Refuses everybody but the chamber and operators.
    pub fn check_oversees(&self) -> Result<()> {
        match self.role {
            Role::Koda | Role::Dev => Ok(()),
            Role::Kt => Err(Error::Forbidden),
        }
    }

    /// Refuses everybody but operators.
    pub fn check_operates(&self) -> Result<()> {
        match self.role {
            Role::Dev => Ok(()),
            Role::Kt | Role::Koda => Err(Error::Forbidden),
        }
    }

    /// The database role under which this actor's transactions run.
    pub fn scope(&self) -> Scope {
        match self.role {
            Role::Kt => Scope::Bureau(self.tenant_id),
            Role::Koda | Role::Dev => Scope::Chamber,
        }
    }
}

/// One button: whether it works now and, where it doesn't, why (Estonian).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    pub name: &'static str,
    pub reason: Option<&'static str>,
}

/// A user as lists show them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: UserId,
    pub name: String,
}

impl Person {
    /// From an outer join; none where nobody was found.
    pub(crate) fn joined(id: Option<i64>, name: Option<String>) -> Option<Self> {
        Some(Self {
            id: UserId(id?),
            name: name?,
        })
    }
}
