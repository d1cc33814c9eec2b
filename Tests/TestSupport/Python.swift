/// Programs in Python, whose libraries check what ours does; used where they are installed, needed nowhere.
package enum Python {
    /// Whether `python3` can import all of these modules.
    package static func imports(_ modules: String...) async -> Bool {
        let program = modules.map { "import \($0)\n" }.joined()
        let end = try? await SpawnedProgram("/usr/bin/env", ["python3", "-c", program]).end()
        return end?.status == 0
    }

    /// Runs a program and returns what it prints.
    package static func run(_ program: String, _ arguments: String..., input: String = "") async throws -> String {
        let end = try await SpawnedProgram("/usr/bin/env", ["python3", "-c", program] + arguments, input: input).end()
        guard end.status == 0 else { throw Failure(description: "python3 ended with \(end.status): \(end.errors)") }
        return end.output
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }
}
