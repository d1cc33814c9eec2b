import HTTPCodec
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
        return MadeBody(content, in: verified.contract).bytes(of: value)
            .map { String(decoding: $0, as: UTF8.self) }
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

    @Test(arguments: ["multipart/mixed", "application/*", "image/png", "text/*", "nonsense"])
    func `is not tried for others`(mediaType: String) {
        #expect(!MadeBody.canWrite(mediaType))
    }

    /// An upload as FastAPI documents it, for two versions of OpenAPI.
    private static let upload = """
        {"/a": {"post": {"responses": {"200": {"description": ""}}, "requestBody": {"content": {"multipart/form-data": {
          "schema": {"allOf": [{"$ref": "#/components/schemas/Upload"}]},
          "encoding": {"meta": {"contentType": "application/json"}, "picture": {"contentType": "image/png, image/jpeg"}}
        }}}}}}
        """
    private static let components = """
        {"schemas": {"Upload": {"type": "object", "properties": {
          "file": {"type": "string", "format": "binary"},
          "other": {"anyOf": [{"type": "string", "contentMediaType": "application/octet-stream"}, {"type": "null"}]},
          "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
          "picture": {"type": "string", "format": "binary"}, "meta": {"type": "string"},
          "name": {"type": "string"}, "o": {"type": "object"}}}}}
        """

    @Test func `writes a part for each member of a multipart form, and files with a name`() throws {
        let verified = try VerifiedContract(paths: Self.upload, components: Self.components)
        let content = try #require(verified.contract.operations.first?.requestBody?.content.first)
        let value: JSONValue = [
            "file": "f", "other": "g", "files": ["1", "2"], "picture": "p", "meta": "m", "name": "n\r\n", "o": ["k": 1],
        ]
        let bytes = try #require(MadeBody(content, in: verified.contract).bytes(of: value))
        let form = try MultipartForm(
            parsing: bytes,
            contentType: BodyKind(content.mediaType).contentType(content.mediaType)
        )
        #expect(form.parts.map(\.name) == ["file", "other", "files", "files", "picture", "meta", "name", "o"])
        #expect(form.parts.map { $0.filename != nil } == [true, true, true, true, true, false, false, false])
        let octets = "application/octet-stream"
        #expect(
            form.parts.map(\.contentType)
                == [octets, octets, octets, octets, "image/png", "application/json", nil, "application/json"]
        )
        #expect(form.first(named: "o").map { String(decoding: $0.body, as: UTF8.self) } == #"{"k":1}"#)
    }
}
