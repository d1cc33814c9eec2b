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
        Failure("", .closedWithoutResponse),
        Failure("HTTP/1.1 100 Continue\r\n\r\n", .closedWithoutResponse),
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
        #expect(ResponseTranscript(bytes, answering: [.get]).error == failure.error)
        #expect(
            ResponseTranscript(bytes, pieces: [1], answering: [.get]) == ResponseTranscript(bytes, answering: [.get])
        )
        #expect(!failure.error.sentence.isEmpty)
    }

    @Test func `Bytes that nobody asked for are told`() {
        let response = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        let more = ResponseTranscript(wire(response + "xyz"), answering: [.get])
        #expect(more.responses.count == 1)
        #expect(more.error == .unexpectedBytes(Array("xyz".utf8)))
        let closed = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        #expect(ResponseTranscript(wire(closed + response)).error == .unexpectedBytes(Array((response).utf8)))
    }

    @Test func `Interim responses come before the final one`() {
        let bytes = wire(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 \r\nLink: a\r\n\r\nHTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx"
        )
        let transcript = ResponseTranscript(bytes, answering: [.put])
        #expect(transcript.interim.map(\.status) == [100, 103])
        #expect(transcript.responses.map(\.body) == [[0x78]])
        #expect(transcript.error == nil)
    }

    @Test func `Responses to HEAD and responses without body end with their head`() {
        let bytes = wire(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"
                + "HTTP/1.1 204 No Content\r\n\r\n"
        )
        let transcript = ResponseTranscript(bytes, pieces: [3], answering: [.head, .get, .delete])
        #expect(transcript.error == nil)
        #expect(transcript.responses.map(\.status) == [200, 304, 204])
        #expect(transcript.responses.allSatisfy { $0.framing == .none && $0.keepsAlive })
    }

    @Test func `Without a length the body ends with the connection`() throws {
        let transcript = ResponseTranscript(wire("HTTP/1.1 200 Fine so far\r\n\r\nhello"), answering: [.get])
        let response = try #require(transcript.responses.first)
        #expect(response.body == wire("hello"))
        #expect(response.framing == .untilClose && !response.keepsAlive)
        #expect(response.reasonPhrase == "Fine so far")
    }

    @Test func `A chunked response has its trailers`() throws {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a\r\nhi\r\n0\r\nSum: 1\r\n\r\n"
        let response = try #require(ResponseTranscript(wire(text), pieces: [1], answering: [.get]).responses.first)
        #expect(response.body == wire("hi"))
        #expect(response.trailers == ["Sum": "1"])
    }

    @Test func `What came of a truncated response is kept`() {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"
        #expect(ResponseTranscript(wire(text), answering: [.get]).partial?.body == wire("hello"))
    }

    @Test func `A quiet end is no error`() {
        #expect(ResponseTranscript([], answering: []).error == nil)
    }
}
