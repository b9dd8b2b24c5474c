//! What is checked of `format`, with the feature `formats`.

use dsh_tools::schema::ValueSchema;
use serde_json::json;

#[track_caller]
fn check(format: &str, accepted: &[&str], refused: &[&str]) {
    let schema = ValueSchema::parse(&json!({"type": "string", "format": format})).unwrap();
    for text in accepted {
        assert!(schema.is_valid(&json!(text)), "{format} has to accept {text:?}");
    }
    for text in refused {
        assert!(!schema.is_valid(&json!(text)), "{format} has to refuse {text:?}");
    }
}

#[test]
fn a_text_that_is_not_in_the_format_is_told_so() {
    let schema = ValueSchema::parse(&json!({"type": "string", "format": "date"})).unwrap();
    let violations = schema.validate(&json!("today"), "value");
    assert_eq!(violations[0].to_string(), "\"value\" must be in the format date");
}

#[test]
fn a_format_that_is_not_known_accepts_every_text() {
    check("regex", &["", "("], &[]);
    check("colour", &["", "reddish"], &[]);
}

#[test]
fn a_date_is_a_day_of_the_calendar() {
    check(
        "date",
        &["1963-06-19", "2020-02-29", "2000-02-29", "0000-01-01", "9999-12-31", "2021-04-30"],
        &[
            "",
            "2021-02-29",
            "1900-02-29",
            "2020-01-32",
            "2020-04-31",
            "2020-13-01",
            "2020-00-01",
            "2020-01-00",
            "06/19/1963",
            "1998-1-20",
            "1998-01-1",
            "998-01-01",
            "2013-350",
            "19630619",
            "2023-W01",
            "2020-11-28T23:55:45Z",
            "-2020-01-01",
            "+2020-01-01",
            "12020-01-01",
            "2020-01-01-",
            " 2020-01-01",
            "2020-01-01 ",
            "2020-01-01\n",
            "1963-06-1\u{9ea}",
            "1963\u{2212}06\u{2212}19",
        ],
    );
}

#[test]
fn a_time_has_an_offset_and_leaps_at_the_end_of_a_day_in_utc() {
    check(
        "time",
        &[
            "08:30:06Z",
            "08:30:06z",
            "08:30:06.283185Z",
            "08:30:06.2831853071795864769Z",
            "08:30:06+00:20",
            "08:30:06-08:00",
            "00:00:00-00:00",
            "23:59:59+23:59",
            "23:59:60Z",
            "23:59:60.5Z",
            "23:59:60+00:00",
            "01:29:60+01:30",
            "23:29:60+23:30",
            "15:59:60-08:00",
            "00:29:60-23:30",
        ],
        &[
            "",
            "Z",
            "08:30:06",
            "08:30:06 PST",
            "24:00:00Z",
            "00:60:00Z",
            "00:00:61Z",
            "22:59:60Z",
            "23:58:60Z",
            "23:59:60+01:00",
            "23:59:60+00:30",
            "23:59:60-01:00",
            "23:59:60-00:30",
            "01:02:03+24:00",
            "01:02:03+00:60",
            "01:02:03Z+00:30",
            "01:02:03+00:30Z",
            "08:30:06-0800",
            "08:30:06-08",
            "08:30:06--08:00",
            "08:30:06+-08:00",
            "08:30:06#00:20",
            "08:30:06.Z",
            "08:30:06,5Z",
            "08:30:06.5.5Z",
            "8:3:6Z",
            "08:30Z",
            "ab:cd:efZ",
            "+8:30:06Z",
            "1\u{9e8}:00:00Z",
            "08:30:06.1\u{9e8}Z",
            "08:30:06Z ",
            "08:30:06Z\n",
            "08:30:06\u{e9}08:00",
        ],
    );
}

