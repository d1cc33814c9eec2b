import Basics
import JSON

/// The metaschemas of all dialects, which every registry has without being told.
enum Metaschemas {
    /// The document number of every place in them: no file has it.
    static let file: Int32 = -1

    /// All of them, read when the first of them is asked for.
    static let registry = SchemaRegistry(bundled: documents)

    /// The document at a URI without a fragment.
    static func document(at uri: String) -> (uri: String, root: JSONValue, dialect: SchemaDialect)? {
        guard isLikely(uri) else { return nil }
        return documents.first { $0.uri.hasSameUTF8(as: uri) }
    }

    private static let texts: [(texts: [String], dialect: SchemaDialect)] = [
        (draft4, .draft4), (draft6, .draft6), (draft7, .draft7), (draft2019, .draft2019), (draft2020, .draft2020),
        (openAPI31, .draft2020),
    ]
    private static let documents = texts.flatMap { group in
        group.texts.compactMap { read($0, in: group.dialect) }
    }

    private static func read(_ text: String, in dialect: SchemaDialect) -> (
        uri: String, root: JSONValue, dialect: SchemaDialect
    )? {
        // The texts are ours and tested, so none of them fails.
        guard let root = try? JSONParser(document: file).parse(text).root else { return nil }
        let uri = root[dialect.identifierKeyword]?.string ?? ""
        return (URIReference(uri).resource, root, dialect)
    }

    /// Spares most look-ups the reading of metaschemas that are not needed.
    private static func isLikely(_ uri: String) -> Bool {
        ["http://json-schema.org/", "https://json-schema.org/", "https://spec.openapis.org/"].contains {
            uri.utf8.starts(with: $0.utf8)
        }
    }
}

