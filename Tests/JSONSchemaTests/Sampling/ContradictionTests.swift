import JSON
import JSONSchema
import TestSupport
import Testing

@Suite struct `A contradiction` {
    @Test(arguments: [
        (#"{"type":"string","minLength":5,"maxLength":3}"#, "", "minLength 5 is greater than maxLength 3"),
        (
            #"{"type":"string","pattern":"^[0-9a-f]{24}$","maxLength":10}"#, "",
            "there is no text of at most 10 characters that matches \"^[0-9a-f]{24}$\""
        ),
        (
            #"{"type":"string","allOf":[{"pattern":"^a+$"},{"pattern":"b"}]}"#, "",
            "there is no text that matches \"^a+$\" and \"b\""
        ),
        (
            #"{"type":"string","format":"uuid","maxLength":35}"#, "",
            "there is no text of at most 35 characters in the format uuid"
        ),
        (
            #"{"type":"string","format":"date","pattern":"^24:"}"#, "",
            "there is no text in the format date that matches \"^24:\""
        ),
        (#"{"type":"integer","minimum":2,"maximum":1}"#, "", "no integer is at least 2 and at most 1"),
        (#"{"type":"integer","exclusiveMinimum":2,"exclusiveMaximum":3}"#, "", "no integer is above 2 and below 3"),
        (
            #"{"type":"number","minimum":1,"maximum":6,"multipleOf":7}"#, "",
            "no number is at least 1 and at most 6 and a multiple of 7"
        ),
        (
            #"{"type":"integer","format":"int32","minimum":3000000000}"#, "",
            "no integer is at least 3000000000 and at most 2147483647"
        ),
        ("false", "", "the schema allows no value here"), (#"{"enum":[]}"#, "", "enum allows no value"),
        (#"{"allOf":[{"type":"null"},{"type":"array"}]}"#, "", "the keywords exclude every type"),
        (
            #"{"allOf":[{"enum":["a"]},{"enum":["b"]}]}"#, "", "the lists of enum and const have no value in common"
        ),
        (
            #"{"type":"array","minItems":3,"uniqueItems":true,"items":{"type":"boolean"}}"#, "",
            "minItems is 3, but uniqueItems leaves at most 2 elements"
        ),
        (
            #"{"type":"array","minItems":4,"uniqueItems":true,"prefixItems":[{}],"items":{"enum":[1,1.0,2]}}"#, "",
            "minItems is 4, but uniqueItems leaves at most 3 elements"
        ),
        (#"{"enum":["a","b"],"minLength":2}"#, "", "no value in enum or const matches the other keywords"),
        (#"{"type":"object","required":["a"],"properties":{"a":false}}"#, "/a", "the schema allows no value here"),
        (
            ##"{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"object","required":["b"],"properties":{"b":{"type":"string","pattern":"^x","maxLength":0}}}}}"##,
            "/a/b", "there is no text of at most 0 characters that matches \"^x\""
        ),
        (
            #"{"type":"object","required":["a","b"],"maxProperties":1}"#, "",
            "2 properties are required, but maxProperties is 1"
        ),
        (
            #"{"type":"array","minItems":1,"items":{"type":"boolean","not":{}},"maxItems":0}"#, "",
            "minItems 1 is greater than maxItems 0"
        ),
        (
            #"{"type":"array","minItems":1,"items":{"type":"string","minLength":1,"maxLength":0}}"#, "/0",
            "minLength 1 is greater than maxLength 0"
        ),
        (
            ##"{"type":"object","required":["self"],"properties":{"self":{"$ref":"#"}}}"##, "/self/self",
            "the schema requires itself recursively, so no finite value matches"
        ),
    ])
    func `says which keywords cannot be combined, and no value is found`(
        document: String,
        place: String,
        sentence: String
    ) throws {
        let sampled = try SampledSchema(document, dialect: .openAPI31)
        let found = SchemaSampler.contradiction(in: sampled.schema)
        #expect(found?.place.description == place)
        #expect(found?.sentence == sentence)
        #expect(sampled.sample() == nil)
    }

    @Test(arguments: [
        #"{"type":"string","format":"httpdate","maxLength":3}"#, #"{"required":["a"],"properties":{"a":false}}"#,
        #"{"type":["string","null"],"minLength":5,"maxLength":3}"#, #"{"type":"object","properties":{"a":false}}"#,
        #"{"type":"array","items":false}"#, #"{"anyOf":[false,{"type":"integer"}]}"#,
        #"{"type":"integer","minimum":1e35}"#,
        #"{"type":"integer","multipleOf":7,"minimum":8}"#, #"{"type":"string","pattern":"^(a|b)\\1$","maxLength":3}"#,
        ##"{"type":"object","required":["self"],"properties":{"self":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}}"##,
    ])
    func `is not claimed of a schema that has a value`(document: String) throws {
        let sampled = try SampledSchema(document)
        #expect(SchemaSampler.contradiction(in: sampled.schema) == nil)
        #expect(sampled.sample() != nil)
    }

    /// What only a choice excludes, or what nobody can tell, is no proof.
    @Test(arguments: [
        #"{"type":"integer","not":{"type":"integer"}}"#, #"{"oneOf":[{"type":"integer"},{"type":"integer"}]}"#,
        #"{"anyOf":[{"type":"string","minLength":2,"maxLength":1}]}"#,
    ])
    func `is not claimed where it is not proved`(document: String) throws {
        let sampled = try SampledSchema(document)
        #expect(SchemaSampler.contradiction(in: sampled.schema) == nil)
        #expect(sampled.sample() == nil)
    }

    /// A value exists, or may exist, but is not made; the reason is given with its place.
    @Test(arguments: [
        (
            #"{"type":"string","minLength":1000000000000}"#, "",
            "minLength is 1000000000000, and texts of at most 1000000 characters are generated"
        ),
        (
            #"{"type":"object","required":["a"],"properties":{"a":{"type":"array","minItems":1000000000}}}"#, "/a",
            "minItems is 1000000000, and arrays of at most 100000 elements are generated"
        ),
        (
            #"{"type":"object","minProperties":5000}"#, "",
            "minProperties is 5000, and objects of at most 1000 properties are generated"
        ),
        (
            ##"{"type":"array","minItems":1,"items":{"$ref":"#/$defs/a"},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
            "/0", "the references lead in a circle, so no schema is defined"
        ),
    ])
    func `is distinguished from a value that is too large to generate`(
        document: String,
        place: String,
        sentence: String
    ) throws {
        let sampled = try SampledSchema(document, dialect: .openAPI31)
        #expect(SchemaSampler.contradiction(in: sampled.schema) == nil)
        guard case .notMade(let reason) = SchemaSampler.obstacle(in: sampled.schema) else {
            Issue.record("no reason is given")
            return
        }
        #expect(reason.place.description == place)
        #expect(reason.sentence == sentence)
        #expect(sampled.sample() == nil)
    }

    /// A schema that only refers to another one, or contains it, is not reported again.
    @Test func `is found once, at the schema that causes it`() throws {
        let sampled = try SampledSchema(
            ##"{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"title":"A"}]},"b":{"type":"string","minLength":2,"maxLength":1},"c":{"type":"array","items":false,"minItems":0}}}"##,
            dialect: .openAPI31
        )
        let found = SchemaSampler.contradictions(in: sampled.schema.program)
        #expect(found.map(\.contradiction.sentence) == ["minLength 2 is greater than maxLength 1"])
        #expect(found.map { sampled.schema.program.pointer(to: $0.schema).description } == ["/$defs/b"])
    }

    @Test func `is found in a tangle of references in few steps`() throws {
        let definitions = (0..<200).map { number in
            let next = (number + 1) % 200
            return
                ##""n\##(number)":{"type":"object","required":["a","b"],"properties":{"a":{"$ref":"#/$defs/n\##(next)"},"b":{"$ref":"#/$defs/n\##(number / 2)"}}}"##
        }
        let sampled = try SampledSchema(##"{"$ref":"#/$defs/n0","$defs":{\##(definitions.joined(separator: ","))}}"##)
        #expect(SchemaSampler.contradiction(in: sampled.schema) != nil)
        #expect(sampled.sample() == nil)
    }
}
