import Basics
import ClientTesting
import TestSupport
import Testing

/// Two clients with a contract and a story each, in memory: enough to choose among them.
enum ToyClients {
    static let all: [any ClientAdapter] = [ToyAdapter("Bird", "getBird", "addBird"), ToyAdapter("Cat", "getCat")]

    static let files = MemoryFiles([
        "Contracts/bird.json": contract("getBird", "addBird", "listAll"),
        "Contracts/cat.json": contract("getCat", "listAll"),
        "Scenarios/bird/backend.json": #"{ "backend": "Bird", "routes": { "GET /getBird": { "json": 1 } } }"#,
        "Scenarios/bird/one.json": story("BI-1"),
        "Scenarios/cat/backend.json": #"{ "backend": "Cat", "routes": { "GET /getCat": { "json": 1 } } }"#,
        "Scenarios/cat/one.json": story("CA-1"),
        "Scenarios/cat/two.json": story("CA-2", #", "variants": { "late": { "title": "Late" } }"#),
    ])

    static func test(in files: MemoryFiles = files) throws -> ClientTest {
        ClientTest(in: try #require(ProjectRoot("/project", files: files)), files: files)
    }

    private static func story(_ id: String, _ more: String = "") -> String {
        #"{ "extends": "backend.json", "id": "\#(id)", "title": "T", "silent": true\#(more) }"#
    }

    private static func contract(_ operations: String...) -> String {
        let paths = operations.map { id in
            #""/\#(id)": { "get": { "operationId": "\#(id)", "responses": { "204": { "description": "Done." } } } }"#
        }
        return """
            { "openapi": "3.1.0", "info": { "title": "Toys", "version": "1" }, "paths": { \(paths.joined(separator: ", ")) } }
            """
    }
}

/// A client that does nothing.
struct ToyAdapter: ClientAdapter {
    let name: String
    var contract: String { "Contracts/\(name.lowercased()).json" }
    var stories: String? { "Scenarios/\(name.lowercased())" }
    let operations: [ClientOperation<String>]

    init(_ name: String, _ operations: String...) {
        self.name = name
        self.operations = operations.map { id in ClientOperation(id) { _ in .nothing } }
    }

    func makeClient(_ setting: ClientSetting) -> String { name }

    func session(of client: String) -> ObservedSession { ObservedSession(isSignedIn: false, tokens: [:]) }
}
