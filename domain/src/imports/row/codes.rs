//! The cells that hold codes: claimant and debtor, account number, reference number.
use super::super::header::Field;
use super::super::values;
use super::{Party, Reader, Row, lower};
use crate::codes::{
    CodeError, Iban, PersonalCode, ReferenceNumber, RegistryCode, looks_like_exponent,
};

impl Reader<'_, '_> {
    /// Something that can be read and said.
    fn name(&mut self, field: Field) -> Option<String> {
        if !self.cell(field).chars().any(char::is_alphanumeric) {
            self.error(field, "Nimes ei ole ühtegi tähte ega numbrit.");
            return None;
        }
        self.text(field, 300)
    }

    pub(super) fn party(&mut self, kind: Field, name: Field, code: Field) -> Party {
        let mut party = Party {
            kind: self.required(kind, Self::person_kind),
            name: self.required(name, Self::name),
            ..Party::default()
        };
        if self.cell(code).is_empty() {
            self.warn(
                code,
                "Kood puudub: isikut ei saa teiste toimikute isikutega kokku viia.",
            );
            return party;
        }
        if looks_like_exponent(self.cell(code)) {
            let message = values::exponent(self.cell(code));
            self.error(code, message);
            return party;
        }
        let text = self.cell(code).to_owned();
        let read = match party.kind {
            Some(2) => RegistryCode::parse(&text).map(|c| (c.is_sound(), None, None)),
            Some(_) => PersonalCode::parse(&text)
                .map(|c| (c.is_sound(), c.birth_date(), c.gender().map(|g| g as i16))),
            None => return party,
        };
        let word = if party.kind == Some(2) {
            "Registrikood"
        } else {
            "Isikukood"
        };
        match read {
            Ok((is_sound, born, gender)) => {
                if !is_sound {
                    self.warn(code, format!("{word}i kontrollnumber ei klapi."));
                }
                self.note(code, &text);
                (party.born, party.gender) = (born, gender);
                party.code = Some(text);
            }
            Err(error) => self.error(code, code_message(word, error)),
        }
        party
    }

    pub(super) fn person_kind(&mut self, field: Field) -> Option<i16> {
        let kind = match lower(self.cell(field)).as_str() {
            "eraisik" | "füüsiline isik" => Some(1),
            "juriidiline isik" => Some(2),
            _ => None,
        };
        match kind {
            Some(kind) => self.note(field, kind),
            None => {
                let message = format!(
                    "Tundmatu isiku liik \"{}\"; lubatud on Eraisik ja Juriidiline isik.",
                    values::shortened(self.cell(field))
                );
                self.error(field, message);
            }
        }
        kind
    }

    pub(super) fn account(&mut self, row: &mut Row) {
        let field = Field::DebtorIban;
        let text = self.cell(field).to_owned();
        if text.is_empty() {
            return;
        }
        if looks_like_exponent(&text) {
            return self.error(field, values::exponent(&text));
        }
        match Iban::parse(&text) {
            Ok(iban) => {
                if !iban.is_sound() {
                    self.warn(field, "Kontonumbri kontrollnumber ei klapi.");
                }
                self.note(field, iban.as_str());
                row.bank = iban
                    .bank_code()
                    .and_then(|code| self.known.banks.get(code).copied());
                row.iban = Some(iban.as_str().to_owned());
            }
            Err(error) => self.error(field, code_message("Kontonumber", error)),
        }
    }

    pub(super) fn reference(&mut self) -> Option<String> {
        let field = Field::Reference;
        let text = self.cell(field).to_owned();
        if text.is_empty() {
            return None;
        }
        if looks_like_exponent(&text) {
            self.error(field, values::exponent(&text));
            return None;
        }
        match ReferenceNumber::parse(&text) {
            Ok(number) => {
                if !number.is_sound() {
                    self.warn(field, "Viitenumbri kontrollnumber ei klapi.");
                }
                self.note(field, number.as_str());
                Some(number.as_str().to_owned())
            }
            Err(error) => {
                self.error(field, code_message("Viitenumber", error));
                None
            }
        }
    }
}

fn code_message(word: &str, error: CodeError) -> String {
    match error {
        CodeError::Length { expected, found } => {
            format!("{word} peab olema {expected} märki pikk, siin on {found}.")
        }
        CodeError::Characters => format!("{word} sisaldab lubamatuid märke."),
    }
}
