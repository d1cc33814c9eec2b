import Basics
import ClientTesting
import HTTPCodec
import JSON
import Testing

/// Requests that are sent again: what makes that safe, and what does not.
@Suite struct `A request that is sent again` {
    private func findings(
        _ calls: ClientOperation<Reader>...,
        body: String = #""name": { "type": "string" }"#
    ) async throws -> [String] {
        func operation(_ id: String, _ status: Int, requestBody: Bool = false) -> String {
            let schema = #"{ "type": "object", "properties": { \#(body) } }"#
            let sent =
                requestBody ? #""requestBody": { "content": { "application/json": { "schema": \#(schema) } } },"# : ""
            return #"{ "operationId": "\#(id)", \#(sent) "responses": { "\#(status)": { "description": "A" } } }"#
        }
        let document = """
            { "openapi": "3.1.0", "info": { "title": "A", "version": "1" }, "paths": {
              "/orders": { "post": \(operation("order", 201, requestBody: true)) },
              "/orders/search": { "post": \(operation("search", 200, requestBody: true)) },
              "/jobs": { "post": \(operation("createJob", 202)) }, "/jobs/7": { "get": \(operation("getJob", 200)) } } }
            """
        var adapter = ReaderAdapter()
        adapter.operations = calls
        return try await ResponseCheck(adapter, contract: try Library.contract(document)).run().findings.map(\.id)
            .filter { $0 == "responses/sent-twice" }
    }

    /// Sends, and tries once more if the connection is lost.
    private static func post(_ id: String, _ path: String, _ fields: HTTPFields = [:], body: String)
        -> ClientOperation<Reader>
    {
        ClientOperation(id) { reader in
            guard case .raw(let network) = reader.setting.network else { throw Reader.Problem.unreachable }
            var request = HTTPRequest(method: .post, target: path, fields: fields, body: Array(body.utf8))
            request.fields.append("Content-Type", "application/json")
            do {
                _ = try await network.send(request, to: reader.setting.url, timeout: 30)
            } catch {
                _ = try await network.send(request, to: reader.setting.url, timeout: 30)
            }
            return .nothing
        }
    }

    @Test func `is a fault without an ID by which a server may recognize it`() async throws {
        #expect(try await !findings(Self.post("order", "/orders", body: #"{"name": "a"}"#)).isEmpty)
        #expect(try await !findings(Self.post("order", "/orders", ["X-Api-Key": "1"], body: #"{"name": "a"}"#)).isEmpty)
    }

    @Test(arguments: ["PayPal-Request-Id", "Idempotency-Key", "X-Client-Reference"])
    func `may have an ID in a field`(name: String) async throws {
        #expect(
            try await findings(Self.post("order", "/orders", [name: "5f1c"], body: #"{"name": "a"}"#)) == []
        )
    }

    @Test(arguments: ["client_msg_id", "requestId", "nonce"])
    func `may have an ID in its body`(name: String) async throws {
        let call = Self.post("order", "/orders", body: #"{"\#(name)": "5f1c"}"#)
        #expect(try await findings(call, body: #""\#(name)": { "type": "string" }"#) == [])
    }

    @Test func `may be a search`() async throws {
        #expect(try await findings(Self.post("search", "/orders/search", body: #"{"name": "a"}"#)) == [])
    }

    @Test func `may ask whether another call's work is done`() async throws {
        let call = ClientOperation<Reader>("createJob", accompanying: ["getJob"]) { reader in
            _ = try await reader.body(.post, "/jobs")
            for _ in 1...3 { _ = try await reader.body(.get, "/jobs/7") }
            return .nothing
        }
        #expect(try await findings(call) == [])
    }
}
