import HTTPCodec
import Testing

struct HTTPResponseParserTests {
    struct Failure: Sendable, CustomTestStringConvertible {
        let bytes: String
        let error: HTTPResponseError

        init(_ bytes: String, _ error: HTTPResponseError) {
            self.bytes = bytes
            self.error = error
        }

        var testDescription: String { bytes.debugDescription }
    }

    static let failures: [Failure] = [
        Failure("", .closedWithoutReply),
        Failure("HTTP/1.1 100 Continue\r\n\r\n", .closedWithoutReply),
        Failure("SSH-2.0-x\r\n", .notHTTP(found: Array("SSH-2.0-x\r\n".utf8))),
        Failure("HTTQ", .notHTTP(found: Array("HTTQ".utf8))),
        Failure("HTTP/1.1 2", .truncatedHead(receivedBytes: 10)),
        Failure("HTTP/1.1 200 OK\r\nA: b\r\n", .truncatedHead(receivedBytes: 23)),
        Failure("HTTP/1.1 20 OK\r\n\r\n", .malformed(.malformedStatusLine)),
        Failure("HTTP/1.1 2000 OK\r\n\r\n", .malformed(.malformedStatusLine)),
        Failure("HTTP/1.1 099 OK\r\n\r\n", .malformed(.malformedStatusLine)),
        Failure("HTTP/1.1  200 OK\r\n\r\n", .malformed(.malformedStatusLine)),
        Failure("HTTP/1.1 200 O\0K\r\n\r\n", .malformed(.malformedStatusLine)),
        Failure("HTTP/2.0 200 OK\r\n\r\n", .malformed(.unsupportedVersion("HTTP/2.0"))),
        Failure("HTTP/1.1 200 OK\nA: b\r\n\r\n", .malformed(.bareLineFeed)),
        Failure("HTTP/1.1 200 OK\r\nA b\r\n\r\n", .malformed(.missingColon)),
        Failure("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", .truncatedBody(received: 3, announced: 5)),
        Failure("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", .malformed(.malformedContentLength)),
        Failure("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", .malformed(.bodyTooLarge(limit: 16 << 20))),
        Failure(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            .truncatedBody(received: 3, announced: nil)
        ),
        Failure(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\nabc\r\n",
            .malformed(.malformedChunkSize)
        ),
        Failure(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
            .malformed(.lengthAndTransferEncoding)
        ),
    ]

    @Test(arguments: failures)
    func `Each way of going wrong is told`(_ failure: Failure) {
        let bytes = wire(failure.bytes)
        #expect(ReplyTranscript(bytes, answering: [.get]).error == failure.error)
        #expect(ReplyTranscript(bytes, pieces: [1], answering: [.get]) == ReplyTranscript(bytes, answering: [.get]))
        #expect(!failure.error.sentence.isEmpty)
    }

    @Test func `Bytes that nobody asked for are told`() {
        let reply = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        let more = ReplyTranscript(wire(reply + "xyz"), answering: [.get])
        #expect(more.replies.count == 1)
        #expect(more.error == .unexpectedBytes(Array("xyz".utf8)))
        let closed = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        #expect(ReplyTranscript(wire(closed + reply)).error == .unexpectedBytes(Array((reply).utf8)))
    }

    @Test func `Interim replies come before the final one`() {
        let bytes = wire(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 \r\nLink: a\r\n\r\nHTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx"
        )
        let transcript = ReplyTranscript(bytes, answering: [.put])
        #expect(transcript.interim.map(\.status) == [100, 103])
        #expect(transcript.replies.map(\.body) == [[0x78]])
        #expect(transcript.error == nil)
    }

    @Test func `Replies to HEAD and replies without body end with their head`() {
        let bytes = wire(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"
                + "HTTP/1.1 204 No Content\r\n\r\n"
        )
        let transcript = ReplyTranscript(bytes, pieces: [3], answering: [.head, .get, .delete])
        #expect(transcript.error == nil)
        #expect(transcript.replies.map(\.status) == [200, 304, 204])
        #expect(transcript.replies.allSatisfy { $0.framing == .none && $0.keepsAlive })
    }

    @Test func `Without a length the body ends with the connection`() throws {
        let transcript = ReplyTranscript(wire("HTTP/1.1 200 Fine so far\r\n\r\nhello"), answering: [.get])
        let reply = try #require(transcript.replies.first)
        #expect(reply.body == wire("hello"))
        #expect(reply.framing == .untilClose && !reply.keepsAlive)
        #expect(reply.reasonPhrase == "Fine so far")
    }

    @Test func `A chunked reply has its trailers`() throws {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a\r\nhi\r\n0\r\nSum: 1\r\n\r\n"
        let reply = try #require(ReplyTranscript(wire(text), pieces: [1], answering: [.get]).replies.first)
        #expect(reply.body == wire("hi"))
        #expect(reply.trailers == ["Sum": "1"])
    }

    @Test func `What came of a truncated reply is kept`() {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"
        #expect(ReplyTranscript(wire(text), answering: [.get]).partial?.body == wire("hello"))
    }

    @Test func `A quiet end is no error`() {
        #expect(ReplyTranscript([], answering: []).error == nil)
    }
}
