import Basics
import OpenAPI
import TestSupport
import Testing

/// A contract with one slip in it, made from a seed.
struct MutatedContract {
    var text: String
    /// The line on which the slip stands; `nil` when it may be told anywhere.
    var line: Int?
    var what: String

    static let original = """
        {
          "openapi": "3.1.0",
          "info": {"title": "Pets", "version": "1"},
          "servers": [{"url": "https://example.com/v1"}],
          "security": [{"bearer": []}],
          "paths": {
            "/pets": {
              "get": {
                "operationId": "listPets",
                "parameters": [
                  {"$ref": "#/components/parameters/Limit"}
                ],
                "responses": {
                  "200": {
                    "description": "Some pets",
                    "headers": {"X-Next": {"schema": {"type": "string"}}},
                    "content": {
                      "application/json": {
                        "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}},
                        "example": [{"id": 1, "name": "Rex"}]
                      }
                    }
                  },
                  "401": {"$ref": "#/components/responses/Unauthorized"}
                }
              }
            },
            "/pets/{id}": {
              "parameters": [
                {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}
              ],
              "put": {
                "operationId": "replacePet",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}
                },
                "responses": {
                  "204": {"description": "Replaced"},
                  "4XX": {"$ref": "#/components/responses/Unauthorized"}
                }
              }
            }
          },
          "components": {
            "parameters": {
              "Limit": {"name": "limit", "in": "query", "style": "form", "explode": true, "schema": {"type": "integer"}}
            },
            "responses": {
              "Unauthorized": {"description": "No"}
            },
            "schemas": {
              "Pet": {
                "type": "object",
                "required": ["id", "name"],
                "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}
              }
            },
            "securitySchemes": {
              "bearer": {"type": "http", "scheme": "bearer"}
            }
          }
        }
        """

    /// Keys whose misspelling loses something; each also stands for its value.
    private static let keys = [
        "openapi", "info", "title", "security", "paths", "get", "put", "operationId", "parameters", "responses",
        "description", "headers", "content", "schema", "example", "name", "in", "required", "requestBody", "components",
        "style", "explode", "schemas", "securitySchemes", "scheme", "servers", "url", "version",
    ]

    init(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let text = Self.original
        switch Int.random(in: 0..<3, using: &chance) {
        case 0: self = Self.misspelt(text, using: &chance)
        case 1: self = Self.mistyped(text, using: &chance)
        default:
            let end = Int.random(in: 1..<text.utf8.count - 1, using: &chance)
            self.init(text: String(decoding: text.utf8.prefix(end), as: UTF8.self), line: nil, what: "cut at \(end)")
        }
    }

    private init(text: String, line: Int?, what: String) {
        self.text = text
        self.line = line
        self.what = what
    }

    /// The places of a key: where its quote opens, and where its value begins.
    private static func place(of key: String, in text: String, using chance: inout SeededGenerator) -> Range<
        String.Index
    >? {
        text.ranges(of: "\"\(key)\": ").randomElement(using: &chance)
    }

    private static func misspelt(_ text: String, using chance: inout SeededGenerator) -> MutatedContract {
        let key = keys[Int.random(in: 0..<keys.count, using: &chance)]
        guard let place = place(of: key, in: text, using: &chance) else { return MutatedContract(seed: 0) }
        var letters = Array(key)
        if letters.count < 4 || Bool.random(using: &chance) {
            letters.insert("q", at: Int.random(in: 1...letters.count, using: &chance))
        } else {
            letters.remove(at: Int.random(in: 1..<letters.count, using: &chance))
        }
        return MutatedContract(
            text: text.replacingCharacters(place, with: "\"\(String(letters))\": "),
            line: line(of: place.lowerBound, in: text),
            what: "\(key) as \(String(letters))"
        )
    }

    private static func mistyped(_ text: String, using chance: inout SeededGenerator) -> MutatedContract {
        let key = keys[Int.random(in: 0..<keys.count, using: &chance)]
        guard key != "example", let place = place(of: key, in: text, using: &chance) else {
            return MutatedContract(seed: seedOfAnother(&chance))
        }
        return MutatedContract(
            text: text.replacingCharacters(place, with: "\"\(key)\": 5, \"x-\(key)-was\": "),
            line: line(of: place.lowerBound, in: text),
            what: "\(key) is 5"
        )
    }

    private static func seedOfAnother(_ chance: inout SeededGenerator) -> UInt64 { chance.next() }

    private static func line(of index: String.Index, in text: String) -> Int {
        text[..<index].utf8.count { $0 == 0x0A } + 1
    }
}

extension String {
    fileprivate func replacingCharacters(_ range: Range<String.Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}

@Suite struct `A contract with a slip` {
    @Test func `is sound without it`() throws {
        let contract = try contract(["api.json": MutatedContract.original])
        #expect((contract.findings + contract.lint()).map(\.description) == [])
    }

    @Test(arguments: [0, 100, 200, 300, 400])
    func `is told on its line`(start: UInt64) throws {
        for seed in start..<start + 100 {
            let mutated = MutatedContract(seed: seed)
            let findings: [Finding]
            do {
                let contract = try contract(["api.json": mutated.text])
                findings = contract.findings + contract.lint()
            } catch let error as ContractError {
                findings = error.findings
            }
            #expect(!findings.isEmpty, "\(seed): \(mutated.what)")
            guard let line = mutated.line else { continue }
            let lines = findings.compactMap(\.place?.position?.line)
            // What is missing is told where the object begins that lacks it, which may be the line before.
            #expect(lines.contains(line), "\(seed): \(mutated.what) on line \(line): \(findings)")
        }
    }
}
