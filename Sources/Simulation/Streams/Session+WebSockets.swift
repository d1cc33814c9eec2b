import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension Session {
    /// Returns the reason why a request does not open the WebSocket that a response would be.
    func refusal(of response: StubResponse, in context: ExchangeContext) -> Problem? {
        guard case .webSocket = response.body else { return nil }
        do throws(WebSocketRefusal) {
            _ = try WebSocketHandshake.Offer(reading: context.request.request)
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

    /// Makes what a WebSocket sends by itself, and the fields of the handshake's response.
    mutating func render(_ script: WebSocketScript, in context: inout ExchangeContext) -> RenderedStream {
        var pieces = script.messages.map { message in
            let event = EventStream.Event(after: message.after, data: message.data)
            return piece(of: event, as: .webSocket, in: &context)
        }
        if let close = script.close { pieces.append(RenderedStream.Piece(close, isSocket: true)) }
        var stream = RenderedStream(
            form: .webSocket,
            pieces: pieces,
            staysOpen: script.close == nil,
            checksToken: false
        )
        stream.tokenClose = script.tokenClose
        stream.webSocket = Decision.WebSocketRole(echoes: script.echoes)
        return stream
    }

    /// Adds what the response of the handshake says to a request that opens a WebSocket.
    func accept(_ script: WebSocketScript, in context: ExchangeContext, by fields: inout HTTPFields) {
        guard let offer = try? WebSocketHandshake.Offer(reading: context.request.request) else { return }
        let response = WebSocketHandshake.acceptance(of: offer, subprotocols: script.subprotocols)
        for (name, value) in response.fields where !fields.contains(name) { fields.append(name, value) }
    }
}
