import JSON
import JSONSchema
import TestSupport
import Testing

/// Texts of a format that also have to meet other keywords.
@Suite struct `A sample of a format` {
    /// The lengths that texts of a format have, up to 48, by the grammars of the formats' standards.
    static let lengths: [(format: StringFormat, has: @Sendable (Int) -> Bool)] = [
        (.date, { $0 == 10 }), (.time, { $0 == 9 || $0 >= 11 }), (.dateTime, { $0 == 20 || $0 >= 22 }),
        (.duration, { $0 >= 3 }),
        (.email, { $0 >= 3 }), (.idnEmail, { $0 >= 3 }), (.hostname, { $0 >= 1 }), (.idnHostname, { $0 >= 1 }),
        (.ipv4, { 7...15 ~= $0 }),
        (.ipv6, { 2...45 ~= $0 }), (.uri, { $0 >= 2 }), (.iri, { $0 >= 2 }), (.uriReference, { _ in true }),
        (.iriReference, { _ in true }),
        (.uriTemplate, { _ in true }), (.uuid, { $0 == 36 }), (.jsonPointer, { _ in true }),
        (.relativeJSONPointer, { $0 >= 1 }), (.regex, { _ in true }),
        (.byte, { $0.isMultiple(of: 4) }), (.base64url, { $0 % 4 != 1 }), (.binary, { _ in true }),
        (.password, { _ in true }), (.char, { $0 >= 1 }),
    ]

    @Test(arguments: lengths.map(\.format))
    func `has each length that a text of the format can have`(format: StringFormat) throws {
        let has = try #require(Self.lengths.first { $0.format == format }).has
        for length in 0...48 {
            let document =
                #"{"type":"string","format":"\#(format.rawValue)","minLength":\#(length),"maxLength":\#(length)}"#
            let sampled = try SampledSchema(document)
            let sample = sampled.sample()?.string
            #expect((sample != nil) == has(length), "\(format) \(length): \(sample ?? "none")")
            if let sample { #expect(sample.unicodeScalars.count == length && format.accepts(sample), "\(sample)") }
        }
        #expect(Self.lengths.count == StringFormat.allCases.count - 1, "only http-date is tested by other means")
    }

    @Test(arguments: [
        ("date", #""pattern":"^2020-""#), ("date", #""pattern":"-02-29$""#), ("date-time", #""pattern":"\\+09:00$""#),
        ("date-time", #""pattern":"^1999-12-31T.*\\.\\d{3}Z$""#), ("email", #""pattern":"@corp\\.example$""#),
        ("email", #""pattern":"^ops\\+.{4,6}@""#),
        ("uuid", #""pattern":"^0{8}-""#), ("uri", #""pattern":"^s3://bucket/","minLength":40"#),
        ("uri", #""pattern":"\\.png$","maxLength":30"#),
        ("hostname", #""pattern":"\\.corp$","minLength":60"#), ("ipv4", #""pattern":"^10\\.""#),
        ("ipv6", #""pattern":"^fe80::""#),
        ("duration", #""pattern":"^PT""#), ("time", #""pattern":"^12:.*-05:00$""#), ("http-date", #""pattern":"^Sun""#),
        ("byte", #""pattern":"==$""#),
        ("date", #""enum":["next week","2024-01-31"]"#), ("ipv4", #""enum":["300.1.1.1","192.0.2.7"]"#),
        ("regex", #""pattern":"^\\(","minLength":5"#),
        ("uri-reference", #""pattern":"^\\?""#), ("json-pointer", #""pattern":"~1""#),
        ("email", #""allOf":[{"pattern":"^a"},{"pattern":"z@"},{"maxLength":12}]"#),
    ])
    func `meets what else the schema requires`(format: String, keywords: String) throws {
        let sampled = try SampledSchema(#"{"type":"string","format":"\#(format)",\#(keywords)}"#)
        let samples = sampled.samples(5)
        #expect(samples.count == 5)
        for sample in samples { #expect(try sampled.schema.accepts(sample), "\(sample)") }
    }

    /// With formats as annotations a value that disagrees with its format is better than none.
    @Test(arguments: [
        #"{"type":"string","format":"date-time","pattern":"^\\d{10}$"}"#,
        #"{"type":"string","format":"email","maxLength":2}"#,
        #"{"type":"string","format":"uuid","minLength":40}"#,
        #"{"type":"integer","format":"int32","minimum":3000000000}"#,
        #"{"type":"integer","format":"int64","minimum":1e30}"#,
    ])
    func `yields to what is asserted where the format only describes`(document: String) throws {
        let schema = try Schema.compile(try JSONParser().parse(document).root, dialect: .openAPI30)
        var generator = SeededGenerator(seed: 1)
        let sample = try #require(SchemaSampler(preference: .schema).sample(schema, using: &generator))
        #expect(try schema.accepts(sample))
    }

    @Test(arguments: ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double"])
    func `of numbers meets limits and steps`(format: String) throws {
        let limits = [
            #""minimum":100,"maximum":100"#, #""exclusiveMinimum":6,"exclusiveMaximum":8"#,
            #""multipleOf":25,"minimum":60"#, #""minimum":0,"maximum":0.5"#,
            #""multipleOf":0.25,"maximum":1,"exclusiveMinimum":0"#,
        ]
        for type in ["integer", "number"] {
            for limit in limits {
                let sampled = try SampledSchema(
                    #"{"type":"\#(type)","format":"\#(format)",\#(limit)}"#,
                    dialect: .openAPI31
                )
                let samples = sampled.samples(5)
                #expect(samples.count == 5, "\(type) \(format) \(limit)")
                for sample in samples { #expect(try sampled.schema.accepts(sample), "\(sample)") }
            }
        }
    }
}
