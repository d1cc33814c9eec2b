import Foundation
import JSON
import TestSupport
import Testing

@testable import JSONSchema

/// A reader of a schema may know less than its validation, but must not contradict it.
@Suite struct `What is read of a schema` {
    @Test(
        .enabled(if: Suites.has("json-schema"), "suites/json-schema is not there; set BACKLOT_SUITES"),
        arguments: [
            ("draft4", SchemaDialect.draft4), ("draft7", .draft7), ("draft2020-12", .draft2020),
        ]
    )
    func `holds for every valid value of the standard's suite`(folder: String, dialect: SchemaDialect) throws {
        var count = 0
        for file in Suites.files(in: "json-schema/tests/\(folder)", endingIn: ".json") {
            // These need other documents, or anchors that depend on the way to a reference.
            guard !["/refRemote.json", "/vocabulary.json", "/dynamicRef.json"].contains(where: file.hasSuffix) else {
                continue
            }
            for group in try JSONParser().parse(Suites.bytes(of: file)).root.array ?? [] {
                guard let document = group["schema"], let schema = try? SampledSchema(document, dialect: dialect).schema
                else { continue }
                let name = "\(file): \(group["description"]?.string ?? "")"
                var table = SchemaTable(program: schema.program.schemas)
                for test in group["tests"]?.array ?? [] where test["valid"]?.bool == true {
                    guard let value = test["data"], try schema.accepts(value) else { continue }
                    expect(value, toObey: schema.id, in: &table, name)
                    count += 1
                }
            }
        }
        #expect(count > 200)
    }

    @Test(arguments: ["kiwit", "runwithu", "smeem", "whipit"])
    func `holds for samples of the contracts`(app: String) throws {
        let path = "\(Project.folder)/Contracts/\(app)/openapi.json"
        let document = try JSONParser().parse(Array(Data(contentsOf: URL(filePath: path)))).root
        var registry = SchemaRegistry()
        registry.add(document, at: SampledSchema.uri, dialect: .openAPI31)
        var compiler = SchemaCompiler(registry: registry)
        let names = document["components"]?["schemas"]?.object?.names ?? []
        let handles = names.compactMap { compiler.compile("\(SampledSchema.uri)#/components/schemas/\($0)") }
        #expect(handles.count == names.count && names.count > 5)
        let program = compiler.finish()
        var generator = SeededGenerator(seed: 1)
        for (name, handle) in zip(names, handles) {
            let schema = program.schema(handle)
            var table = SchemaTable(program: program.schemas)
            for _ in 0..<4 {
                let value = try #require(SchemaSampler(preference: .schema).sample(schema, using: &generator))
                expect(value, toObey: schema.id, in: &table, name)
                #expect(table.minimalDepth(of: schema.id) <= value.depth, "\(name): \(value)")
            }
        }
    }

    private func expect(
        _ value: JSONValue,
        toObey id: SchemaID,
        in table: inout SchemaTable,
        _ name: String,
        depth: Int = 0
    ) {
        #expect(table.accepts(value, by: id), "\(name): \(value)")
        #expect(!table.kinds(of: id).isDisjoint(with: ValueKinds(of: value)), "\(name): \(value)")
        guard depth < 8, !table.facts(of: id).isNullable || !value.isNull else { return }
        for part in table.parts(of: id) {
            let facts = table.facts(of: part)
            switch value.content {
            case .object(let object):
                for name in facts.objects.required { #expect(object.contains(name), "\(name): \(value)") }
                #expect(facts.objects.minimumCount...facts.objects.maximumCount ~= object.count, "\(name): \(value)")
                for member in object.members {
                    for schema in facts.objects.schemas(ofProperty: member.name) {
                        expect(member.value, toObey: schema, in: &table, name, depth: depth + 1)
                    }
                }
            case .array(let elements):
                #expect(facts.arrays.minimumCount...facts.arrays.maximumCount ~= elements.count, "\(name): \(value)")
                for (index, element) in elements.enumerated() {
                    let prefix = facts.arrays.prefix
                    guard let schema = index < prefix.count ? prefix[index] : facts.arrays.rest else { continue }
                    expect(element, toObey: schema, in: &table, name, depth: depth + 1)
                }
            case .number(let number): #expect(facts.numbers.allows(number), "\(name): \(value)")
            case .string(let text):
                let length = text.unicodeScalars.count
                #expect(facts.texts.minimumLength...facts.texts.maximumLength ~= length, "\(name): \(value)")
            default: break
            }
        }
    }
}

/// Where readers disagreed once.
@Suite struct `A schema is read as it is validated` {
    private static func facts(_ document: String, dialect: SchemaDialect = .openAPI30) throws -> (
        SchemaTable, SchemaID
    ) {
        let schema = try SampledSchema(document, dialect: dialect).schema
        return (SchemaTable(program: schema.program.schemas), schema.id)
    }

    @Test func `siblings of a reference mean nothing before draft 2019-09`() throws {
        let document = ##"{"$ref":"#/definitions/a","maxLength":1,"definitions":{"a":{"type":"string"}}}"##
        var (table, id) = try Self.facts(document, dialect: .draft7)
        #expect(table.facts(of: id).texts.maximumLength == .max)
        (table, id) = try Self.facts(document, dialect: .draft2020)
        #expect(table.facts(of: id).texts.maximumLength == 1)
    }

    @Test func `nullable is a keyword of OpenAPI 3-0 alone`() throws {
        let document = #"{"type":"string","nullable":true}"#
        var (table, id) = try Self.facts(document)
        #expect(table.kinds(of: id) == [.string, .null])
        for dialect in [SchemaDialect.openAPI31, .draft2020] {
            (table, id) = try Self.facts(document, dialect: dialect)
            #expect(table.kinds(of: id) == .string)
        }
    }

    @Test func `nullable in one part of an allOf does not make the whole nullable`() throws {
        var (table, id) = try Self.facts(#"{"allOf":[{"type":"object","nullable":true},{"type":"object"}]}"#)
        #expect(table.kinds(of: id) == .object)
        (table, id) = try Self.facts(#"{"nullable":true,"allOf":[{"type":"object"}]}"#)
        #expect(table.kinds(of: id) == [.object, .null])
    }

    @Test(arguments: [("uint8", 255), ("int8", 127), ("uint16", 65_535), ("int32", 2_147_483_647)])
    func `every format of integers limits what is made`(format: String, maximum: Int) throws {
        let sampled = try SampledSchema(#"{"type":"integer","minimum":\#(maximum - 1),"format":"\#(format)"}"#)
        #expect(sampled.samples().allSatisfy { $0.int.map { $0 <= maximum } == true })
        #expect(sampled.samples().count == 20)
    }

    @Test func `properties keep the order of the document where required comes first`() throws {
        let document = #"{"required":["c","b"],"properties":{"a":{},"b":{},"c":{}}}"#
        let (table, id) = try Self.facts(document, dialect: .draft2020)
        #expect(table.program.written.nodes.count == 4)
        #expect(SchemaFacts(id, in: table.program).objects.properties.map(\.name) == ["a", "b", "c"])
    }
}

extension JSONValue {
    /// Zero for scalars and what is empty.
    fileprivate var depth: Int {
        switch content {
        case .array(let elements): elements.map { $0.depth + 1 }.max() ?? 0
        case .object(let object): object.members.map { $0.value.depth + 1 }.max() ?? 0
        default: 0
        }
    }
}
