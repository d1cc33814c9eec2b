import HTTPCodec
import JSON
import ScenarioFormat
import Streams

/// A part of a stream's body that is due, for the connection that the stream is on.
package struct StreamOutput: Sendable, Hashable {
    package var exchange: UInt64
    package var bytes: [UInt8]
    /// Whether the stream ends with it.
    package var isLast: Bool
}

/// The events of a stream, made when it opens and sent when each is due.
struct RenderedStream: Sendable {
    struct Piece: Sendable {
        /// How long after the one before it.
        var after: Duration
        var id: String?
        var bytes: [UInt8]
    }

    var pieces: [Piece]
    var staysOpen: Bool
    /// Whether the token that opened it is looked at before each piece.
    var checksToken: Bool
    /// The close frame for a WebSocket whose token is not valid any more, which is looked at when it expires, too.
    var tokenClose: [UInt8]?
    var webSocket: Decision.WebSocketRole?
    /// The ids of the tokens that opened it.
    var tokens: [String] = []
    /// The piece that is due next.
    var next = 0
    /// Whether its last part was sent.
    var hasEnded = false

    /// The whole body, for the journal and for clients that take it at once.
    var body: [UInt8] { pieces.flatMap(\.bytes) }
}

/// The streams that are open: what is due leaves as the virtual clock comes to it.
extension Session {
    /// Makes the events of a stream; those up to the one that the client names as its last are left out.
    mutating func render(_ stream: EventStream, in context: inout ExchangeContext) -> RenderedStream {
        var pieces = stream.events.map { event in
            RenderedStream.Piece(after: event.after, id: event.id, bytes: bytes(of: event, of: stream, in: &context))
        }
        if !stream.areLines, let last = context.request.request.fields["Last-Event-ID"], !last.isEmpty,
            let index = pieces.lastIndex(where: { $0.id?.utf8.elementsEqual(last.utf8) ?? false })
        {
            pieces.removeFirst(index + 1)
        }
        return RenderedStream(
            pieces: pieces,
            staysOpen: stream.staysOpen,
            checksToken: stream.tokenAt == .events
        )
    }

    private mutating func bytes(
        of event: EventStream.Event,
        of stream: EventStream,
        in context: inout ExchangeContext
    ) -> [UInt8] {
        let data = text(of: event.data, in: &context)
        if stream.areLines { return Array(LineStream.line(data).utf8) }
        var text = event.comment.map(ServerSentEvent.comment) ?? ""
        let milliseconds = event.retry.map { Int(clamping: $0.wholeMicroseconds / 1_000) }
        let written = ServerSentEvent(type: event.type, data: data, id: event.id, retry: milliseconds)
        // A comment alone is no event.
        if event.type != nil || !data.isEmpty || event.id != nil || milliseconds != nil || text.isEmpty {
            text += written.text
        }
        return Array(text.utf8)
    }

    /// What an event or a message carries.
    mutating func text(of data: EventStream.Data, in context: inout ExchangeContext) -> String {
        switch data {
        case .none: ""
        case .json(let template): String(decoding: render(template, in: &context), as: UTF8.self)
        case .text(let template): render(template, in: &context)
        }
    }

    /// Opens a stream whose head leaves after a delay; it waits for the virtual clock until it ends.
    mutating func open(_ stream: RenderedStream, after delay: Duration, in context: ExchangeContext) {
        var stream = stream
        stream.tokens = context.offered.filter { $0.isAccepted == true }.compactMap(\.id)
        if let first = stream.pieces.first {
            agenda.add(.streamPiece(exchange: context.number), due: context.now + delay + first.after)
        }
        if stream.tokenClose != nil {
            for id in stream.tokens {
                guard let token = ledger.token(id: id) else { continue }
                agenda.add(.streamToken(exchange: context.number), due: token.expires)
            }
        }
        streams[context.number] = stream
    }

    /// Whether a stream depends on a token that is not valid at a moment; it is ended then.
    private mutating func endIfRefused(_ exchange: UInt64, at moment: VirtualTime) -> Bool {
        guard var stream = streams[exchange], stream.checksToken || stream.tokenClose != nil else { return false }
        let isRefused = stream.tokens.contains { id in
            ledger.token(id: id).map { $0.standing(at: moment) != .valid } ?? true
        }
        guard isRefused else { return false }
        streamOutput.append(StreamOutput(exchange: exchange, bytes: stream.tokenClose ?? [], isLast: true))
        stream.hasEnded = true
        streams[exchange] = stream
        return true
    }

    /// Closes a WebSocket whose token has expired.
    mutating func checkStreamToken(of exchange: UInt64, at due: VirtualTime) {
        guard let stream = streams[exchange], !stream.hasEnded else { return }
        _ = endIfRefused(exchange, at: due)
    }

    /// Sends the piece that has become due, or ends the stream where its token is not valid any more.
    mutating func sendStreamPiece(of exchange: UInt64, at due: VirtualTime) {
        guard let stream = streams[exchange], !stream.hasEnded, !endIfRefused(exchange, at: due) else { return }
        let next = stream.next + 1
        let isLast = next == stream.pieces.count && !stream.staysOpen
        streamOutput.append(
            StreamOutput(exchange: exchange, bytes: stream.pieces[stream.next].bytes, isLast: isLast)
        )
        streams[exchange]?.next = next
        streams[exchange]?.hasEnded = isLast
        if next < stream.pieces.count {
            agenda.add(.streamPiece(exchange: exchange), due: due + stream.pieces[next].after)
        } else if !isLast {
            // An automatic clock need not wait for a stream that nothing more is due on.
            _ = open.remove(exchange)
        }
    }

    /// Notes that a response's wait on the virtual clock is over; a stream goes on to wait for its pieces.
    mutating func releaseHead(of exchange: UInt64) {
        guard let stream = streams[exchange] else { return open.release(exchange) }
        if stream.pieces.isEmpty { _ = open.remove(exchange) }
    }

    /// The parts of streams that have become due since this was last asked, in their order.
    package mutating func takeStreamOutput() -> [StreamOutput] {
        guard !streamOutput.isEmpty else { return [] }
        defer { streamOutput = [] }
        return streamOutput
    }

    /// Whether a stream is open whose next part is to come.
    package var hasOpenStreams: Bool { !streams.isEmpty }
}
