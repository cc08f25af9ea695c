//! Tables of codes that are right, wrong, and no codes at all. All are synthetic or of public institutions.
use super::*;

#[test]
fn personal_codes() {
    for (text, sound) in [
        ("30001010004", true),
        ("30001010187", true), // second stage
        ("30001010060", true), // 10 in both stages
        ("60001019906", true),
        ("30001010005", false),
        ("60001019907", false),
        ("30013010000", false), // no such month
        ("90001010004", false), // no such century
    ] {
        assert_eq!(
            PersonalCode::parse(text).unwrap().is_sound(),
            sound,
            "{text}"
        );
    }
    let length = |found| {
        Err(CodeError::Length {
            expected: "11",
            found,
        })
    };
    assert_eq!(PersonalCode::parse(""), length(0));
    assert_eq!(PersonalCode::parse("3000101000"), length(10));
    assert_eq!(PersonalCode::parse("300010100041"), length(12));
    for text in ["3000101000X", "3,9E+10", " 3000101000", "٣٠٠٠١٠١٠٠٠٤"] {
        assert_eq!(
            PersonalCode::parse(text),
            Err(CodeError::Characters),
            "{text}"
        );
    }
}

#[test]
fn personal_codes_tell_birth_and_gender() {
    for (text, born, gender) in [
        ("30001010004", "1900-01-01", Some(Gender::Male)),
        ("60001019906", "2000-01-01", Some(Gender::Female)),
        ("19912310000", "1899-12-31", Some(Gender::Male)),
        ("80002290000", "", Some(Gender::Female)), // 2100 is no leap year
        ("50002290000", "2000-02-29", Some(Gender::Male)),
        ("00001010000", "", None),
    ] {
        let code = PersonalCode::parse(text).unwrap();
        let date = code.birth_date().map_or(String::new(), |d| d.to_string());
        assert_eq!((date.as_str(), code.gender()), (born, gender), "{text}");
    }
}

#[test]
fn registry_codes() {
    for (text, sound) in [
        ("90000009", true),
        ("90000080", true),
        ("90000200", true),
        ("70000310", true),
        ("70000349", true),
        ("70008440", true),
        ("74000091", true),
        ("74000085", true),
        ("90000001", false),
        ("70000311", false),
    ] {
        assert_eq!(
            RegistryCode::parse(text).unwrap().is_sound(),
            sound,
            "{text}"
        );
    }
    assert!(RegistryCode::parse("7000031").is_err());
    assert!(RegistryCode::parse("EE000310").is_err());
}

#[test]
fn reference_numbers() {
    for (base, whole) in [
        ("12131295", "121312952"),
        ("1", "13"),
        ("1001", "10016"),
        ("232024001935", "2320240019351"),
    ] {
        let number = ReferenceNumber::of_base(base).unwrap();
        assert_eq!(number.as_str(), whole);
        assert!(number.is_sound());
    }
    assert_eq!(
        ReferenceNumber::parse("1213 1295\u{a0}2").unwrap().as_str(),
        "121312952"
    );
    for text in ["121312953", "0013", "00"] {
        assert!(!ReferenceNumber::parse(text).unwrap().is_sound(), "{text}");
    }
    for text in ["", "1", "123456789012345678901", "12a4"] {
        assert!(ReferenceNumber::parse(text).is_err(), "{text}");
    }
    assert!(ReferenceNumber::of_base("12345678901234567890").is_err());
}

#[test]
fn account_numbers() {
    for (text, sound, bank) in [
        ("EE131000000000000013", true, Some("10")),
        ("EE102200000000000013", true, Some("22")),
        ("EE697700000000000013", true, Some("77")),
        ("EE409600000000000013", true, Some("96")),
        ("EE054200000000000013", true, Some("42")),
        ("EE38 2200 2210 2014 5685", true, Some("22")),
        ("ee382200221020145685", true, Some("22")),
        ("EE392200221020145685", false, Some("22")),
        ("GB82WEST12345698765432", true, None),
        ("GB82WEST12345698765433", false, None),
    ] {
        let iban = Iban::parse(text).unwrap();
        assert_eq!((iban.is_sound(), iban.bank_code()), (sound, bank), "{text}");
    }
    for text in [
        "",
        "EE38220022102014568",
        "EE38220022102014568X",
        "3822",
        "EEX82200221020145685",
        "EE38-2200",
        "LV80",
    ] {
        assert!(Iban::parse(text).is_err(), "{text}");
    }
}

#[test]
fn spreadsheets_leave_exponents() {
    for text in ["3,9E+10", "3.90101E+10", "4E+10", "1,2e+7"] {
        assert!(looks_like_exponent(text), "{text}");
    }
    for text in [
        "",
        "E+10",
        "39010100001",
        "EE382200221020145685",
        "TA2410100001",
        "3,9E10",
        "3,9E+",
    ] {
        assert!(!looks_like_exponent(text), "{text}");
    }
}
