/// An OpenAPI file of about six megabytes: thousands of schemas that lead back to themselves and to one another.
enum HugeContract {
    static let schemas = 4_500
    static let paths = 1_000

    static var text: String {
        let paths = (0..<paths).map(path).joined(separator: ",\n")
        let schemas = (0..<schemas).map(schema).joined(separator: ",\n")
        return """
            {
              "openapi": "3.0.3",
              "info": { "title": "Huge", "version": "1" },
              "paths": {
            \(paths)
              },
              "components": {
                "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
                "schemas": {
            \(schemas)
                }
              }
            }

            """
    }

    private static func path(_ number: Int) -> String {
        let schema = number * 4 % schemas
        return """
                "/group\(number % 40)/item\(number)/{id}": {
                  "get": {
                    "operationId": "getItem\(number)",
                    "security": [{ "bearer": [] }],
                    "parameters": [
                      { "name": "id", "in": "path", "required": true, "schema": { "type": "string", "maxLength": 40 } },
                      { "name": "expand", "in": "query", "schema": { "type": "array", "items": { "type": "string" } } }
                    ],
                    "responses": {
                      "200": {
                        "description": "One of them",
                        "content": {
                          "application/json": {
                            "schema": { "$ref": "#/components/schemas/thing\(schema)" },
                            "example": \(example(schema))
                          }
                        }
                      },
                      "401": { "description": "No user is signed in" }
                    }
                  },
                  "post": {
                    "operationId": "changeItem\(number)",
                    "security": [{ "bearer": [] }],
                    "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }],
                    "requestBody": {
                      "content": {
                        "application/json": { "schema": { "$ref": "#/components/schemas/thing\(schema + 1)" } }
                      }
                    },
                    "responses": {
                      "204": { "description": "It is changed" },
                      "401": { "description": "No user is signed in" }
                    }
                  }
                }
            """
    }

    private static func schema(_ number: Int) -> String {
        """
              "thing\(number)": {
                "type": "object",
                "description": "What the thing of number \(number) is, in a sentence as long as they usually are.",
                "required": ["id", "kind", "createdAt"],
                "properties": {
                  "id": { "type": "string", "minLength": 4, "maxLength": 64, "description": "Unique for ever" },
                  "kind": { "type": "string", "enum": ["thing\(number)"] },
                  "amount": { "type": "integer", "minimum": 0, "nullable": true, "description": "In cents" },
                  "createdAt": { "type": "integer", "format": "unix-time" },
                  "code": { "type": "string", "pattern": "^[a-z]{2}-[0-9]{\(number % 7 + 1)}$" },
                  "parent": { "nullable": true, "allOf": [{ "$ref": "#/components/schemas/thing\(number)" }] },
                  "children": {
                    "type": "array",
                    "items": { "$ref": "#/components/schemas/thing\(neighbour(number, 1))" }
                  },
                  "owner": {
                    "anyOf": [
                      { "type": "string", "maxLength": 64 },
                      { "$ref": "#/components/schemas/thing\(neighbour(number, 7))" },
                      { "$ref": "#/components/schemas/thing\(neighbour(number, 1_931))" }
                    ]
                  },
                  "metadata": { "type": "object", "additionalProperties": { "type": "string", "maxLength": 500 } }
                }
              }
        """
    }

    private static func neighbour(_ number: Int, _ distance: Int) -> Int { (number * 3 + distance) % schemas }

    private static func example(_ number: Int) -> String {
        let next = neighbour(number, 1)
        return """
            { "id": "t_\(number)", "kind": "thing\(number)", "amount": null, "createdAt": 1772355600, "owner": "t_9", \
            "children": [{ "id": "t_\(next)", "kind": "thing\(next)", "createdAt": 1772355600 }], "parent": null }
            """
    }
}
