//! A container image of the program with its licences, as an archive of the Open Container Initiative.
//!
//! There is no shell in it and no library. It runs as a user without a name, and writes in `/data` and `/tmp` alone. So
//! its root may be read-only. `docker load` takes the archive, too. Sources: OCI image specification 1.1,
//! `image-layout.md`; Docker's image specification 1.2, `manifest.json`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Release, about, copy, digest, licences, output, parts, write};

/// The user that the program runs as: distroless images' "nonroot".
const USER: &str = "65532:65532";

/// `frumious-VERSION-CPU-linux.oci.tar`. `notices` are those of what is linked.
///
/// # Errors
/// A file that cannot be read or written.
pub fn image(release: &Release, program: &Path, notices: &str) -> Result<PathBuf, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (root, layout) = (folder.path().join("root"), folder.path().join("layout"));
    copy(program, &root.join("usr/bin/frumious"))?;
    let documents = root.join("usr/share/doc/frumious");
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&release.root.join(licence), &documents.join(licence))?;
    }
    write(&documents.join(licences::FILE), notices)?;
    let passwd = "nonroot:x:65532:65532::/data:/sbin/nologin\n";
    write(&root.join("etc/passwd"), passwd)?;
    for name in ["data", "tmp"] {
        let path = root.join(name);
        std::fs::create_dir_all(&path).map_err(about(&path))?;
    }
    let packed = folder.path().join("layer.tar");
    output(parts::tar(release, &root, &packed).args(["--create", "etc", "usr"]))?;
    output(parts::tar(release, &root, &packed).args(["--append", "--mode=1777", "data", "tmp"]))?;
    let layer = std::fs::read(&packed).map_err(about(&packed))?;
    let blobs = Blobs(layout.join("blobs/sha256"));
    let config = json!({
        "architecture": release.cpu.short(),
        "os": "linux",
        "config": {
            "User": USER,
            "Entrypoint": ["/usr/bin/frumious"],
            "Cmd": ["--help"],
            "WorkingDir": "/data",
            "Env": ["XDG_CACHE_HOME=/tmp"],
            // Of Docker and Podman: asks the server, for containers that run one. In nanoseconds.
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/frumious", "jobs", "--health"],
                "Interval": 10_000_000_000_u64,
                "Timeout": 5_000_000_000_u64,
                "StartPeriod": 60_000_000_000_u64,
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{}", digest(&layer))] },
    });
    let config = blobs.json(&config, "application/vnd.oci.image.config.v1+json")?;
    let layer = blobs.bytes(&layer, "application/vnd.oci.image.layer.v1.tar")?;
    let reference = format!("frumious:{}", release.version);
    // The form of `docker save`: a Docker that keeps images as before containerd did loads no other.
    let loaded = json!([{
        "Config": path_of(&config),
        "RepoTags": [&reference],
        "Layers": [path_of(&layer)],
    }]);
    write(&layout.join("manifest.json"), loaded.to_string())?;
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config,
        "layers": [layer],
    });
    let mut entry = blobs.json(&manifest, "application/vnd.oci.image.manifest.v1+json")?;
    entry["annotations"] = json!({
        "org.opencontainers.image.ref.name": release.version,
        "io.containerd.image.name": reference,
    });
    let index = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [entry],
    });
    write(&layout.join("index.json"), index.to_string())?;
    write(
        &layout.join("oci-layout"),
        r#"{"imageLayoutVersion":"1.0.0"}"#,
    )?;
    let path = release
        .out
        .join(format!("{}.oci.tar", release.named("frumious")));
    output(parts::tar(release, &layout, &path).args([
        "--create",
        "blobs",
        "index.json",
        "manifest.json",
        "oci-layout",
    ]))?;
    Ok(path)
}

/// The path of a blob in the archive.
fn path_of(descriptor: &Value) -> String {
    let digest = descriptor["digest"].as_str().unwrap_or_default();
    format!("blobs/{}", digest.replace(':', "/"))
}

/// A folder of contents by digest.
struct Blobs(PathBuf);

impl Blobs {
    /// Stores bytes: their descriptor.
    fn bytes(&self, bytes: &[u8], media_type: &str) -> Result<Value, String> {
        let digest = digest(bytes);
        write(&self.0.join(&digest), bytes)?;
        Ok(json!({
            "mediaType": media_type,
            "digest": format!("sha256:{digest}"),
            "size": bytes.len(),
        }))
    }

    fn json(&self, value: &Value, media_type: &str) -> Result<Value, String> {
        self.bytes(value.to_string().as_bytes(), media_type)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::Cpu;
    use std::process::Command;

    /// Docker's list of the image leads to files of the archive, by their digests. The image has its licences.
    #[test]
    fn docker_finds_the_image_in_the_archive() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("program");
        std::fs::write(&program, "a program").expect("it can be written");
        let release = Release::new(&root, folder.path(), Cpu::X86_64).expect("a release");
        let archive = image(&release, &program, "notices of others").expect("an image");
        let read = |name: &str| {
            let mut tar = Command::new("tar");
            let output = tar.args(["-xOf"]).arg(&archive).arg(name).output();
            let output = output.expect("tar runs");
            assert!(output.status.success(), "no {name}");
            output.stdout
        };
        let loaded: Value = serde_json::from_slice(&read("manifest.json")).expect("JSON");
        let name = format!("frumious:{}", release.version);
        assert_eq!(loaded[0]["RepoTags"], json!([name]));
        for path in [&loaded[0]["Config"], &loaded[0]["Layers"][0]] {
            let path = path.as_str().expect("a path");
            let content = read(path);
            assert_eq!(path, format!("blobs/sha256/{}", digest(&content)));
        }
        let layer = read(loaded[0]["Layers"][0].as_str().expect("a path"));
        let layer = String::from_utf8_lossy(&layer).into_owned();
        assert!(layer.contains("notices of others"), "no notices");
        assert!(layer.contains("Apache License"), "no licence of its own");
    }
}
