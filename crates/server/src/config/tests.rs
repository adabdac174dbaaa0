use super::*;

const HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

fn judged(text: &str) -> Result<Config, String> {
    Config::parse(text, Path::new("/etc/frumious")).map_err(|failure| failure.message())
}

#[test]
fn a_short_file_will_do() {
    let text = "data = \"data\"\n[[circuits]]\nid = \"mul\"\nkey = \"mul.zkey\"\n";
    let config = judged(text).expect("it is fine");
    assert_eq!(config.listen.to_string(), "127.0.0.1:7700");
    assert_eq!(config.data, Path::new("/etc/frumious/data"));
    assert_eq!(config.circuits[0].key, Path::new("/etc/frumious/mul.zkey"));
    assert!(config.circuits[0].check && config.seal.is_none());
}

#[test]
fn other_machines_need_a_token_and_tls_or_a_proxy() {
    let token = format!("[[tokens]]\nname = \"a\"\nhash = \"{HASH}\"\n");
    let tls = "[tls]\ncertificate = \"c\"\nkey = \"k\"\n";
    for (listen, is_local) in [
        ("127.0.0.1:1", true),
        ("[::1]:1", true),
        ("[::ffff:127.0.0.1]:1", true),
        ("unix:/run/f.sock", true),
        ("0.0.0.0:1", false),
        ("[::]:1", false),
        ("192.0.2.1:1", false),
    ] {
        let first = format!("data = \"d\"\nlisten = \"{listen}\"\n");
        assert_eq!(judged(&first).is_ok(), is_local, "{listen}");
        assert_eq!(
            judged(&format!("{first}{token}")).is_ok(),
            is_local,
            "{listen}"
        );
        assert_eq!(
            judged(&format!("{first}{tls}")).is_ok(),
            is_local,
            "{listen}"
        );
        judged(&format!("{first}{tls}{token}")).expect("token and TLS");
        judged(&format!("{first}behind_proxy = true\n{token}")).expect("token and proxy");
        let metrics = format!("data = \"d\"\nmetrics = \"{listen}\"\n");
        assert_eq!(judged(&metrics).is_ok(), is_local, "metrics {listen}");
        for front in ["rapidsnark", "prover_server"] {
            let front = format!(
                "behind_proxy = true\ndata = \"d\"\n{token}[fronts.{front}]\nlisten = \"{listen}\"\n"
            );
            assert_eq!(judged(&front).is_ok(), is_local, "{front}");
        }
    }
}

/// A proxy on this machine speaks for others, and a server without tokens takes what it brings for its own.
#[test]
fn what_a_proxy_brings_needs_a_token() {
    let token = format!("[[tokens]]\nname = \"a\"\nhash = \"{HASH}\"\n");
    for listen in ["127.0.0.1:1", "unix:/run/f.sock", "0.0.0.0:1"] {
        let text = format!("data = \"d\"\nlisten = \"{listen}\"\nbehind_proxy = true\n");
        let said = judged(&text).expect_err(listen);
        assert!(
            said.contains("behind_proxy") && said.contains("[[tokens]]"),
            "{said}"
        );
        judged(&format!("{text}{token}")).expect("it asks for a token");
    }
}

/// Such a configuration was found fine by `serve --check`, and no server could start with it.
#[test]
fn addresses_that_cannot_be_bound_are_refused() {
    let with = |listen: &str, metrics: &str, front: &str| {
        judged(&format!(
            "data = \"d\"\nlisten = \"{listen}\"\nmetrics = \"{metrics}\"\n\
             [fronts.rapidsnark]\nlisten = \"{front}\"\n"
        ))
    };
    with("127.0.0.1:1", "127.0.0.1:2", "unix:/f").expect("they differ");
    with("127.0.0.1:0", "127.0.0.1:0", "127.0.0.1:0").expect("the system chooses");
    for [listen, metrics, front] in [
        ["127.0.0.1:1", "127.0.0.1:1", "127.0.0.1:2"],
        ["127.0.0.1:2", "127.0.0.1:1", "127.0.0.1:2"],
        ["unix:/f", "unix:/g", "unix:/g"],
    ] {
        let said = with(listen, metrics, front).expect_err(listen);
        assert!(said.contains("two listeners"), "{said}");
    }
    let long = |length| format!("data = \"d\"\nlisten = \"unix:/{}\"\n", "x".repeat(length));
    judged(&long(106)).expect("an address takes as many");
    let said = judged(&long(107)).expect_err("it is too long");
    assert!(
        said.contains("line 2") && said.contains("Unix socket"),
        "{said}"
    );
}

