import Basics
import JSON
import TestSupport
import Testing

@testable import OpenAPI

/// OpenAPI Overlay 1.0 and 1.1.
@Suite struct `An overlay` {
    private static let api = """
        {"openapi": "3.1.0", "info": {"title": "T", "version": "1"},
        "tags": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
        "paths": {"/a": {"get": {"tags": ["a"], "responses": {"200": {"description": "d"}}}},
        "/b": {"get": {"tags": ["b"], "responses": {"200": {"description": "d"}}},
        "post": {"tags": ["b"], "responses": {"200": {"description": "d"}}}}}}
        """

    private func load(_ overlays: String..., api: String = Self.api, ending: String = "json") throws -> Contract {
        var files = ["api.json": api]
        for (number, text) in overlays.enumerated() { files["o\(number).\(ending)"] = text }
        let memory = MemoryFiles(files)
        let project = try #require(ProjectRoot("/project", files: memory))
        return try ContractLoader(
            files: memory,
            project: project,
            overlays: overlays.indices.map { "o\($0).\(ending)" }
        )
        .load("api.json")
    }

    private func overlay(_ actions: String, version: String = "1.0.0", more: String = "") -> String {
        """
        {"overlay": "\(version)", "info": {"title": "O", "version": "1"}, \(more)
        "actions": [
        \(actions)
        ]}
        """
    }

    /// The document after a change, as JSON.
    private func root(_ actions: String, version: String = "1.0.0") throws -> JSONValue {
        let loaded = try load(overlay(actions, version: version))
        #expect(loaded.findings == [])
        return loaded.documents[0].root
    }

    @Test func `merges objects, appends to arrays and removes`() throws {
        let merged = try root(
            """
            {"target": "$.info", "update": {"title": "New", "contact": {"name": "me"}}},
            {"target": "$.tags", "update": {"name": "d"}},
            {"target": "$.paths.*.get", "update": {"tags": ["x"]}},
            {"target": "$.tags[?@.name == 'a' || @.name == 'c']", "remove": true},
            {"target": "$.paths['/b'].post", "remove": true}
            """
        )
        #expect(merged["info"] == ["title": "New", "version": "1", "contact": ["name": "me"]])
        #expect(merged["tags"] == [["name": "b"], ["name": "d"]])
        #expect(merged["paths"]?["/a"]?["get"]?["tags"] == ["a", "x"])
        #expect(merged["paths"]?["/b"]?.object?.names == ["get"])
        #expect(merged["paths"]?["/b"]?["get"]?["tags"] == ["b", "x"])
    }

