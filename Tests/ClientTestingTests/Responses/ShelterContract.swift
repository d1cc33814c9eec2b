import Basics
import OpenAPI
import TestSupport
import Testing

/// A small API with tokens, for clients under test.
enum ShelterContract {
    static let path = "Contracts/shelter.json"

    static func loaded(_ text: String = text) throws -> Contract {
        let files = MemoryFiles([path: text])
        let project = try #require(ProjectRoot("/project", files: files))
        return try ContractLoader(files: files, project: project).load(path)
    }

    /// The line on which a text stands first.
    static func line(of part: String) -> Int? {
        text.firstRange(of: part).map { text[..<$0.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1 }
    }

    static let text = """
        {
          "openapi": "3.1.0",
          "info": { "title": "Shelter", "version": "1" },
          "paths": {
            "/session": {
              "post": {
                "operationId": "signIn",
                "requestBody": {
                  "required": true,
                  "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Login" } } }
                },
                "responses": {
                  "201": { "$ref": "#/components/responses/Tokens" },
                  "401": { "$ref": "#/components/responses/Problem" }
                }
              },
              "delete": {
                "operationId": "signOut",
                "security": [{ "access": [] }],
                "responses": {
                  "204": { "description": "gone" },
                  "401": { "$ref": "#/components/responses/Problem" },
                  "500": { "$ref": "#/components/responses/Problem" }
                }
              }
            },
            "/session/refresh": {
              "post": {
                "operationId": "refresh",
                "security": [{ "renewal": [] }],
                "responses": {
                  "200": { "$ref": "#/components/responses/Tokens" },
                  "401": { "$ref": "#/components/responses/Problem" },
                  "429": { "$ref": "#/components/responses/Problem" },
                  "503": { "$ref": "#/components/responses/Problem" }
                }
              }
            },
            "/pets": {
              "get": {
                "operationId": "getPets",
                "security": [{ "access": [] }],
                "parameters": [
                  { "name": "limit", "in": "query", "required": true, "schema": { "type": "integer" } },
                  { "name": "since", "in": "query", "schema": { "type": "string", "format": "date" } }
                ],
                "responses": {
                  "200": {
                    "description": "all pets",
                    "content": {
                      "application/json": {
                        "schema": { "type": "array", "items": { "$ref": "#/components/schemas/Pet" } },
                        "examples": {
                          "some": { "value": [{ "id": 1, "name": "Rex" }] },
                          "nameless": { "value": [{ "id": 2 }] }
                        }
                      }
                    }
                  },
                  "204": { "description": "no pets" },
                  "401": { "$ref": "#/components/responses/Problem" },
                  "404": { "$ref": "#/components/responses/Problem" },
                  "429": { "$ref": "#/components/responses/Problem" },
                  "503": { "$ref": "#/components/responses/Problem" }
                }
              },
              "post": {
                "operationId": "addPet",
                "security": [{ "access": [] }],
                "requestBody": {
                  "required": true,
                  "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Pet" } } }
                },
                "responses": {
                  "201": {
                    "description": "the new pet",
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Pet" } } }
                  },
                  "401": { "$ref": "#/components/responses/Problem" }
                }
              }
            }
          },
          "components": {
            "securitySchemes": {
              "access": { "type": "http", "scheme": "bearer" },
              "renewal": { "type": "apiKey", "in": "header", "name": "Refresh" }
            },
            "responses": {
              "Problem": {
                "description": "it did not work",
                "content": {
                  "application/json": {
                    "schema": { "type": "object", "required": ["message"],
                                "properties": { "message": { "type": "string" } } },
                    "example": { "message": "no" }
                  }
                }
              },
              "Tokens": {
                "description": "new tokens",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "required": ["accessToken"],
                      "properties": { "accessToken": { "type": "string" }, "refreshToken": { "type": "string" } }
                    },
                    "example": { "accessToken": "new-access", "refreshToken": "new-refresh" }
                  }
                }
              }
            },
            "schemas": {
              "Login": {
                "type": "object",
                "required": ["user"],
                "properties": { "user": { "type": "string" } }
              },
              "Pet": {
                "type": "object",
                "required": ["id"],
                "properties": { "id": { "type": "integer" }, "name": { "type": "string" } }
              }
            }
          }
        }
        """
}
