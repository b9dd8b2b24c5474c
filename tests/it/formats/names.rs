//! Names of hosts, mailboxes, resources and things, and addresses.

use super::check;

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
