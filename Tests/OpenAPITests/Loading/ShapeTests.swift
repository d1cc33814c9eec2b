import Basics
import OpenAPI
import TestSupport
import Testing

/// What a slip in a file is told as.
struct Slip: Sendable, CustomTestStringConvertible {
    /// The paths, or what stands in their place.
    var paths: String
    var components = "{}"
    var version = "3.1.0"
    /// Each finding: severity, id, pointer, and the sentence with its advice.
    var told: [String]

    var testDescription: String { told.joined(separator: "; ") }
}

@Suite struct `The shape of an OpenAPI file` {
    private static func operation(_ members: String) -> String {
        "{\"/a\": {\"get\": {\"responses\": {\"200\": {\"description\": \"\"}}, \(members)}}}"
    }

    private static let objects: [Slip] = [
        Slip(
            paths: operation("\"sumary\": \"x\""),
            told: [
                "error contract/unknown-key /paths/~1a/get/sumary unknown key \"sumary\" in an operation;"
                    + " did you mean \"summary\"?"
            ]
        ),
        Slip(
            paths: operation("\"paramters\": []"),
            told: [
                "error contract/unknown-key /paths/~1a/get/paramters unknown key \"paramters\" in an operation;"
                    + " did you mean \"parameters\"?"
            ]
        ),
        Slip(paths: operation("\"x-owner\": 1"), told: []),
        Slip(paths: operation("\"x-backlot-effect\": \"destroy\""), told: []),
        Slip(
            paths: operation("\"x-backlot-effect\": \"destroys\""),
            told: [
                "error contract/bad-value /paths/~1a/get/x-backlot-effect \"destroys\" is not \"read\", \"write\" or"
                    + " \"destroy\"; did you mean \"destroy\"?"
            ]
        ),
        Slip(
            paths: operation("\"x-backlot-effect\": true"),
            told: [
                "error contract/wrong-type /paths/~1a/get/x-backlot-effect found true, but expected \"read\", \"write\" or"
                    + " \"destroy\""
            ]
        ),
        Slip(
            paths: operation("\"x-backlot-efect\": \"destroy\""),
            told: [
                "error contract/unknown-key /paths/~1a/get/x-backlot-efect unknown key \"x-backlot-efect\" in an operation;"
                    + " did you mean \"x-backlot-effect\"?"
            ]
        ),
        Slip(
            paths: operation("\"deprecated\": \"yes\""),
            told: [
                "error contract/wrong-type /paths/~1a/get/deprecated found the string \"yes\", but expected true or false"
            ]
        ),
        Slip(
            paths: operation("\"tags\": [1]"),
            told: ["error contract/wrong-type /paths/~1a/get/tags/0 found the number 1, but expected a string"]
        ),
        Slip(
            paths: "{\"/a\": {\"get\": {}}}",
            version: "3.0.3",
            told: [
                "error contract/missing-response /paths/~1a/get \"responses\" is missing, so the operation "
                    + "does not document its responses"
            ]
        ),
        Slip(
            paths: "{\"/a\": {\"get\": {\"responses\": {}}}}",
            told: [
                "error contract/missing-response /paths/~1a/get/responses an operation requires at least one response"
            ]
        ),
        Slip(
            paths: "{\"/a\": {\"gte\": {}}}",
            told: [
                "error contract/unknown-key /paths/~1a/gte unknown key \"gte\" in a path item; did you mean \"get\"?"
            ]
        ),
        Slip(
            paths: "{\"/a\": {\"get\": {\"responses\": {\"20x\": {\"description\": \"\"}}}}}",
            told: [
                "error contract/bad-name /paths/~1a/get/responses/20x \"20x\" is not a status such as \"200\", \"4XX\" or"
                    + " \"default\"; did you mean \"2XX\"?"
            ]
        ),
        Slip(
            paths: "{\"/a\": {\"get\": {\"responses\": {\"200\": {\"descripton\": \"\"}}}}}",
            told: [
                "error contract/unknown-key /paths/~1a/get/responses/200/descripton unknown key \"descripton\" in a"
                    + " response; did you mean \"description\"?"
            ]
        ),
        Slip(
            paths: "{\"/a\": {\"get\": {\"responses\": {\"200\": {}}}}}",
            told: [
                "error contract/missing-key /paths/~1a/get/responses/200 a response needs \"description\", a string"
            ]
        ),
        Slip(
            paths: "{\"a\": {}}",
            told: ["error contract/bad-name /paths/a \"a\" is not a path, which begins with a slash; write \"/a\""]
        ),
        Slip(
            paths: "{\"/a/{b\": {}}",
            told: [
                "error contract/bad-path /paths/~1a~1{b in \"/a/{b\", a brace has no counterpart in the same segment"
            ]
        ),
        Slip(
            paths: "{}",
            components: "{\"schemas\": {\"a b\": {}}, \"headers\": {\"x-trace\": {\"schema\": {}}}}",
            told: [
                "error contract/bad-name /components/schemas/a b \"a b\" is not a component name, which contains only"
                    + " letters, digits, dots, hyphens and underscores"
            ]
        ),
        Slip(
            paths: "{}",
            components: "{\"pathItems\": {}}",
            version: "3.0.0",
            told: [
                "warning contract/unknown-key /components/pathItems \"pathItems\" in the components is new in OpenAPI 3.1;"
                    + " this document is 3.0"
            ]
        ),
    ]

