//! A place whose server has a driver of a fleet that is none.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::support::{LONG, Place, Server, Setting, is_valid, wait_for};

/// A place whose server has a driver of these modes, one for each start; none where Python is missing.
pub struct Fleet {
    pub place: Place,
    pub setting: Setting,
}

impl Fleet {
    pub fn new(modes: &str) -> Option<Self> {
        let found = Command::new("python3").arg("--version").output();
        if !found.is_ok_and(|output| output.status.success()) {
            assert!(std::env::var_os("CI").is_none(), "python3 is missing");
            eprintln!("skipped: python3 is missing");
            return None;
        }
        let place = Place::new().with_squarings("long", LONG);
        fs::create_dir(place.path("state")).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/driver.py");
        fs::copy(script, place.path("driver")).unwrap();
        fs::set_permissions(place.path("driver"), fs::Permissions::from_mode(0o755)).unwrap();
        place.write(
            "version",
            format!("frumious-fleet {}\n", env!("CARGO_PKG_VERSION")),
        );
        place.write("state/modes", modes);
        place.write("state/command", env!("CARGO_BIN_EXE_frumious"));
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../snarkjs/tests/data");
        for name in ["proof.json", "public.json"] {
            fs::copy(fixtures.join(name), place.path("state").join(name)).unwrap();
        }
        let setting = Setting {
            top: "executor = \"ray\"".into(),
            tables: "[fleet]\naddress = \"127.0.0.1:1\"\nprogram = \"driver\"\nstate = \"state\"\n"
                .into(),
            ..Setting::default()
        };
        Some(Self { place, setting })
    }

    /// With another line of `[fleet]`.
    pub fn set(mut self, line: &str) -> Self {
        self.setting.tables += line;
        self.setting.tables += "\n";
        self
    }

    pub fn limit(mut self, line: &str) -> Self {
        self.setting.limits += line;
        self.setting.limits += "\n";
        self
    }

    pub fn start(&self) -> Server {
        let server = self.place.start(&self.setting, &["long"]);
        wait_for(|| self.starts() > 0);
        server
    }

    pub fn lines(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.place.path("state").join(name));
        text.unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    pub fn starts(&self) -> usize {
        self.lines("starts").len()
    }

    /// The starts at which a job was given to a driver.
    pub fn given(&self, id: &str) -> Vec<String> {
        let lines = self.lines("orders").into_iter();
        let lines = lines.filter(|line| line.ends_with(&format!(" prove {id}")));
        lines
            .map(|line| line.split(' ').next().unwrap().to_owned())
            .collect()
    }

    pub fn has_order(&self, order: &str) -> bool {
        self.lines("orders").iter().any(|line| line.contains(order))
    }
}

/// Asks for a product, and does not wait.
pub fn multiply(server: &Server, a: u32, b: u32) -> String {
    let body = format!("{{\"a\": {a}, \"b\": {b}}}");
    let answer = server
        .ask("POST", "/v1/proofs?circuit=mul")
        .json(&body)
        .send();
    assert!(matches!(answer.status, 200 | 202), "{answer:?}");
    answer.json()["id"].as_str().unwrap().to_owned()
}

pub fn check_products(place: &Place, server: &Server, ids: &[String]) {
    for (index, id) in ids.iter().enumerate() {
        let job = server.ended(id);
        assert_eq!(job["state"], "succeeded", "{job}");
        let product = (index + 8) * 7;
        assert!(is_valid(place, &job, &[&product.to_string()]));
    }
}

pub fn products(server: &Server, count: u32) -> Vec<String> {
    // The generator takes no 7.
    (8..count + 8).map(|a| multiply(server, a, 7)).collect()
}
