//! A container image of the program alone, as an archive in the layout of the Open Container Initiative.
//!
//! There is no shell in it and no library. It runs as a user without a name, and writes in `/data` and `/tmp` alone. So
//! its root may be read-only. Source: OCI image specification 1.1, `image-layout.md`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Release, about, copy, digest, output, parts, write};

/// The user that the program runs as: distroless images' "nonroot".
const USER: &str = "65532:65532";

/// `frumious-VERSION-CPU-linux.oci.tar`.
///
/// # Errors
/// A file that cannot be read or written.
pub fn image(release: &Release, program: &Path) -> Result<PathBuf, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (root, layout) = (folder.path().join("root"), folder.path().join("layout"));
    copy(program, &root.join("usr/bin/frumious"))?;
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
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blobs.json(&config, "application/vnd.oci.image.config.v1+json")?,
        "layers": [blobs.bytes(&layer, "application/vnd.oci.image.layer.v1.tar")?],
    });
    let mut entry = blobs.json(&manifest, "application/vnd.oci.image.manifest.v1+json")?;
    let reference = format!("frumious:{}", release.version);
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
        "oci-layout",
    ]))?;
    Ok(path)
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