    private static func parameter(_ members: String) -> String { operation("\"parameters\": [{\(members)}]") }

    private static let parameters: [Slip] = [
        Slip(
            paths: parameter("\"name\": \"q\", \"schema\": {}"),
            told: [
                "error contract/missing-key /paths/~1a/get/parameters/0 a parameter needs \"in\", \"path\", \"query\","
                    + " \"header\" or \"cookie\""
            ]
        ),
        Slip(
            paths: parameter("\"name\": \"q\", \"in\": \"qeury\", \"schema\": {}"),
            told: [
                "error contract/bad-value /paths/~1a/get/parameters/0/in \"qeury\" is not \"path\", \"query\", \"header\""
                    + " or \"cookie\"; did you mean \"query\"?"
            ]
        ),
        Slip(
            paths: parameter("\"name\": \"q\", \"in\": \"query\", \"style\": \"simple\", \"schema\": {}"),
            told: [
                "error contract/bad-value /paths/~1a/get/parameters/0/style a query parameter must not use the style"
                    + " \"simple\"; the style must be \"form\", \"spaceDelimited\", \"pipeDelimited\" or \"deepObject\""
            ]
        ),
        Slip(
            paths: parameter("\"name\": \"q\", \"in\": \"query\", \"schema\": {}, \"content\": {\"a/b\": {}}"),
            told: [
                "error contract/rival-keys /paths/~1a/get/parameters/0/content \"schema\" and \"content\" cannot be"
                    + " combined in a parameter; keep one"
            ]
        ),
        Slip(
            paths: operation(
                """
                "parameters": [{"name": "X-A", "in": "header", "schema": {}}, {"name": "x-a", "in": "header", "schema": {}}]
                """
            ),
            told: [
                "error contract/duplicate-parameter /paths/~1a/get/parameters/1 the header parameter \"x-a\" is already in"
                    + " this list"
            ]
        ),
        Slip(
            paths: operation("\"requestBody\": {\"content\": {\"json\": {}}}"),
            told: [
                "error contract/bad-name /paths/~1a/get/requestBody/content/json \"json\" is not a media type such as"
                    + " \"application/json\""
            ]
        ),
        Slip(
            paths: operation("\"security\": [{\"baerer\": []}]"),
            components: "{\"securitySchemes\": {\"bearer\": {\"type\": \"http\", \"scheme\": \"bearer\"}}}",
            told: [
                "error contract/unknown-security-scheme /paths/~1a/get/security/0/baerer there is no security scheme"
                    + " \"baerer\" in the components; did you mean \"bearer\"?"
            ]
        ),
        Slip(
            paths: "{}",
            components: "{\"securitySchemes\": {\"key\": {\"type\": \"apiKey\", \"name\": \"k\"}}}",
            told: [
                "error contract/missing-key /components/securitySchemes/key a security scheme of this type requires "
                    + "\"in\""
            ]
        ),
    ]

