import Basics
import Checking
import ClientTesting
import Reports
import TestSupport
import Testing

/// A small project in memory in which everything agrees, until a test says otherwise.
struct PetProject {
    static let contract = "Contracts/pets.json"
    static let backend = "Scenarios/pets/backend.json"
    static let story = "Scenarios/pets/late.json"
    static let list = "Scenarios/pets/fixtures/pets.json"
    static let pet = "Scenarios/pets/fixtures/pet.json"
    /// What the story expects.
    static let expectation = #"{ "request": "GET /pets/{id}" }"#
    static let problem = "Scenarios/pets/fixtures/problem.json"

    var files: [String: String] = [
        contract: """
        {
          "openapi": "3.1.0",
          "info": { "title": "Pets", "version": "1" },
          "paths": {
            "/pets": {
              "get": {
                "security": [{ "bearer": [] }],
                "responses": {
                  "200": {
                    "description": "all pets",
                    "content": {
                      "application/json": {
                        "schema": { "type": "array", "items": { "$ref": "#/components/schemas/Pet" } }
                      }
                    }
                  },
                  "401": { "$ref": "#/components/responses/Problem" }
                }
              },
              "post": {
                "security": [{ "bearer": [] }],
                "requestBody": {
                  "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Pet" } } }
                },
                "responses": {
                  "201": {
                    "description": "the new pet",
                    "headers": { "X-Number": { "required": true, "schema": { "type": "integer" } } },
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Pet" } } }
                  },
                  "401": { "$ref": "#/components/responses/Problem" },
                  "503": { "$ref": "#/components/responses/Problem" }
                }
              }
            },
            "/pets/{id}": {
              "get": {
                "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }],
                "responses": {
                  "200": {
                    "description": "one pet",
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Pet" } } }
                  },
                  "404": { "$ref": "#/components/responses/Problem" }
                }
              },
              "delete": {
                "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }],
                "responses": { "204": { "description": "gone" } }
              }
            }
          },
          "components": {
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
            "responses": {
              "Problem": {
                "description": "it did not work",
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Problem" } } }
              }
            },
            "schemas": {
              "Pet": {
                "type": "object",
                "required": ["id", "name", "born", "isTame"],
                "properties": {
                  "id": { "type": "integer" },
                  "name": { "type": "string", "maxLength": 20 },
                  "born": { "type": ["string", "null"] },
                  "isTame": { "type": "boolean" },
                  "owner": { "type": "string" }
                }
              },
              "Problem": {
                "type": "object",
                "required": ["message"],
                "properties": { "message": { "type": "string" } }
              }
            }
          }
        }
        """,
        backend: """
        {
          "backend": "Pets",
          "contract": "../../Contracts/pets.json",
          "accounts": { "ann": { "petId": 7 } },
          "tokens": {
            "kinds": {
              "access": {
                "lifetime": "1h",
                "reject": { "*": { "status": 401, "fixture": "fixtures/problem.json" } }
              }
            }
          },
          "guards": [
            {
              "name": "closed",
              "when": { "method": "POST" },
              "order": "afterTokens",
              "status": 503,
              "json": { "message": "closed" }
            }
          ],
          "routes": {
            "GET /pets": { "requires": "access", "fixture": "fixtures/pets.json" },
            "POST /pets": {
              "requires": "access",
              "status": 201,
              "headers": { "X-Number": "1" },
              "json": {
                "id": "{{account.petId}}",
                "name": "{{request.body#/name}}",
                "born": null,
                "isTame": true,
                "owner": "{{account}} of {{clock}}"
              }
            },
            "GET /pets/{id}": {
              "cases": [
                {
                  "when": { "path": { "id": "0" } },
                  "status": 404,
                  "fixture": "fixtures/problem.json"
                }
              ],
              "status": 200,
              "fixture": "fixtures/pet.json"
            },
            "DELETE /pets/{id}": { "status": 204, "empty": true }
          }
        }
        """,
        story: """
        {
          "extends": "backend.json",
          "id": "P-1",
          "title": "Nobody is at home",
          "routes": {
            "GET /pets/{id}": {
              "status": 404,
              "fixture": "fixtures/problem.json"
            }
          },
          "expect": [\(expectation)]
        }
        """,
        list: """
        [
          {
            "id": 1,
            "name": "Rex",
            "born": "2020-01-01",
            "isTame": true
          },
          {
            "id": 2,
            "name": "Mia",
            "born": null,
            "isTame": false,
            "owner": "Ann"
          }
        ]
        """,
        pet: """
        {
          "id": 1,
          "name": "Rex",
          "born": null,
          "isTame": true
        }
        """,
        problem: """
        {
          "message": "no"
        }
        """,
    ]

    init() {}

    /// Replaces the first occurrence of a text in a file.
    init(_ file: String, _ old: String, with new: String) {
        self.init()
        replace(old, with: new, in: file)
    }

    mutating func replace(_ old: String, with new: String, in file: String) {
        guard let text = files[file], text.contains(old) else {
            Issue.record("\(file) has no \(old)")
            return
        }
        files[file] = text.replacing(old, with: new, maxReplacements: 1)
    }

    func check(_ paths: [String] = []) throws -> Report {
        try Check(files: MemoryFiles(files)).run(paths)
    }

    /// The line of a file in which a text stands first.
    func line(of text: String, in file: String) -> Int? {
        guard let content = files[file], let range = content.firstRange(of: text) else { return nil }
        return content[..<range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1
    }
}

extension Report {
    var errors: [Finding] { allFindings.filter { $0.severity == .error } }
}

extension Finding {
    /// `file:line` of the finding.
    var line: String { "\(place?.file ?? "?"):\(place?.position?.line ?? 0)" }

    /// `file:line` of what it points at besides.
    var relatedLines: [String] {
        related.map { "\($0.place.file ?? "?"):\($0.place.position?.line ?? 0)" }
    }
}
