import Basics
import JSON
import ProgramInterface

/// The messages of an MCP server, in their order; one test waits for them.
final class Messages: Sendable {
    private let received = Lock<[JSONValue]>([])
    private let (stream, continuation) = AsyncStream<JSONValue>.makeStream()

    var all: [JSONValue] { received.withLock { $0 } }

    func add(_ message: JSONValue) {
        received.withLock { $0.append(message) }
        continuation.yield(message)
    }

    /// Waits for the first message of a kind.
    ///
    /// - Throws: `CancellationError` if the test is cancelled first.
    func first(where isWanted: (JSONValue) -> Bool) async throws -> JSONValue {
        if let found = all.first(where: isWanted) { return found }
        for await message in stream where isWanted(message) { return message }
        throw CancellationError()
    }
}

extension ModelContextServer {
    func send(_ message: JSONValue) { take(message.utf8()) }

    /// Calls a tool, and waits for the result.
    func call(_ id: Int, _ tool: String, _ arguments: JSONValue, _ messages: Messages) async throws -> JSONValue? {
        let number = JSONValue.number(JSONNumber(id))
        send([
            "jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": ["name": .string(tool), "arguments": arguments],
        ])
        return try await messages.first { $0["id"] == number }["result"]
    }
}
