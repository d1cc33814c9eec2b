import Foundation
import SocketIO

/// The built command `backlot`, in processes of its own.
package enum SpawnedCommand {
    /// Beside the test bundle, where the build puts it; `nil` when it is not there.
    package static let executable: String? = {
        var folder = Bundle.main.executableURL?.deletingLastPathComponent()
        // On Linux the tests are an executable; on macOS they are a bundle that some helper opens.
        if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
            folder = bundle.bundleURL.deletingLastPathComponent()
        }
        let file = folder?.appending(path: "backlot").path
        return file.flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil }
    }()

    /// Starts it in the package's folder, where it writes neither colours nor annotations, wherever the tests run.
    package static func start(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = "",
        output: String? = nil
    ) throws -> SpawnedProgram {
        guard let executable else { throw SystemError("start backlot", .noSuchFile) }
        var values = ProcessInfo.processInfo.environment
        for name in ["GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "CI", "FORCE_COLOR", "NO_COLOR"] { values[name] = nil }
        return try SpawnedProgram(
            executable,
            arguments,
            input: input,
            output: output,
            environment: values.merging(environment) { $1 },
            in: Project.folder
        )
    }

    /// Starts it and waits for its end.
    package static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = "",
        output: String? = nil
    ) async throws -> SpawnedProgram.End {
        try await start(arguments, environment: environment, input: input, output: output).end()
    }
}