#[test]
fn no_token_has_the_name_of_who_has_none() {
    for (name, is_fine) in [
        ("ann", true),
        ("Local", true),
        ("local", false),
        ("front:a", false),
    ] {
        let text = format!("data = \"d\"\n[[tokens]]\nname = \"{name}\"\nhash = \"{HASH}\"\n");
        assert_eq!(judged(&text).is_ok(), is_fine, "{name}");
    }
}

#[test]
fn paths_may_begin_with_a_variable() {
    // Cargo sets it for each test.
    let folder = env!("CARGO_MANIFEST_DIR");
    let with = |path: &str| with_variable(Path::new(path)).map_err(|failure| failure.message());
    let is = |path: PathBuf| Ok(path);
    assert_eq!(
        with("$CARGO_MANIFEST_DIR/a"),
        is(Path::new(folder).join("a"))
    );
    assert_eq!(with("$CARGO_MANIFEST_DIR"), is(folder.into()));
    for other in ["a/$CARGO_MANIFEST_DIR", "./$NO_SUCH_VARIABLE_", "a", "/a"] {
        assert_eq!(with(other), is(other.into()));
    }
}

#[test]
fn a_variable_that_is_not_set_is_refused_by_its_name() {
    for file in [
        "data = \"$NO_SUCH_VARIABLE_/jobs\"\n",
        "data = \"d\"\n[seal]\nfile = \"$NO_SUCH_VARIABLE_/key\"\n",
        "data = \"d\"\n[tls]\ncertificate = \"c\"\nkey = \"$NO_SUCH_VARIABLE_\"\n",
        "data = \"d\"\n[[circuits]]\nid = \"a\"\nkey = \"a\"\ngenerator = \"$NO_SUCH_VARIABLE_/a\"\n",
    ] {
        let said = judged(file).expect_err(file);
        assert!(
            said.contains("the variable NO_SUCH_VARIABLE_ is not set"),
            "{said}"
        );
    }
}

#[test]
fn slips_of_the_pen_are_refused() {
    let circuit = |id: &str| format!("[[circuits]]\nid = \"{id}\"\nkey = \"k\"\n");
    for (text, reason) in [
        ("", "missing field `data`".to_owned()),
        ("data = \"d\"\nlistn = \"127.0.0.1:1\"\n", "listn".into()),
        (
            "data = \"d\"\nlisten = \"localhost\"\n",
            "not an address".into(),
        ),
        (
            "data = \"d\"\nlisten = \"unix:f.sock\"\n",
            "absolute".into(),
        ),
        (
            "data = \"d\"\n[limits]\nheld = \"2 GB\"\n",
            "not a size".into(),
        ),
        (
            "data = \"d\"\n[limits]\nbody_seconds = -1.0\n",
            "seconds".into(),
        ),
        ("data = \"d\"\n[seal]\n", "either file or env".into()),
        (
            "data = \"d\"\n[fronts.zklogin]\nlisten = \"127.0.0.1:1\"\ncircuit = \"x\"\n",
            "no circuit x".into(),
        ),
        (
            "data = \"d\"\n[fronts.zklogin]\nlisten = \"127.0.0.1:1\"\ncircuit = \"x\"\n\
             [[circuits]]\nid = \"x\"\nkey = \"x.zkey\"\n",
            "circuit x has no generator".into(),
        ),
    ] {
        let said = judged(text).expect_err(text);
        assert!(said.contains(&reason), "{text}: {said}");
    }
    for id in ["", "../x", "a/b", ".a", "a b", "a\\u0000", &"a".repeat(65)] {
        assert!(
            judged(&format!("data = \"d\"\n{}", circuit(id))).is_err(),
            "{id}"
        );
    }
    let twice = format!("data = \"d\"\n{0}{0}", circuit("mul"));
    assert!(judged(&twice).is_err());
}

#[test]
fn connections_and_threads_have_ranges() {
    let limits = |line: &str| judged(&format!("data = \"d\"\n[limits]\n{line}\n"));
    for (field, most) in [("connections", 65_536_u64), ("threads", 1024)] {
        let range = format!("line 3: {field} is 1 to {most}");
        for good in [1, most] {
            limits(&format!("{field} = {good}")).expect("it is within the range");
        }
        for bad in [
            "0",
            "-1",
            &(most + 1).to_string(),
            "4611686018427387904",
            "9223372036854775808",
        ] {
            let said = limits(&format!("{field} = {bad}")).expect_err(bad);
            assert_eq!(said, range, "{bad}");
        }
    }
    assert_eq!(limits("").expect("it is fine").limits.threads, None);
}

