use super::*;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

const OWN: &str = include_str!("../../../cli/tests/serve/data/own.pem");
const OWN_KEY: &str = include_str!("../../../cli/tests/serve/data/own.key");
const EXPIRED: &str = include_str!("../../../cli/tests/serve/data/expired.pem");
const ENCRYPTED_KEY: &str = include_str!("../../../cli/tests/serve/data/encrypted.key");
const LOCALHOST: &str = include_str!("../../../cli/tests/data/localhost.pem");
const LOCALHOST_KEY: &str = include_str!("../../../cli/tests/data/localhost.key");

struct Pair {
    folder: tempfile::TempDir,
}

impl Pair {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, certificate: impl AsRef<[u8]>, key: impl AsRef<[u8]>) {
        std::fs::write(self.path("c.pem"), certificate).expect("it can be written");
        std::fs::write(self.path("k.pem"), key).expect("it can be written");
        self.allow(0o600);
    }

    fn allow(&self, mode: u32) {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(self.path("k.pem"), mode).expect("it can be changed");
    }

    fn open(&self) -> Result<Arc<Certificates>, String> {
        let files = Tls {
            certificate: self.path("c.pem"),
            key: self.path("k.pem"),
        };
        Certificates::open(&files).map_err(|failure| failure.message())
    }
}

#[test]
fn a_pair_that_cannot_be_served_names_the_file_and_the_cause() {
    let pair = Pair::new();
    let der = CertificateDer::from_pem_slice(OWN.as_bytes()).expect("a certificate");
    let wrong_order = format!("{LOCALHOST}{OWN}");
    let cut = &OWN[..OWN.len() / 2];
    for (certificate, key, words) in [
        ("".as_bytes(), OWN_KEY, &["c.pem", "empty"][..]),
        (&der[..], OWN_KEY, &["c.pem", "DER"]),
        (cut.as_bytes(), OWN_KEY, &["c.pem", "PEM"]),
        (OWN_KEY.as_bytes(), OWN_KEY, &["c.pem", "no certificate"]),
        (OWN.as_bytes(), "", &["k.pem", "empty"]),
        (OWN.as_bytes(), OWN, &["k.pem", "no private key"]),
        (OWN.as_bytes(), ENCRYPTED_KEY, &["k.pem", "encrypted"]),
        (
            OWN.as_bytes(),
            LOCALHOST_KEY,
            &["c.pem", "k.pem", "does not belong"],
        ),
        (
            wrong_order.as_bytes(),
            OWN_KEY,
            &["c.pem", "k.pem", "wrong order", "certificate 2"],
        ),
    ] {
        pair.write(certificate, key);
        let said = pair.open().expect_err(words[1]);
        assert!(
            words.iter().all(|word| said.contains(word)),
            "{words:?}: {said}"
        );
    }
    pair.write(format!("{OWN}{LOCALHOST}"), OWN_KEY);
    pair.open().expect("the server's certificate is the first");
}

#[test]
fn a_key_that_strangers_read_is_refused_and_a_pipe_is_not_waited_for() {
    let pair = Pair::new();
    pair.write(OWN, OWN_KEY);
    // Kubernetes mounts with 0644, or with the 0440 that the document asks for.
    for (mode, is_fine) in [
        (0o600, true),
        (0o400, true),
        (0o640, true),
        (0o440, true),
        (0o644, false),
        (0o444, false),
        (0o660, false),
    ] {
        pair.allow(mode);
        let said = pair.open().err();
        assert_eq!(said.is_none(), is_fine, "{mode:o}: {said:?}");
        assert!(said.is_none_or(|said| said.contains("k.pem") && said.contains("chmod 640")));
    }
    for name in ["c.pem", "k.pem"] {
        let pair = Pair::new();
        pair.write(OWN, OWN_KEY);
        std::fs::remove_file(pair.path(name)).expect("it is there");
        let mode = rustix::fs::Mode::RUSR;
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, pair.path(name), kind, mode, 0).expect("a pipe");
        let said = pair.open().expect_err(name);
        assert!(said.contains(name) && said.contains("regular"), "{said}");
    }
}

/// At a SIGHUP it would take the memory of a server that runs.
#[test]
fn a_file_without_end_is_not_read() {
    for name in ["c.pem", "k.pem"] {
        let pair = Pair::new();
        pair.write(OWN, OWN_KEY);
        let file = std::fs::File::options().write(true).open(pair.path(name));
        let grown = file.and_then(|file| file.set_len(1 << 40));
        grown.expect("it has holes, and takes no room");
        let said = pair.open().expect_err(name);
        assert!(
            said.contains(name) && said.contains("longer than 1048576 bytes"),
            "{said}"
        );
    }
}

#[test]
fn a_certificate_out_of_its_time_is_warned_of() {
    let pair = Pair::new();
    pair.write(OWN, OWN_KEY);
    assert_eq!(pair.open().expect("it is fine").warning(), None);
    pair.write(EXPIRED, OWN_KEY);
    let warning = pair.open().expect("it can be served").warning();
    let warning = warning.expect("it expired");
    assert!(
        warning.contains("c.pem") && warning.contains("expired"),
        "{warning}"
    );
}

#[test]
fn a_bad_pair_leaves_the_one_before() {
    let pair = Pair::new();
    pair.write(OWN, OWN_KEY);
    let certificates = pair.open().expect("it is fine");
    let before = certificates.current();
    pair.write(LOCALHOST, OWN_KEY);
    certificates
        .renew()
        .expect_err("they do not belong together");
    assert!(Arc::ptr_eq(&before, &certificates.current()));
    pair.write(LOCALHOST, LOCALHOST_KEY);
    certificates.renew().expect("it is fine");
    assert_ne!(before.cert, certificates.current().cert);
}
