import Basics
import EventLoops
import Foundation
import JSON
import TestSupport

/// A client of `backlot mcp`, which runs in a separate process; one test waits for its messages.
///
/// A class, because it is one running process, which ends with its standard input.
final class ModelContextClient: Sendable {
    private let input: Lock<Descriptor?>
    private let received = Lock<[JSONValue]>([])
    private let serverEnd = Lock<ProcessEnd?>(nil)
    private let (stream, continuation) = AsyncStream<JSONValue>.makeStream()

    init(root: String, clients: [String: String] = [:]) throws {
        signal(SIGPIPE, SIG_IGN)
        let (child, output): (ChildProcess, Descriptor)
        // The ends of the pipes that belong to the server are closed here after this block.
        do {
            let (read, written) = (try Platform.pipe(isBlocking: true), try Platform.pipe(isBlocking: true))
            let options = ["--root", root] + clients.flatMap { ["--client", "\($0.key)=\($0.value)"] }
            child = try ChildProcess(
                ProgramStart(
                    [SpawnedCommand.executable ?? "", "mcp"] + options,
                    folder: root,
                    input: read.reading,
                    output: written.writing
                )
            )
            (input, output) = (Lock(read.writing), written.reading)
        }
        Thread.detachNewThread { [received, serverEnd, continuation] in
            var buffer: [UInt8] = []
            while true {
                let bytes = Platform.nextBytes(from: output, atMost: 1 << 16)
                if bytes.isEmpty { break }
                buffer += bytes
                while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                    let message = (try? JSONParser().parse(Array(buffer[..<end])).root) ?? .null
                    buffer.removeSubrange(...end)
                    received.withLock { $0.append(message) }
                    continuation.yield(message)
                }
            }
            // Reads the end even if no test awaits it: Swift Testing misses the ends of its children behind an unread one.
            child.waitForEnd()
            serverEnd.withLock { $0 = child.end() }
            continuation.finish()
        }
    }

    /// The messages of the server, in their order.
    var messages: [JSONValue] { received.withLock { $0 } }

    func send(_ text: String) {
        input.withLock { input in
            if let input { Platform.write(Array("\(text)\n".utf8), to: input) }
        }
    }

    func send(_ message: JSONValue) { send(message.text(.compact)) }

    /// Waits for the first message of a kind; separate processes decide when it comes.
    ///
    /// - Throws: `CancellationError` if the test is cancelled first, or the server ends.
    func first(where isWanted: (JSONValue) -> Bool) async throws -> JSONValue {
        if let found = messages.first(where: isWanted) { return found }
        for await message in stream where isWanted(message) { return message }
        throw CancellationError()
    }

    func response(_ id: JSONValue) async throws -> JSONValue { try await first { $0["id"] == id } }

    /// Calls a tool, and waits for the result.
    func call(_ id: Int, _ tool: String, _ arguments: JSONValue = [:]) async throws -> JSONValue {
        let number = JSONValue.number(JSONNumber(id))
        send([
            "jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": ["name": .string(tool), "arguments": arguments],
        ])
        return try await response(number)["result"] ?? .null
    }

    /// Disappears, and waits for the end of the server, after which no message comes.
    func end() async -> ProcessEnd? {
        input.withLock { $0 = nil }
        for await _ in stream {}
        return serverEnd.withLock { $0 }
    }
}
