import Basics
import Testing

/// Changes of what is around schemas: servers, security, parameters, media types, statuses.
@Suite struct `A changed message` {
    struct Case: Sendable, CustomTestStringConvertible {
        var part: Part
        var old: String
        var new: String
        /// The gravest verdict; `nil` when there is no change.
        var severity: Finding.Severity?
        /// A part of its sentence.
        var words: String

        init(_ part: Part, _ old: String, _ new: String, _ severity: Finding.Severity?, _ words: String = "") {
            (self.part, self.old, self.new, self.severity, self.words) = (part, old, new, severity, words)
        }

        var testDescription: String { "\(part): \(old) → \(new)" }
    }

    /// Where the text stands that changes.
    enum Part: Sendable {
        /// Members of the operation's `parameters`.
        case parameter
        /// Members of `content`.
        case requestContent, responseContent
        /// Members of `responses`.
        case responses
        /// Members of the response's `headers`.
        case headers
        /// A member of the document, the path item or the operation.
        case document, item, operation
        /// The security scheme that the operation asks for.
        case scheme
    }

    private static func contract(_ part: Part, _ text: String) -> String {
        func at(_ other: Part) -> String { part == other ? text : "" }
        func member(_ other: Part) -> String { part == other && !text.isEmpty ? text + "," : "" }
        let responses =
            part == .responses
            ? text
            : #""200": { "description": "x", "headers": { \#(at(.headers)) }, "content": { \#(at(.responseContent)) } }"#
        return #"""
            {
              "openapi": "3.1.0", "info": { "title": "T", "version": "1" }, \#(member(.document))
              "components": { "securitySchemes": {
                "s": \#(part == .scheme ? text : #"{ "type": "http", "scheme": "bearer" }"#) } },
              "paths": { "/a": { \#(member(.item)) "post": { \#(member(.operation))
                "security": [{ "s": [] }], "parameters": [\#(at(.parameter))],
                "requestBody": { "content": { \#(at(.requestContent)) } },
                "responses": { \#(responses) } } } }
            }
            """#
    }

    private static func parameter(_ rest: String, in location: String = "query") -> String {
        #"{ "name": "q", "in": "\#(location)", \#(rest) }"#
    }

    private static func content(_ types: String...) -> String {
        types.map { #""\#($0)": { "schema": { "type": "string" } }"# }.joined(separator: ", ")
    }

    private static func form(_ type: String, _ encoding: String) -> String {
        #""\#(type)": { "schema": { "type": "object", "properties": { "p": {} } }, "encoding": { "p": { \#(encoding) } } }"#
    }

    private static func servers(_ servers: String...) -> String {
        #""servers": [\#(servers.map { #"{ "url": "\#($0)" }"# }.joined(separator: ", "))]"#
    }

    private static func statuses(_ names: String...) -> String {
        names.map { #""\#($0)": { "description": "x" }"# }.joined(separator: ", ")
    }

    private static let string = #""schema": { "type": "string" }"#
    private static let list = #""schema": { "type": "array", "items": { "type": "string" } }"#

    private static let bodies = [
        Case(.responseContent, content("*/*"), content("application/json"), nil),
        Case(.responseContent, content("text/*"), content("text/plain"), nil),
        Case(.responseContent, content("application/json"), content("*/*"), .error, "`application/json` is gone"),
        Case(.requestContent, content("application/json"), content("application/*"), nil),
        Case(.requestContent, content("application/json"), content("*/*"), nil),
        Case(.requestContent, content("*/*"), content("application/json"), .error, "`*/*` is gone"),
        Case(.requestContent, content("application/json"), content("text/*"), .error, "`application/json` is gone"),
        Case(
            .requestContent,
            content("application/json;charset=utf-8"),
            content("Application/JSON; charset=UTF-8"),
            nil
        ),
        Case(.responseContent, content("application/json"), content("application/json", "text/csv"), .note, "is new"),
        Case(
            .responseContent,
            content("*/*"),
            #""text/plain": { "schema": { "type": ["string", "null"] } }"#,
            .error,
            "the body may be null"
        ),
        Case(
            .requestContent,
            form("multipart/form-data", #""contentType": "image/png, image/jpeg""#),
            form("multipart/form-data", #""contentType": "image/png""#),
            .error,
            "the media types of `p` have changed"
        ),
        Case(
            .requestContent,
            form("multipart/form-data", #""contentType": "image/png""#),
            form("multipart/form-data", #""contentType": "image/jpeg,image/png""#),
            .note,
            "the media types of `p`"
        ),
        Case(
            .requestContent,
            form("application/x-www-form-urlencoded", #""explode": true"#),
            form("application/x-www-form-urlencoded", #""explode": false"#),
            .error,
            "`p` is written in another way"
        ),
        Case(
            .requestContent,
            form("application/x-www-form-urlencoded", #""style": "form", "explode": true"#),
            form("application/x-www-form-urlencoded", ""),
            nil
        ),
    ]

    private static let parameters = [
        Case(.parameter, parameter(string), parameter(string + #", "explode": false"#), nil),
        Case(.parameter, parameter(string, in: "header"), parameter(string + #", "explode": true"#, in: "header"), nil),
        Case(.parameter, parameter(list), parameter(list + #", "explode": false"#), .error, "in another way"),
        Case(
            .parameter,
            parameter(string),
            parameter(#""content": { "application/json": { "schema": { "type": "string" } } }"#),
            .error,
            "in another way"
        ),
        Case(
            .parameter,
            parameter(#""content": { "application/json": { "schema": { "type": "string" } } }"#),
            parameter(string),
            .error,
            "in another way"
        ),
        Case(
            .parameter,
            parameter(#""schema": { "type": "integer" }"#),
            parameter(#""content": { "application/json": { "schema": { "type": "integer" } } }"#),
            nil
        ),
        Case(
            .parameter,
            parameter(string + #", "allowEmptyValue": true"#),
            parameter(string),
            .error,
            "no longer be empty"
        ),
        Case(.parameter, parameter(string), parameter(string + #", "allowEmptyValue": true"#), nil),
        Case(
            .headers,
            #""X": { "schema": { "type": "string" } }"#,
            #""X": { "content": { "application/json": { "schema": { "type": "string" } } } }"#,
            .error,
            "in another way"
        ),
        Case(
            .parameter,
            parameter(#""schema": { "type": "integer" }"#),
            parameter(#""schema": { "type": "integer", "minimum": 0 }"#),
            .error,
            #"`q`: "minimum" is 0"#
        ),
    ]

    private static let texts = [
        Case(
            .parameter,
            parameter(#""schema": { "type": "integer" }"#),
            parameter(string),
            .note,
            "`q` may be any text"
        ),
        Case(.parameter, parameter(string), parameter(#""schema": { "type": "integer" }"#), .error, "is an integer"),
        Case(
            .parameter,
            parameter(#""schema": { "type": "integer" }"#),
            parameter(#""schema": { "type": "string", "maxLength": 3 }"#),
            .error,
            "is a string"
        ),
        Case(
            .headers,
            #""X": { "schema": { "type": "integer" } }"#,
            #""X": { "schema": { "type": "string" } }"#,
            .error,
            "is a string"
        ),
        Case(
            .parameter,
            parameter(#""schema": { "type": "integer", "default": 1 }"#),
            parameter(#""schema": { "type": "integer", "default": 2 }"#),
            .warning,
            #""default" is 2, and was 1"#
        ),
        Case(
            .parameter,
            parameter(#""schema": { "type": "integer", "default": 1 }"#),
            parameter(#""schema": { "type": "integer" }"#),
            .warning,
            #""default" is gone, and was 1"#
        ),
        Case(
            .parameter,
            parameter(#""schema": { "type": "integer" }"#),
            parameter(#""schema": { "type": "integer", "default": 1 }"#),
            nil
        ),
    ]

    private static let around = [
        Case(.responses, statuses("2XX"), statuses("200"), .note, "response 2XX is gone"),
        Case(.responses, statuses("2XX"), statuses("404"), .error, "response 2XX is gone"),
        Case(.responses, statuses("200", "4XX"), statuses("200", "404"), .note, "response 4XX is gone"),
        Case(
            .responses,
            #""204": { "description": "x", "content": { \#(content("application/json")) } }"#,
            statuses("204"),
            nil
        ),
        Case(.operation, #""operationId": "a""#, #""operationId": "b""#, .warning, #"the operationId is "b""#),
        Case(.operation, "", #""operationId": "b""#, nil),
        Case(.document, servers("https://a/v1"), servers("https://a/v1/"), nil),
        Case(.document, servers("https://a/v1"), servers("https://a/v2"), .error, "\"https://a/v1\" is gone"),
        Case(.item, "", servers("https://b"), .warning, "the server \"/\" is gone"),
        Case(.item, servers("https://b", "https://c"), servers("https://b"), .error, "\"https://c\" is gone"),
        Case(.operation, servers("https://b"), servers("https://b", "https://c"), .note, "\"https://c\" is new"),
        Case(.operation, servers("https://b"), servers("https://c"), .error, "\"https://b\" is gone"),
        Case(
            .document,
            #""servers": [{ "url": "https://{r}.a", "variables": { "r": { "default": "eu", "enum": ["eu", "us"] } } }]"#,
            #""servers": [{ "url": "https://{r}.a", "variables": { "r": { "default": "eu", "enum": ["eu"] } } }]"#,
            .error,
            "\"https://us.a\" is gone"
        ),
        Case(
            .scheme,
            #"{ "type": "apiKey", "in": "header", "name": "X-Key" }"#,
            #"{ "type": "apiKey", "in": "header", "name": "x-key" }"#,
            nil
        ),
        Case(
            .scheme,
            #"{ "type": "apiKey", "in": "query", "name": "K" }"#,
            #"{ "type": "apiKey", "in": "query", "name": "k" }"#,
            .error,
            "security asks for something else"
        ),
        Case(
            .scheme,
            #"{ "type": "oauth2", "flows": { "password": { "tokenUrl": "https://a/t", "scopes": {} } } }"#,
            #"{ "type": "oauth2", "flows": { "password": { "tokenUrl": "https://a/u", "scopes": {} } } }"#,
            .error,
            "security asks for something else"
        ),
    ]

    @Test(arguments: bodies + parameters + texts + around)
    func `is named with its verdict`(_ change: Case) throws {
        let findings = try SchemaRevisions.findings(
            Self.contract(change.part, change.old),
            Self.contract(change.part, change.new)
        )
        .filter { $0.id.hasPrefix("changes/") }
        let ranks: [Finding.Severity] = [.note, .warning, .error]
        let worst = ranks.last { severity in findings.contains { $0.severity == severity } }
        #expect(worst == change.severity, "\(findings.map(\.description))")
        if let severity = change.severity {
            let named = findings.contains { $0.severity == severity && $0.message.contains(change.words) }
            #expect(named, "\(findings.map(\.description))")
        }
    }
}
