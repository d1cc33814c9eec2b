import HTTPCodec
import OpenAPI
import Testing

@Suite struct `A multipart form` {
    private static let operation = """
        "requestBody": {"content": {"multipart/form-data": {
          "encoding": {"image": {"contentType": "image/png, image/jpeg", "headers": {
            "X-Size": {"required": true, "schema": {"type": "integer"}}}}},
          "schema": {"type": "object", "required": ["id"], "properties": {
            "id": {"type": "integer"},
            "image": {"type": "string", "format": "binary", "maxLength": 8},
            "files": {"type": "array", "maxItems": 2, "items": {"type": "string"}},
            "address": {"type": "object", "required": ["city"]}}}}}}
        """

    private func violations(_ parts: [(head: String, body: String)], end: String = "--b--\r\n") throws
        -> [ContractViolation]
    {
        let body =
            parts.map { "--b\r\nContent-Disposition: form-data; \($0.head)\r\n\r\n\($0.body)\r\n" }.joined() + end
        return try JudgedExchange("post", Self.operation)
            .violations(.post, "/a", ["Content-Type": "multipart/form-data; boundary=b"], body: body)
    }

    private let id = (head: "name=\"id\"", body: "5")

    private func image(_ type: String, size: String?, _ body: String) -> (head: String, body: String) {
        let size = size.map { "\r\nX-Size: \($0)" } ?? ""
        return ("name=\"image\"; filename=\"a\"\r\nContent-Type: \(type)\(size)", body)
    }

    @Test func `is the object of its parts`() throws {
        let files = (1...2).map { (head: "name=\"files\"; filename=\"\($0)\"", body: "x") }
        let address = (head: "name=\"address\"", body: #"{"city": "Ulm"}"#)
        #expect(try violations([id]).lines == [])
        #expect(try violations([id, files[0]]).lines == [])
        #expect(try violations([id] + files).lines == [])
        #expect(try violations([id, address]).lines == [])
        #expect(try violations([id, image("image/png", size: "8", "ääää")]).lines == [])
    }

    @Test func `is refused where a part is wrong`() throws {
        let files = (1...3).map { (head: "name=\"files\"; filename=\"\($0)\"", body: "x") }
        #expect(try violations([]).lines.count == 1)
        #expect(try violations([(id.head, "five")]).map { "\($0.part)" } == ["body /id"])
        #expect(try violations([id] + files).map { "\($0.part)" } == ["body /files"])
        #expect(try violations([id, ("name=\"address\"", "{}")]).map { "\($0.part)" } == ["body /address"])
        #expect(try violations([id, image("image/png", size: "9", "äääää")]).map { "\($0.part)" } == ["body /image"])
    }

    @Test func `has parts of the media types that the contract requires`() throws {
        #expect(
            try violations([id, image("image/gif", size: "1", "x")]).lines
                == [
                    "error contract/part-media-type: the part \"image\" has the Content-Type \"image/gif\","
                        + " but the contract requires image/png, image/jpeg"
                ]
        )
    }

    @Test func `has the headers that the contract requires in its parts`() throws {
        #expect(
            try violations([id, image("image/png", size: nil, "x")]).lines
                == [
                    "error contract/missing-header:"
                        + " the header \"X-Size\" of the part \"image\" is missing, but the contract requires it"
                ]
        )
        #expect(
            try violations([id, image("image/png", size: "big", "x")]).lines
                == [
                    "error contract/invalid-header:"
                        + " the header \"X-Size\" of the part \"image\" is \"big\", but the contract requires an integer"
                ]
        )
    }

    @Test func `is judged by its own long part, and not by the one before`() throws {
        let operation = """
            "requestBody": {"content": {"multipart/form-data": {"schema": {"type": "object", "properties": {
              "image": {"type": "string", "pattern": "z$"}}}}}}
            """
        let exchange = try JudgedExchange("post", operation)
        func lines(_ body: String) throws -> [String] {
            let head = "--b\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a\"\r\n\r\n"
            let fields: HTTPFields = ["Content-Type": "multipart/form-data; boundary=b"]
            return try exchange.violations(.post, "/a", fields, body: head + body + "\r\n--b--\r\n").lines
        }
        let long = String(repeating: "ä", count: 10_001)
        for _ in 1...2 {
            #expect(try lines(long + "z").isEmpty)
            #expect(try lines(long + "y").count == 1)
            #expect(try lines("y" + long + "z").isEmpty)
        }
    }

    @Test func `that is cut off is told`() throws {
        #expect(
            try violations([id], end: "").lines
                == [
                    "error contract/body-syntax: the request's body is not a valid multipart form:"
                        + " the body does not end with \"--b--\""
                ]
        )
        #expect(
            try violations([id, ("name=\"address\"", "{")]).lines.first
                == "error contract/body-syntax: the part \"address\" is not valid JSON at 1:2:"
                + " the text ends here, but the object opened at 1:1 is not closed"
        )
    }
}
