import Basics
import ClientTesting
import Foundation
import HTTPCodec
import JSON
import OpenAPI
import TestSupport
import Testing

/// A small contract, and clients for it that are a few lines long.
enum Library {
    static func contract(_ document: String = Library.document) throws -> Contract {
        let files = MemoryFiles(["/library/openapi.json": document])
        let project = try #require(ProjectRoot("/library", files: files))
        return try ContractLoader(files: files, project: project).load("/library/openapi.json")
    }

    static let document = """
        {
          "openapi": "3.1.0",
          "info": { "title": "Library", "version": "1" },
          "paths": {
            "/book": {
              "get": {
                "operationId": "getBook",
                "responses": {
                  "200": {
                    "description": "A book.",
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Book" } } }
                  },
                  "404": {
                    "description": "None.",
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Refusal" } } }
                  }
                }
              }
            },
            "/shelf": {
              "get": {
                "operationId": "getShelf",
                "responses": {
                  "200": {
                    "description": "Books.",
                    "content": {
                      "application/json": {
                        "schema": {
                          "type": "object",
                          "required": ["data"],
                          "properties": {
                            "data": { "type": "array", "items": { "$ref": "#/components/schemas/Book" } },
                            "note": { "type": "string" }
                          }
                        }
                      }
                    }
                  }
                }
              }
            },
            "/book/return": {
              "post": { "operationId": "returnBook", "responses": { "204": { "description": "Thanks." } } }
            }
          },
          "components": {
            "schemas": {
              "Book": {
                "type": "object",
                "required": ["id", "title", "state", "author"],
                "properties": {
                  "id": { "type": "integer", "format": "int64" },
                  "title": { "type": "string" },
                  "subtitle": { "type": "string" },
                  "state": { "type": "string", "enum": ["free", "lent"] },
                  "author": {
                    "type": "object",
                    "required": ["name"],
                    "properties": {
                      "name": { "type": "string" },
                      "born": { "type": ["integer", "null"] }
                    }
                  }
                }
              },
              "Refusal": {
                "type": "object",
                "required": ["reason"],
                "properties": { "reason": { "type": "string" }, "code": { "type": ["string", "null"] } }
              }
            }
          }
        }
        """

    /// Where in the document a text stands.
    static func line(of text: String) -> Int? {
        document.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(text) }.map {
            $0 + 1
        }
    }
}

/// A reader of the library, with the models that a test gives it.
struct Reader: Sendable {
    let setting: ClientSetting

    enum Problem: Error {
        case refused(Int, reason: String)
        case unreadable(DecodingError)
        case unreachable
    }

    func body(_ method: HTTPMethod = .get, _ path: String) async throws -> [UInt8] {
        guard case .raw(let network) = setting.network else { throw Problem.unreachable }
        let request = HTTPRequest(method: method, target: path)
        let response = try await network.send(request, to: setting.url, timeout: 10)
        guard 200..<300 ~= response.status.code else {
            struct Refusal: Decodable {
                var reason: String
                var code: String?
            }
            let refusal = try value(Refusal.self, response.body)
            throw Problem.refused(response.status.code, reason: refusal.reason)
        }
        return response.body
    }

    func value<Value: Decodable>(_: Value.Type, _ body: [UInt8]) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(body))
        } catch let error as DecodingError {
            throw Problem.unreadable(error)
        }
    }
}

/// Puts a reader under test, with one operation.
struct ReaderAdapter: ClientAdapter {
    let name = "reader"
    let contract = "openapi.json"
    var operations: [ClientOperation<Reader>]

    init(_ operations: ClientOperation<Reader>...) { self.operations = operations }

    /// Reads the response to GET as a model.
    init<Model: Codable & SendableMetatype>(
        _ id: String,
        _ path: String,
        as model: Model.Type,
        drops: [ClientOperation<Reader>.Drop] = [],
        tolerances: [ClientOperation<Reader>.Drop] = []
    ) {
        operations = [
            ClientOperation(id, drops: drops, tolerances: tolerances) { reader in
                let value = try reader.value(Model.self, try await reader.body(.get, path))
                return .json(Array(try JSONEncoder().encode(value)))
            }
        ]
    }

    func makeClient(_ setting: ClientSetting) async throws -> Reader { Reader(setting: setting) }

    func session(of client: Reader) async -> ObservedSession { ObservedSession(isSignedIn: true, tokens: [:]) }

    func name(of error: any Error) -> String {
        switch error as? Reader.Problem {
        case .refused(let status, _): "refused(\(status))"
        case .unreadable: "unreadable"
        default: "\(error)"
        }
    }

    func decodingError(in error: any Error) -> DecodingError? {
        if case .unreadable(let error)? = error as? Reader.Problem { error } else { nil }
    }

    func checkVariants(_ document: String = Library.document) async throws -> VariantCheckResult {
        await VariantCheck(self, contract: try Library.contract(document)).run()
    }
}
