import JSON
import JSONSchema
import TestSupport
import Testing

/// Labelled values of two large contracts, which are no part of the project: without them these tests are skipped.
@Suite(.enabled(if: Suites.has("openapi"), "the labelled values are not there; see Suites.folder"))
struct `A published contract` {
    @Test(arguments: ["adyen", "stripe"])
    func `gives every labelled value its verdict`(name: String) throws {
        let lines = try Suites.bytes(of: "openapi/\(name).cases.jsonl").split(separator: UInt8(ascii: "\n"))
        #expect(lines.count > 500)
        let cases = try lines.map { try JSONParser().parse(Array($0)).root }
        let path = try #require(cases.first?["spec"]?.string)
        let document = try JSONParser(duplicateNames: .lastWins).parse(Suites.bytes(of: "openapi/" + path)).root
        let is30 = document["openapi"]?.string?.hasPrefix("3.0") == true
        var registry = SchemaRegistry()
        registry.add(document, at: "file:contract", dialect: is30 ? .openAPI30 : .openAPI31)
        var compiler = SchemaCompiler(registry: registry)
        let handles = cases.map { compiler.compile("file:contract" + ($0["pointer"]?.string ?? "")) }
        let program = compiler.finish()
        for (test, handle) in zip(cases, handles) {
            let schema = program.schema(try #require(handle))
            let instance = try #require(test["instance"])
            let evaluation = try schema.evaluate(instance)
            #expect(evaluation.isValid == test["valid"]?.bool, "\(name) \(test["id"] ?? .null)")
            #expect(evaluation.leaves.isEmpty == evaluation.isValid)
        }
    }
}
