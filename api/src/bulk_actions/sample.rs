//! Rows of the case list in a preview, as the case list itself sends them.
use domain::cases::list::{Cell, Row};
use serde_json::{Map, Value, json};

/// `{id, tenant_id, …columns}`; money as `{cents, currency, tarnId}`.
pub fn json_of(row: Row<'_>) -> domain::Result<Value> {
    let mut fields = Map::new();
    fields.insert("id".into(), json!(row.id()?));
    fields.insert("tenant_id".into(), json!(row.tenant_id()?));
    for cell in row.cells() {
        let (column, cell) = cell?;
        let value = match cell {
            Cell::Number(number) => json!(number.to_string()),
            Cell::Status(status) => json!(status.name()),
            Cell::State(state) => json!(state.name()),
            Cell::Text(text) => json!(text),
            Cell::Money(cents) => json!({"cents": cents.0, "currency": "EUR", "tarnId": null}),
            Cell::Date(date) => json!(date),
            Cell::Integer(number) => json!(number),
            Cell::Flag(flag) => json!(flag),
        };
        fields.insert(column.field.into(), value);
    }
    Ok(Value::Object(fields))
}
