import JSON
import JSONSchema
import TestSupport
import Testing

struct NumberSampleTests {
    @Test(arguments: [
        #"{"type":"integer","minimum":9007199254740993,"maximum":9007199254740993}"#,
        #"{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.001}"#,
        #"{"type":"number","multipleOf":0.01,"minimum":1.005,"maximum":1.015}"#,
        #"{"type":"number","multipleOf":0.1,"allOf":[{"multipleOf":0.25}],"exclusiveMinimum":0,"maximum":0.5}"#,
        #"{"type":"integer","multipleOf":2.5}"#,
        #"{"type":"integer","exclusiveMinimum":-7,"maximum":-6}"#,
        #"{"type":"number","minimum":1e300}"#,
        #"{"type":"integer","minimum":1e17}"#,
        #"{"type":"number","maximum":-1e-30}"#,
        #"{"type":"integer","format":"int32","minimum":2147483647}"#,
        #"{"type":"integer","format":"int64"}"#,
        #"{"type":"number","format":"double","minimum":-0.5,"maximum":0.5}"#,
        #"{"type":"number","minimum":0.1234567890123456789,"maximum":0.2}"#,
    ])
    func `Numbers lie exactly within their limits`(document: String) throws {
        let sampled = try SampledSchema(document)
        let samples = sampled.samples()
        #expect(samples.count == 20)
        for sample in samples { #expect(try sampled.schema.accepts(sample), "\(sample)") }
    }

    @Test func `Limits of draft 4 are booleans`() throws {
        let document = #"{"type":"integer","minimum":3,"exclusiveMinimum":true,"maximum":5,"exclusiveMaximum":true}"#
        #expect(try SampledSchema(document, dialect: .draft4).sample() == 4)
    }
}
