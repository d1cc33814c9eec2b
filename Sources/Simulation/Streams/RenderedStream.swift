import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The events of a stream, made when it opens and sent when each is due.
struct RenderedStream: Sendable {
    struct Piece: Sendable {
        /// The delay after the previous one.
        var after: Duration
        var bytes: [UInt8]
        /// Its journal entry; its times are not known yet.
        var message: StreamMessage
    }

    /// The format of the parts of a stream.
    enum Form: Sendable {
        case events
        case lines
        case webSocket
    }

    let form: Form
    var pieces: [Piece]
    var staysOpen: Bool
    /// A Boolean value that indicates whether the token that opened it is looked at before each piece.
    var checksToken: Bool
    /// The code to close a WebSocket with whose token is not valid any more, which is looked at when it expires, too.
    var tokenClose: Int?
    var webSocket: Decision.WebSocketRole?
    /// The ids of the tokens that opened it.
    var tokens: [String] = []
    /// The route and the device that it is of.
    var route: String?
    var device: String?
    /// The piece that is due next.
    var next = 0
    /// A Boolean value that indicates whether its last part was sent.
    var hasEnded = false

    /// The whole body, for the journal and for clients that take it at once.
    var body: [UInt8] { pieces.flatMap(\.bytes) }
}

extension RenderedStream {
    /// Makes the parts of a response's stream.
    init(_ stream: EventStream, _ value: (Placeholder) -> JSONValue?) {
        let form: Form = stream.areLines ? .lines : .events
        self.init(
            form: form,
            pieces: stream.events.map { Piece($0, data: $0.data.text(value), form) },
            staysOpen: stream.staysOpen,
            checksToken: stream.tokenAt == .events
        )
    }

    /// Makes what a WebSocket sends by itself.
    init(_ script: WebSocketScript, _ value: (Placeholder) -> JSONValue?) {
        var pieces = script.messages.map { message in
            Piece(
                EventStream.Event(after: message.after, data: message.data),
                data: message.data.text(value),
                .webSocket
            )
        }
        if let close = script.close { pieces.append(Piece(close, isSocket: true)) }
        self.init(form: .webSocket, pieces: pieces, staysOpen: script.close == nil, checksToken: false)
        tokenClose = script.tokenClose
        webSocket = Decision.WebSocketRole(echoes: script.echoes)
    }
}

extension EventStream.Data {
    /// The data of an event or a message.
    func text(_ value: (Placeholder) -> JSONValue?) -> String {
        switch self {
        case .none: ""
        case .json(let template): String(decoding: template.bytes(value), as: UTF8.self)
        case .text(let template): template.text(value) ?? ""
        }
    }
}

extension StubResponse {
    /// Returns the reason why a request does not open the WebSocket that the response would be.
    func handshakeProblem(of request: HTTPRequest) -> Problem? {
        guard case .webSocket = body else { return nil }
        do throws(WebSocketRefusal) {
            _ = try WebSocketHandshake.Offer(reading: request)
            return nil
        } catch {
            return Problem(
                "no-handshake",
                status: error.status.code,
                title: "This route is a WebSocket, but the request is not a WebSocket handshake",
                detail: "\(error.sentence).",
                fields: error.fields.map { ($0.name, $0.value) }
            )
        }
    }
}

extension WebSocketScript {
    /// Adds what the response of the handshake says to a request that opens a WebSocket.
    func accept(_ request: HTTPRequest, by fields: inout HTTPFields) {
        guard let offer = try? WebSocketHandshake.Offer(reading: request) else { return }
        let response = WebSocketHandshake.acceptance(of: offer, subprotocols: subprotocols)
        for (name, value) in response.fields where !fields.contains(name) { fields.append(name, value) }
    }
}

/// A part of a stream's body that is due, for the connection that the stream is on.
package struct StreamOutput: Sendable, Hashable {
    package var exchange: UInt64
    package var bytes: [UInt8]
    /// A Boolean value that indicates whether the stream ends with it.
    package var isLast: Bool
}

extension RenderedStream.Piece {
    /// Makes a part of a stream from an event or a message with its data.
    init(_ event: EventStream.Event, data: String, _ form: RenderedStream.Form) {
        var message = StreamMessage(.text, at: VirtualTime(seconds: 0), MonotonicTime(nanoseconds: 0), text: data)
        var bytes: [UInt8] = []
        switch form {
        case .webSocket: WebSocketFrame.append(.text, Array(data.utf8), to: &bytes)
        case .lines:
            message.kind = .line
            bytes = Array(LineStream.line(data).utf8)
        case .events:
            (message.kind, message.id, message.retry) = (.event, event.id, event.retry)
            bytes = Array(Self.text(of: event, with: data).utf8)
        }
        self.init(after: event.after, bytes: bytes, message: message)
    }

    private static func text(of event: EventStream.Event, with data: String) -> String {
        var text = event.comment.map(ServerSentEvent.comment) ?? ""
        let milliseconds = event.retry.map { Int(clamping: $0.wholeMicroseconds / 1_000) }
        let written = ServerSentEvent(type: event.type, data: data, id: event.id, retry: milliseconds)
        // A comment alone is not an event.
        if event.type != nil || !data.isEmpty || event.id != nil || milliseconds != nil || text.isEmpty {
            text += written.text
        }
        return text
    }

    /// Makes the end of a stream.
    init(_ close: WebSocketScript.Close, isSocket: Bool) {
        var message = StreamMessage(
            isSocket ? .close : .end,
            at: VirtualTime(seconds: 0),
            MonotonicTime(nanoseconds: 0),
            text: close.reason
        )
        if isSocket { message.code = close.code }
        let bytes = isSocket ? WebSocketFrame.close(close.code, close.reason) : []
        self.init(after: close.after, bytes: bytes, message: message)
    }
}

extension WebSocketFrame {
    /// A frame that closes a WebSocket.
    static func close(_ code: Int, _ reason: String) -> [UInt8] {
        var bytes: [UInt8] = []
        let code = WebSocketCloseCode(rawValue: UInt16(clamping: code))
        append(.close, closePayload(code, reason: reason), to: &bytes)
        return bytes
    }
}
