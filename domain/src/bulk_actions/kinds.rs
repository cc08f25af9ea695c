//! The nine types of bulk action and their arguments. Source: spec 2 § 3.8, § 4.1.
use serde_json::{Value, json};

use crate::actor::Role;
use crate::jobs::Kind;
use crate::money::{Cents, LIMIT_CENTS};
use crate::{Error, Result, Violation};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i16)]
pub enum Type {
    SetStartFee = 1,
    CloseCase = 2,
    ComputeIssuerFee = 3,
    RemoveArrestPrepare = 4,
    RemoveArrestConfirm = 5,
    SetArrestPrepare = 6,
    SetArrestConfirm = 7,
    ValidateCase = 8,
    SyncToRegister = 9,
}

impl Type {
    pub const ALL: [Self; 9] = [
        Self::SetStartFee,
        Self::CloseCase,
        Self::ComputeIssuerFee,
        Self::RemoveArrestPrepare,
        Self::RemoveArrestConfirm,
        Self::SetArrestPrepare,
        Self::SetArrestConfirm,
        Self::ValidateCase,
        Self::SyncToRegister,
    ];

    /// The number that is stored and sent.
    pub fn number(self) -> i16 {
        self as i16
    }

    pub fn from_number(number: i64) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| i64::from(kind.number()) == number)
    }

    /// What the user reads.
    pub fn label(self) -> &'static str {
        match self {
            Self::SetStartFee => "Sea alustamise tasu",
            Self::CloseCase => "Lõpeta toimikud",
            Self::ComputeIssuerFee => "Arvuta uus põhitasu",
            Self::RemoveArrestPrepare => "Eemalda arestid",
            Self::RemoveArrestConfirm => "Kinnita arestide eemaldamine",
            Self::SetArrestPrepare => "Sea arestid",
            Self::SetArrestConfirm => "Kinnita arestide seadmine",
            Self::ValidateCase => "Valideeri toimikud",
            Self::SyncToRegister => "Sünkrooni täitmisregistriga",
        }
    }

    /// The job that does one case; none where the type is not available yet.
    pub fn job(self) -> Option<Kind> {
        match self {
            Self::SetStartFee => Some(Kind::SetStartFee),
            Self::ComputeIssuerFee => Some(Kind::ComputeIssuerFee),
            Self::SyncToRegister => Some(Kind::SyncToRegister),
            _ => None,
        }
    }

    /// Whether a case with an open problem is left alone unless the launch says otherwise.
    pub fn skips_problems(self) -> bool {
        !matches!(self, Self::ValidateCase | Self::SyncToRegister)
    }

    /// Whether a case that is not editable is left alone.
    pub fn skips_not_editable(self) -> bool {
        matches!(
            self,
            Self::SetStartFee | Self::CloseCase | Self::ComputeIssuerFee
        )
    }

    /// Refuses a role that may not launch this type: bailiffs 1–8, the chamber all, operators none.
    pub fn check_launch(self, role: Role) -> Result<()> {
        match (role, self) {
            (Role::Dev, _) | (Role::Kt, Self::SyncToRegister) => Err(Error::Forbidden),
            (Role::Kt | Role::Koda, _) => Ok(()),
        }
    }
}

/// Arguments that were checked against their type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Args {
    None,
    StartFee(Cents),
}

impl Args {
    /// Reads `{startFee: {cents, currency}}` for type 1 and nothing for 3 and 9; the rest is refused by name.
    pub fn parse(kind: Type, args: Option<&Value>) -> Result<Self> {
        let Some(job) = kind.job() else {
            return Err(Error::invalid(
                "type",
                "See masstegevus ei ole veel kasutatav.",
            ));
        };
        let empty = serde_json::Map::new();
        let fields = match args {
            None | Some(Value::Null) => &empty,
            Some(Value::Object(fields)) => fields,
            // PHP-minded clients send an empty list for an empty object.
            Some(Value::Array(items)) if items.is_empty() => &empty,
            Some(_) => return Err(Error::invalid("args", "Andmed peavad olema objekt.")),
        };
        let known: &[&str] = if job == Kind::SetStartFee {
            &["startFee"]
        } else {
            &[]
        };
        let unknown = fields.keys().filter(|key| !known.contains(&key.as_str()));
        let violations: Vec<_> = unknown
            .map(|key| violation(&format!("args.{key}"), "Tundmatu väli."))
            .collect();
        if !violations.is_empty() {
            return Err(Error::Invalid(violations));
        }
        match job {
            Kind::SetStartFee => money("args.startFee", fields.get("startFee")).map(Self::StartFee),
            _ => Ok(Self::None),
        }
    }

    /// As stored and sent.
    pub fn to_json(self) -> Value {
        match self {
            Self::None => json!({}),
            Self::StartFee(Cents(cents)) => {
                json!({"startFee": {"cents": cents, "currency": "EUR", "tarnId": null}})
            }
        }
    }
}

