import HTTPCodec
import TestSupport
import Testing

struct HTTPResponseWriterTests {
    private func text(
        _ writer: HTTPResponseWriter,
        _ response: HTTPResponse,
        date: String? = nil
    ) -> (text: String, livesOn: Bool) {
        var output: [UInt8] = []
        let livesOn = writer.append(response, date: date, to: &output)
        return (String(decoding: output, as: UTF8.self), livesOn)
    }

    private let alive = HTTPResponseWriter(version: .http11, method: .get, keepsAlive: true)

    @Test func `A response has its fields, the date and its length`() {
        let response = HTTPResponse(status: .created, fields: ["A": "b"], body: Array("hello".utf8))
        let (text, livesOn) = text(alive, response, date: "today")
        #expect(text == "HTTP/1.1 201 Created\r\nA: b\r\nDate: today\r\nContent-Length: 5\r\n\r\nhello")
        #expect(livesOn)
    }

    @Test func `A date of its own stays`() {
        let response = HTTPResponse(status: .ok, fields: ["date": "never"])
        #expect(
            text(alive, response, date: "today").text == "HTTP/1.1 200 OK\r\ndate: never\r\nContent-Length: 0\r\n\r\n"
        )
    }

    @Test func `Unregistered codes have an empty phrase behind the space`() {
        #expect(text(alive, HTTPResponse(status: 420)).text == "HTTP/1.1 420 \r\nContent-Length: 0\r\n\r\n")
    }

    @Test(arguments: [101, 204, 304] as [HTTPStatus])
    func `Where no body may be there is no length either`(status: HTTPStatus) {
        let text = text(alive, HTTPResponse(status: status, body: [1])).text
        #expect(text == "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n\r\n")
    }

    @Test func `Reset Content is empty and says so`() {
        #expect(text(alive, HTTPResponse(status: 205, body: [1])).text.hasSuffix("Content-Length: 0\r\n\r\n"))
    }

    @Test func `HEAD gets the length but not the body`() {
        let writer = HTTPResponseWriter(version: .http11, method: .head, keepsAlive: true)
        let response = HTTPResponse(status: .ok, contentType: "a/b", body: "hello")
        #expect(text(writer, response).text == "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 5\r\n\r\n")
        let stated = HTTPResponse(status: .ok, fields: ["Content-Length": "7"])
        #expect(text(writer, stated).text == "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n")
    }

    @Test func `An author cannot spoil the framing`() {
        let fields: HTTPFields = [
            "Content-Length": "99", "transfer-encoding": "chunked", "Connection": "keep-alive", "A": "b",
        ]
        let response = HTTPResponse(status: .ok, fields: fields, body: [0x78])
        #expect(text(alive, response).text == "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 1\r\n\r\nx")
    }

    @Test(arguments: [
        (HTTPVersion.http11, true, "", true), (.http11, false, "Connection: close\r\n", false),
        (.http10, true, "Connection: keep-alive\r\n", true), (.http10, false, "Connection: close\r\n", false),
    ])
    func `Each version says what it must about the connection`(
        version: HTTPVersion,
        keepsAlive: Bool,
        field: String,
        livesOn: Bool
    ) {
        let writer = HTTPResponseWriter(version: version, method: .get, keepsAlive: keepsAlive)
        let written = text(writer, HTTPResponse(status: .ok))
        #expect(written.text == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(field)\r\n")
        #expect(written.livesOn == livesOn)
        let closing = text(writer, HTTPResponse(status: .ok, fields: ["connection": "x, Close"]))
        #expect(closing.text == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        #expect(!closing.livesOn)
    }

    @Test func `Chunks are for HTTP 1.1, the older version reads to the end`() {
        var output: [UInt8] = []
        let response = HTTPResponse(status: .ok)
        let livesOn = alive.appendHead(response, framing: .chunked, to: &output)
        #expect(livesOn)
        HTTPResponseWriter.appendChunk(Array(repeating: 0x61, count: 26), to: &output)
        HTTPResponseWriter.appendChunk([], to: &output)
        HTTPResponseWriter.appendLastChunk(trailers: ["A": "b"], to: &output)
        let body = String(repeating: "a", count: 26)
        #expect(
            String(decoding: output, as: UTF8.self)
                == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1A\r\n\(body)\r\n0\r\nA: b\r\n\r\n"
        )
        output = []
        let old = HTTPResponseWriter(version: .http10, method: .get, keepsAlive: true)
        #expect(!old.usesChunks)
        let oldLivesOn = old.appendHead(response, framing: .chunked, to: &output)
        #expect(!oldLivesOn)
        #expect(String(decoding: output, as: UTF8.self) == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    }

    @Test func `What is written is what a parser reads`() throws {
        var chance = SeededGenerator(seed: 3)
        var output: [UInt8] = []
        var sent: [HTTPResponse] = []
        for number in 0..<100 {
            let body = (0..<Int.random(in: 0...300, using: &chance)).map { _ in
                UInt8.random(in: 0...255, using: &chance)
            }
            let response = HTTPResponse(status: HTTPStatus(200 + number), fields: ["N": "\(number)"], body: body)
            if number.isMultiple(of: 2) || response.status.forbidsBody || response.status == 205 {
                alive.append(response, to: &output)
            } else {
                alive.appendHead(response, framing: .chunked, to: &output)
                for start in stride(from: 0, to: body.count, by: 64) {
                    HTTPResponseWriter.appendChunk(body[start..<min(start + 64, body.count)], to: &output)
                }
                HTTPResponseWriter.appendLastChunk(to: &output)
            }
            sent.append(response)
        }
        let methods = Array(repeating: HTTPMethod.get, count: 100)
        let transcript = ResponseTranscript(output, pieces: [13], answering: methods)
        #expect(transcript.error == nil)
        for (read, sent) in zip(transcript.responses, sent) {
            let isEmpty = sent.status.forbidsBody || sent.status == 205
            #expect(read.status == sent.status && read.fields["N"] == sent.fields["N"])
            #expect(read.body == (isEmpty ? [] : sent.body))
        }
        #expect(transcript.responses.count == sent.count)
    }

    @Test func `A request is written with what it lacks`() {
        var output: [UInt8] = []
        HTTPRequestWriter.append(HTTPRequest(target: "/a"), host: "h:1", to: &output)
        HTTPRequestWriter.append(HTTPRequest(method: .post, target: "http://o/", body: [0x78]), to: &output)
        HTTPRequestWriter.append(
            HTTPRequest(method: .put, target: "/", fields: ["host": "x", "Content-Length": "9"]),
            to: &output
        )
        HTTPRequestWriter.append(HTTPRequest(method: .post, target: "/", version: .http10), host: "h", to: &output)
        #expect(
            String(decoding: output, as: UTF8.self)
                == "GET /a HTTP/1.1\r\nHost: h:1\r\n\r\n"
                + "POST http://o/ HTTP/1.1\r\nHost: o\r\nContent-Length: 1\r\n\r\nx"
                + "PUT / HTTP/1.1\r\nhost: x\r\nContent-Length: 9\r\n\r\n"
                + "POST / HTTP/1.0\r\nHost: h\r\nContent-Length: 0\r\n\r\n"
        )
    }

    @Test func `The interim response is complete`() {
        var output: [UInt8] = []
        HTTPResponseWriter.appendContinue(to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
    }
}
