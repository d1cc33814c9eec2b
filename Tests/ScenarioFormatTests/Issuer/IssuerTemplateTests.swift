import Basics
import JSON
import TestSupport
import Testing

@testable import ScenarioFormat

@Suite struct `The template of an issuer` {
    private static let options: [String: [String]] = [
        "dpop": ["\"optional\"", "\"required\""], "consent": ["\"button\""], "pkce": ["false"],
        "algorithm": ["\"HS256\"", "\"ES256\""], "rotate": ["false"], "profile": ["\"auth0\""],
        "scopes": [#"["read"]"#, #"["email", "openid", "phone", "profile"]"#],
        "clients": [#"{"web": {"secret": "s", "redirects": ["*"]}}"#, #"{"a": {}, "b": {"secret": "s"}}"#],
    ]
    private static let accounts = [
        "{}", #"{"ada": {"username": "ada"}}"#,
        #"{"ada": {"username": "ada", "password": "x", "email": "a@b.test", "locale": "de", "phone_number": "1"}}"#,
    ]

    /// Every option, alone and with all the others, for each of the accounts.
    private static let backends: [String] = accounts.flatMap { accounts in
        let alone = options.flatMap { name, values in values.map { "\"\(name)\": \($0)" } }
        let together = (0...1).map { index in
            options.map { name, values in "\"\(name)\": \(values[index % values.count])" }.joined(separator: ", ")
        }
        return ([""] + alone + together).map { issuer in
            #"{"backend": "Sign in", "accounts": \#(accounts), "issuer": {\#(issuer)}}"#
        }
    }

    private static func loader(_ text: String) throws -> ScenarioLoader {
        let files = MemoryFiles(["/p/Package.swift": "", "/p/backend.json": text])
        return ScenarioLoader(files: files, project: try #require(ProjectRoot("/p", files: files)))
    }

    @Test func `asks for known conditions and values alone`() throws {
        let tree = try JSONParser().parse(#"{"issuer": {"profile": "auth0"}}"#).root
        let expansion = try #require(IssuerExpansion([tree], sources: SourceMap()))
        var names: [String] = []
        var texts: [String] = []
        func visit(_ tree: JSONValue) {
            for element in tree.array ?? [] { visit(element) }
            for member in tree.object?.members ?? [] {
                names.append(member.name)
                visit(member.value)
            }
            if let text = tree.string { texts.append(text) }
        }
        visit(IssuerTemplate.root)
        #expect(names.count > 1_000)
        let additions = names.filter { $0.hasPrefix("with ") }.flatMap { $0.split(separator: " ") }
        let known = Set(expansion.conditions.keys).union(additions.map(String.init)).union(["not", "and", "if"])
        let asked = names.compactMap { name in
            name.hasPrefix("if ") ? name : name.firstRange(of: " if ").map { String(name[$0.lowerBound...]) }
        }
        #expect(Set(asked.flatMap { $0.split(separator: " ").map(String.init) }).subtracting(known).sorted() == [])
        let values = (texts + names).flatMap { $0.split(separator: "$").dropFirst() }.filter { $0.hasPrefix("{") }
            .map { String($0.dropFirst().prefix { $0 != "}" }) }
        #expect(Set(values).subtracting(expansion.values.keys).sorted() == [])
    }

    @Test(arguments: backends)
    func `defines what a backend can define itself`(backend: String) throws {
        let definitions = try #require(try Self.loader(backend).issuerDefinitions(of: "/p/backend.json"))
        let text = definitions.text(.compact)
        #expect(!text.contains("${") && !text.contains(" if ") && !text.contains("\"if ") && !text.contains("\"with "))

        // The backend that contains the definitions instead of the issuer.
        let root = try JSONParser().parse(backend).root
        var copy = try #require(root.object)
        copy["issuer"] = nil
        for member in definitions.object?.members ?? [] { copy.set(member) }
        let loaded = try Self.loader(JSONValue.object(copy).text(.compact)).load("/p/backend.json")
        let original = try Self.loader(backend).load("/p/backend.json")
        #expect(loaded.findings.map(\.gist) == original.findings.map(\.gist))
        for key in IssuerExpansion.keys { #expect(loaded.root[key] == original.root[key]) }
        let guards = [loaded, original].map { ($0.scenario.earlyGuards + $0.scenario.lateGuards).map(\.name) }
        #expect(guards[0] == guards[1] && guards[0].isEmpty != backend.contains("dpop"))
    }

    @Test func `is absent where a scenario has no issuer`() throws {
        #expect(try Self.loader(#"{"backend": "None"}"#).issuerDefinitions(of: "/p/backend.json") == nil)
    }
}
