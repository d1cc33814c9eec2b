import Basics
import Checking
import Reports
import TestSupport
import Testing

/// Two revisions of a small contract, the second one with one change.
private struct Revisions {
    static let old = """
        {
          "openapi": "3.1.0",
          "info": { "title": "Pets", "version": "1" },
          "servers": [{ "url": "https://pets.example/v1" }, { "url": "https://pets.example/old" }],
          "paths": {
            "/pets/{id}": {
              "get": {
                "security": [{ "bearer": ["read"] }],
                "parameters": [
                  { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } },
                  { "name": "limit", "in": "query", "schema": { "type": "integer", "maximum": 100 } },
                  { "name": "sort", "in": "query", "schema": { "enum": ["name", "age"] } }
                ],
                "responses": {
                  "200": {
                    "description": "a pet",
                    "headers": { "ETag": { "required": true, "schema": { "type": "string" } } },
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Pet" } } }
                  },
                  "404": { "description": "none" }
                }
              },
              "put": {
                "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }],
                "requestBody": {
                  "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Draft" } } }
                },
                "responses": { "204": { "description": "done" } }
              }
            },
            "/health": { "get": { "responses": { "200": { "description": "well" } } } }
          },
          "components": {
            "securitySchemes": {
              "bearer": { "type": "http", "scheme": "bearer" },
              "key": { "type": "apiKey", "in": "header", "name": "X-Key" }
            },
            "schemas": {
              "Pet": {
                "type": "object",
                "required": ["id", "name"],
                "properties": {
                  "id": { "type": "integer", "format": "int32" },
                  "name": { "type": "string" },
                  "kind": { "enum": ["cat", "dog"] },
                  "born": { "type": "string", "format": "date" },
                  "parents": { "type": "array", "items": { "$ref": "#/components/schemas/Pet" } },
                  "home": { "oneOf": [{ "$ref": "#/components/schemas/Flat" }, { "$ref": "#/components/schemas/Farm" }] },
                  "secret": { "type": "string", "writeOnly": true }
                }
              },
              "Flat": { "type": "object", "properties": { "floor": { "type": "integer" } } },
              "Farm": { "type": "object", "properties": { "acres": { "type": "integer" } } },
              "Barn": { "type": "object" },
              "Draft": {
                "type": "object",
                "required": ["name"],
                "properties": {
                  "name": { "type": "string", "maxLength": 50 },
                  "note": { "type": ["string", "null"] },
                  "kind": { "enum": ["cat", "dog"] },
                  "id": { "type": "integer", "readOnly": true }
                }
              }
            }
          }
        }
        """

    static let path = "Contracts/pets.json"

    /// The report on a change of the text.
    static func report(replacing old: String, with new: String) throws -> Report {
        let text = Self.old
        let range = try #require(text.place(of: old), "the contract has no \(old)")
        return try report(Self.old, text.replacing(range, with: new))
    }

    static func report(_ old: String, _ new: String) throws -> Report {
        let earlier = EarlierRevision(files: MemoryFiles([path: old]), name: "main")
        return try ChangeCheck(files: MemoryFiles([path: new]), since: earlier).run()
    }
}

extension String {
    /// The first place of a text; the tests have no Foundation.
    fileprivate func place(of text: String) -> Range<String.Index>? {
        indices.first { self[$0...].hasPrefix(text) }.map { $0..<index($0, offsetBy: text.count) }
    }

    fileprivate func replacing(_ range: Range<String.Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}

@Suite
struct `A contract's change` {
    struct Case: Sendable, CustomTestStringConvertible {
        var severity: Finding.Severity
        var old: String
        var new: String
        /// A part of the sentence.
        var words: String

        init(_ severity: Finding.Severity, _ old: String, _ new: String, _ words: String) {
            (self.severity, self.old, self.new, self.words) = (severity, old, new, words)
        }

        var testDescription: String { words }
    }

    /// What changes do is decided by the table of changes; these are changes of a whole contract.
    private static let cases = [
        Case(.error, "\"int32\"", "\"int64\"", "\"format\" is \"int64\"; it was \"int32\""),
        Case(
            .error,
            "\"name\": { \"type\": \"string\" },",
            "\"name\": { \"anyOf\": [{ \"type\": \"string\" }, { \"type\": \"null\" }] },",
            "`name` may be null"
        ),
        Case(
            .error,
            "\"floor\": { \"type\": \"integer\" }",
            "\"floor\": { \"type\": \"number\" }",
            "`home.floor` is a number"
        ),
        Case(.error, "Farm\" }]", "Farm\" }, { \"$ref\": \"#/components/schemas/Barn\" }]", "`home` may be Barn"),
        Case(.note, ", { \"$ref\": \"#/components/schemas/Farm\" }]", "]", "no longer one of several"),
        Case(.error, "\"204\"", "\"404\"", "response 204 was removed"),
        Case(.error, "\"maximum\": 100", "\"maximum\": 10", "query: `limit`: \"maximum\" is 10"),
        Case(.error, "\"/health\"", "\"/healthz\"", "GET /health was removed"),
    ]

