import JSON
import OpenAPI
import Testing

@testable import Checking
@testable import ClientTesting

@Suite struct `Writing a request's body` {
    private func text(_ value: JSONValue, _ mediaType: String) throws -> String? {
        let verified = try VerifiedContract(
            paths: """
                {"/a": {"post": {"responses": {"200": {"description": ""}}, "requestBody": {"content": {"\(mediaType)": {
                  "encoding": {"m": {"style": "deepObject"}, "i": {"style": "form", "explode": false}}}}}}}}
                """
        )
        let content = try #require(verified.contract.operations.first?.requestBody?.content.first)
        return RequestBodyText.bytes(of: value, as: content).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        arguments: [
            ("application/json", ["a": [1]], #"{"a":[1]}"#), ("application/vnd.a+json", "x", #""x""#),
            ("text/plain", "x", "x"), ("text/plain", 5, "5"),
            ("application/x-www-form-urlencoded", ["a": 1, "b": ["x y", "z"]], "a=1&b=x%20y&b=z"),
            ("application/x-www-form-urlencoded", ["m": ["k": ["v", "w"]]], "m%5Bk%5D%5B0%5D=v&m%5Bk%5D%5B1%5D=w"),
            ("application/x-www-form-urlencoded", ["i": [1, 2]], "i=1,2"),
            ("application/x-www-form-urlencoded", ["o": ["k": 1]], "o=%7B%22k%22%3A1%7D"),
            ("application/x-www-form-urlencoded", ["a": []], nil), ("application/x-www-form-urlencoded", [1], nil),
            ("application/x-www-form-urlencoded", ["m": ["k": ["n": [:]]]], nil),
        ] as [(String, JSONValue, String?)]
    )
    func `follows its media type`(mediaType: String, value: JSONValue, text: String?) throws {
        #expect(try self.text(value, mediaType) == text)
    }

    @Test(arguments: ["multipart/form-data", "application/octet-stream", "image/png", "text/*", "nonsense"])
    func `is not tried for others`(mediaType: String) {
        #expect(!RequestBodyText.canWrite(mediaType))
    }
}
