import Basics
import HTTPCodec
import HTTPServing
import JSON
import ScenarioFormat
import StubServing
import TestSupport
import Testing

/// Bodies that a contract documents, in every kind of media type.
@Suite(.timeLimit(.minutes(15)))
struct `A body of a contract` {
    /// - Parameter responses: the responses of `GET /a`, in YAML.
    private func withResponses(
        _ responses: String,
        version: String = "3.2.0",
        _ body: (Stub, HTTPClient) async throws -> Void
    ) async throws {
        let contract = """
            openapi: \(version)
            info: {title: Bodies, version: "1"}
            paths:
              /a: {get: {responses: {\(responses)}}}
            """
        let files = MemoryFiles(["openapi.yaml": contract])
        try await withStub(try ScenarioLibrary("/project/openapi.yaml", files: files)) { stub in
            try await body(stub, try stub.client())
        }
    }

    private func content(_ mediaType: String, _ keys: String) -> String {
        #""200": {description: x, content: {\#(mediaType): {\#(keys)}}}"#
    }

    static let item =
        "itemSchema: {type: object, required: [id], additionalProperties: false, properties: {id: {type: integer}}}"

    @Test(arguments: [
        ("application/jsonl", #"(\{"id":\d+\}\n)+"#), ("application/x-ndjson", #"(\{"id":\d+\}\n)+"#),
        ("application/json-seq", #"(\x1E\{"id":\d+\}\n)+"#),
        (
            "multipart/mixed",
            #"(--backlot-part\r\nContent-Type: application/json\r\n\r\n\{"id":\d+\}\r\n)+--backlot-part--\r\n"#
        ),
    ])
    func `that is a sequence has items that fit`(mediaType: String, form: String) async throws {
        try await withResponses(content(mediaType, Self.item)) { (stub, client) async throws in
            let response = try client.get("/a")
            let match = response.text.wholeMatch(of: try Regex(form))
            #expect(response.code == 200 && match != nil, "\(response.text)")
            #expect(response.fields["Content-Type"]?.hasPrefix(mediaType) == true)
            #expect(try stub.admin(.get, "journal")["exchanges"]?[0]?["violations"] == nil)
        }
    }

    @Test(arguments: [
        (
            "itemSchema: {type: object, required: [data, event], properties: {data: {const: one}, event: {const: news}}}",
            "event: news\ndata: one\n\n"
        ),
        ("schema: {type: string, const: one}", "data: one\n\n"),
        ("schema: {type: object, required: [a], properties: {a: {const: 1}}}", "data: {\"a\":1}\n\n"),
        (#"example: "data: two\n\n""#, "data: two\n\n"), ("", "data: amber\n\n"),
    ])
    func `that is a stream of events has an event`(keys: String, text: String) async throws {
        try await withResponses(content("text/event-stream", keys)) { (_, client) async throws in
            let response = try client.get("/a")
            #expect(response.code == 200 && response.text == text)
        }
    }

    @Test(
        arguments: [
            ("image/png", [0x89, 0x50, 0x4E, 0x47]), ("image/gif", [0x47, 0x49, 0x46, 0x38]),
            ("image/jpeg", [0xFF, 0xD8, 0xFF]), ("application/pdf", [0x25, 0x50, 0x44, 0x46]),
            ("application/zip", [0x50, 0x4B, 0x05, 0x06]), ("application/gzip", [0x1F, 0x8B]),
            ("audio/wav", [0x52, 0x49, 0x46, 0x46]), ("application/octet-stream", [0x00, 0x01]),
            ("text/csv", Array("id,name\r\n".utf8)), ("text/html", Array("<!DOCTYPE html>".utf8)),
            ("image/svg+xml", Array("<svg".utf8)),
        ] as [(String, [UInt8])]
    )
    func `has the form of its media type`(mediaType: String, start: [UInt8]) async throws {
        for keys in ["", "schema: {type: string, format: binary}", "schema: {type: string}"] {
            try await withResponses(content(mediaType, keys), version: "3.0.3") { (_, client) async throws in
                let response = try client.get("/a")
                #expect(response.code == 200 && response.body.starts(with: start), "\(keys)")
                #expect(response.fields["Content-Type"] == mediaType)
            }
        }
    }

    @Test func `of bytes yields to what the schema requires`() async throws {
        try await withResponses(
            content("application/octet-stream", "schema: {type: string, minLength: 40, maxLength: 40}")
        ) { (stub, client) async throws in
            #expect(try client.get("/a").body.count == 40)
            #expect(try stub.admin(.get, "journal")["exchanges"]?[0]?["violations"] == nil)
        }
    }

    @Test(arguments: [
        (
            "text/csv",
            "{type: array, minItems: 1, maxItems: 1, items: {type: object, required: [a, b], properties: {a: {const: 'x,\"y'}, b: {const: 2}}}}",
            "a,b\r\n\"x,\"\"y\",2\r\n"
        ),
        (
            "application/x-www-form-urlencoded",
            "{type: object, required: [a, b], properties: {a: {const: x y}, b: {const: 2}}}", "a=x%20y&b=2"
        ),
        (
            "multipart/form-data", "{type: object, required: [a], properties: {a: {const: x}}}",
            "--backlot-part\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--backlot-part--\r\n"
        ),
        ("application/yaml", "{type: object, required: [a], properties: {a: {const: 1}}}", "{\"a\":1}"),
    ])
    func `is written from an object`(mediaType: String, schema: String, text: String) async throws {
        try await withResponses(content(mediaType, "schema: \(schema)")) { (stub, client) async throws in
            #expect(try client.get("/a").text == text)
            #expect(try stub.admin(.get, "journal")["exchanges"]?[0]?["violations"] == nil)
        }
    }

    @Test(
        arguments: ["schema: {type: string}", "schema: {type: object}", "", "example: {a: 1}"],
        [
            ("application/xml", "XML"), ("application/problem+cbor", "CBOR"),
            ("application/x-protobuf", "Protocol Buffers"),
        ]
    )
    func `of an encoding is not invented`(keys: String, encoding: (mediaType: String, name: String)) async throws {
        try await withResponses(content(encoding.mediaType, keys)) { (_, client) async throws in
            let response = try client.get("/a")
            #expect(response.code == 501)
            #expect(try response.json["title"]?.string == "Values cannot be generated as \(encoding.name)")
        }
    }

    @Test func `is an example as it is written`() async throws {
        let examples =
            #"examples: {x: {serializedValue: "<pet/>"}, y: {value: "<b/>"}, z: {dataValue: {a: 1}, serializedValue: "<a>1</a>"}}"#
        try await withResponses(content("application/xml", "schema: {type: object}, \(examples)")) {
            (_, client) async throws in
            #expect(try client.get("/a", ["Prefer": "example=x"]).text == "<pet/>")
            #expect(try client.get("/a", ["Prefer": "example=y"]).text == "<b/>")
            #expect(try client.get("/a", ["Prefer": "example=z"]).text == "<a>1</a>")
            #expect(try client.get("/a").text == "<a>1</a>")
            let unknown = try client.get("/a", ["Prefer": "example=w"])
            #expect(unknown.code == 400)
            #expect(try unknown.json["documented"] == ["y", "z", "x"])
        }
    }

    @Test(arguments: [
        (#""101": {description: x}"#, "101"), (#""1XX": {description: x}"#, "1XX"),
        (#""100": {description: x}, "103": {description: x}"#, "100, 103"),
    ])
    func `does not answer where only informational responses are documented`(responses: String, codes: String)
        async throws
    {
        try await withResponses(responses) { (_, client) async throws in
            let response = try client.get("/a")
            #expect(response.code == 501 && response.problem == "nothing-documented")
            #expect(try response.json["detail"]?.string?.hasPrefix("GET /a \(codes) is informational") == true)
        }
    }

    @Test func `of default answers next to an informational one`() async throws {
        try await withResponses(
            #""101": {description: x}, default: {description: y, content: {text/plain: {example: yes it is}}}"#
        ) { (_, client) async throws in
            let response = try client.get("/a")
            #expect(response.code == 200 && response.text == "yes it is")
            #expect(try client.get("/a", ["Prefer": "code=101"]).code == 501)
        }
    }

    @Test func `says which keywords cannot be combined`() async throws {
        let schema =
            "schema: {type: object, required: [id], properties: {id: {type: string, pattern: '^[0-9a-f]{24}$', maxLength: 10}}}"
        try await withResponses(content("application/json", schema)) { (_, client) async throws in
            let response = try client.get("/a")
            #expect(response.code == 501)
            #expect(try response.json["title"]?.string == "The schema allows no value")
            let reason =
                #"Keywords contradict each other at /id: there is no text of at most 10 characters that matches "^[0-9a-f]{24}$"."#
            #expect(try response.json["detail"]?.string?.contains(reason) == true)
        }
        try await withResponses(content("application/json", "schema: {type: integer, not: {type: integer}}")) {
            (_, client) async throws in
            #expect(try client.get("/a").json["title"]?.string == "No value that the schema allows was found")
        }
    }

    @Test func `lacks what is write-only in 3_0`() async throws {
        let schema =
            "schema: {type: object, required: [id, secret], properties: {id: {type: integer}, secret: {type: string, writeOnly: true}}}"
        for (version, isSent) in [("3.0.3", false), ("3.1.0", true)] {
            try await withResponses(content("application/json", schema), version: version) {
                (stub, client) async throws in
                let response = try client.get("/a")
                let value = try response.json
                #expect((value["secret"] != nil) == isSent && value["id"] != nil)
                #expect(try stub.admin(.get, "journal")["exchanges"]?[0]?["violations"] == nil)
            }
        }
    }
}
