import Basics
import Checking
import HTTPCodec
import JSON
import JSONSchema
import OpenAPI
import Reports
import TestSupport
import Testing

@testable import ClientTesting

@Suite struct `A verification of a server that is hard to read` {
    private static let schema = """
        {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
        """

    /// GET of these paths, each with an object with a name.
    private func verified(_ paths: String..., mediaType: String = "application/json", more: String = "") throws
        -> VerifiedContract
    {
        let items = paths.map { path in
            """
            "\(path)": {"get": {"responses": {"200": {"description": "",
               "content": {"\(mediaType)": {"schema": \(Self.schema)}}}\(more)}}}
            """
        }
        return try VerifiedContract(paths: "{\(items.joined(separator: ",\n"))}")
    }

    private func report(_ verified: VerifiedContract, _ answer: HTTPResponse) async throws -> Report {
        try await LiveBackend.run { _, _ in
            answer
        } _: { _, url in
            try await verified.run(url)
        }
    }

    private static func coded(_ coding: String, _ base64: String) throws -> HTTPResponse {
        HTTPResponse(
            status: .ok,
            fields: ["Content-Type": "application/json", "Content-Encoding": coding],
            body: try #require(Base64.decode(base64))
        )
    }

    // MARK: Content codings

    @Test(arguments: [
        ("gzip", "H4sIAAAAAAACA6tWykvMTVWyUirJz1WqBQCWOyCeDgAAAA==", []),
        ("deflate", "eNqrVspLzE1VslIqyc9VqgUAIx4ErA==", []),
        // {"name":7}
        ("gzip", "H4sIAAAAAAACA6tWykvMTVWyMq8FABsHSNEKAAAA", ["contract/response-body"]),
        ("gzip", "H4sIAAAAAAAC", ["verify/content-coding"]), ("deflate", "AAAA", ["verify/content-coding"]),
    ])
    func `decodes what it has asked for`(coding: String, data: String, ids: [String]) async throws {
        let verified = try verified("/a")
        let answer = try Self.coded(coding, data)
        try await LiveBackend.run { _, _ in
            answer
        } _: { backend, url in
            let report = try await verified.run(url)
            #expect(backend.requests.first?.fields["Accept-Encoding"] == "gzip, deflate")
            #expect(report.allFindings.map(\.id) == ids)
        }
    }

    @Test func `does not judge a body in another coding`() async throws {
        let report = try await report(try verified("/a"), try Self.coded("br", "AAAA"))
        #expect(report.lines == ["GET /a: not judged: the body has the content coding br, which is not decoded"])
        #expect(report.verdict == .nothingChecked)
    }

    // MARK: Streams and sizes

    @Test(arguments: [
        ("text/event-stream", "data: 1\n\n", []), ("text/event-stream", "", []),
        ("application/json", "data: 1\n\n", ["contract/undocumented-media-type"]),
    ])
    func `judges the head of a stream without an end`(mediaType: String, text: String, ids: [String]) async throws {
        var verified = try verified("/a", "/b", mediaType: mediaType)
        // What came with the head is enough.
        verified.options.streamTime = .zero
        let subject = verified
        try await LiveBackend.run { request, _ in
            request.path == "/a"
                ? LiveBackend.endless("text/event-stream", text)
                : HTTPResponse(status: .ok, contentType: mediaType, body: #"{"name": "x"}"#)
        } _: { _, url in
            let report = try await subject.run(url)
            #expect(report.checks.map { $0.findings.map(\.id) } == [ids, []])
        }
    }

    @Test func `reads a body of 17 MiB`() async throws {
        let text = String(repeating: "0123456789abcdef", count: 17 << 16)
        let answer = HTTPResponse(status: .ok, contentType: "application/json", body: "{\"name\": \"\(text)\"}")
        let report = try await report(try verified("/a"), answer)
        #expect(report.lines == ["GET /a: "])
    }

    // MARK: Malformed responses

    @Test func `takes no malformed response for silence`() async throws {
        let verified = try verified("/a", "/b", "/c", "/d", "/e", "/f", "/g")
        let report = try await report(verified, LiveBackend.raw("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"))
        #expect(
            report.checks.map { $0.findings.map(\.id) } == Array(repeating: ["verify/malformed-response"], count: 7)
        )
    }

