/// A list of people as a JSON API sends it, about 2 kB of it, and the contract that documents it.
enum TypicalResponse {
    /// JSON Schema, draft 2020-12: references, alternatives, patterns and limits, as contracts have them.
    static let schema = """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          \(people(at: "#/$defs")),
          "$defs": { \(definitions(at: "#/$defs")) }
        }
        """

    /// Seven people; those of even number have a plan.
    static let text: String = {
        let people = (1...7).map { number in
            """
            {"id":\(number),"name":"Person Number \(number)","email":"person\(number)@example.com","status":"active",\
            "score":\(number * 12).5,"planId":\(number % 2 == 0 ? "17" : "null"),"address":{"street":"Some Street 12",\
            "city":"Zürich","zip":"8001","country":"CH"},"tags":["alpha","beta","gamma"],\
            "createdAt":"2026-03-01T09:00:00Z","owner":{"kind":"company","title":"Example Ltd"}}
            """
        }
        return "{\"data\":[\(people.joined(separator: ","))],\"meta\":{\"page\":1,\"total\":7,\"next\":null}}"
    }()

    static let target = "/teams/12/people?page=1&status=active&tag=alpha&tag=beta"
    static let newPerson = "{\"kind\":\"person\",\"first\":\"Ada\",\"last\":\"Byron\"}"

    /// An OpenAPI file in which the response answers one operation, and another takes a body.
    static let contract = """
        {
          "openapi": "3.1.0",
          "info": { "title": "People", "version": "1" },
          "paths": {
            "/teams/{team}/people": {
              "parameters": [
                { "name": "team", "in": "path", "required": true, "schema": { "type": "integer", "minimum": 1 } }
              ],
              "get": {
                "parameters": [
                  { "name": "page", "in": "query", "schema": { "type": "integer", "minimum": 1 } },
                  { "name": "status", "in": "query", "schema": { "enum": ["active", "blocked", "invited"] } },
                  { "name": "tag", "in": "query", "schema": { "type": "array", "items": { "type": "string" } } },
                  { "name": "X-Request-Id", "in": "header", "schema": { "type": "string", "maxLength": 40 } }
                ],
                "security": [{ "bearer": [] }],
                "responses": {
                  "200": {
                    "description": "A page of them",
                    "headers": { "X-Total": { "schema": { "type": "integer" } } },
                    "content": { "application/json": { "schema": { \(people(at: "#/components/schemas")) } } }
                  },
                  "401": { "description": "No user is signed in" }
                }
              },
              "post": {
                "security": [{ "bearer": [] }],
                "requestBody": {
                  "required": true,
                  "content": { "application/json": { "schema": { "$ref": "#/components/schemas/person" } } }
                },
                "responses": { "204": { "description": "Added" }, "401": { "description": "No user is signed in" } }
              }
            }
          },
          "components": {
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
            "schemas": { \(definitions(at: "#/components/schemas")) }
          }
        }
        """

    /// The keywords of the response's own schema.
    private static func people(at place: String) -> String {
        """
        "type": "object",
        "required": ["data", "meta"],
        "properties": {
          "data": { "type": "array", "items": { "$ref": "\(place)/user" } },
          "meta": {
            "type": "object",
            "required": ["page", "total"],
            "additionalProperties": false,
            "properties": {
              "page": { "type": "integer", "minimum": 1 },
              "total": { "type": "integer", "minimum": 0 },
              "next": { "type": ["string", "null"] }
            }
          }
        }
        """
    }

    private static func definitions(at place: String) -> String {
        """
        "user": {
          "type": "object",
          "required": ["id", "name", "email", "status", "address", "tags", "createdAt"],
          "additionalProperties": false,
          "properties": {
            "id": { "type": "integer", "minimum": 1 },
            "name": { "type": "string", "minLength": 1, "maxLength": 80 },
            "email": { "type": "string", "format": "email" },
            "status": { "enum": ["active", "blocked", "invited"] },
            "score": { "type": "number", "minimum": 0, "maximum": 100 },
            "planId": { "anyOf": [{ "type": "integer" }, { "type": "null" }] },
            "address": { "$ref": "\(place)/address" },
            "tags": { "type": "array", "items": { "type": "string" }, "maxItems": 10, "uniqueItems": true },
            "createdAt": { "type": "string", "format": "date-time" },
            "owner": { "oneOf": [{ "$ref": "\(place)/person" }, { "$ref": "\(place)/company" }] }
          }
        },
        "address": {
          "type": "object",
          "required": ["street", "city"],
          "properties": {
            "street": { "type": "string" },
            "city": { "type": "string" },
            "zip": { "type": "string", "pattern": "^[0-9]{4,5}$" },
            "country": { "type": "string", "minLength": 2, "maxLength": 2 }
          }
        },
        "person": {
          "type": "object",
          "required": ["kind", "first"],
          "properties": { "kind": { "const": "person" }, "first": { "type": "string" }, "last": { "type": "string" } }
        },
        "company": {
          "type": "object",
          "required": ["kind", "title"],
          "properties": { "kind": { "const": "company" }, "title": { "type": "string" } }
        }
        """
    }
}
