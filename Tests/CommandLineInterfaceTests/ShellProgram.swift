import CommandLineInterface
import Foundation
import TestSupport
import Testing

/// A shell that is installed here.
struct ShellProgram {
    private let executable: String

    init(_ shell: Shell) throws {
        executable = try #require(Self.executable(of: shell), "\(shell.rawValue) is not installed")
    }

    static func executable(of shell: Shell) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let candidates = folders.map { "\($0)/\(shell.rawValue)" }
        return candidates.first(where: FileManager.default.isExecutableFile)
    }

    /// Runs a script from a file and waits for its end; output and errors arrive together.
    func run(_ options: [String], input: String) async throws -> FinishedProgram {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("backlot-\(UUID().uuidString)")
        try Data(input.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await FinishedProgram(running: executable, options + [file.path])
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, and says so, where the shell that it needs is missing.
    static func installed(_ shell: Shell) -> Self {
        .enabled("\(shell.rawValue) is not installed") { ShellProgram.executable(of: shell) != nil }
    }
}

/// A folder with a few files to complete, removed when the last reference goes.
///
/// A class, because its end has to remove what its beginning made.
final class ShellFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("backlot-\(UUID().uuidString)")
        path = url.path
        let stories = url.appendingPathComponent("stories")
        try FileManager.default.createDirectory(at: stories, withIntermediateDirectories: true)
        for name in ["sm.json", "notes.txt"] { try Data().write(to: stories.appendingPathComponent(name)) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Quotes text that has no quotes itself.
func shellQuoted(_ text: String) -> String { "'\(text)'" }
