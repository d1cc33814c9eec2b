import Basics
import HTTPCodec
import TestSupport
import Testing

/// A response that was rendered before is the one that a writer would write.
struct PreparedResponseTests {
    private static let second: Int64 = 784_111_777

    @Test(arguments: [
        HTTPResponse(status: .ok, fields: ["Content-Type": "application/json", "X-A": "b"], body: Array("{}".utf8)),
        HTTPResponse(status: .noContent), HTTPResponse(status: 203, fields: ["Content-Length": "7", "a": ""]),
        HTTPResponse(status: .notModified, fields: ["ETag": "x"]), HTTPResponse(status: 419, body: [0, 1, 255]),
        HTTPResponse(status: 205), HTTPResponse(status: .ok, fields: ["Date": "never"]),
    ])
    func `It differs in its date alone`(_ response: HTTPResponse) throws {
        let prepared = try #require(
            PreparedResponse(status: response.status, fields: response.fields, body: response.body)
        )
        var output = Array("before".utf8)
        prepared.append(date: Array(HTTPDate.text(secondsSince1970: Self.second).utf8), to: &output)

        var dated: HTTPFields = ["Date": HTTPDate.text(secondsSince1970: Self.second)]
        for (name, value) in response.fields { dated.append(name, value) }
        let whole = HTTPResponse(status: response.status, fields: dated, body: response.body)
        #expect(prepared.response(dated: Self.second) == whole)
        var expected = Array("before".utf8)
        HTTPResponseWriter(keepsAlive: true).append(whole, to: &expected)
        #expect(String(decoding: output, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
    }

    @Test func `What ends the connection or is large is not prepared`() {
        #expect(PreparedResponse(status: .ok, fields: ["Connection": "close"], body: []) == nil)
        let large = [UInt8](repeating: 0, count: PreparedResponse.largestBody + 1)
        #expect(PreparedResponse(status: .ok, fields: HTTPFields(), body: large) == nil)
        #expect(PreparedResponse(status: 103, fields: HTTPFields(), body: []) == nil)
    }
}