    @Test(arguments: cases)
    func `is named with its place`(_ change: Case) throws {
        let report = try Revisions.report(replacing: change.old, with: change.new)
        let finding = try #require(
            report.allFindings.first { $0.message.contains(change.words) },
            "\(report.allFindings.map(\.description))"
        )
        #expect(finding.severity == change.severity, "\(finding)")
        #expect(finding.id.hasPrefix("changes/"))
        #expect(finding.place?.file == Revisions.path)
        #expect(finding.place?.position != nil)
        #expect((report.verdict == .held) == !report.allFindings.contains { $0.severity == .error })
    }

    /// Nothing is reported for what means the same.
    @Test(arguments: [
        ("\"description\": \"a pet\"", "\"description\": \"one pet\""),
        (
            "\"secret\": { \"type\": \"string\", \"writeOnly\": true }",
            "\"secret\": { \"type\": \"integer\", \"writeOnly\": true }"
        ),
        (
            "\"id\": { \"type\": \"integer\", \"readOnly\": true }",
            "\"id\": { \"type\": \"string\", \"readOnly\": true }"
        ),
        (
            "\"kind\": { \"enum\": [\"cat\", \"dog\"] }",
            "\"kind\": { \"type\": \"string\", \"enum\": [\"dog\", \"cat\"] }"
        ),
        ("\"name\": { \"type\": \"string\" }", "\"name\": { \"allOf\": [{ \"type\": \"string\", \"minLength\": 0 }] }"),
        ("\"maxLength\": 50", "\"maxLength\": 5e1"),
        ("\"openapi\": \"3.1.0\"", "\"openapi\": \"3.1.1\""),
    ])
    func `is not made up`(_ old: String, _ new: String) throws {
        let report = try Revisions.report(replacing: old, with: new)
        #expect(report.allFindings.filter { $0.id.hasPrefix("changes/") }.map(\.description) == [])
    }

