import JSON
import JSONSchema
import TestSupport
import Testing

struct FormatSampleTests {
    @Test(arguments: StringFormat.allCases)
    func `Samples are of their format`(format: StringFormat) throws {
        let sampled = try SampledSchema(#"{"type":"string","format":"\#(format.rawValue)"}"#)
        let texts = sampled.samples().compactMap(\.string)
        #expect(texts.count == 20)
        for text in texts { #expect(format.accepts(text), "\(text)") }
    }

    @Test(arguments: [("email", "@"), ("website_url", "https://"), ("createdAt", "T"), ("customerId", "cus_")])
    func `The name of a property tells what people expect`(name: String, part: String) throws {
        let sampled = try SampledSchema(
            #"{"type":"object","required":["\#(name)"],"properties":{"\#(name)":{"type":"string"}}}"#
        )
        for sample in sampled.samples() { #expect(sample[name]?.string?.contains(part) == true) }
    }
}
