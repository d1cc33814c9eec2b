/// Programs in Python, whose libraries check what ours does; used where they are installed, needed nowhere.
package enum Python {
    /// Whether `python3` has all of these modules.
    package static func imports(_ names: String...) async -> Bool {
        await modules.value.isSuperset(of: names)
    }

    /// All modules by name, asked for once: a start of Python takes a tenth of a second.
    private static let modules = Task {
        let program = "import pkgutil, sys; print(*sys.builtin_module_names, *(m.name for m in pkgutil.iter_modules()))"
        let end = try? await SpawnedProgram("/usr/bin/env", ["python3", "-c", program]).end()
        return Set((end?.output ?? "").split(whereSeparator: \.isWhitespace).map(String.init))
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