    @Test func `removes every element and what is inside of it`() throws {
        #expect(try root(#"{"target": "$.tags[*]", "remove": true}"#)["tags"] == [])
        let all = try root(#"{"target": "$.tags..*", "remove": true}"#)
        #expect(all["tags"] == [])
        #expect(try root(#"{"target": "$.tags[0]", "remove": true}"#)["tags"] == [["name": "b"], ["name": "c"]])
    }

    @Test func `copies and changes primitives since 1.1`() throws {
        let changed = try root(
            """
            {"target": "$.paths['/a']", "copy": "$.paths['/b']"},
            {"target": "$.info.title", "update": "New"}
            """,
            version: "1.1.0"
        )
        #expect(changed["paths"]?["/a"]?.object?.names == ["get", "post"])
        #expect(changed["info"]?["title"] == "New")
        let first = try load(overlay(#"{"target": "$.info.title", "update": "New"}"#))
        #expect(first.findings.map(\.severity) == [.error])
        #expect(first.title == "T")
    }

    @Test func `lays several over one another, in their order`() throws {
        let loaded = try load(
            overlay(#"{"target": "$.info", "update": {"title": "First", "x-a": 1}}"#),
            overlay(
                #"{"target": "$.info[?@ == 'First']", "remove": true}, {"target": "$.info", "update": {"title": "Second"}}"#
            )
        )
        #expect(loaded.findings == [] && loaded.title == "Second")
        #expect(loaded.watched.count == 3)
    }

    @Test(arguments: ["json", "yaml"])
    func `names both places of what it gets wrong`(ending: String) throws {
        let bad = overlay(
            """
            {"target": "$.info", "update": {"x-a": 1}},
            {"target": "$.paths['/a'].get.responses['200']",
             "update": {"content": {"application/json": {"schema": {"type": "strin"}}}}},
            {"target": "$.paths['/b'].post", "update": {"responses": 7}}
            """
        )
        let loaded = try load(bad, ending: ending)
        let shape = try #require(loaded.findings.first { $0.id == "contract/wrong-type" })
        #expect("\(shape.place.map { "\($0)" } ?? "")".hasPrefix("o0.\(ending):6:"))
        #expect(shape.related.map(\.description) == ["api.json:5:9: note: the overlay changes this"])
        let lint = try #require(loaded.lint().first { $0.id == "contract/invalid-keyword" })
        #expect("\(lint.place.map { "\($0)" } ?? "")".hasPrefix("o0.\(ending):5:"))
        #expect(lint.related.map(\.place.file) == ["api.json"])
        #expect(lint.related.first?.place.position?.line == 3)
    }

    @Test(arguments: [
        (#"{"target": "$.info[?", "remove": true}"#, "o0.json:3:21", "is not a JSONPath"),
        (#"{"target": "$.nothing", "remove": true}"#, "o0.json:3:12", "matches nothing in api.json"),
        (#"{"target": "$", "remove": true}"#, "o0.json:3:12", "cannot be removed"),
        (#"{"update": {}}"#, "o0.json:3:1", #"requires "target""#),
        (#"{"target": "$.info"}"#, "o0.json:3:1", "changes nothing"),
        (#"{"target": "$.info", "update": 1}"#, "o0.json:3:32", "updated only with an object"),
        ("7", "o0.json:3:1", "an action must be"),
        (#"{"target": "$.tags", "updat": {}, "remove": true}"#, "o0.json:3:22", "unknown key"),
        (#"{"target": 1, "remove": true}"#, "o0.json:3:12", "a path must be a string"),
        (#"{"target": "$.info", "copy": "$.tags[*]"}"#, "o0.json:3:30", "must lead to exactly one value"),
    ])
    func `tells what is wrong with an action`(action: String, place: String, words: String) throws {
        let finding = try #require(try load(overlay(action)).findings.first)
        #expect(finding.place?.description == place && finding.message.contains(words), "\(finding)")
        #expect(finding.related.isEmpty)
    }

    @Test func `tells what is wrong with the file`() throws {
        #expect(
            try load("{}").findings.first?.message
                == #"an overlay must contain "overlay" with a 1.x version, such as "1.0.0" or "1.1.0", but the key is missing"#
        )
        #expect(
            try load(#"{"overlay": "1.0.0"}"#).findings.first?.message
                == #"an overlay must contain "actions", an array of changes"#
        )
        #expect(throws: ContractError.self) { try load("{") }
        let memory = MemoryFiles(["api.json": Self.api])
        let project = try #require(ProjectRoot("/project", files: memory))
        let error = #expect(throws: ContractError.self) {
            try ContractLoader(files: memory, project: project, overlays: ["no.json"]).load("api.json")
        }
        #expect(error?.findings.map(\.message) == [#"there is no overlay "no.json""#])
    }

    @Test func `lets a file alone that is not its own`() throws {
        let actions = overlay(#"{"target": "$.info", "update": {"title": "New"}}"#, more: #""extends": "EXT","#)
        #expect(try load(actions.replacing("EXT", with: "api.json")).title == "New")
        #expect(try load(actions.replacing("EXT", with: "https://example.com/other.json")).title == "New")
        let other = try load(actions.replacing("EXT", with: "o0.json"))
        #expect(other.title == "T" && other.findings.map(\.severity) == [.note])
    }
}
