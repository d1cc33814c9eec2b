import Basics
import OpenAPI
import TestSupport
import Testing

@Suite struct `The shape of an OpenAPI file` {
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

    @Test func `may have the operation of a link behind a reference that cannot be resolved`() throws {
        let contract = try contract(
            paths: """
                {"/a": {"get": {"responses": {"200": {"description": "", "links": {"l": {"operationId": "getB"}}}}}},
                 "/b": {"$ref": "https://example.com/b.json"}}
                """
        )
        #expect(contract.findings.map(\.id) == ["contract/unresolvable-reference"])
    }

    /// Documents of `Sheets/shapes.txt`, which lack something or have something that the format does not know.
    @Test func `is told where it is wrong`() throws {
        let sheet = Project.folder + "/Tests/OpenAPITests/Sheets/shapes.txt"
        let differences = try SheetExample.differences(from: sheet, count: 38) {
            try contract(["api.json": #require($0.files.first).text]).findings.map(\.told)
        }
        #expect(differences == [])
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
