import EventLoops
import HTTPCodec
import TLS

/// The body of a stream on its way out: parts come while earlier ones leave.
struct StreamInProgress {
    /// HTTP/1.0 has no chunks: there the body ends with the connection.
    let usesChunks: Bool
    /// Rendered bytes, of which some have left.
    private(set) var output: [UInt8]
    private var sent = 0
    private(set) var hasEnded = false

    /// The number of waiting bytes.
    var waiting: Int { output.count - sent }

    init(head: [UInt8], usesChunks: Bool) {
        output = head
        self.usesChunks = usesChunks
    }

    mutating func append(_ part: StreamPart) {
        guard !hasEnded else { return }
        if sent > 0 {
            output.removeFirst(sent)
            sent = 0
        }
        if usesChunks {
            HTTPResponseWriter.appendChunk(part.bytes, to: &output)
            if part.isLast { HTTPResponseWriter.appendLastChunk(to: &output) }
        } else {
            output += part.bytes
        }
        hasEnded = part.isLast
    }

    /// Ends a body that is sent part by part; without its last chunk, if it is not whole.
    mutating func end(trailers: HTTPFields, isWhole: Bool) {
        if usesChunks, isWhole, !hasEnded { HTTPResponseWriter.appendLastChunk(trailers: trailers, to: &output) }
        hasEnded = true
    }

    /// Writes once; nil when nothing is left.
    mutating func write(to sink: some ByteSink) -> WriteOutcome? {
        guard sent < output.count else { return nil }
        let outcome = output.withUnsafeBytes { sink.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        if case .bytes(let count) = outcome { sent += count }
        if sent == output.count {
            output = []
            sent = 0
        }
        return outcome
    }
}

/// A part of a stream's body.
struct StreamPart: Sendable, Hashable {
    var bytes: [UInt8]
    var isLast: Bool
}
