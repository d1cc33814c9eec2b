import EventLoops
import Foundation

/// The built command `backlot`, in processes of its own.
package enum SpawnedCommand {
    package static let executable = path(of: "backlot")

    /// A program beside the test bundle, where the build puts it; `nil` when it is not there.
    package static func path(of name: String) -> String? {
        guard let program = testProgram else { return nil }
        // On Linux the tests are an executable; on macOS they are a bundle, and the executable is within.
        let names = program.split(separator: "/", omittingEmptySubsequences: false)
        guard let bundle = names.lastIndex(where: { $0.hasSuffix(".xctest") }) else { return nil }
        let file = names[..<bundle].joined(separator: "/") + "/\(name)"
        return FileManager.default.isExecutableFile(atPath: file) ? file : nil
    }

    /// The path of the file that this code was loaded from.
    private static var testProgram: String? {
        #if canImport(Darwin)
            // The process itself is a helper that opens the tests' bundle.
            var image = Dl_info()
            guard dladdr(#dsohandle, &image) != 0, let path = image.dli_fname else { return nil }
            return String(cString: path)
        #else
            return Platform.executablePath
        #endif
    }

    /// Starts it in a folder, by default the package's, where it writes neither colours nor annotations, wherever the tests run.
    package static func start(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = "",
        output: String? = nil,
        in workingFolder: String = Project.folder
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
            in: workingFolder
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
