//! The columns of the case list: the allow-list from which every select list, sort and title comes.
use crate::{Error, Result};

/// What a cell of the column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The case number, packed into one integer by the query.
    Number,
    Status,
    State,
    Text,
    Money,
    Date,
    Integer,
    Flag,
}

impl Kind {
    /// The name of the kind on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Status => "status",
            Self::State => "state",
            Self::Text => "text",
            Self::Money => "money",
            Self::Date => "date",
            Self::Integer => "integer",
            Self::Flag => "boolean",
        }
    }
}

/// One part of a sort; `against` runs opposite to the direction asked for, `nulls` says that blanks occur (they come last).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    pub expression: &'static str,
    pub against: bool,
    pub nulls: bool,
}

/// A table beside the list row that the column is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    Bureau,
    ClaimType,
    SolutionType,
}

impl Join {
    pub(super) fn sql(self) -> &'static str {
        match self {
            Self::Bureau => " join bureaus b on b.id = l.tenant_id",
            Self::ClaimType => " left join claim_types t on t.id = l.main_claim_type_id",
            Self::SolutionType => " left join classifier_values v on v.id = l.solution_type_id",
        }
    }
}

/// One column: its name on the wire, its title, and where it comes from.
#[derive(Debug, PartialEq, Eq)]
pub struct Column {
    pub field: &'static str,
    pub title: &'static str,
    pub kind: Kind,
    /// Shown until the user chooses otherwise.
    pub default: bool,
    pub(super) value: &'static str,
    pub(super) join: Option<Join>,
    pub(super) order: &'static [Key],
    /// `order` is the order of an index led by the bureau.
    pub(super) indexed: bool,
}

const fn key(expression: &'static str) -> Key {
    Key {
        expression,
        against: false,
        nulls: false,
    }
}

const fn against(expression: &'static str) -> Key {
    Key {
        expression,
        against: true,
        nulls: false,
    }
}

const fn blank(expression: &'static str) -> Key {
    Key {
        expression,
        against: false,
        nulls: true,
    }
}

const ID: Key = key("l.case_id");

#[rustfmt::skip]
macro_rules! listed {
    (@shown shown) => { true };
    (@shown hidden) => { false };
    (@join) => { None };
    (@join $join:ident) => { Some(Join::$join) };
    (@indexed) => { false };
    (@indexed indexed) => { true };
    ($field:literal, $title:literal, $kind:ident, $shown:ident, $value:literal, [$($order:expr),+] $(, @ $join:ident)? $(, $indexed:ident)?) => {
        Column {
            field: $field,
            title: $title,
            kind: Kind::$kind,
            default: listed!(@shown $shown),
            value: $value,
            join: listed!(@join $($join)?),
            order: &[$($order),+],
            indexed: listed!(@indexed $($indexed)?),
        }
    };
}

