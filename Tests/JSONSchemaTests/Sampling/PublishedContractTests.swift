import JSON
import JSONSchema
import TestSupport
import Testing

/// Published contracts, which are no part of the project: skipped where the folder of independent test data, named by
/// `BACKLOT_SUITES`, is missing.
@Suite(.enabled(if: Suites.has("openapi"), "suites/openapi is not there; set BACKLOT_SUITES"))
struct PublishedContractTests {
    @Test(arguments: [
        ("openapi/adyen/CheckoutService-v71.json", SchemaDialect.openAPI31, Breadth.factor),
        ("openapi/stripe/spec3.json", SchemaDialect.openAPI30, Breadth.factor),
    ])
    func `Every documented success has a valid body`(path: String, dialect: SchemaDialect, count: Int) throws {
        let document = try JSONParser().parse(Suites.bytes(of: path)).root
        let places = Self.successSchemas(of: document)
        #expect(places.count > 20)
        var registry = SchemaRegistry()
        registry.add(document, at: SampledSchema.uri, dialect: dialect)
        var compiler = SchemaCompiler(registry: registry, formats: .assertion)
        // Of the largest one every fourth by default: the rest is of the same making.
        let step = Breadth.factor > 1 || places.count < 200 ? 1 : 4
        let sampled = places.enumerated().filter { $0.offset % step == 0 }.map(\.element)
        let handles = sampled.map { (place: $0, handle: compiler.compile($0)) }
        let program = compiler.finish()
        let sampler = SchemaSampler(preference: .schema)
        var generator = SeededGenerator(seed: 1)
        for (place, handle) in handles {
            let schema = program.schema(try #require(handle))
            for _ in 0..<count {
                let value = sampler.sample(schema, going: .response, using: &generator)
                #expect((value?.text(.compact).utf8.count).map { $0 < 50_000 } == true, "\(place)")
            }
        }
    }

    private static func successSchemas(of document: JSONValue) -> [String] {
        var places: [String] = []
        for path in document["paths"]?.object?.members ?? [] {
            for operation in path.value.object?.members ?? [] {
                for response in operation.value["responses"]?.object?.members ?? [] where response.name.hasPrefix("2") {
                    for content in response.value["content"]?.object?.members ?? [] where content.value["schema"] != nil
                    {
                        let tokens = ["paths", path.name, operation.name, "responses", response.name, "content"]
                        places.append(JSONPointer(tokens: tokens + [content.name, "schema"]).fragment)
                    }
                }
            }
        }
        return places.map { SampledSchema.uri + $0 }
    }
}