    private static let flows = [
        ("implicit", "{}", ["authorizationUrl"]), ("password", "{}", ["tokenUrl"]),
        ("clientCredentials", "{}", ["tokenUrl"]), ("authorizationCode", "{}", ["authorizationUrl", "tokenUrl"]),
        ("authorizationCode", "{\"tokenUrl\": \"t\"}", ["authorizationUrl"]),
    ]

    private static let scopes = "\"scopes\": {}"

    @Test(arguments: flows, ["3.0.3", "3.1.0", "3.2.0"])
    func `needs the URLs of a flow`(flow: (name: String, members: String, missing: [String]), version: String) throws {
        let members = flow.members == "{}" ? "{\(Self.scopes)}" : flow.members.dropLast() + ", \(Self.scopes)}"
        let scheme = "{\"type\": \"oauth2\", \"flows\": {\"\(flow.name)\": \(members)}}"
        let contract = try contract(
            paths: "{}",
            components: "{\"securitySchemes\": {\"o\": \(scheme)}}",
            version: version
        )
        let place = "/components/securitySchemes/o/flows/\(flow.name)"
        #expect(
            contract.findings.map(\.told)
                == flow.missing.map {
                    "error contract/missing-key \(place) the flow \"\(flow.name)\" needs \"\($0)\", a URL"
                }
        )
    }

    @Test(arguments: [("bearer", false), ("Bearer", false), ("basic", true)])
    func `has a format of bearer tokens in the scheme bearer alone`(scheme: String, isIgnored: Bool) throws {
        let contract = try contract(
            paths: "{}",
            components: """
                {"securitySchemes": {"s": {"type": "http", "scheme": "\(scheme)", "bearerFormat": "JWT"}}}
                """
        )
        let finding =
            "warning contract/ignored-key /components/securitySchemes/s/bearerFormat \"bearerFormat\" has no effect in the scheme"
            + " \"basic\"; only the scheme \"bearer\" supports \"bearerFormat\""
        #expect(contract.findings.map(\.told) == (isIgnored ? [finding] : []))
    }

    @Test(arguments: [("a@example.com", false), ("a", true), ("", true)])
    func `has an email address in its contact`(email: String, isWrong: Bool) throws {
        let findings = try contract([
            "api.json": """
            {"openapi": "3.1.0", "info": {"title": "T", "version": "1", "contact": {"email": "\(email)"}}, "paths": {}}
            """
        ])
        .findings
        #expect(
            findings.map(\.told)
                == (isWrong
                    ? ["warning contract/bad-value /info/contact/email \"\(email)\" is not an email address"] : [])
        )
    }

    @Test func `names a misspelt URL of a flow once`() throws {
        let contract = try contract(
            paths: "{}",
            components: """
                {"securitySchemes": {"o": {"type": "oauth2", "flows": {"password": {"tokenURL": "t", "scopes": {}}}}}}
                """
        )
        #expect(contract.findings.map(\.id) == ["contract/unknown-key"])
    }

    @Test(arguments: [("3.0.3", true), ("3.1.0", true), ("3.2.0", false)])
    func `has a description in each response before 3.2`(version: String, isNeeded: Bool) throws {
        let contract = try contract(
            paths: "{\"/a\": {\"get\": {\"responses\": {\"204\": {}}}}}",
            version: version
        )
        #expect(contract.findings.map(\.id) == (isNeeded ? ["contract/missing-key"] : []))
    }

    @Test(arguments: [("3.0.3", Finding.Severity.warning), ("3.1.0", .warning), ("3.2.0", .error)])
    func `has each parameter once in a path since 3.2`(version: String, severity: Finding.Severity) throws {
        let contract = try contract(paths: "{\"/a/{id}/b/{id}\": {}}", version: version)
        #expect(contract.findings.map(\.id) == ["contract/bad-path"])
        #expect(contract.findings.map(\.severity) == [severity])
    }

    private static let names: [(more: String, paths: String, told: [String])] = [
        (
            #""tags": [{"name": "a"}, {"name": "b"}, {"name": "a"}],"#, "{}",
            [#"error contract/bad-value /tags/2/name the tag "a" is already in this list"#]
        ),
        (
            #""servers": [{"url": "https://{tenant}.example.com/{base}", "variables": {"base": {"default": "v1"}}}],"#,
            "{}",
            [
                "warning contract/undefined-variable /servers/0/url the server URL contains \"{tenant}\", but"
                    + " \"variables\" does not define it"
            ]
        ),
        (
            "", callback("{$request.body#/url"),
            [
                "error contract/bad-name /paths/~1a/post/callbacks/c/{$request.body#~1url \"{$request.body#/url\" is not a"
                    + " runtime expression with a } for each {"
            ]
        ),
        ("", callback("{$request.body#/url}/x"), []),
        (
            "", link("\"operationId\": \"getB\""),
            [
                "error contract/unknown-operation /paths/~1a/get/responses/200/links/l/operationId there is no operation with the"
                    + " id \"getB\"; did you mean \"getA\"?"
            ]
        ),
        ("", link("\"operationId\": \"getA\""), []),
        (
            "", link("\"description\": \"d\""),
            [
                "error contract/missing-key /paths/~1a/get/responses/200/links/l a link requires \"operationId\" or \"operationRef\","
                    + " which identifies the linked operation"
            ]
        ),
        (
            "", link("\"operationID\": \"getA\""),
            [
                "error contract/unknown-key /paths/~1a/get/responses/200/links/l/operationID unknown key \"operationID\" in a"
                    + " link; did you mean \"operationId\"?"
            ]
        ),
        ("", link("\"operationRef\": \"#/paths/~1a/get\""), []),
        ("", link("\"operationRef\": \"https://example.com/api.json#/paths/~1a/get\""), []),
        (
            "", link("\"operationRef\": \"#/paths/~1b/get\""),
            [
                "error contract/unresolvable-reference /paths/~1a/get/responses/200/links/l/operationRef \"#/paths/~1b/get\""
                    + " cannot be resolved: there is no such member in /paths; did you mean \"/a\"?"
            ]
        ),
    ]

    private static func callback(_ name: String) -> String {
        """
        {"/a": {"post": {"responses": {"204": {"description": ""}}, "callbacks": {"c": {"\(name)":
          {"post": {"responses": {"204": {"description": ""}}}}}}}}}
        """
    }

    private static func link(_ member: String) -> String {
        """
        {"/a": {"get": {"operationId": "getA",
          "responses": {"200": {"description": "", "links": {"l": {\(member)}}}}}}}
        """
    }

    @Test(arguments: names)
    func `names things that are there, and each once`(entry: (more: String, paths: String, told: [String])) throws {
        #expect(try contract(paths: entry.paths, more: entry.more).findings.map(\.told) == entry.told)
    }

    @Test func `may have the operation of a link behind a reference that cannot be resolved`() throws {
        let contract = try contract(
            paths: """
                {"/a": {"get": {"responses": {"200": {"description": "", "links": {"l": {"operationId": "getB"}}}}}},
                 "/b": {"$ref": "https://example.com/b.json"}}
                """
        )
        #expect(contract.findings.map(\.id) == ["contract/unresolvable-reference"])
    }

    @Test(arguments: objects + parameters)
    func `is told where it is wrong`(slip: Slip) throws {
        let contract = try contract(paths: slip.paths, components: slip.components, version: slip.version)
        #expect(contract.findings.map(\.told) == slip.told)
    }

    @Test(arguments: [
        ("[]", "/paths found an empty array, but expected an object"),
        ("null", "/paths found null, but expected an object"),
    ])
    func `must have paths`(paths: String, told: String) throws {
        let findings = try refusal(["api.json": document(paths: paths)])
        #expect(findings.map(\.told) == ["error contract/wrong-type \(told)"])
    }

    @Test func `names the misspelt key that it lacks`() throws {
        let findings = try refusal([
            "api.json": "{\"openapi\": \"3.0.0\", \"info\": {\"title\": \"T\", \"version\": \"1\"}, \"path\": {}}"
        ])
        let told = findings.map(\.told)
        #expect(
            told == [
                "error contract/unknown-key /path unknown key \"path\" in an OpenAPI document; did you mean \"paths\"?"
            ]
        )
    }
}

extension Finding {
    /// Everything about a finding but its position.
    var told: String {
        "\(severity.rawValue) \(id) \(place?.pointer ?? "-") \(message)" + (advice.map { "; \($0)" } ?? "")
    }
}
