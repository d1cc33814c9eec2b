import Basics
import ECMAPatterns
import JSON
import JSONSchema
import ScenarioFormat
import Simulation
import TestSupport
import Testing

/// What walks documents has to do with the smallest stack that callers have, that of a thread of Apple's platforms, for
/// documents as deep as the parser lets in.
@Suite struct `On a small stack` {
    private static let depth = 512
    private static let texts = [
        String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth),
        String(repeating: #"{"a":"#, count: depth) + "\"x\"" + String(repeating: "}", count: depth),
        String(repeating: #"{"a":["#, count: depth / 2) + "null" + String(repeating: "]}", count: depth / 2),
    ]
    private static let schema = ##"{"properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}}"##

    @Test(arguments: texts)
    func `a deep document is parsed, printed, compared and hashed`(text: String) async throws {
        let isSame = try await SmallStack.run {
            Result { () throws in
                let value = try JSONParser().parse(text).root
                let same = try JSONParser().parse(value.description).root
                return value.description == text && value == same && value.hashValue == same.hashValue
            }
        }.get()
        #expect(isSame)
    }

    @Test(arguments: texts)
    func `a deep document is valid, or said to be too deep`(text: String) async throws {
        let outcome = await SmallStack.run {
            do {
                let schema = try Schema.compile(JSONParser().parse(Self.schema).root)
                return try schema.accepts(JSONParser().parse(text).root) ? "valid" : "invalid"
            } catch {
                return "\(error)"
            }
        }
        #expect(outcome == "valid" || outcome.contains("too many nested schemas"), "\(outcome)")
    }

    @Test func `a value is made for a schema that is as deep as a document may be`() async throws {
        let nesting = Self.depth / 2 - 1
        let text =
            String(repeating: #"{"properties":{"a":"#, count: nesting) + #"{"type":"integer"}"#
            + String(repeating: #"},"required":["a"]}"#, count: nesting)
        let isMade = try await SmallStack.run {
            Result { () throws in
                var registry = SchemaRegistry()
                registry.add(try JSONParser().parse(text).root, at: "test:deep", dialect: .draft2020)
                var compiler = SchemaCompiler(registry: registry, formats: .assertion)
                guard let handle = compiler.compile("test:deep#") else { return false }
                let schema = compiler.finish().schema(handle)
                var generator = SeededGenerator(seed: 1)
                // A value that is too deep to be checked is not given out; what counts is that the thread survives.
                _ = SchemaSampler(preference: .schema).sample(schema, using: &generator)
                return true
            }
        }.get()
        #expect(isMade)
    }

    @Test func `a story with a deep response is merged, checked and compiled`() async throws {
        let depth = Self.depth - 8
        let deep = String(repeating: #"{"a":"#, count: depth) + #""{{uuid}}""# + String(repeating: "}", count: depth)
        let files = MemoryFiles([
            "b.json": #"{"backend": "B", "routes": {"GET /a": {"json": \#(deep)}}}"#,
            "s.json": """
            {"extends": "b.json", "id": "S-1", "title": "T", "about": "A.", "routes": {"GET /a": {"json": \(deep)}},
             "expect": [{"request": "GET /a"}]}
            """,
        ])
        let findings = try await SmallStack.run {
            Result { () throws in
                guard let root = ProjectRoot("/project", files: files) else { return ["no root"] }
                let loaded = try ScenarioLoader(files: files, project: root).load("s.json")
                _ = CompiledScenario(loaded.scenario)
                return loaded.findings.map(\.description)
            }
        }.get()
        #expect(findings == [])
    }

    @Test func `a deeply nested pattern is searched for`() async throws {
        let source = String(repeating: "(a", count: 50) + String(repeating: ")*", count: 50)
        let isFound = try await SmallStack.run {
            Result { () throws in
                try ECMAPattern(source).search(in: String(repeating: "a", count: 50)) == .match
            }
        }.get()
        #expect(isFound)
    }
}
