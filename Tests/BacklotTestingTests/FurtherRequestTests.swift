import Foundation
import TestSupport
import Testing

@testable import BacklotTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Calls whose value takes more than the request of their own operation.
@Suite struct `A call that sends further requests` {
    @Test(arguments: ["send", "session", "configuration"])
    func `may upload to a presigned URL and load a file from one`(way: String) async throws {
        let folder = try TemporaryFolder()
        let client = try Self.client(in: folder) {
            Call("upload") { (client: FilesClient) in
                let upload = try await client.post("uploads", as: Upload.self)
                _ = try await client.send("PUT", try client.url(upload.uploadUrl), by: way)
                return upload
            }
            Call("getFile") { (client: FilesClient) in
                let file = try await client.get("file", as: File.self)
                let picture = try await client.send("GET", try client.url(file.location), by: way)
                // The response of another server is undocumented; this client cannot read an empty picture.
                _ = try JSONDecoder().decode(File.self, from: picture)
                return file
            }
        }
        for report in [try await client.testDocumentedResponses(), try await client.testResponseVariants()] {
            #expect(report.passed, "\(report)")
        }
    }

    @Test func `sends a request only to a URL of a response`() async throws {
        let folder = try TemporaryFolder()
        // No other test has this URL: a request of a URLSession counts for each call in progress that has received its URL.
        let client = try Self.client(in: folder, uploadURL: "https://example.com/only/here") {
            Call("upload") { (client: FilesClient) in
                let upload = try await client.post("uploads", as: Upload.self)
                _ = try await client.send("PUT", try client.url("https://other.example.com/1"), by: "send")
                return upload
            }
            Call("getFile") { (client: FilesClient) in
                let file = try await client.get("file", as: File.self)
                _ = try await client.send("GET", try client.url("/elsewhere"), by: "send")
                return file
            }
        }
        let report = try await client.testDocumentedResponses()
        #expect(
            report.failures.contains { $0.subject == "upload 201" && $0.message.contains("other.example.com") },
            "\(report)"
        )
        #expect(report.failures.contains { $0.message.contains("getFile sends GET /elsewhere") }, "\(report)")
    }

    @Test(
        arguments: [
            ("https://files.other.org/7", ["https://api.shop.org/v1"], true),
            ("https://files.shop.org/7", ["https://api.shop.org/v1"], false),
            // Whether a made-up host, or any host without a server in the contract, belongs to the API is unknown.
            ("https://example.com/7", ["https://api.shop.org/v1"], false),
            ("https://files.other.org/7", [], false),
            // The second server is that of an operation.
            ("https://files.other.org/7", ["https://api.shop.org/v1", "https://files.other.org"], false),
            ("https://files.other.org/7", ["/v1"], false),
        ] as [(String, [String], Bool)]
    )
    func `is warned if it sends its token to another host`(url: String, servers: [String], isFound: Bool) async throws {
        for way in ["send", "configuration"] {
            let folder = try TemporaryFolder()
            // A request of a URLSession counts for each call in progress that has received its URL.
            let url = "\(url)/\(way)/\(servers.count)/\(servers.first?.count ?? 0)"
            let client = try Self.client(
                in: folder,
                uploadURL: url,
                servers: servers,
                tokens: ["access": "secret-1"],
                keepsTokens: true
            ) {
                Call("upload") { (client: FilesClient) in
                    let upload = try await client.post("uploads", as: Upload.self)
                    _ = try await client.send("PUT", try client.url(upload.uploadUrl), by: way, token: "secret-1")
                    return upload
                }
            }
            let report = try await client.testDocumentedResponses()
            let found = report.findings.filter {
                $0.message.contains("sends a token of the session to files.other.org")
            }
            #expect(report.passed && found.count == (isFound ? 1 : 0), "\(way): \(report)")
        }
    }

    @Test(
        arguments: [
            (nil, "upload, answered with 429, sends upload again at once, although Retry-After"),
            (29, "upload, answered with 429, sends upload again after 29s"),
            (30, nil),
        ] as [(Int?, String?)]
    )
    func `is warned if it does not wait for Retry-After`(pause: Int?, message: String?) async throws {
        let folder = try TemporaryFolder()
        let client = try Self.client(in: folder, failure: 429) {
            Call("upload") { (client: FilesClient) in
                do {
                    return try await client.post("uploads", as: Upload.self)
                } catch is URLError {
                    if let pause { try await client.setting.clock.sleep(for: .seconds(pause)) }
                    return try await client.post("uploads", as: Upload.self)
                }
            }
        }
        let found = try await client.testDocumentedResponses().findings.filter { $0.message.contains("Retry-After") }
        #expect(found.count == (message == nil ? 0 : 1), "\(found)")
        if let message { #expect(found.first?.message.hasPrefix(message) == true, "\(found)") }
    }

    @Test(arguments: [true, false]) func `may ask for its own result until that is there`(isLossy: Bool) async throws {
        let folder = try TemporaryFolder()
        let client = try Self.client(in: folder) {
            Call("getJob") { (client: FilesClient) in
                while true {
                    let job = try await client.get("jobs/7", as: Job.self)
                    switch job.state {
                    case .queued, .running: try await client.setting.clock.sleep(for: .seconds(1))
                    case .done, .failed: return isLossy ? Job(id: 0, state: job.state) : job
                    }
                }
            }
        }
        let documented = try await client.testDocumentedResponses()
        #expect(documented.passed, "\(documented)")
        let variants = try await client.testResponseVariants()
        #expect(variants.passed != isLossy, "\(variants)")
    }

    /// In the last case, the first response shows a job that is done, and the contract shows only jobs that are not.
    @Test(arguments: [(true, ""), (false, ""), (true, "running")])
    func `may wait until a job is done`(isAccompanied: Bool, example: String) async throws {
        let folder = try TemporaryFolder()
        let client = try Self.client(in: folder, jobExample: example) {
            let call = Call("createJob") { (client: FilesClient) in
                let created = try await client.post("jobs", as: Job.self)
                var job = created
                while job.state == .queued || job.state == .running {
                    try await client.setting.clock.sleep(for: .seconds(1))
                    job = try await client.get("jobs/\(job.id)", as: Job.self)
                }
                guard job.state == .done else { throw URLError(.cannotParseResponse) }
                return created
            }
            if isAccompanied { call.accompanied(by: "getJob") } else { call }
        }
        let documented = try await client.testDocumentedResponses()
        #expect(documented.passed == isAccompanied, "\(documented)")
        let variants = try await client.testResponseVariants()
        #expect(variants.passed == isAccompanied, "\(variants)")
    }

    @Test(arguments: [true, false], [false, true])
    func `may load all pages, and is compared where it loads one`(isLossy: Bool, noticesRepetition: Bool) async throws {
        let folder = try TemporaryFolder()
        let client = try Self.client(in: folder) {
            Call("listPages") { (client: FilesClient) in
                var (items, next) = ([Page.Item](), Int64?.none)
                var known: Set<Int64> = []
                repeat {
                    let page = try await client.page(after: next)
                    items += page.items.map { Page.Item(id: $0.id, name: isLossy ? nil : $0.name) }
                    next = page.next
                    if noticesRepetition, let next, !known.insert(next).inserted {
                        throw URLError(.cannotParseResponse)
                    }
                } while next != nil
                return Page(items: items, next: next)
            }
        }
        let documented = try await client.testDocumentedResponses()
        #expect(documented.passed, "\(documented)")
        let variants = try await client.testResponseVariants()
        #expect(variants.passed != isLossy, "\(variants)")
        #expect(variants.failures.allSatisfy { $0.message.contains("/name") }, "\(variants)")
        let paged = variants.findings.filter { $0.message.contains("listPages loads further pages") }
        #expect(paged.count == 1 && paged.first?.severity == .warning, "\(variants)")
    }

    /// With the pause in seconds before the client asks again.
    @Test(arguments: [nil, 30, 2]) func `may ask again after 202, or throw`(pause: Int?) async throws {
        let folder = try TemporaryFolder()
        let client = try Self.client(in: folder) {
            Call("getReport") { (client: FilesClient) -> File in
                for _ in 1...(pause == nil ? 1 : 5) {
                    let url = client.setting.url.appendingPathComponent("report")
                    let (data, response) = try await client.setting.send(URLRequest(url: url))
                    switch response.statusCode {
                    case 200: return try JSONDecoder().decode(File.self, from: data)
                    case 202: try await client.setting.clock.sleep(for: .seconds(pause ?? 0))
                    default: throw URLError(.badServerResponse)
                    }
                }
                throw URLError(.timedOut)
            }
        }
        let documented = try await client.testDocumentedResponses()
        #expect(documented.passed, "\(documented)")
        let early = documented.findings.filter { $0.message.contains("Retry-After asks for 30s") }
        #expect(early.count == (pause == 2 ? 1 : 0), "\(documented)")
        let variants = try await client.testResponseVariants()
        #expect(variants.passed, "\(variants)")
    }

    @Test func `is advised to ask once where it waits for another state`() async throws {
        let folder = try TemporaryFolder()
        let client = try Self.client(in: folder) {
            Call("getJob") { (client: FilesClient) in
                while true {
                    let job = try await client.get("jobs/7", as: Job.self)
                    if job.id == 7_000_007 { return job }
                }
            }
        }
        let loops = try await client.testDocumentedResponses().failures.filter { $0.id == "responses/loop" }
        #expect(loops.count == 1 && loops.first?.advice?.contains("asks once") == true, "\(loops)")
    }

    @Test(arguments: [(500, true), (502, true), (503, false), (504, true)])
    func `is warned if it repeats a POST that may have been processed`(status: Int, isFound: Bool) async throws {
        let folder = try TemporaryFolder()
        let client = try Self.client(in: folder, failure: status) {
            Call("upload") { (client: FilesClient) in
                do {
                    return try await client.post("uploads", as: Upload.self)
                } catch is URLError {
                    return try await client.post("uploads", as: Upload.self)
                }
            }
        }
        let found = try await client.testDocumentedResponses().findings.filter {
            $0.id == "responses/sent-twice" && $0.severity == .warning
        }
        #expect(found.count == (isFound ? 1 : 0), "\(found)")
    }

    @Test(arguments: [
        (404, "the call ends with"), (410, "the contract does not document 410"),
    ])
    func `is warned of an error that it never returns as a result`(status: Int, words: String) async throws {
        let folder = try TemporaryFolder()
        let client = try Self.client(in: folder) {
            Call("getFile") { (client: FilesClient) in
                try await client.get("file", as: File.self)
            }.answering(status, because: "the app shows a placeholder")
        }
        let report = try await client.testDocumentedResponses()
        let idle = report.findings.filter { $0.id == "responses/idle-answer" }
        #expect(report.passed && idle.count == 1 && idle.first?.message.contains(words) == true, "\(report)")
    }

    @Test func `is not warned of an error that it returns as a result`() async throws {
        let folder = try TemporaryFolder()
        let client = try Self.client(in: folder) {
            Call("getFile") { (client: FilesClient) -> File? in
                try? await client.get("file", as: File.self)
            }.answering(404, because: "the app shows a placeholder")
        }
        let report = try await client.testDocumentedResponses()
        #expect(!report.findings.contains { $0.id == "responses/idle-answer" }, "\(report)")
    }

    // MARK: The clients

    private static func client(
        in folder: TemporaryFolder,
        failure: Int = 503,
        uploadURL: String = "https://example.com/bucket/7",
        servers: [String] = [],
        tokens: [String: String] = ["access": "stored-access", "refresh": "stored-refresh"],
        keepsTokens: Bool = false,
        jobExample: String = "",
        @ListBuilder<Call<FilesClient>> calls: () -> [Call<FilesClient>]
    ) throws -> ClientUnderTest<FilesClient> {
        let text = contract(failure: failure, uploadURL: uploadURL, servers: servers, jobExample: jobExample)
        try folder.write(text, to: "openapi.json")
        return ClientUnderTest("Files", contract: folder.path + "/openapi.json", tokens: tokens) { setting in
            FilesClient(setting: setting)
        } session: { _ in
            !keepsTokens ? .none : ObservedSession(tokens: tokens)
        } calls: {
            calls()
        }
    }

    private static func contract(failure: Int, uploadURL: String, servers: [String], jobExample: String) -> String {
        func body(_ schema: String) -> String {
            #""description": "A", "content": { "application/json": { "schema": \#(schema) } }"#
        }
        let upload = """
            { "type": "object", "required": ["id", "uploadUrl"], "properties": {
              "id": { "type": "integer" }, "uploadUrl": { "type": "string", "format": "uri", "example": "\(uploadURL)" } } }
            """
        let file = """
            { "type": "object", "required": ["location"], "properties": {
              "location": { "type": "string", "format": "uri-reference", "example": "/files/7.json" } } }
            """
        let page = """
            { "type": "object", "required": ["items", "next"], "properties": {
              "items": { "type": "array", "items": { "type": "object", "required": ["id"], "properties": {
                "id": { "type": "integer", "format": "int64" }, "name": { "type": "string" } } } },
              "next": { "type": ["integer", "null"], "format": "int64", "minimum": 1 } } }
            """
        let headers = #", "headers": { "Retry-After": { "schema": { "type": "integer" }, "example": 30 } }"#
        let lists = [servers.prefix(1), servers.dropFirst()].map { servers in
            #""servers": [\#(servers.map { #"{ "url": "\#($0)" }"# }.joined(separator: ", "))]"#
        }
        let job = """
            { "type": "object", "required": ["id", "state"], "properties": {
              "id": { "type": "integer" }, "state": { "enum": ["queued", "running", "failed", "done"] } } }
            """
        func jobBody(_ examples: String...) -> String {
            let members = examples.map { #""\#($0)": { "value": { "id": 7, "state": "\#($0)" } }"# }
            let shown = members.joined(separator: ", ")
            let content = #""application/json": { "schema": \#(job), "examples": { \#(shown) } }"#
            return jobExample.isEmpty ? body(job) : #""description": "A", "content": { \#(content) }"#
        }
        return """
            { "openapi": "3.1.0", "info": { "title": "Files", "version": "1" }, \(lists[0]), "paths": {
              "/uploads": { "post": { "operationId": "upload", \(lists[1]), "responses": {
                "201": { \(body(upload)) }, "\(failure)": { "description": "A"\(failure == 429 ? headers : "") } } } },
              "/file": { "get": { "operationId": "getFile", "responses": {
                "200": { \(body(file)) }, "404": { "description": "A" } } } },
              "/pages": { "get": { "operationId": "listPages",
                "parameters": [{ "name": "after", "in": "query", "schema": { "type": "integer" } }],
                "responses": { "200": { \(body(page)) } } } },
              "/report": { "get": { "operationId": "getReport", "responses": {
                "200": { \(body(file)) }, "202": { \(body(file))\(headers) } } } },
              "/jobs": { "post": { "operationId": "createJob", "responses": { "202": { \(jobBody("done", "queued")) } } } },
              "/jobs/{id}": {
                "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "integer" } }],
                "get": { "operationId": "getJob", "responses": { "200": { \(jobBody(jobExample)) } } } } } }
            """
    }
}

private struct Upload: Codable, Sendable {
    var id: Int64
    var uploadUrl: String
}

private struct File: Codable, Sendable {
    var location: String
}

private struct Page: Codable, Sendable {
    struct Item: Codable, Sendable {
        var id: Int64
        var name: String?
    }

    var items: [Item]
    var next: Int64?
}

private struct Job: Codable, Sendable {
    enum State: String, Codable { case queued, running, failed, done }

    var id: Int64
    var state: State
}

private struct FilesClient: Sendable {
    let setting: TestSetting

    func get<Value: Decodable>(_ path: String, as type: Value.Type) async throws -> Value {
        try JSONDecoder().decode(type, from: await send("GET", setting.url.appendingPathComponent(path), by: "send"))
    }

    func post<Value: Decodable>(_ path: String, as type: Value.Type) async throws -> Value {
        try JSONDecoder().decode(type, from: await send("POST", setting.url.appendingPathComponent(path), by: "send"))
    }

    func page(after next: Int64?) async throws -> Page {
        var url = setting.url.appendingPathComponent("pages")
        if let next { url = try self.url("/pages?after=\(next)") }
        return try JSONDecoder().decode(Page.self, from: await send("GET", url, by: "send"))
    }

    func url(_ text: String) throws -> URL { try #require(URL(string: text, relativeTo: setting.url)).absoluteURL }

    func send(_ method: String, _ url: URL, by way: String, token: String? = nil) async throws -> Data {
        var request = URLRequest(url: url)
        request.httpMethod = method
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) =
            switch way {
            case "session": try await setting.session.data(for: request)
            case "configuration": try await URLSession(configuration: setting.configuration).data(for: request)
            default: try await setting.send(request)
            }
        guard let status = (response as? HTTPURLResponse)?.statusCode, 200..<300 ~= status else {
            throw URLError(.badServerResponse)
        }
        return data
    }
}
