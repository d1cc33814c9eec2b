package import Basics

/// The folder that SwiftPM builds a package's products in.
package struct PackageBuild {
    private let package: String
    private let scratch: String
    private let configuration: String

    /// - Parameter folder: where a program lies, such as `.build/x86_64-unknown-linux-gnu/debug`.
    /// - Returns: `nil` when that is no such folder, or belongs to no package that is here.
    package init?(_ folder: String, files: some FileReading) {
        configuration = FilePath.name(of: folder)
        guard configuration == "debug" || configuration == "release" else { return nil }
        scratch = FilePath.folder(of: FilePath.folder(of: folder))
        guard FilePath.name(of: scratch) == ".build" else { return nil }
        package = FilePath.folder(of: scratch)
        guard files.resolve(FilePath.join(package, "Package.swift")) != nil else { return nil }
    }

    /// The command that builds a product in the same way.
    package func command(for product: String) -> [String] {
        [
            "swift", "build", "--package-path", package, "--scratch-path", scratch, "-c", configuration, "--product",
            product,
        ]
    }
}