#[test]
fn a_date_time_is_a_date_and_a_time() {
    check(
        "date-time",
        &[
            "1963-06-19T08:30:06.283185Z",
            "1963-06-19T08:30:06Z",
            "1963-06-19t08:30:06.283185z",
            "1937-01-01T12:00:27.87+00:20",
            "1990-12-31T15:59:50.123-08:00",
            "1998-12-31T23:59:60Z",
            "1998-12-31T15:59:60.123-08:00",
        ],
        &[
            "",
            "1998-12-31T23:59:61Z",
            "1998-12-31T23:58:60Z",
            "1998-12-31T22:59:60Z",
            "1990-02-31T15:59:59.123-08:00",
            "1990-12-31T15:59:59-24:00",
            "1963-06-19T08:30:06.28123+01:00Z",
            "06/19/1963 08:30:06 PST",
            "2013-350T01:01:01",
            "1963-6-19T08:30:06.283185Z",
            "1963-06-1T08:30:06.283185Z",
            "1963-06-1\u{9ea}T00:00:00Z",
            "1963-06-11T0\u{9ea}:00:00Z",
            "+11963-06-19T08:30:06.283185Z",
            "1963-06-19 08:30:06Z",
            "1963-06-19T08:30:06",
            "1963-06-19TT08:30:06Z",
            "1963-06-19T08:30:06ZT",
            "1963-06-19",
        ],
    );
}

#[test]
fn a_duration_leaves_no_unit_out_in_between() {
    check(
        "duration",
        &[
            "P4DT12H30M5S",
            "P4Y",
            "PT0S",
            "P0D",
            "P1M",
            "PT1M",
            "PT36H",
            "P1DT12H",
            "P2W",
            "P1Y2M3D",
            "P1Y2M",
            "P2M3DT4H",
            "PT1H2M",
            "PT2M3S",
            "p1dt1h",
            "P99999999999999999999999D",
        ],
        &[
            "",
            "P",
            "T",
            "PT",
            "PT1D",
            "P1YT",
            "P2D1Y",
            "P1D2H",
            "P2S",
            "P1Y2W",
            "P1W2D",
            "P1Y3D",
            "PT1H3S",
            "P1",
            "P1Y1Y",
            "PD",
            "PYMD",
            "4DT12H30M5S",
            "P1.5Y",
            "PT1.5S",
            "P-1D",
            "-P1D",
            "P\u{9e8}Y",
            "P1D ",
            "P1DT1HT1M",
            "PW",
        ],
    );
}

#[test]
fn a_hostname_has_labels_of_at_most_63_and_253_in_all() {
    let label = "a".repeat(63);
    let longest = format!("{label}.{label}.{label}.{}", "a".repeat(61));
    assert_eq!(longest.len(), 253);
    check(
        "hostname",
        &[
            "www.example.com",
            "xn--4gbwdl.xn--wgbh1c",
            "hostname",
            "host-name",
            "h0stn4me",
            "1host",
            "hostnam3",
            "a",
            "1",
            "a--b",
            "EXAMPLE.com",
            &label,
            &longest,
        ],
        &[
            "",
            ".",
            "example..com",
            ".example",
            "example.",
            "example\u{ff0e}com",
            "-a-host-name-that-starts-with--",
            "hostname-",
            "a.-b",
            "not_a_valid_host_name",
            "a b",
            "a.b\n",
            "b\u{fc}cher.example",
            "\u{9e8}.com",
            &format!("{label}a"),
            &format!("{label}a.com"),
            &format!("{longest}a"),
        ],
    );
}

#[test]
fn an_email_is_a_mailbox_of_one_person() {
    let local = "a".repeat(64);
    check(
        "email",
        &[
            "joe.bloggs@example.com",
            "te~st@example.com",
            "~test@example.com",
            "te.s.t@example.com",
            "user+tag@example.com",
            "\"joe bloggs\"@example.com",
            "\"joe..bloggs\"@example.com",
            "\"joe@bloggs\"@example.com",
            "\"joe\\\"bloggs\"@example.com",
            "joe.bloggs@[127.0.0.1]",
            "joe.bloggs@[IPv6:::1]",
            "root@localhost",
            &format!("{local}@example.com"),
        ],
        &[
            "",
            "@",
            "2962",
            "joe@",
            "@example.com",
            ".test@example.com",
            "test.@example.com",
            "te..st@example.com",
            "joe bloggs@example.com",
            "joe.bloggs@invalid=domain.com",
            "joe.bloggs@[127.0.0.300]",
            "joe.bloggs@[::1]",
            "joe.bloggs@[]",
            "joe@example..com",
            "joe@-example.com",
            "\"joe\"bloggs\"@example.com",
            "\"joe\\\"@example.com",
            "\"@example.com",
            "user1@oceania.org, user2@oceania.org",
            "Winston Smith <winston.smith@recdep.minitrue>",
            "j\u{f6}rg@example.com",
            "joe@b\u{fc}cher.example",
            "joe@example.com\n",
            &format!("{local}a@example.com"),
        ],
    );
}

