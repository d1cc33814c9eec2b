import JSON
import JSONSchema
import TestSupport
import Testing

/// The schemas of the standard's test suite, which is no part of the project: skipped where the folder of independent
/// test data, named by `BACKLOT_SUITES`, is missing.
@Suite(.enabled(if: Suites.has("json-schema"), "suites/json-schema is not there; set BACKLOT_SUITES"))
struct SuiteSampleTests {
    @Test(arguments: [("draft2020-12", SchemaDialect.draft2020), ("draft7", .draft7), ("draft4", .draft4)])
    func `A schema that allows a value gets one`(folder: String, dialect: SchemaDialect) throws {
        var count = 0
        for file in Suites.files(in: "json-schema/tests/\(folder)", endingIn: ".json") where !Self.isRemote(file) {
            for group in try JSONParser().parse(Suites.bytes(of: file)).root.array ?? [] {
                let isSatisfiable = group["tests"]?.array?.contains { $0["valid"]?.bool == true } == true
                guard isSatisfiable, let schema = group["schema"] else { continue }
                let sampled = try SampledSchema(schema, dialect: dialect)
                #expect(sampled.sample() != nil, "\(file): \(group["description"]?.string ?? "")")
                count += 1
            }
        }
        #expect(count > 100)
    }

    /// Whether the schemas need other documents beside them.
    private static func isRemote(_ file: String) -> Bool {
        file.hasSuffix("/refRemote.json") || file.hasSuffix("/vocabulary.json") || file.hasSuffix("/dynamicRef.json")
    }
}