/// A sum of money from outside: whole cents of euro, not negative, below the bound.
fn money(path: &str, value: Option<&Value>) -> Result<Cents> {
    let fields = match value {
        None | Some(Value::Null) => return Err(Error::invalid(path, "Summa puudub.")),
        Some(Value::Object(fields)) => fields,
        Some(_) => {
            return Err(Error::invalid(
                path,
                "Summa peab olema kujul {cents, currency}.",
            ));
        }
    };
    let mut violations = Vec::new();
    for key in fields
        .keys()
        .filter(|key| !["cents", "currency", "tarnId"].contains(&key.as_str()))
    {
        violations.push(violation(&format!("{path}.{key}"), "Tundmatu väli."));
    }
    if !matches!(fields.get("currency"), None | Some(Value::Null))
        && fields.get("currency") != Some(&json!("EUR"))
    {
        violations.push(violation(
            &format!("{path}.currency"),
            "Valuuta peab olema EUR.",
        ));
    }
    if !matches!(fields.get("tarnId"), None | Some(Value::Null)) {
        violations.push(violation(&format!("{path}.tarnId"), "Välja ei saa muuta."));
    }
    let cents = fields.get("cents").and_then(Value::as_i64);
    match cents {
        Some(cents) if (0..=LIMIT_CENTS).contains(&cents) && violations.is_empty() => {
            return Ok(Cents(cents));
        }
        Some(cents) if (0..=LIMIT_CENTS).contains(&cents) => {}
        Some(cents) if cents < 0 => violations.push(violation(
            &format!("{path}.cents"),
            "Summa ei tohi olla negatiivne.",
        )),
        Some(_) => violations.push(violation(&format!("{path}.cents"), "Summa on liiga suur.")),
        None => violations.push(violation(
            &format!("{path}.cents"),
            "Summa peab olema täisarv sentides.",
        )),
    }
    Err(Error::Invalid(violations))
}

fn violation(path: &str, message: &str) -> Violation {
    Violation {
        path: path.to_owned(),
        message: message.to_owned(),
        code: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(kind: Type, args: &str) -> Vec<String> {
        let args: Value = serde_json::from_str(args).unwrap_or_default();
        match Args::parse(kind, Some(&args)) {
            Err(Error::Invalid(violations)) => violations.into_iter().map(|v| v.path).collect(),
            other => panic!("{args}: {other:?}"),
        }
    }

    #[test]
    fn a_start_fee_is_whole_cents_of_euro_within_bounds() {
        for (cents, fee) in [("0", 0), ("1500", 1_500), ("10000000000000", LIMIT_CENTS)] {
            let args: Value = serde_json::from_str(&format!(
                r#"{{"startFee":{{"cents":{cents},"currency":"EUR"}}}}"#
            ))
            .unwrap_or_default();
            let args = Args::parse(Type::SetStartFee, Some(&args)).unwrap_or(Args::None);
            assert_eq!(args, Args::StartFee(Cents(fee)));
            assert_eq!(
                Args::parse(Type::SetStartFee, Some(&args.to_json())).ok(),
                Some(args)
            );
        }
        for cents in [
            "-1",
            "1.5",
            "1500.0",
            "\"100\"",
            "1e3",
            "-0",
            "null",
            "9223372036854775808",
            "10000000000001",
            "9007199254740993e9",
            "[]",
            "{}",
        ] {
            let args = format!(r#"{{"startFee":{{"cents":{cents},"currency":"EUR"}}}}"#);
            assert_eq!(
                paths(Type::SetStartFee, &args),
                ["args.startFee.cents"],
                "{cents}"
            );
        }
    }

    #[test]
    fn what_does_not_belong_is_named() {
        for (kind, args, path) in [
            (Type::SetStartFee, r#"{}"#, "args.startFee"),
            (Type::SetStartFee, r#"{"startFee":15}"#, "args.startFee"),
            (
                Type::SetStartFee,
                r#"{"startFee":{"cents":1,"currency":"USD"}}"#,
                "args.startFee.currency",
            ),
            (
                Type::SetStartFee,
                r#"{"startFee":{"cents":1,"currency":"EUR","tarnId":7}}"#,
                "args.startFee.tarnId",
            ),
            (
                Type::SetStartFee,
                r#"{"startFee":{"cents":1,"sum":1}}"#,
                "args.startFee.sum",
            ),
            (
                Type::SetStartFee,
                r#"{"startFee":{"cents":1},"tenant_id":2}"#,
                "args.tenant_id",
            ),
            (
                Type::ComputeIssuerFee,
                r#"{"startFee":{"cents":1}}"#,
                "args.startFee",
            ),
            (Type::SyncToRegister, r#""x""#, "args"),
            (Type::CloseCase, r#"{}"#, "type"),
        ] {
            assert_eq!(paths(kind, args), [path], "{args}");
        }
        for args in [None, Some(json!({})), Some(json!([])), Some(Value::Null)] {
            assert_eq!(
                Args::parse(Type::ComputeIssuerFee, args.as_ref()).ok(),
                Some(Args::None)
            );
        }
    }

    #[test]
    fn roles_launch_what_is_theirs() {
        for kind in Type::ALL {
            assert_eq!(
                kind.check_launch(Role::Kt).is_ok(),
                kind != Type::SyncToRegister
            );
            assert!(kind.check_launch(Role::Koda).is_ok());
            assert!(kind.check_launch(Role::Dev).is_err());
            assert_eq!(Type::from_number(i64::from(kind.number())), Some(kind));
        }
        assert_eq!(Type::from_number(10), None);
    }
}
