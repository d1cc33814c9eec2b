import Dispatch
import Foundation
import TestSupport

/// The built command `backlot`, in a process of its own.
struct SpawnedCommand {
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    /// Beside the test bundle, where the build puts it; `nil` when it is not there.
    static let executable: URL? = {
        var folder = Bundle.main.executableURL?.deletingLastPathComponent()
        // On Linux the tests are an executable; on macOS they are a bundle that some helper opens.
        if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
            folder = bundle.bundleURL.deletingLastPathComponent()
        }
        let file = folder?.appending(path: "backlot")
        return file.flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }
    }()

    struct End {
        var status: Int32
        var output: String
        var errors: String
    }

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = Self.executable
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: Project.folder)
        // Neither colours nor annotations, wherever the tests themselves run.
        var values = ProcessInfo.processInfo.environment
        for name in ["GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "CI", "FORCE_COLOR", "NO_COLOR"] { values[name] = nil }
        process.environment = values.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    func interrupt() { process.interrupt() }

    var isRunning: Bool { process.isRunning }

    /// Waits for the end, on a thread that no other test needs; little enough is written for the pipes to hold it.
    func end() async -> End {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: waitForEnd()) }
        }
    }

    private func waitForEnd() -> End {
        let output = output.fileHandleForReading.readDataToEndOfFile()
        let errors = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return End(
            status: process.terminationStatus,
            output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self)
        )
    }

    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> End {
        try await SpawnedCommand(arguments, environment: environment).end()
    }
}
