import Foundation
import JSON
import JSONSchema
import TestSupport
import Testing

@Suite struct `Variants of the contracts` {
    @Test(arguments: ["kiwit", "runwithu", "smeem", "whipit"])
    func `are at least thirty, of a schema that has so many`(app: String) throws {
        let path = "\(Project.folder)/Contracts/\(app)/openapi.json"
        let document = try JSONParser().parse(Array(Data(contentsOf: URL(filePath: path)))).root
        var registry = SchemaRegistry()
        registry.add(document, at: "test:contract", dialect: .openAPI31)
        let all = Self.answers(in: document)
        #expect(all.count > 20)
        // Every third one, or all of them with `BACKLOT_SCHEDULES`.
        let answers = all.enumerated().filter { Breadth.factor > 1 || $0.offset % 3 == 0 }.map(\.element)
        var compiler = SchemaCompiler(registry: registry, formats: .assertion)
        let handles = answers.map { compiler.compile($0.uri) }
        let program = compiler.finish()
        let sampler = VariantSampler()
        for (answer, handle) in zip(answers, handles) {
            let schema = program.schema(try #require(handle))
            let variants = sampler.variants(of: schema, examples: answer.examples)
            for variant in variants {
                let isAccepted = try schema.accepts(variant.value, going: .response)
                #expect(isAccepted == (variant.kind == .legal), "\(answer.uri): \(variant.label)")
            }
            let legal = variants.filter { $0.kind == .legal }
            #expect(legal.count >= 30 || Self.isPoor(legal[0].value), "\(answer.uri): \(legal.map(\.label))")
            #expect(variants.contains { $0.kind == .illegal }, "\(answer.uri)")
        }
    }

    /// Whether a body has so few values that can change that thirty variants would be the same thing over and over: a
    /// text alone, a message beside fixed members, a list of texts.
    private static func isPoor(_ body: JSONValue) -> Bool {
        switch body.content {
        case .object(let object):
            object.members.count { $0.value.object != nil || $0.value.array != nil || $0.value.number != nil } == 0
        case .array(let elements): elements.allSatisfy { $0.object == nil }
        default: true
        }
    }

    private typealias Answer = (uri: String, examples: [(name: String, value: JSONValue)])

    private static func answers(in document: JSONValue) -> [Answer] {
        var answers: [Answer] = []
        for path in document["paths"]?.object?.members ?? [] {
            for method in path.value.object?.members ?? [] {
                for response in method.value["responses"]?.object?.members ?? [] {
                    let base = ["paths", path.name, method.name, "responses", response.name]
                    answers += self.answers(in: response.value, at: base)
                }
            }
        }
        for response in document["components"]?["responses"]?.object?.members ?? [] {
            answers += self.answers(in: response.value, at: ["components", "responses", response.name])
        }
        return answers
    }

    private static func answers(in response: JSONValue, at base: [String]) -> [Answer] {
        let contents = response["content"]?.object?.members.filter { $0.name == "application/json" } ?? []
        return contents.map { content in
            let uri = "test:contract" + JSONPointer(tokens: base + ["content", content.name, "schema"]).fragment
            let examples = content.value["examples"]?.object?.members ?? []
            return (uri, examples.compactMap { example in example.value["value"].map { (example.name, $0) } })
        }
    }
}
