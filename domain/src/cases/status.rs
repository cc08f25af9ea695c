//! Where a case stands: its state (workflow), its status, and whether it may be changed now. Pure.
use crate::{Error, Result};

/// Source: spec 1 §4; wire names of spec 2 §4.6.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, sqlx::Type,
)]
#[serde(rename_all = "snake_case")]
#[repr(i16)]
pub enum CaseStatus {
    Open = 0,
    Closed = 1,
    Archived = 2,
    Stopped = 3,
    Tarn = 4,
    Rejected = 5,
    PartiallyClosed = 6,
    BeingReopened = 10,
    BeingClosed = 11,
    BeingPartiallyClosed = 12,
    BeingStopped = 13,
    BeingUnstopped = 14,
}

impl CaseStatus {
    pub const ALL: [Self; 12] = [
        Self::Open,
        Self::Closed,
        Self::Archived,
        Self::Stopped,
        Self::Tarn,
        Self::Rejected,
        Self::PartiallyClosed,
        Self::BeingReopened,
        Self::BeingClosed,
        Self::BeingPartiallyClosed,
        Self::BeingStopped,
        Self::BeingUnstopped,
    ];

    /// The number that is stored, and sent by v1.
    pub fn number(self) -> i16 {
        self as i16
    }

    pub fn from_number(number: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.number() == number)
    }

    /// The name sent by v2.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Archived => "archived",
            Self::Stopped => "stopped",
            Self::Tarn => "tarn",
            Self::Rejected => "rejected",
            Self::PartiallyClosed => "partially_closed",
            Self::BeingReopened => "being_reopened",
            Self::BeingClosed => "being_closed",
            Self::BeingPartiallyClosed => "being_partially_closed",
            Self::BeingStopped => "being_stopped",
            Self::BeingUnstopped => "being_unstopped",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }

    /// What the user reads.
    pub fn label(self) -> &'static str {
        match self {
            Self::Open => "Menetluses",
            Self::Closed => "Lõpetatud",
            Self::Archived => "Arhiveeritud",
            Self::Stopped => "Peatatud",
            Self::Tarn => "Imporditud (ootab vastuvõtmist)",
            Self::Rejected => "Tagasi lükatud",
            Self::PartiallyClosed => "Osaliselt lõpetatud",
            Self::BeingReopened => "Taasavamisel",
            Self::BeingClosed => "Lõpetamisel",
            Self::BeingPartiallyClosed => "Osalisel lõpetamisel",
            Self::BeingStopped => "Peatamisel",
            Self::BeingUnstopped => "Jätkamisel",
        }
    }

    pub fn from_label(label: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.label() == label)
    }

    /// Waiting for the national register's answer.
    pub fn in_progress(self) -> bool {
        self.number() >= 10
    }
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, sqlx::Type,
)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "case_state", rename_all = "snake_case")]
pub enum CaseState {
    Unmigrated,
    Draft,
    Project,
    TarnAccept,
    Open,
}

impl CaseState {
    pub const ALL: [Self; 5] = [
        Self::Unmigrated,
        Self::Draft,
        Self::Project,
        Self::TarnAccept,
        Self::Open,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Unmigrated => "unmigrated",
            Self::Draft => "draft",
            Self::Project => "project",
            Self::TarnAccept => "tarn_accept",
            Self::Open => "open",
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Unmigrated => "Migreerimata",
            Self::Draft => "Mustand",
            Self::Project => "Projekt",
            Self::TarnAccept => "TARN-is vastuvõtmisel",
            Self::Open => "Avatud",
        }
    }
}

/// What decides whether a case may be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub state: CaseState,
    pub status: CaseStatus,
    /// Set while a transfer is in progress.
    pub transfer_id: Option<i64>,
}

impl Standing {
    /// The label of what keeps the case from being changed now; `None`: it may be changed. Source: spec 1 §4.
    pub fn blocked_by(self) -> Option<&'static str> {
        if self.transfer_id.is_some() {
            Some("Üleandmisel")
        } else if self.state == CaseState::TarnAccept {
            Some(self.state.label())
        } else if self.status.in_progress() {
            Some(self.status.label())
        } else {
            None
        }
    }

    pub fn is_editable(self) -> bool {
        self.blocked_by().is_none()
    }

    /// Refuses with `not_editable` and the sentence for the user.
    pub fn check_editable(self) -> Result<()> {
        match self.blocked_by() {
            None => Ok(()),
            Some(label) => Err(Error::refused("not_editable", not_editable(label))),
        }
    }
}

/// The sentence that refuses a change. Source: spec 2 §4.6.
pub fn not_editable(label: &str) -> String {
    format!("Toimikut ei saa hetkel muuta, sest see on olekus \"{label}\".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_and_labels_go_there_and_back() {
        for status in CaseStatus::ALL {
            assert_eq!(CaseStatus::from_number(status.number()), Some(status));
            assert_eq!(CaseStatus::from_name(status.name()), Some(status));
            assert_eq!(CaseStatus::from_label(status.label()), Some(status));
            assert_eq!(serde_json::json!(status), status.name());
        }
        for state in CaseState::ALL {
            assert_eq!(serde_json::json!(state), state.name());
        }
    }

    #[test]
    fn a_case_in_transition_or_transfer_is_not_editable() {
        let at = |state, status, transfer_id| Standing {
            state,
            status,
            transfer_id,
        };
        for (standing, label) in [
            (at(CaseState::Open, CaseStatus::Open, None), None),
            (at(CaseState::Unmigrated, CaseStatus::Closed, None), None),
            (at(CaseState::Draft, CaseStatus::Tarn, None), None),
            (
                at(CaseState::Open, CaseStatus::BeingClosed, None),
                Some("Lõpetamisel"),
            ),
            (
                at(CaseState::TarnAccept, CaseStatus::Tarn, None),
                Some("TARN-is vastuvõtmisel"),
            ),
            (
                at(CaseState::Open, CaseStatus::Open, Some(7)),
                Some("Üleandmisel"),
            ),
        ] {
            assert_eq!(standing.blocked_by(), label);
            assert_eq!(standing.check_editable().is_ok(), label.is_none());
        }
        assert_eq!(
            not_editable("Peatamisel"),
            "Toimikut ei saa hetkel muuta, sest see on olekus \"Peatamisel\"."
        );
    }
}
