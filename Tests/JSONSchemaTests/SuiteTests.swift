import JSON
import JSONSchema
import TestSupport
import Testing

/// The standard's test suite, which is no part of the project: without it these tests are skipped, and the skip says so.
@Suite(.enabled(if: Suites.has("json-schema"), "suites/json-schema is not there; set BACKLOT_SUITES"))
struct `The standard's test suite` {
    @Test(arguments: [
        ("draft2020-12", SchemaDialect.draft2020), ("draft7", .draft7), ("draft4", .draft4),
    ])
    func `agrees with every verdict`(folder: String, dialect: SchemaDialect) throws {
        let registry = try StandardSuite.registry(dialect)
        let groups = try StandardSuite.groups(of: folder)
        #expect(groups.count > 100)
        for group in groups {
            for complaint in group.complaints(in: dialect, registry: registry) { Issue.record("\(complaint)") }
        }
    }

    @Test func `agrees with every generated case`() throws {
        let lines = try Suites.bytes(of: "json-schema/generated.jsonl").split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 1_000)
        for line in lines {
            let root = try JSONParser().parse(Array(line)).root
            let (schema, instance) = try (#require(root["schema"]), #require(root["instance"]))
            let verdict = try Schema.compile(schema).accepts(instance)
            #expect(verdict == root["valid"]?.bool, "\(root["name"] ?? .null)")
        }
    }
}

private enum StandardSuite {
    struct Group {
        var name: String
        var schema: JSONValue
        var tests: [JSONValue]

        func complaints(in dialect: SchemaDialect, registry: SchemaRegistry) -> [String] {
            do {
                let schema = try Schema.compile(schema, dialect: dialect, registry: registry)
                return try tests.compactMap { test in
                    let instance = test["data"] ?? .null
                    let verdict = try schema.accepts(instance)
                    guard verdict == test["valid"]?.bool else { return "\(name): \(test["description"] ?? .null)" }
                    let evaluation = try schema.evaluate(instance)
                    guard evaluation.isValid == verdict, evaluation.leaves.isEmpty == verdict else {
                        return "\(name): \(test["description"] ?? .null): the messages contradict the verdict"
                    }
                    return nil
                }
            } catch {
                return ["\(name): \(error)"]
            }
        }
    }

    static func groups(of folder: String) throws -> [Group] {
        try Suites.files(in: "json-schema/tests/\(folder)", endingIn: ".json").flatMap { path in
            let groups = try JSONParser().parse(try Suites.bytes(of: path)).root.array ?? []
            return groups.map { group in
                let name = "\(path): \(group["description"]?.string ?? "")"
                return Group(name: name, schema: group["schema"] ?? .null, tests: group["tests"]?.array ?? [])
            }
        }
    }

    static func registry(_ dialect: SchemaDialect) throws -> SchemaRegistry {
        var registry = SchemaRegistry()
        let folder = "json-schema/remotes/"
        for path in Suites.files(in: "json-schema/remotes", endingIn: ".json") {
            let document = try JSONParser().parse(try Suites.bytes(of: path)).root
            registry.add(document, at: "http://localhost:1234/" + path.dropFirst(folder.count), dialect: dialect)
        }
        return registry
    }
}