/// The metaschema of OpenAPI 3.1: its constraints, without its annotations.
extension Metaschemas {
    static let openAPI31 = [
        #"""
        {
          "$id": "https://spec.openapis.org/oas/3.1/dialect/base",
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$vocabulary": {
            "https://json-schema.org/draft/2020-12/vocab/core": true,
            "https://json-schema.org/draft/2020-12/vocab/applicator": true,
            "https://json-schema.org/draft/2020-12/vocab/unevaluated": true,
            "https://json-schema.org/draft/2020-12/vocab/validation": true,
            "https://json-schema.org/draft/2020-12/vocab/meta-data": true,
            "https://json-schema.org/draft/2020-12/vocab/format-annotation": true,
            "https://json-schema.org/draft/2020-12/vocab/content": true,
            "https://spec.openapis.org/oas/3.1/vocab/base": false
          },
          "$dynamicAnchor": "meta",
          "allOf": [
            {"$ref": "https://json-schema.org/draft/2020-12/schema"},
            {"$ref": "https://spec.openapis.org/oas/3.1/meta/base"}
          ]
        }
        """#,
        #"""
        {
          "$id": "https://spec.openapis.org/oas/3.1/meta/base",
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$vocabulary": {"https://spec.openapis.org/oas/3.1/vocab/base": true},
          "$dynamicAnchor": "meta",
          "type": ["object", "boolean"],
          "properties": {
            "example": true,
            "discriminator": {
              "type": "object",
              "properties": {
                "propertyName": {"type": "string"},
                "mapping": {"type": "object", "additionalProperties": {"type": "string"}}
              },
              "required": ["propertyName"]
            },
            "externalDocs": {
              "type": "object",
              "properties": {"url": {"type": "string", "format": "uri-reference"}, "description": {"type": "string"}},
              "required": ["url"]
            },
            "xml": {
              "type": "object",
              "properties": {
                "name": {"type": "string"},
                "namespace": {"type": "string", "format": "uri"},
                "prefix": {"type": "string"},
                "attribute": {"type": "boolean"},
                "wrapped": {"type": "boolean"}
              }
            }
          }
        }
        """#,
    ]
}

/// The metaschema of draft 4: its constraints, without its annotations.
extension Metaschemas {
    static let draft4 = [
        #"""
        {
          "id": "http://json-schema.org/draft-04/schema#",
          "$schema": "http://json-schema.org/draft-04/schema#",
          "definitions": {
            "schemaArray": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
            "positiveInteger": {"type": "integer", "minimum": 0},
            "positiveIntegerDefault0": {"allOf": [{"$ref": "#/definitions/positiveInteger"}, {}]},
            "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
            "stringArray": {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": true}
          },
          "type": "object",
          "properties": {
            "id": {"type": "string"},
            "$schema": {"type": "string"},
            "title": {"type": "string"},
            "description": {"type": "string"},
            "default": {},
            "multipleOf": {"type": "number", "minimum": 0, "exclusiveMinimum": true},
            "maximum": {"type": "number"},
            "exclusiveMaximum": {"type": "boolean"},
            "minimum": {"type": "number"},
            "exclusiveMinimum": {"type": "boolean"},
            "maxLength": {"$ref": "#/definitions/positiveInteger"},
            "minLength": {"$ref": "#/definitions/positiveIntegerDefault0"},
            "pattern": {"type": "string", "format": "regex"},
            "additionalItems": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}]},
            "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/schemaArray"}]},
            "maxItems": {"$ref": "#/definitions/positiveInteger"},
            "minItems": {"$ref": "#/definitions/positiveIntegerDefault0"},
            "uniqueItems": {"type": "boolean"},
            "maxProperties": {"$ref": "#/definitions/positiveInteger"},
            "minProperties": {"$ref": "#/definitions/positiveIntegerDefault0"},
            "required": {"$ref": "#/definitions/stringArray"},
            "additionalProperties": {"anyOf": [{"type": "boolean"}, {"$ref": "#"}]},
            "definitions": {"type": "object", "additionalProperties": {"$ref": "#"}},
            "properties": {"type": "object", "additionalProperties": {"$ref": "#"}},
            "patternProperties": {"type": "object", "additionalProperties": {"$ref": "#"}},
            "dependencies": {
              "type": "object",
              "additionalProperties": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/stringArray"}]}
            },
            "enum": {"type": "array", "minItems": 1, "uniqueItems": true},
            "type": {
              "anyOf": [
                {"$ref": "#/definitions/simpleTypes"},
                {
                  "type": "array",
                  "items": {"$ref": "#/definitions/simpleTypes"},
                  "minItems": 1,
                  "uniqueItems": true
                }
              ]
            },
            "format": {"type": "string"},
            "allOf": {"$ref": "#/definitions/schemaArray"},
            "anyOf": {"$ref": "#/definitions/schemaArray"},
            "oneOf": {"$ref": "#/definitions/schemaArray"},
            "not": {"$ref": "#"}
          },
          "dependencies": {"exclusiveMaximum": ["maximum"], "exclusiveMinimum": ["minimum"]}
        }
        """#
    ]
}

/// The metaschema of draft 6: its constraints, without its annotations.
extension Metaschemas {
    static let draft6 = [
        #"""
        {
          "$schema": "http://json-schema.org/draft-06/schema#",
          "$id": "http://json-schema.org/draft-06/schema#",
          "definitions": {
            "schemaArray": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
            "nonNegativeInteger": {"type": "integer", "minimum": 0},
            "nonNegativeIntegerDefault0": {"allOf": [{"$ref": "#/definitions/nonNegativeInteger"}, {}]},
            "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
            "stringArray": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}
          },
          "type": ["object", "boolean"],
          "properties": {
            "$id": {"type": "string", "format": "uri-reference"},
            "$schema": {"type": "string", "format": "uri"},
            "$ref": {"type": "string", "format": "uri-reference"},
            "title": {"type": "string"},
            "description": {"type": "string"},
            "default": {},
            "examples": {"type": "array", "items": {}},
            "multipleOf": {"type": "number", "exclusiveMinimum": 0},
            "maximum": {"type": "number"},
            "exclusiveMaximum": {"type": "number"},
            "minimum": {"type": "number"},
            "exclusiveMinimum": {"type": "number"},
            "maxLength": {"$ref": "#/definitions/nonNegativeInteger"},
            "minLength": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
            "pattern": {"type": "string", "format": "regex"},
            "additionalItems": {"$ref": "#"},
            "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/schemaArray"}]},
            "maxItems": {"$ref": "#/definitions/nonNegativeInteger"},
            "minItems": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
            "uniqueItems": {"type": "boolean"},
            "contains": {"$ref": "#"},
            "maxProperties": {"$ref": "#/definitions/nonNegativeInteger"},
            "minProperties": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
            "required": {"$ref": "#/definitions/stringArray"},
            "additionalProperties": {"$ref": "#"},
            "definitions": {"type": "object", "additionalProperties": {"$ref": "#"}},
            "properties": {"type": "object", "additionalProperties": {"$ref": "#"}},
            "patternProperties": {"type": "object", "additionalProperties": {"$ref": "#"}, "propertyNames": {"format": "regex"}},
            "dependencies": {
              "type": "object",
              "additionalProperties": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/stringArray"}]}
            },
            "propertyNames": {"$ref": "#"},
            "const": {},
            "enum": {"type": "array"},
            "type": {
              "anyOf": [
                {"$ref": "#/definitions/simpleTypes"},
                {
                  "type": "array",
                  "items": {"$ref": "#/definitions/simpleTypes"},
                  "minItems": 1,
                  "uniqueItems": true
                }
              ]
            },
            "format": {"type": "string"},
            "allOf": {"$ref": "#/definitions/schemaArray"},
            "anyOf": {"$ref": "#/definitions/schemaArray"},
            "oneOf": {"$ref": "#/definitions/schemaArray"},
            "not": {"$ref": "#"}
          }
        }
        """#
    ]
}

/// The metaschema of draft 7: its constraints, without its annotations.
extension Metaschemas {
    static let draft7 = [
        #"""
        {
          "$schema": "http://json-schema.org/draft-07/schema#",
          "$id": "http://json-schema.org/draft-07/schema#",
          "definitions": {
            "schemaArray": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
            "nonNegativeInteger": {"type": "integer", "minimum": 0},
            "nonNegativeIntegerDefault0": {"allOf": [{"$ref": "#/definitions/nonNegativeInteger"}, {}]},
            "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
            "stringArray": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}
          },
          "type": ["object", "boolean"],
          "properties": {
            "$id": {"type": "string", "format": "uri-reference"},
            "$schema": {"type": "string", "format": "uri"},
            "$ref": {"type": "string", "format": "uri-reference"},
            "$comment": {"type": "string"},
            "title": {"type": "string"},
            "description": {"type": "string"},
            "default": true,
            "readOnly": {"type": "boolean"},
            "examples": {"type": "array", "items": true},
            "multipleOf": {"type": "number", "exclusiveMinimum": 0},
            "maximum": {"type": "number"},
            "exclusiveMaximum": {"type": "number"},
            "minimum": {"type": "number"},
            "exclusiveMinimum": {"type": "number"},
            "maxLength": {"$ref": "#/definitions/nonNegativeInteger"},
            "minLength": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
            "pattern": {"type": "string", "format": "regex"},
            "additionalItems": {"$ref": "#"},
            "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/schemaArray"}]},
            "maxItems": {"$ref": "#/definitions/nonNegativeInteger"},
            "minItems": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
            "uniqueItems": {"type": "boolean"},
            "contains": {"$ref": "#"},
            "maxProperties": {"$ref": "#/definitions/nonNegativeInteger"},
            "minProperties": {"$ref": "#/definitions/nonNegativeIntegerDefault0"},
            "required": {"$ref": "#/definitions/stringArray"},
            "additionalProperties": {"$ref": "#"},
            "definitions": {"type": "object", "additionalProperties": {"$ref": "#"}},
            "properties": {"type": "object", "additionalProperties": {"$ref": "#"}},
            "patternProperties": {"type": "object", "additionalProperties": {"$ref": "#"}, "propertyNames": {"format": "regex"}},
            "dependencies": {
              "type": "object",
              "additionalProperties": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/stringArray"}]}
            },
            "propertyNames": {"$ref": "#"},
            "const": true,
            "enum": {"type": "array", "items": true},
            "type": {
              "anyOf": [
                {"$ref": "#/definitions/simpleTypes"},
                {
                  "type": "array",
                  "items": {"$ref": "#/definitions/simpleTypes"},
                  "minItems": 1,
                  "uniqueItems": true
                }
              ]
            },
            "format": {"type": "string"},
            "contentMediaType": {"type": "string"},
            "contentEncoding": {"type": "string"},
            "if": {"$ref": "#"},
            "then": {"$ref": "#"},
            "else": {"$ref": "#"},
            "allOf": {"$ref": "#/definitions/schemaArray"},
            "anyOf": {"$ref": "#/definitions/schemaArray"},
            "oneOf": {"$ref": "#/definitions/schemaArray"},
            "not": {"$ref": "#"}
          }
        }
        """#
    ]
}