/// All columns, in the order in which they are offered; those shown at first fit beside the filters at 1440 pixels. Source: spec 2 §2.1, §3.1.
#[rustfmt::skip]
pub static COLUMNS: &[Column] = &[
    listed!("number", "Toimiku number", Number, shown,
        "(l.prefix::bigint * 10000 + l.year) * 1000000000 + l.index", [key("l.year"), key("l.index"), key("l.prefix")], indexed),
    listed!("status", "Staatus", Status, shown, "l.status",
        [key("l.status"), against("l.year"), against("l.index"), against("l.prefix")], indexed),
    listed!("state", "Olek", State, hidden, "l.state", [key("l.state"), ID]),
    listed!("tenant", "Büroo", Text, hidden, "b.name", [key("b.name collate \"et-x-icu\""), ID], @ Bureau),
    listed!("taitis_number", "Avalduse number", Text, hidden, "l.statement_number", [blank("l.statement_number collate \"C\""), ID]),
    listed!("register_id", "TARN-i ID", Text, hidden, "l.register_id", [blank("l.register_id collate \"C\""), ID]),
    listed!("main_claim_type", "Põhinõude liik", Text, hidden, "t.name", [blank("t.name collate \"et-x-icu\""), ID], @ ClaimType),
    listed!("claimant_name", "Sissenõudja nimi", Text, shown, "l.claimant_name", [key("l.claimant_name"), ID], indexed),
    listed!("claimant_reg_code", "Sissenõudja kood", Text, hidden, "l.claimant_code", [blank("l.claimant_code"), ID]),
    listed!("debtor_name", "Võlgniku nimi", Text, shown, "l.debtor_name", [key("l.debtor_name"), ID], indexed),
    listed!("debtor_reg_code", "Võlgniku kood", Text, hidden, "l.debtor_code", [blank("l.debtor_code"), ID]),
    listed!("total_claims", "Nõuded kokku", Money, shown, "l.total_claims_cents", [key("l.total_claims_cents"), ID]),
    listed!("balance", "Saldo", Money, shown, "l.balance_cents", [key("l.balance_cents"), ID], indexed),
    listed!("start_fee", "Menetluse alustamise tasu", Money, shown, "l.start_fee_cents", [key("l.start_fee_cents"), ID]),
    listed!("issuer_fee", "Põhitasu", Money, shown, "l.issuer_fee_cents", [key("l.issuer_fee_cents"), ID]),
    listed!("table_fee", "Tabelitasu", Money, shown, "l.table_fee_cents", [key("l.table_fee_cents"), ID]),
    listed!("date_opened", "Avamise kuupäev", Date, hidden, "l.date_opened", [key("l.date_opened"), ID], indexed),
    listed!("date_closed", "Lõpetamise kuupäev", Date, hidden, "l.date_closed", [blank("l.date_closed"), ID]),
    listed!("delivery_date", "Kättetoimetamise kuupäev", Date, hidden, "l.delivery_date", [blank("l.delivery_date"), ID]),
    listed!("voluntary_compliance_date", "Vabatahtliku täitmise tähtaeg", Date, hidden,
        "l.voluntary_compliance_date", [blank("l.voluntary_compliance_date"), ID]),
    listed!("date_graph", "Maksegraafiku kuupäev", Date, hidden, "l.date_graph", [blank("l.date_graph"), ID]),
    listed!("reference_no", "Viitenumber", Text, hidden, "l.reference_no", [blank("l.reference_no collate \"C\""), ID]),
    listed!("debtor_main_bank_account", "Võlgniku põhikonto", Text, hidden, "l.debtor_main_account",
        [blank("l.debtor_main_account collate \"C\""), ID]),
    listed!("case_solution_type", "Lahendi liik", Text, hidden, "v.name", [blank("v.name collate \"et-x-icu\""), ID], @ SolutionType),
    listed!("case_solution_resolver", "Lahendi tegija", Text, hidden, "l.solution_resolver",
        [blank("l.solution_resolver collate \"et-x-icu\""), ID]),
    listed!("claimant_date_death", "Sissenõudja surmaaeg", Date, hidden, "l.claimant_date_death", [blank("l.claimant_date_death"), ID]),
    listed!("debtor_date_death", "Võlgniku surmaaeg", Date, hidden, "l.debtor_date_death", [blank("l.debtor_date_death"), ID]),
    listed!("last_transition_error", "Viimase muudatuse viga", Text, hidden, "l.last_transition_error",
        [blank("l.last_transition_error collate \"et-x-icu\""), ID]),
    listed!("in_transfer", "Üleandmisel", Flag, hidden, "l.in_transfer", [key("l.in_transfer"), ID]),
    listed!("problem_count", "Probleeme", Integer, hidden, "l.open_problems::bigint", [key("l.open_problems"), ID]),
];

impl Column {
    /// Finds a column by its name on the wire; the error names `path`.
    pub fn named(field: &str, path: &str) -> Result<&'static Self> {
        let found = COLUMNS.iter().find(|column| column.field == field);
        found.ok_or_else(|| Error::invalid(path, format!("Tundmatu veerg: {}.", shorten(field))))
    }

    /// The columns shown until the user chooses otherwise.
    pub fn defaults() -> Vec<&'static Self> {
        COLUMNS.iter().filter(|column| column.default).collect()
    }
}

/// A user's text is echoed only in part.
pub(super) fn shorten(text: &str) -> String {
    text.chars().take(60).filter(|c| !c.is_control()).collect()
}
