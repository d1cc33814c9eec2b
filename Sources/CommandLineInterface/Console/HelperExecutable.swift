package import Basics
import EventLoops

/// A program that lies next to this one.
///
/// SwiftPM builds only the product that it is asked to run, so in a package's build folder the other one is built
/// first: that takes half a second where it is up to date, and never runs yesterday's code.
package struct HelperExecutable {
    private let name: String

    package init(_ name: String) {
        self.name = name
    }

    /// The program's path.
    ///
    /// - Parameter own: the path of this program; `nil` where the system does not tell.
    /// - Throws: ``HelperExecutableProblem`` when it is not there, and cannot be built.
    package func path(nextTo own: String? = Platform.executablePath) throws(HelperExecutableProblem) -> String {
        guard let own else {
            throw HelperExecutableProblem(sentence: "the path of this program cannot be determined")
        }
        let folder = FilePath.folder(of: own)
        let path = FilePath.join(folder, name)
        if let build = PackageBuild(folder, files: DiskFiles()) { try make(by: build, unlessAt: path) }
        guard DiskFiles().resolve(path) != nil else {
            throw HelperExecutableProblem(
                sentence: "\"\(name)\" is not next to \"backlot\" in \(folder); \"swift build\" builds both programs"
            )
        }
        return path
    }

    private func make(by build: PackageBuild, unlessAt path: String) throws(HelperExecutableProblem) {
        var words = build.command(for: name)
        if DiskFiles().resolve(path) == nil {
            Terminal.complain("building \(name), once\n")
        } else {
            words.append("--quiet")
        }
        let ending: ProcessEnd?
        do {
            // What a build says is nothing that a report on standard output could begin with.
            let child = try ChildProcess(ProgramStart(["/bin/sh", "-c", "exec \"$@\" >&2", "sh"] + words))
            child.waitForEnd()
            ending = child.end()
        } catch {
            throw HelperExecutableProblem(sentence: "\"swift build\" cannot be started: \(error)")
        }
        guard ending == .exited(0) else {
            throw HelperExecutableProblem(sentence: "\"\(name)\" could not be built; run \"swift build\" to see why")
        }
    }
}

/// An error for a missing helper.
package struct HelperExecutableProblem: Error, Hashable {
    /// A sentence without a closing full stop.
    package var sentence: String

    package init(sentence: String) {
        self.sentence = sentence
    }
}

/// The folder that SwiftPM builds a package's products in.
package struct PackageBuild {
    private let package: String
    private let scratch: String
    private let configuration: String

    /// - Parameter folder: the folder of a program, such as `.build/x86_64-unknown-linux-gnu/debug`.
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