    @Test func `gives up a server that is silent`() async throws {
        let verified = try verified("/a", "/b", "/c", "/d", "/e", "/f", "/g")
        let report = try await report(verified, LiveBackend.raw(""))
        #expect(
            report.lines.suffix(3) == [
                "GET /e: verify/no-response", "GET /f: the server sent no response 5 times in a row",
                "GET /g: the server sent no response 5 times in a row",
            ]
        )
    }

    @Test func `takes what comes late of one response for no part of the next`() async throws {
        let verified = try verified("/a", "/b", more: #", "204": {"description": ""}"#)
        try await LiveBackend.run { request, _ in
            request.path == "/a"
                // The body is announced and does not come with the head.
                ? LiveBackend.raw("HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n")
                : HTTPResponse(status: .ok, contentType: "application/json", body: #"{"name": "x"}"#)
        } _: { _, url in
            let report = try await verified.run(url)
            #expect(report.checks.map { $0.findings.map(\.id) } == [["verify/forbidden-bytes"], []])
        }
    }

    // MARK: Words of the server

    @Test(arguments: [
        (
            "application/problem+json", #"{"detail":  "no \n column"}"#,
            #"; the response body: {"detail": "no \n column"}"#
        ),
        ("text/plain", "no\ncolumn", "; the response body: no column"), ("text/html", "<p>no column</p>", ""),
        (
            "text/plain", String(repeating: "x", count: 300),
            "; the response body: \(String(repeating: "x", count: 200))…"
        ),
        ("text/plain", "your key is s3cret", ""), ("text/plain", "", ""),
    ])
    func `quotes what it says about a failure`(type: String, body: String, words: String) async throws {
        var verified = try VerifiedContract(
            paths: #"{"/a": {"get": {"security": [{"k": []}], "responses": {"200": {"description": ""}}}}}"#,
            components: #"{"securitySchemes": {"k": {"type": "apiKey", "in": "header", "name": "K"}}}"#
        )
        verified.environment = ["BACKLOT_APIKEY_K": "s3cret"]
        let report = try await report(verified, HTTPResponse(status: 500, contentType: type, body: body))
        #expect(report.allFindings.first?.advice == "GET /a received the response 500" + words)
    }

    @Test func `names every made-up value`() async throws {
        let verified = try VerifiedContract(
            paths: """
                {"/a": {"get": {"parameters": [{"name": "day", "in": "query", "required": true, "schema": {"type": "string"}},
                    {"name": "price", "in": "query", "required": true, "schema": {"type": "number"}}],
                  "responses": {"200": {"description": ""}, "422": {"description": ""}}}}}
                """
        )
        let answer = HTTPResponse(status: 422, contentType: "application/json", body: #"{"price": "is too low"}"#)
        let report = try await report(verified, answer)
        #expect(
            report.allFindings.last?.advice
                == "the values for \"day\" and \"price\" were generated; specify values with --parameter day=VALUE and so on;"
                + " the response body: {\"price\": \"is too low\"}"
        )
    }

    // MARK: The address

    @Test(arguments: [
        ("", "if all paths on the server begin with /api, verify against "), ("/v1", "the base path is /v1;"),
    ])
    func `suspects the base path where nothing is found`(path: String, advice: String) async throws {
        let verified = try verified("/a", "/b")
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: .notFound)
        } _: { _, url in
            let report = try await verified.run(url + path)
            let finding = try #require(report.findings.first)
            #expect(finding.id == "verify/base-path")
            #expect(finding.advice?.hasPrefix(advice) == true)
        }
        let partly = try await LiveBackend.run { request, _ in
            HTTPResponse(status: request.path == "/a" ? .notFound : .ok)
        } _: { _, url in
            try await verified.run(url)
        }
        #expect(partly.findings.isEmpty)
    }

    @Test func `reports every operation where no server listens`() async throws {
        let verified = try verified("/a", "/b")
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: .ok)
        } _: { _, listening in
            let port = try #require(listening.split(separator: ":").last.flatMap { UInt16($0) })
            let dead = try DeadPort(nextTo: port)
            let url = "http://127.0.0.1:\(dead.number)"
            let outcome = try verified.verification(url).run()
            withExtendedLifetime(dead) {}
            #expect(outcome.problem?.sentence == "no server listens at \(url)")
            #expect(
                outcome.report.checks.map(\.skipped) == ["no server listens at \(url)", "no server listens at \(url)"]
            )
            #expect(outcome.report.findings.map(\.id) == ["verify/stopped"])
        }
    }

    @Test func `reports what it has judged when it is interrupted`() async throws {
        let verified = try verified("/a", "/b", "/c")
        try await LiveBackend.run { _, _ in
            HTTPResponse(status: .ok, contentType: "application/json", body: #"{"name": "x"}"#)
        } _: { backend, url in
            let verification = Verification(
                of: verified.contract,
                against: try ServerURL(url),
                pause: { _ in },
                isInterrupted: { backend.requests.count == 2 }
            )
            let outcome = try verification.run()
            #expect(outcome.isInterrupted)
            #expect(outcome.report.lines == ["GET /a: ", "GET /b: ", "GET /c: the run was interrupted"])
        }
    }

    // MARK: Several at a time

    @Test func `sends each request once with several connections, and keeps the order of the contract`() async throws {
        let paths = (1...40).map { "\"/a\($0)\": {\"get\": {\"responses\": {\"200\": {\"description\": \"\"}}}}" }
        var verified = try VerifiedContract(paths: "{\(paths.joined(separator: ","))}")
        verified.options.concurrency = 8
        let subject = verified
        try await LiveBackend.run { request, _ in
            HTTPResponse(status: request.path == "/a7" ? 500 : .ok)
        } _: { backend, url in
            let done = Shared<[Int]>([])
            let verification = Verification(
                of: subject.contract,
                against: try ServerURL(url),
                options: subject.options,
                pause: { _ in },
                progress: { progress in done.withLock { $0.append(progress.done) } }
            )
            let report = try verification.run().report
            #expect(backend.targets.sorted() == (1...40).map { "GET /a\($0)" }.sorted())
            #expect(report.checks.map(\.name) == subject.contract.operations.map(\.label))
            #expect(report.checks.filter { !$0.findings.isEmpty }.map(\.name) == ["GET /a7"])
            #expect(done.withLock { $0 }.last == 40)
        }
    }

    @Test func `signs in once for all connections that are refused`() async throws {
        let paths = (1...20).map {
            "\"/a\($0)\": {\"get\": {\"security\": [{\"k\": []}], \"responses\": {\"200\": {\"description\": \"\"}}}}"
        }
        var verified = try VerifiedContract(
            paths: "{\(paths.joined(separator: ","))}",
            components: #"{"securitySchemes": {"k": {"type": "http", "scheme": "bearer"}}}"#
        )
        verified.options.concurrency = 8
        verified.options.signIn = [SignInRequest(method: .post, path: "/login")]
        let subject = verified
        let count = Shared(0)
        try await LiveBackend.run { request, _ in
            guard request.path == "/login" else {
                return HTTPResponse(status: request.fields["Authorization"] == "Bearer t1" ? .unauthorized : .ok)
            }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return HTTPResponse(status: .ok, contentType: "application/json", body: "{\"token\": \"t\(number)\"}")
        } _: { _, url in
            let report = try await subject.run(url)
            #expect(report.verdict == .held)
            #expect(report.counts.passed == 20)
            #expect(count.withLock { $0 } == 2)
        }
    }
}

