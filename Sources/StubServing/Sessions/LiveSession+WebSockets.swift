import Basics
import HTTPCodec
import HTTPServing
import ScenarioFormat
import Simulation

extension LiveSession {
    /// A WebSocket and what is done with its client's messages.
    struct OpenWebSocket: Sendable {
        var socket = WebSocketSession()
        var echoes: Bool
        /// The size of the unfinished message that has been counted in the server's budget, in bytes.
        var counted = 0
    }
}

extension LiveSession.Contents {
    /// Answers what the client of a WebSocket has sent, and writes it down: pings, closes, faults, and messages that are
    /// sent back.
    mutating func receive(_ bytes: [UInt8], of exchange: UInt64, at now: MonotonicTime) {
        guard var open = sockets[exchange], let promise = streams[exchange] else { return }
        // Taken out, so that there is no second copy of a large message while it grows.
        sockets[exchange] = nil
        open.socket.receive(bytes)
        defer {
            if sockets[exchange] == nil { _ = runtime.messages.count(-open.counted) }
        }
        let time = session.time(at: now)
        while let event = open.socket.next() {
            for message in StreamMessage.messages(of: event, at: time, now) { session.note(message, of: exchange) }
            guard open.echoes, var message = StreamMessage.messages(of: event, at: time, now).first else { continue }
            switch event {
            case .text(let text): open.socket.send(text: text)
            case .binary(let bytes): open.socket.send(binary: bytes)
            case .pong, .ended: continue
            }
            message.sender = .server
            session.note(message, of: exchange)
        }
        let size = MemoryBudget.steps(open.socket.unfinishedBytes)
        if case .isExceeded = runtime.messages.count(size - open.counted), open.socket.isOpen {
            for message in StreamMessage.messages(of: open.socket.fail(.noRoomForMessage), at: time, now) {
                session.note(message, of: exchange)
            }
        }
        open.counted = size
        let output = open.socket.takeOutput()
        if !output.isEmpty || open.socket.hasEnded { promise.send(part: output, isLast: open.socket.hasEnded) }
        if open.socket.hasEnded {
            streams[exchange] = nil
            session.dropStream(exchange)
        } else {
            sockets[exchange] = open
        }
    }
}

extension StreamMessage {
    /// The journal entry of an event: the client's message, and for an end also the server's close.
    fileprivate static func messages(
        of event: WebSocketSession.Event,
        at time: VirtualTime,
        _ now: MonotonicTime
    ) -> [StreamMessage] {
        var message: StreamMessage
        switch event {
        case .text(let text): message = StreamMessage(.text, at: time, now, text: text)
        case .binary(let bytes): message = StreamMessage(binary: bytes.count, at: time, now)
        case .pong: message = StreamMessage(.pong, at: time, now)
        case .ended(.closed(let code, let reason)):
            message = StreamMessage(.close, at: time, now, text: reason)
            message.code = code.map { Int($0.rawValue) }
        case .ended(.failed(let fault)):
            message = StreamMessage(.fault, at: time, now, text: fault.sentence)
            message.code = Int(fault.closeCode.rawValue)
        case .ended(.lost): return []
        }
        message.sender = .client
        guard case .ended = event else { return [message] }
        var close = StreamMessage(.close, at: time, now)
        close.code = message.code
        return [message, close]
    }
}
