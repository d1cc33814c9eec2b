/// A program that ran to its end.
package struct FinishedProgram: Equatable, Sendable {
    /// What it wrote, errors included, in the order in which it was written.
    package var output: String
    /// The exit code, or 128 and the number of the signal that killed it.
    package var status: Int32

    package init(output: String, status: Int32) {
        self.output = output
        self.status = status
    }

    /// Runs a program without input and waits for its end.
    package init(running path: String, _ arguments: [String]) async throws {
        let end = try await SpawnedProgram(path, arguments, joinsErrors: true).end()
        self.init(output: end.output, status: end.status)
    }
}
