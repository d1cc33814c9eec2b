import Testing

@testable import HTTPCodec

struct WebSocketSessionTests {
    private func frame(_ first: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        WebSocketReaderTests.frame(first, payload)
    }

    @Test func `a ping is answered by a pong with its payload, between the fragments of a message as well`() {
        var session = WebSocketSession()
        #expect(session.events(frame(0x01, [0x61]) + frame(0x89, [7, 8])).isEmpty)
        #expect(session.takeOutput() == [0x8A, 2, 7, 8])
        #expect(session.takeOutput().isEmpty)
        #expect(session.events(frame(0x80, [0x62])) == [.text("ab")])
    }

    @Test func `a close of the client is answered once with its code, and ends the session`() {
        var session = WebSocketSession()
        let events = session.events(frame(0x88, [0x0F, 0xA1] + Array("bye".utf8)) + frame(0x89) + frame(0x81, [0x61]))
        #expect(events == [.ended(.closed(WebSocketCloseCode(rawValue: 4001), reason: "bye"))])
        #expect(session.takeOutput() == [0x88, 2, 0x0F, 0xA1])
        #expect(session.hasEnded)
        #expect(session.events(frame(0x81, [0x61])).isEmpty)
        #expect(session.send(text: "late") == false)
        #expect(session.close() == false)
        #expect(session.connectionEnded() == nil)
        #expect(session.takeOutput().isEmpty)
    }

    @Test func `a close without a code is answered without one`() {
        var session = WebSocketSession()
        #expect(session.events(frame(0x88)) == [.ended(.closed(nil, reason: ""))])
        #expect(session.takeOutput() == [0x88, 0])
    }

    @Test func `our close waits for that of the client, and delivers nothing meanwhile`() {
        var session = WebSocketSession()
        #expect(session.close(WebSocketCloseCode(rawValue: 4401), reason: "expired") == true)
        #expect(session.takeOutput() == [0x88, 9, 0x11, 0x31] + Array("expired".utf8))
        #expect(!session.hasEnded)
        #expect(session.send(text: "late") == false)
        #expect(session.events(frame(0x81, [0x61]) + frame(0x89)).isEmpty)
        #expect(session.takeOutput().isEmpty)
        #expect(
            session.events(frame(0x88, [0x11, 0x31])) == [
                .ended(.closed(WebSocketCloseCode(rawValue: 4401), reason: ""))
            ]
        )
        #expect(session.takeOutput().isEmpty)
        #expect(session.hasEnded)
    }

    @Test func `a fault closes with its code and says why`() {
        var session = WebSocketSession()
        #expect(
            session.events(frame(0x81, [0x61]) + frame(0x81, [0xFF])) == [.text("a"), .ended(.failed(.invalidUTF8))]
        )
        #expect(session.takeOutput().prefix(4) == [0x88, 29, 0x03, 0xEF])
        #expect(session.sentClose == .invalidPayload)
        #expect(session.hasEnded)
    }

    @Test func `a message is answered before the fault that follows it closes`() {
        var session = WebSocketSession()
        session.receive(frame(0x81, [0x61]) + [0xFF])
        while let event = session.next() {
            if case .text(let text) = event { session.send(text: text) }
        }
        #expect(session.takeOutput().prefix(6) == [0x81, 1, 0x61, 0x88, 51, 0x03])
    }

    @Test func `a fault after our close is not answered a second time`() {
        var session = WebSocketSession()
        session.close()
        _ = session.takeOutput()
        #expect(session.events([0xFF]) == [.ended(.failed(.reservedBits))])
        #expect(session.takeOutput().isEmpty)
    }

    @Test func `a connection that ends without a close is lost, once`() {
        var session = WebSocketSession()
        #expect(session.events([0x81]).isEmpty)
        #expect(session.connectionEnded() == .ended(.lost))
        #expect(session.connectionEnded() == nil)
        #expect(session.hasEnded)
    }

    @Test func `messages, pings and long reasons are written as short frames where they must be`() {
        var session = WebSocketSession()
        #expect(session.send(text: "ä") == true)
        #expect(session.send(binary: [1]) == true)
        #expect(session.ping([UInt8](repeating: 1, count: 200)) == true)
        #expect(
            session.takeOutput() == [0x81, 2, 0xC3, 0xA4, 0x82, 1, 1, 0x89, 125] + [UInt8](repeating: 1, count: 125)
        )
        session.close(.goingAway, reason: String(repeating: "ä", count: 100))
        // Two bytes of code and 61 whole characters: one byte stays free.
        #expect(session.takeOutput().count == 2 + 2 + 122)
    }
}

extension WebSocketSession {
    /// Takes bytes and returns all that they mean.
    fileprivate mutating func events(_ bytes: [UInt8]) -> [Event] {
        receive(bytes)
        var events: [Event] = []
        while let event = next() { events.append(event) }
        return events
    }
}
