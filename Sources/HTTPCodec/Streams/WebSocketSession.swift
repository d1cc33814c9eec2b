/// One WebSocket after its handshake, as the server sees it: bytes and wishes go in, bytes and events come out.
///
/// Pings are answered, a close is answered once, a fault closes with its code, and the server ends the connection first
/// (RFC 6455, sections 5.5 and 7). It knows neither sockets nor time.
package struct WebSocketSession: Sendable {
    /// An event for the application.
    package enum Event: Sendable, Hashable {
        case text(String)
        case binary([UInt8])
        case pong([UInt8])
        /// The end of the protocol: no event follows. After ``Ending/lost`` the peer has not closed.
        case ended(Ending)
    }

    /// The side that ended it, and the reason.
    package enum Ending: Sendable, Hashable {
        /// The client closed, or answered our close, with this code.
        case closed(WebSocketCloseCode?, reason: String)
        /// The client violated the protocol and was notified.
        case failed(WebSocketFault)
        /// The connection ended without a close frame.
        case lost
    }

    private enum Phase: Sendable, Hashable {
        case open
        /// Our close frame is out, the client's is awaited.
        case closing
        case ended
    }

    private var reader: WebSocketReader
    private var input = InputBuffer()
    private var phase = Phase.open
    /// The bytes to send; consumed by ``takeOutput()``.
    private var output: [UInt8] = []
    /// The code of our own close frame.
    package private(set) var sentClose: WebSocketCloseCode?

    package init(messageLimit: Int = 16 << 20) {
        reader = WebSocketReader(messageLimit: messageLimit)
    }

    package var isOpen: Bool { phase == .open }

    /// The number of received bytes of a message that is not complete.
    package var unfinishedBytes: Int { reader.messageBytes + input.count }

    /// A Boolean value that indicates whether the connection is to be closed when all output has left.
    package var hasEnded: Bool { phase == .ended }

    /// Returns the bytes to send and removes them.
    package mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    // MARK: From the client

    /// Takes bytes of the client; ``next()`` says what they mean.
    package mutating func receive(_ bytes: some Collection<UInt8>) {
        if phase != .ended { input.append(bytes) }
    }

    /// The next thing that the client's bytes mean; nil while some are missing, and after the end.
    ///
    /// One at a time, so that the application answers a message before what follows it is read.
    package mutating func next() -> Event? {
        while phase != .ended {
            switch reader.next(&input) {
            case .needsMoreBytes: return nil
            // What arrives after our close frame is not delivered (section 1.4).
            case .text(let text): if isOpen { return .text(text) }
            case .binary(let bytes): if isOpen { return .binary(bytes) }
            case .pong(let payload): if isOpen { return .pong(payload) }
            case .ping(let payload): if isOpen { WebSocketFrame.append(.pong, payload, to: &output) }
            case .close(let code, let reason):
                // The answer has the code of the client (section 5.5.1).
                if isOpen { appendClose(code, reason: "") }
                return end(.closed(code, reason: reason))
            case .fault(let fault): return fail(fault)
            }
        }
        return nil
    }

    /// The connection is gone; says so once, and nothing when the protocol had ended before.
    package mutating func connectionEnded() -> Event? {
        phase == .ended ? nil : end(.lost)
    }

    /// Closes because of a fault that the application found, and ends the protocol.
    package mutating func fail(_ fault: WebSocketFault) -> Event {
        if isOpen { appendClose(fault.closeCode, reason: fault.sentence) }
        return end(.failed(fault))
    }

    private mutating func end(_ ending: Ending) -> Event {
        phase = .ended
        input = InputBuffer()
        return .ended(ending)
    }

    // MARK: From the application

    /// Sends a text; false when the WebSocket is closing or has ended.
    @discardableResult
    package mutating func send(text: String) -> Bool {
        send(.text, Array(text.utf8))
    }

    @discardableResult
    package mutating func send(binary bytes: [UInt8]) -> Bool {
        send(.binary, bytes)
    }

    /// Asks the client for a pong; a payload of more than 125 bytes is cut.
    @discardableResult
    package mutating func ping(_ payload: [UInt8] = []) -> Bool {
        send(.ping, Array(payload.prefix(WebSocketFrame.controlPayloadLimit)))
    }

    private mutating func send(_ opcode: WebSocketOpcode, _ payload: [UInt8]) -> Bool {
        guard isOpen else { return false }
        WebSocketFrame.append(opcode, payload, to: &output)
        return true
    }

    /// Begins to close; the end comes with the client's own close frame.
    ///
    /// - Returns: False when it is closing already or has ended.
    @discardableResult
    package mutating func close(_ code: WebSocketCloseCode = .normal, reason: String = "") -> Bool {
        guard isOpen else { return false }
        appendClose(code, reason: reason)
        phase = .closing
        return true
    }

    private mutating func appendClose(_ code: WebSocketCloseCode?, reason: String) {
        sentClose = code
        WebSocketFrame.append(.close, WebSocketFrame.closePayload(code, reason: reason), to: &output)
    }
}