#[test]
fn a_uri_has_a_scheme_and_only_its_characters() {
    check(
        "uri",
        &[
            "http://foo.bar/?baz=qux#quux",
            "http://foo.com/blah_(wikipedia)_blah#cite-1",
            "http://foo.bar/?q=Test%20URL-encoded%20stuff",
            "http://xn--nw2a.xn--j6w193g/",
            "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com",
            "http://223.255.255.254",
            "ftp://ftp.is.co.za/rfc/rfc1808.txt",
            "http://www.ietf.org/rfc/rfc2396.txt",
            "ldap://[2001:db8::7]/c=GB?objectClass?one",
            "mailto:John.Doe@example.com",
            "news:comp.infosystems.www.servers.unix",
            "tel:+1-816-555-1212",
            "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
            "file:///etc/hosts",
            "a:",
        ],
        &[
            "",
            "//foo.bar/?baz=qux#quux",
            "/abc",
            "\\\\WINDOWS\\fileshare",
            "abc",
            "http:// shouldfail.com",
            ":// should fail",
            "bar,baz:foo",
            "1http://example.com",
            "https://[@example.org/test.txt",
            "https://example.org/foobar\\.txt",
            "https://example.org/foobar<>.txt",
            "https://example.org/foobar{}.txt",
            "https://example.org/foobar^.txt",
            "https://example.org/foobar`.txt",
            "https://example.org/foo bar.txt",
            "https://example.org/foobar|.txt",
            "https://example.org/%zz",
            "https://example.org:port/",
            "https://example.org/\u{e9}",
            "https://example.org/a#b#c",
            "https://example.org/\n",
        ],
    );
}

#[test]
fn a_uuid_is_in_groups_with_hyphens() {
    check(
        "uuid",
        &[
            "2EB8AA08-AA98-11EA-B4AA-73B441D16380",
            "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
            "2eb8aa08-AA98-11ea-B4Aa-73B441D16380",
            "00000000-0000-0000-0000-000000000000",
            "99c17cbb-656f-f64a-940f-1a4568f03487",
        ],
        &[
            "",
            "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
            "2eb8aa08-aa98-11ea-73b441d16380",
            "2eb8aa08-aa98-11ea-b4ga-73b441d16380",
            "2eb8aa08aa9811eab4aa73b441d16380",
            "2eb8aa08aa98-11ea-b4aa73b441d16380----",
            "2eb8-aa08-aa98-11ea-b4aa73b44-1d16380",
            "{2eb8aa08-aa98-11ea-b4aa-73b441d16380}",
            "urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380",
            "2eb8aa08-aa98-11ea-b4aa-73b441d16380\n",
            "\u{9e8}eb8aa08-aa98-11ea-b4aa-73b441d1638",
        ],
    );
}

#[test]
fn addresses_of_the_internet_are_always_checked() {
    check(
        "ipv4",
        &["192.168.0.1", "0.0.0.0", "255.255.255.255", "87.10.0.1"],
        &[
            "",
            "127.0.0.0.1",
            "256.256.256.256",
            "127.0",
            "0x7f000001",
            "2130706433",
            "087.10.0.1",
            "192.168.1.0/24",
            "1\u{9e8}7.0.0.1",
            " 1.2.3.4",
            "1.2.3.4\n",
        ],
    );
    check(
        "ipv6",
        &["::1", "::", "::42:ff:1", "d6::", "1:d6::42", "1::d6:192.168.0.1", "::abef"],
        &[
            "",
            "12345::",
            "::laptop",
            ":2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7:",
            "1::d6::42",
            "1::2:192.168.256.1",
            "127.0.0.1",
            "fe80::a%eth1",
            "fe80::/64",
            "::1 ",
            "1:1:1:1:1:1:1:1:1:1",
            "1:2:3:4:5:::8",
        ],
    );
}
