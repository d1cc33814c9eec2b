import Basics
import EventLoops
import JSON

/// A server in a separate process, which ends when its standard input ends, at the latest with this process.
///
/// A class, because it is one running process.
final class ServerProcess: Sendable {
    private let child: ChildProcess
    /// The end of the pipe that keeps the server running.
    private let input: Lock<Descriptor?>
    private let output: Descriptor
    /// The document that the server printed at its start, or instead of starting.
    let first: JSONValue

    /// The base URL; `nil` if the server did not start.
    var url: String? { first["url"]?.string }

    /// Starts a server, and waits until it listens or has ended.
    init(_ words: [String], in folder: String) throws(SystemError) {
        // The ends of the pipes that belong to the server are closed here after this block.
        do {
            let (input, output) = (try Platform.pipe(isBlocking: true), try Platform.pipe(isBlocking: true))
            let errors = try Platform.openFile("/dev/null", for: .writing)
            child = try ChildProcess(
                ProgramStart(words, folder: folder, input: input.reading, output: output.writing, errors: errors)
            )
            (self.input, self.output) = (Lock(input.writing), output.reading)
        }
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            let bytes = Platform.nextBytes(from: output, atMost: 1)
            if bytes.isEmpty { break }
            line += bytes
        }
        first = Self.document(line)
    }

    /// Ends the server, and returns the last document that it printed.
    func stop() -> JSONValue {
        input.withLock { $0 = nil }
        var text: [UInt8] = []
        while true {
            let bytes = Platform.nextBytes(from: output, atMost: 1 << 16)
            if bytes.isEmpty { break }
            text += bytes
        }
        child.waitForEnd()
        _ = child.end()
        return text.isEmpty ? first : Self.document(text)
    }

    private static func document(_ text: [UInt8]) -> JSONValue { (try? JSONParser().parse(text).root) ?? .null }
}
