//! Ids as types, so that a case is never taken for a job. All are `bigint identity`, numbers on the wire.
macro_rules! ids {
    ($($name:ident),+ $(,)?) => {$(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, sqlx::Type)]
        #[serde(transparent)]
        #[sqlx(transparent)]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<i64> for $name {
            fn from(id: i64) -> Self {
                Self(id)
            }
        }
    )+};
}

ids!(
    AlertId,
    AlertRuleId,
    BulkActionId,
    CaseId,
    ClaimId,
    ImportId,
    JobId,
    MailId,
    OperatorActionId,
    PauseId,
    PersonId,
    RoleId,
    SavedViewId,
    SelectionId,
    TenantId,
    UserId,
    WorkerId
);
