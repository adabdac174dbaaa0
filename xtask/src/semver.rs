//! The step `semver`: the public interface against that of the latest release, by `cargo semver-checks`.
//!
//! A release is a tag `vX.Y.Z` in the history of what is checked. As long as there is none, nothing is compared.

use crate::api::CRATES;

/// The tag of the latest release, by the tags of the repository, one a line.
pub fn latest_release(tags: &str) -> Option<&str> {
    let version = |tag: &str| {
        let numbers = tag.strip_prefix('v')?.split('.');
        let numbers: Option<Vec<u32>> = numbers.map(|number| number.parse().ok()).collect();
        <[u32; 3]>::try_from(numbers?).ok()
    };
    let releases = tags.lines().filter_map(|tag| Some((version(tag)?, tag)));
    releases.max().map(|(_, tag)| tag)
}

/// The arguments of Cargo by which the crates are compared with a release. Each with all its features.
pub fn arguments(release: &str) -> String {
    let packages = CRATES.map(|name| format!("--package frumious-{name}"));
    let packages = packages.join(" ");
    format!("semver-checks --baseline-rev {release} --all-features --package frumious {packages}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_release_is_that_of_the_largest_numbers() {
        assert_eq!(latest_release(""), None);
        assert_eq!(
            latest_release("landed-12\nv1\nv1.2\nv1.2.3-rc1\nv1.2.x\n1.2.3\n"),
            None
        );
        assert_eq!(
            latest_release("v0.9.0\nv0.10.0\nother\nv0.2.30\n"),
            Some("v0.10.0")
        );
    }

    #[test]
    fn every_crate_of_the_interface_is_compared() {
        let arguments = arguments("v0.1.0");
        assert!(arguments.contains("--baseline-rev v0.1.0 "));
        assert_eq!(arguments.matches("--package").count(), CRATES.len() + 1);
    }
}