#[test]
fn sizes_that_are_none_are_told_what_a_size_is() {
    let held = |value: &str| judged(&format!("data = \"d\"\n[limits]\nheld = {value}\n"));
    for (value, size) in [("0", 0), ("1048576", 1 << 20), ("\"512M\"", 512 << 20)] {
        let config = held(value).expect("it is a size");
        assert_eq!(config.limits.held, Bytes(size), "{value}");
    }
    for bad in ["-1", "1.5", "true", "\"\"", "\"-1\"", "\"2 GB\"", "[1]"] {
        let said = held(bad).expect_err(bad);
        assert!(
            said.contains("a size such as 1048576 or \"512M\""),
            "{bad}: {said}"
        );
    }
}

#[test]
fn two_tokens_of_one_hash_are_refused_by_their_names() {
    let token =
        |name: &str, hash: &str| format!("[[tokens]]\nname = \"{name}\"\nhash = \"{hash}\"\n");
    let (other, upper) = ("ab".repeat(32), "AB".repeat(32));
    let two = |first: &str, second: &str| {
        judged(&format!(
            "data = \"d\"\n{}{}",
            token("ann", first),
            token("bob", second)
        ))
    };
    two(HASH, &other).expect("they differ");
    for (first, second) in [(HASH, HASH), (&other, &upper)] {
        let said = two(first, second).expect_err("they are the same");
        assert!(said.contains("tokens ann and bob"), "{said}");
    }
}

#[test]
fn a_fleet_is_asked_for_with_its_address() {
    let with = |more: &str| judged(&format!("data = \"d\"\nexecutor = \"ray\"\n{more}"));
    let short = with("[fleet]\naddress = \"10.0.0.1:6379\"\nstate = \"s\"\n");
    let short = short.expect("it is fine");
    let fleet = short.fleet.expect("a fleet");
    assert_eq!((short.executor, fleet.jobs), (ExecutorKind::Ray, 64));
    assert_eq!(fleet.state.as_deref(), Some(Path::new("/etc/frumious/s")));
    assert!(fleet.program.is_none());
    with("[fleet]\naddress = \"[::1]:1\"\njobs = 1\n").expect("it is fine");
    let fleet = "[fleet]\naddress = \"h:1\"\n";
    for (more, reason) in [
        (String::new(), "needs [fleet]"),
        ("[fleet]\n".into(), "missing field `address`"),
        (format!("{fleet}adress = 1\n"), "adress"),
        (format!("{fleet}jobs = 0\n"), "jobs is 1 to 1024"),
        (format!("{fleet}jobs = 1025\n"), "jobs is 1 to 1024"),
        (format!("{fleet}batch = 0\n"), "batch"),
        (format!("{fleet}silence_seconds = 0.5\n"), "silence_seconds"),
        ("[fleet]\naddress = \"h\"\n".into(), "HOST:PORT"),
        ("[fleet]\naddress = \":1\"\n".into(), "HOST:PORT"),
        ("[fleet]\naddress = \"h:99999\"\n".into(), "HOST:PORT"),
        ("[fleet]\naddress = \"--x y:1\"\n".into(), "HOST:PORT"),
    ] {
        let said = with(&more).expect_err(&more);
        assert!(said.contains(reason), "{more}: {said}");
    }
    let local = judged(&format!("data = \"d\"\n{fleet}")).expect_err("it is local");
    assert!(local.contains("executor = \"ray\""), "{local}");
    assert!(judged("data = \"d\"\nexecutor = \"spark\"\n").is_err());
}

#[test]
fn a_token_in_the_place_of_its_hash_is_not_repeated() {
    let text = "data = \"d\"\n[[tokens]]\nname = \"a\"\nhash = \"frum_secret\"\n";
    let said = judged(text).expect_err("it is no hash");
    assert!(said.contains("64 hexadecimal digits"), "{said}");
    assert!(!said.contains("frum_secret"), "{said}");
}

#[test]
fn a_secret_in_a_wrong_place_is_not_repeated() {
    let secret = "0f".repeat(32);
    for text in [
        format!("data = \"d\"\nseal = \"{secret}\"\n"),
        format!("data = \"d\"\n[limits]\nattempts = \"{secret}\"\n"),
        format!("data = \"d\"\nfrum_{secret} = 1\n"),
        format!("data = \"d\"\n\"a\\\"{secret}\" = 1\n"),
        format!("data = \"d\"\n[tokens.{secret}]\nname = \"a\"\n"),
        format!("data = \"d\"\n{secret}"),
    ] {
        let said = judged(&text).expect_err(&text);
        assert!(said.contains("line "), "{said}");
        assert!(!said.contains(&secret), "{said}");
    }
    // A slip is told by its name.
    let said = judged("data = \"d\"\ntokns = 1\n").expect_err("no such name");
    assert!(
        said.contains("`tokns`") && said.contains("`tokens`"),
        "{said}"
    );
}
