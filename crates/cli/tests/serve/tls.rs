//! The certificate: whom it convinces, and how it is renewed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{Place, Server, Setting, wait_for};

fn data(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = here.join("tests/serve/data").join(name);
    if own.exists() {
        return own;
    }
    here.join("tests/data").join(name)
}

/// Puts a pair where the server looks for it.
fn put(place: &Place, certificate: &str, key: &str) {
    place.write("c.pem", fs::read(data(certificate)).unwrap());
    place.write_secret("k.pem", fs::read(data(key)).unwrap());
}

fn setting() -> Setting {
    Setting {
        tables: "[tls]\ncertificate = \"c.pem\"\nkey = \"k.pem\"\n".into(),
        ..Setting::default()
    }
}

/// Asks for the server's health, and trusts these certificates.
fn health(server: &Server, name: &str, ca: &str) -> Output {
    let port = server.address.rsplit(':').next().unwrap();
    Command::new(env!("CARGO_BIN_EXE_frumious"))
        .args(["jobs", "--health"])
        .env("FRUMIOUS_SERVER", format!("https://{name}:{port}"))
        .env("FRUMIOUS_CA", data(ca))
        .output()
        .unwrap()
}

#[test]
fn a_certificate_that_signs_itself_is_taken_by_who_has_it() {
    let place = Place::new();
    put(&place, "own.pem", "own.key");
    let server = place.start(&setting(), &[]);
    let asked = health(&server, "localhost", "own.pem");
    assert!(asked.status.success(), "{asked:?}");
    assert_eq!(
        health(&server, "127.0.0.1", "own.pem").status.code(),
        Some(0)
    );
    let other = health(&server, "localhost", "localhost.pem");
    assert_eq!(other.status.code(), Some(2), "{other:?}");
    drop(server);
    // Its operator is warned, and its clients refuse it.
    put(&place, "expired.pem", "own.key");
    let server = place.start(&setting(), &[]);
    assert!(
        server.log().contains("the certificate expired"),
        "{}",
        server.log()
    );
    let asked = health(&server, "localhost", "expired.pem");
    assert_eq!(asked.status.code(), Some(2), "{asked:?}");
}

#[test]
fn a_hangup_renews_the_certificate_and_loses_no_job() {
    let place = Place::new();
    put(&place, "localhost.pem", "localhost.key");
    let server = place.start(&setting(), &[]);
    assert!(
        health(&server, "localhost", "localhost.pem")
            .status
            .success()
    );
    put(&place, "own.pem", "own.key");
    server.signal("HUP");
    wait_for(|| server.log().contains("were read again"));
    assert!(health(&server, "localhost", "own.pem").status.success());
    assert_eq!(
        health(&server, "localhost", "localhost.pem").status.code(),
        Some(2)
    );
    // They do not belong together.
    put(&place, "localhost.pem", "own.key");
    server.signal("HUP");
    wait_for(|| server.log().contains("stays as it was"));
    assert!(server.log().contains("does not belong"), "{}", server.log());
    assert!(health(&server, "localhost", "own.pem").status.success());
}

#[test]
fn a_hangup_without_tls_changes_nothing() {
    let place = Place::new().with_squarings("long", 1000);
    let setting = Setting {
        limits: "threads = 1".into(),
        ..Setting::default()
    };
    let server = place.start(&setting, &["long"]);
    let witness = place.read("long.wtns");
    let ids = [(); 2].map(|()| server.submit("long", &witness));
    server.signal("HUP");
    wait_for(|| server.log().contains("SIGHUP: there is no certificate"));
    for id in ids {
        assert_eq!(server.ended(&id)["state"], "succeeded");
    }
}
