import Basics
import HTTPCodec
import OpenAPI
import TestSupport
import Testing

/// One cause is one finding, however many places it has.
@Suite struct `A cause in a contract` {
    private func findings(_ files: [String: String], mappings: [String] = []) throws -> [Finding] {
        let contract = try load(files, mappings: mappings)
        return contract.findings + contract.lint()
    }

    private func load(_ files: [String: String], mappings: [String] = []) throws -> Contract {
        let files = MemoryFiles(files)
        let project = try #require(ProjectRoot("/project", files: files))
        let mappings = try mappings.map { try #require(URLMapping($0)) }
        return try ContractLoader(files: files, project: project, mappings: mappings).load("api.json")
    }

    private func operations(_ count: Int) -> String {
        "{\((0..<count).map { "\"/\($0)\": {\"get\": {\"responses\": {\"204\": {\"description\": \"\"}}}}" }.joined(separator: ","))}"
    }

    private static let bearer = "{\"securitySchemes\": {\"b\": {\"type\": \"http\", \"scheme\": \"bearer\"}}}"

    @Test(arguments: [(3, 3), (4, 1), (50, 1)])
    func `is one line for operations that lack the same response`(count: Int, lines: Int) throws {
        let text = document(
            paths: operations(count),
            components: Self.bearer,
            more: "\"security\": [{\"b\": []}],"
        )
        let found = try findings(["api.json": text])
        #expect(found.map(\.id) == Array(repeating: "contract/no-unauthorized-response", count: lines))
        guard lines == 1, let first = found.first else { return }
        #expect(
            first.message
                == "\(count) operations require credentials, but document no response for missing credentials"
        )
        #expect(first.place?.operation == "GET /0")
        #expect(first.related.map(\.place.operation) == (1..<count).map { "GET /\($0)" })
        #expect(first.relatedLines.count == (count > 9 ? 4 : count - 1))
    }

    @Test func `is one line where a misplaced reference repeats`() throws {
        let paths = (0..<20).map { "\"/{id}/\($0)\": {\"get\": {\"$ref\": \"#/components/x-operations/get\"}}" }
        let text = document(
            paths: "{\(paths.joined(separator: ","))}",
            components: """
                {"x-operations": {"get": {"parameters": [{"name": "id", "in": "path", "required": true, "schema": {}}],
                  "responses": {"200": {"description": ""}}}}}
                """
        )
        let contract = try load(["api.json": text])
        #expect(
            (contract.findings + contract.lint()).map(\.message) == [
                "a reference is not allowed in place of an operation (and at 19 more places)"
            ]
        )
        #expect(contract.operations.count == 20)
        #expect(contract.operations.allSatisfy { $0.responses.count == 1 && $0.parameters.count == 1 })
    }

    private static let remote = document(
        paths: """
            {"/a/{id}": {"get": {
              "parameters": [{"$ref": "https://example.com/x/common.json#/id"}],
              "responses": {
                "200": {"$ref": "https://example.com/x/common.json#/found"},
                "4XX": {"$ref": "https://example.com/x/common.json#/found"},
                "500": {"description": "", "content": {"application/json": {
                  "schema": {"$ref": "https://example.com/x/common.json#/text"}}}}}}}}
            """
    )

    private static let common = """
        {"id": {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
         "found": {"description": "", "content": {"application/json": {"schema": {"$ref": "types.json#/number"}}}},
         "text": {"$ref": "#/plain"}, "plain": {"type": "string"}}
        """

    private static let types = "{\"number\": {\"type\": \"integer\"}}"

    @Test func `is one line for a document on another machine`() throws {
        let found = try findings(["api.json": Self.remote])
        #expect(
            found.map(\.told) == [
                "error contract/unresolvable-reference /paths/~1a~1{id}/get/parameters/0/$ref"
                    + " \"https://example.com/x/common.json\" is on another machine, and Backlot does not download files (and at 2 more"
                    + " places); save a copy, and specify the copy with --map https://example.com/x/common.json=FILE"
            ]
        )
    }

    @Test func `leaves what is behind it unavailable, and not undocumented`() throws {
        let contract = try load(["api.json": Self.remote])
        let operation = try #require(contract.operations.first)
        #expect(operation.unavailable == "https://example.com/x/common.json#/id")
        let exchange = JudgedExchange(contract)
        func lines(_ status: Int) throws -> [String] { try exchange.violations(ofResponse: status).lines }
        for status in [200, 404] {
            #expect(
                try lines(status) == [
                    "note contract/unavailable: the contract's response for \(status) is not available, because"
                        + " \"https://example.com/x/common.json#/found\" cannot be resolved; the response was not checked"
                ]
            )
        }
        #expect(try lines(302).first?.hasPrefix("error contract/undocumented-status") == true)
        #expect(try exchange.violations(.get, "/a/1?more=1").isEmpty)
    }

    @Test(arguments: [
        ["https://example.com/x/=."], ["https://example.com/x/=./"],
        ["https://example.com/x/common.json=common.json"],
        ["https://example.com/x/common.json=common.json", "https://example.com/x/types.json=types.json"],
    ]) func `vanishes where a file is mapped to the URL`(mappings: [String]) throws {
        let files = ["api.json": Self.remote, "common.json": Self.common, "types.json": Self.types]
        #expect(try findings(files, mappings: mappings) == [])
        let exchange = JudgedExchange(try load(files, mappings: mappings))
        let fields: HTTPFields = ["Content-Type": "application/json"]
        #expect(try exchange.violations(ofResponse: 200, fields, body: "1").isEmpty)
        #expect(try exchange.violations(ofResponse: 200, fields, body: "\"1\"").map(\.id) == ["contract/response-body"])
        #expect(try exchange.violations(ofResponse: 500, fields, body: "1").map(\.id) == ["contract/response-body"])
    }

    @Test func `finds files that lie elsewhere than their URLs`() throws {
        let files = ["api.json": Self.remote, "/copies/c.json": Self.common, "/copies/t.json": Self.types]
        let mappings = [
            "https://example.com/x/common.json=/copies/c.json", "https://example.com/x/types.json=/copies/t.json",
        ]
        #expect(try findings(files, mappings: mappings) == [])
    }

    @Test(arguments: ["copies", "copies/", "./copies"])
    func `vanishes where files in a mapped folder behind a link refer to others by absolute paths`(
        folder: String
    ) throws {
        let project = try TemporaryFolder()
        try project.link("copies", to: "real\u{301}")
        try project.write(Self.common.replacing("types.json", with: "/x/types.json"), to: "real\u{301}/common.json")
        try project.write(Self.types, to: "real\u{301}/types.json")
        let local = Self.remote.replacing("https://example.com/x/common.json", with: "copies/common.json")
        try project.write(local, to: "api.json")
        let mapping = try #require(URLMapping("https://example.com/x/=\(project.path)/\(folder)"))
        let files = DiskFiles()
        let root = try #require(ProjectRoot(project.path, files: files))
        let contract = try ContractLoader(files: files, project: root, mappings: [mapping])
            .load("\(project.path)/api.json")
        #expect(contract.findings + contract.lint() == [])
    }

    @Test func `names a mapped file that is missing`() throws {
        let found = try findings(["api.json": Self.remote], mappings: ["https://example.com/x/=copies"])
        #expect(found.first?.message.hasPrefix("there is no file \"copies/common.json\"") == true)
    }

    @Test(arguments: ["", "a", "=b", "https://a", "https://a=", "a=b", "https://a#b=c"])
    func `is no mapping without a URL and a path`(text: String) {
        #expect(URLMapping(text) == nil)
    }
}
