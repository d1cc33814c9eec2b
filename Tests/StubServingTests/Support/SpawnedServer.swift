import TestSupport
import Testing

/// The built command, serving in a process of its own.
struct SpawnedServer {
    let port: UInt16
    private let program: SpawnedProgram

    /// Starts the command, and returns when it has said where it listens.
    init(_ arguments: [String]) async throws {
        program = try SpawnedCommand.start(arguments)
        let line = await program.firstLine()
        port = try #require(line.split(separator: ":").last.flatMap { UInt16($0) }, "\(line)")
    }

    func end() { program.terminate() }
}