    @Test func `stands once, with the number of operations that it concerns`() throws {
        let text = Revisions.old
        let health = try #require(text.place(of: "\"description\": \"well\""))
        let old = text.replacing(
            health,
            with: "\"description\": \"well\", \"content\": { \"application/json\": { \"schema\": { "
                + "\"$ref\": \"#/components/schemas/Pet\" } } }"
        )
        let required = try #require(old.place(of: "[\"id\", \"name\"]"))
        let report = try Revisions.report(old, old.replacing(required, with: "[\"name\"]"))
        #expect(
            report.allFindings.map(\.message)
                == ["response 200: `id` is no longer required (and in 1 other operation), which can break a client"]
        )
        #expect(report.allFindings.first?.related.first?.place.file == "main:Contracts/pets.json")
    }

    @Test func `does not concern the names of a path's parameters`() throws {
        var new = Revisions.old
        for (old, other) in [("/pets/{id}", "/pets/{pet}"), ("\"name\": \"id\"", "\"name\": \"pet\"")] {
            while let range = new.place(of: old) { new = new.replacing(range, with: other) }
        }
        #expect(try Revisions.report(Revisions.old, new).allFindings.map(\.description) == [])
    }

    /// A part of all paths that moves to the servers' addresses, or back, changes no address of an operation.
    @Test(arguments: [("https://a", "https://a/v1"), ("/", "/v1"), ("https://{r}.a", "https://{r}.a/v1")])
    func `does not concern a part of paths that moves to the servers`(_ bare: String, _ full: String) throws {
        func contract(_ server: String, _ paths: String...) -> String {
            let variables = #""variables": { "r": { "default": "eu", "enum": ["eu", "us"] } }"#
            let items = paths.map {
                #""\#($0)": { "get": { "responses": { "200": { "description": "done" } } } }"#
            }
            return #"""
                { "openapi": "3.1.0", "info": { "title": "T", "version": "1" },
                  "servers": [{ "url": "\#(server)"\#(server.contains("{") ? ", " + variables : "") }],
                  "paths": { \#(items.joined(separator: ", ")) } }
                """#
        }
        let (long, short) = (contract(bare, "/v1/a"), contract(full, "/a"))
        #expect(try Revisions.report(long, short).allFindings.map(\.description) == [])
        #expect(try Revisions.report(short, long).allFindings.map(\.description) == [])
        let other = try Revisions.report(
            contract(bare, "/v1/a", "/v1/b", "/health"),
            contract(full, "/a", "/b", "/health")
        )
        #expect(other.allFindings.map(\.id).sorted() == ["changes/operation-added", "changes/operation-removed"])
        // Without paths that move, the server is another one.
        let moved = try Revisions.report(contract(bare, "/a"), contract(full, "/a"))
        #expect(moved.allFindings.contains { $0.id == "changes/server-removed" })
    }

    @Test func `is the whole contract`() throws {
        let old = MemoryFiles([Revisions.path: Revisions.old, "Contracts/gone.json": Revisions.old])
        let new = MemoryFiles([Revisions.path: Revisions.old, "Contracts/new.json": Revisions.old])
        let report = try ChangeCheck(files: new, since: EarlierRevision(files: old, name: "main")).run()
        #expect(report.allFindings.map(\.id) == ["changes/contract-removed"])
        #expect(report.checks.map(\.skipped) == ["the contract did not exist in main", nil, nil])
    }

    @Test func `is not looked for in what cannot be read`() throws {
        let report = try Revisions.report("{", Revisions.old)
        #expect(report.allFindings.first?.message.hasPrefix("the earlier revision cannot be read: ") == true)
        #expect(report.allFindings.first?.place?.file == "main:Contracts/pets.json")
        #expect(report.verdict != .held)
    }

    @Test(arguments: [
        #""type": "strng""#, #""type": "string", "pattern": "(""#, #""type": "string", "maxLength": "5""#,
    ])
    func `names an invalid keyword in either revision`(schema: String) throws {
        let place = try #require(Revisions.old.place(of: #""type": "string""#))
        let invalid = Revisions.old.replacing(place, with: schema)
        let findings = try Revisions.report(Revisions.old, invalid).allFindings
        let finding = try #require(findings.first { $0.id.hasPrefix("contract/") })
        #expect(finding.severity == .error && finding.place?.file == Revisions.path && finding.place?.position != nil)
        #expect(try Revisions.report(invalid, Revisions.old).allFindings.contains { $0.id == "check/incomplete" })
    }

    @Test func `of several contracts takes no single file`() throws {
        let files = MemoryFiles([Revisions.path: Revisions.old, "Contracts/b.json": Revisions.old])
        #expect(throws: CheckProblem.self) {
            try ChangeCheck(files: files, since: EarlierRevision(files: files, path: "Contracts/b.json")).run()
        }
    }
}

@Suite struct `A change of what the server sends by itself` {
    private static let old = """
        {
          "openapi": "3.1.0",
          "info": { "title": "Pets", "version": "1" },
          "paths": {
            "/subscriptions": {
              "post": {
                "responses": { "204": { "description": "done" } },
                "callbacks": {
                  "born": {
                    "{$request.body#/url}": {
                      "post": {
                        "requestBody": { "content": { "application/json": { "schema": { "type": "string" } } } },
                        "responses": { "200": { "description": "seen" } }
                      }
                    }
                  }
                }
              }
            }
          },
          "webhooks": {
            "adopted": {
              "post": {
                "parameters": [{ "name": "X-Sign", "in": "header", "required": true, "schema": { "type": "string" } }],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {
                        "type": "object",
                        "required": ["id"],
                        "properties": { "id": { "type": "integer" }, "kind": { "enum": ["cat", "dog"] } }
                      }
                    }
                  }
                },
                "responses": { "200": { "description": "seen" }, "410": { "description": "stop" } }
              }
            }
          }
        }
        """

    /// The client is the one that reads: what widens breaks it, and what is narrower does not.
    @Test(arguments: [
        (#"["cat", "dog"]"#, #"["cat", "dog", "eel"]"#, Finding.Severity.error, "may be \"eel\""),
        (#"["cat", "dog"]"#, #"["cat"]"#, .note, "may no longer be \"dog\""),
        (#""required": ["id"],"#, #""required": [],"#, .error, "no longer required"),
        (#""required": ["id"],"#, #""required": ["id", "kind"],"#, .note, "required"),
        (#""name": "X-Sign""#, #""name": "X-Mark""#, .error, "the header parameter `X-Sign` was removed"),
        (
            #""X-Sign", "in": "header", "required": true"#, #""X-Sign", "in": "header", "required": false"#, .error,
            "no longer"
        ),
        (
            #""200": { "description": "seen" }, "410""#, #""200": { "description": "seen" }, "411""#, .error,
            "response 410 was removed"
        ),
        (
            #", "410": { "description": "stop" }"#,
            #", "410": { "description": "stop" }, "503": { "description": "later" }"#, .note, "response 503 is new"
        ),
        (#""adopted": {"#, #""sold": {"#, .error, "POST webhook adopted was removed"),
        (
            #""schema": { "type": "string" } } } },"#, #""schema": { "type": ["string", "null"] } } } },"#, .error,
            "the body may be null"
        ),
        (#""{$request.body#/url}""#, #""{$request.body#/uri}""#, .error, "callback {$request.body#/url} was removed"),
    ])
    func `breaks what the client reads`(
        _ old: String,
        _ new: String,
        _ severity: Finding.Severity,
        _ sentence: String
    ) throws {
        let range = try #require(Self.old.place(of: old))
        let report = try Revisions.report(Self.old, Self.old.replacing(range, with: new))
        let findings = report.allFindings.filter { $0.id.hasPrefix("changes/") }
        #expect(findings.contains { $0.severity == severity && $0.message.contains(sentence) }, "\(findings)")
        if severity == .note { #expect(findings.allSatisfy { $0.severity == .note }, "\(findings)") }
    }

    @Test func `is none when nothing has changed`() throws {
        #expect(try Revisions.report(Self.old, Self.old).allFindings.isEmpty)
    }
}