@Suite struct `A document that is not a file` {
    private static let document = #"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}}"#

    @Test(arguments: [
        (" \n{}", "standard-input.json"), ("openapi: 3.1.0", "standard-input.yaml"), ("", "standard-input.yaml"),
    ])
    func `is JSON or YAML by its first character`(text: String, name: String) {
        #expect(GivenDocument("standard-input", Array(text.utf8), in: NoFiles()).name == name)
    }

    @Test func `is beside the other files`() throws {
        let files = MemoryFiles(["other.json": "{}"])
        let given = GivenDocument("given", Array("{".utf8), in: files)
        let place = try #require(given.resolve("given.json"))
        #expect(try given.read(place) == Array("{".utf8))
        #expect(!given.isFolder(place))
        #expect(try given.read(try #require(given.resolve("other.json"))) == Array("{}".utf8))
        #expect(given.resolve("none.json") == nil)
    }

    @Test(arguments: ["http://a/b", "HTTPS://a", "https://a/b"])
    func `has an address`(text: String) { #expect(GivenDocument.isAddress(text)) }

    @Test(arguments: ["http", "a.json", "http:/a", "-"])
    func `has no address`(text: String) { #expect(!GivenDocument.isAddress(text)) }

    @Test(arguments: [
        ("/docs/openapi.json", "openapi.json"), ("/redirected", "docs.json"),
        ("/v3/api-docs?group=a#top", "api-docs.json"),
    ])
    func `is fetched from a server`(target: String, name: String) async throws {
        try await LiveBackend.run { request, _ in
            switch request.target {
            case "/redirected": HTTPResponse(status: HTTPStatus(302), fields: ["Location": "/docs"])
            default: HTTPResponse(status: .ok, contentType: "application/json", body: Self.document)
            }
        } _: { backend, url in
            let given = try GivenDocument(at: url + target, timeout: .seconds(600), in: NoFiles())
            #expect(try given.read(given.name) == Array(Self.document.utf8))
            #expect(target != "/redirected" || backend.targets == ["GET /redirected", "GET /docs"])
            #expect(target == "/redirected" || given.name == name)
        }
    }

    @Test func `finds what it refers to on its server, and nothing on this machine`() async throws {
        let api = """
            {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {
              "/a": {"$ref": "paths/a.json"}, "/b": {"$ref": "../../b.json"}, "/c": {"$ref": "none.json"},
              "/d": {"$ref": "/local.json"}, "/e": {"$ref": "../../../project/local.json"}
            }}
            """
        let files = MemoryFiles(["/docs/v1/paths/a.json": Self.item, "local.json": Self.item])
        try await LiveBackend.run { request, _ in
            let body: String? =
                switch request.target {
                case "/docs/v1/openapi.json": api
                case "/docs/v1/paths/a.json": #"{"get": {"responses": {"200": {"$ref": "../r%20r.json#/ok"}}}}"#
                case "/docs/v1/r%20r.json": #"{"ok": {"description": "fine"}}"#
                case "/b.json": Self.item
                default: nil
                }
            return body.map { HTTPResponse(status: .ok, contentType: "application/json", body: $0) }
                ?? HTTPResponse(status: .notFound)
        } _: { backend, url in
            let given = try GivenDocument(at: url + "/docs/v1/openapi.json", timeout: .seconds(600), in: files)
            let root = try #require(given.root)
            let project = try #require(ProjectRoot(root, files: given))
            let contract = try ContractLoader(files: given, project: project).load(given.name)
            #expect(contract.operations.map(\.path).sorted() == ["/a", "/b"])
            #expect(contract.operations.first { $0.path == "/a" }?.response(for: 200) != nil)
            #expect(contract.findings.contains { $0.message.contains("\"none.json\" cannot be read") })
            #expect(backend.targets.count { $0 == "GET /none.json" || $0 == "GET /docs/v1/none.json" } == 1)
            #expect(files.touched.allSatisfy { !$0.hasSuffix("local.json") && !$0.hasSuffix("a.json") })
        }
    }

    @Test func `resolves absolute paths on its server`() async throws {
        let api = #"""
            {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {
              "/a": {"$ref": "/paths/a.json"},
              "/b": {"post": {"responses": {"200": {"description": "", "content": {"application/json": {
                "schema": {"$ref": "/schemas/pet.json"} } } } } } }
            }}
            """#
        let files = MemoryFiles(["/schemas/pet.json": "{}", "schemas/pet.json": "{}"])
        try await LiveBackend.run { request, _ in
            let body: String? =
                switch request.target {
                case "/docs/openapi.json": api
                case "/paths/a.json": Self.item
                case "/schemas/pet.json": #"{"properties": {"name": {"$ref": "/schemas/t%20t.json#/$defs/name"}}}"#
                case "/schemas/t%20t.json": #"{"$defs": {"name": {"$ref": "length.json"}}}"#
                case "/schemas/length.json": #"{"type": "string", "maxLength": 3}"#
                default: nil
                }
            return body.map { HTTPResponse(status: .ok, contentType: "application/json", body: $0) }
                ?? HTTPResponse(status: .notFound)
        } _: { _, url in
            let given = try GivenDocument(at: url + "/docs/openapi.json", timeout: .seconds(600), in: files)
            let root = try #require(given.root)
            let project = try #require(ProjectRoot(root, files: given))
            let mappings = [try #require(given.mapping)]
            let contract = try ContractLoader(files: given, project: project, mappings: mappings).load(given.name)
            #expect(contract.findings == [])
            #expect(contract.operations.map(\.path).sorted() == ["/a", "/b"])
            let response = contract.operations.first { $0.path == "/b" }?.response(for: 200)
            let schema = try #require(response?.content.first?.schema.flatMap(contract.schemas.schema))
            #expect(try schema.accepts(["name": "abc"]))
            #expect(try !schema.accepts(["name": "abcd"]))
            #expect(files.touched.allSatisfy { !$0.hasSuffix("pet.json") })
        }
    }

    private static let item = #"{"get": {"responses": {"200": {"description": ""}}}}"#

    @Test(
        arguments: [
            (HTTPResponse(status: .notFound), "cannot be read: the status is 404", nil),
            (
                HTTPResponse(status: HTTPStatus(302), fields: ["Location": "http://other.example/"]),
                "redirects to another server, or too many times", "specify the final address"
            ),
            (
                HTTPResponse(status: HTTPStatus(302), fields: ["Location": "/"]),
                "redirects to another server, or too many times", "specify the final address"
            ),
        ] as [(HTTPResponse, String, String?)]
    )
    func `is refused without a success`(answer: HTTPResponse, sentence: String, advice: String?) async throws {
        _ = try await LiveBackend.run { _, _ in
            answer
        } _: { _, url in
            #expect(throws: VerificationProblem("\(url)/a \(sentence)", advice: advice)) {
                try GivenDocument(at: url + "/a", timeout: .seconds(600), in: NoFiles())
            }
        }
    }
}
