/// The version of the package, and the address where it is published.
///
/// `.ci/release` reads both lines, and `ReleaseTests` compares the changelog and every address in the documentation with them.
package enum BacklotVersion {
    /// The version that commands print and reports name: semantic versioning, without a `v`, like the tag of the release.
    package static let text = "0.2.0"
    /// The URL of the repository, without `.git` and without a slash at its end.
    package static let repository = "https://github.com/OWNER/backlot"
}
