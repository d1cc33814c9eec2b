import JSON
import JSONSchema
import TestSupport
import Testing

struct SchemaSamplerTests {
    @Test(arguments: [
        #"true"#,
        #"{"type":["null","boolean"]}"#,
        #"{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}},"additionalProperties":false}"#,
        #"{"type":"object","minProperties":3,"propertyNames":{"pattern":"^[a-z]{3}$"}}"#,
        #"{"type":"object","minProperties":2,"maxProperties":2,"properties":{"a":{},"b":{},"c":{},"d":{}}}"#,
        #"{"type":"object","patternProperties":{"^x-":{"type":"integer"}},"additionalProperties":false,"minProperties":1}"#,
        #"{"properties":{"a":{"const":1}},"required":["a"],"dependentRequired":{"a":["b"]},"maxProperties":2}"#,
        #"{"type":"array","items":{"type":"integer","minimum":1,"maximum":3},"minItems":3,"uniqueItems":true}"#,
        #"{"type":"array","prefixItems":[{"type":"string"},{"type":"null"}],"items":false,"minItems":2}"#,
        #"{"type":"array","contains":{"const":7},"minContains":2,"items":{"type":"integer"}}"#,
        #"{"type":"array","prefixItems":[{}],"minContains":1e30,"minItems":300}"#,
        #"{"type":"array","prefixItems":[{"type":"string"}],"contains":{"type":"integer"},"unevaluatedItems":false}"#,
        #"{"type":"array","prefixItems":[{"type":"string"}],"contains":{"type":"integer"},"minItems":4,"unevaluatedItems":false}"#,
        #"{"type":"array","contains":{"const":7},"minContains":2,"maxContains":3,"unevaluatedItems":false}"#,
        #"{"type":"array","prefixItems":[{"type":"integer"}],"contains":{"type":"integer"},"items":false}"#,
        #"{"type":"object","required":["a"],"dependentSchemas":{"a":{"required":["b"],"properties":{"b":{"const":2}}}}}"#,
        #"{"type":"object","required":["a"],"dependentSchemas":{"a":{"required":["b"]},"b":{"required":["c"],"minProperties":5}}}"#,
        #"{"type":"object","properties":{"a":{},"b":{}},"dependentSchemas":{"a":{"required":["b"]},"b":{"oneOf":[{"required":["c"]},{"required":["d"]}]}}}"#,
        #"{"type":"object","minProperties":3,"patternProperties":{"^[a-c]$":{}},"additionalProperties":false}"#,
        #"{"type":"object","minProperties":4,"patternProperties":{"^x-":{"type":"integer"}},"additionalProperties":false}"#,
        #"{"type":"object","minProperties":9,"properties":{"a":{}},"patternProperties":{"^[0-9]$":{}},"additionalProperties":false}"#,
        #"{"allOf":[{"type":["integer","string"]},{"type":["integer","null"]},{"minimum":5},{"maximum":6}]}"#,
        #"{"allOf":[{"properties":{"a":{"enum":[1,2]}}},{"properties":{"a":{"enum":[2,3]}},"required":["a"]}]}"#,
        #"{"oneOf":[{"type":"integer"},{"type":"number","minimum":2}]}"#,
        #"{"oneOf":[{"required":["a"]},{"required":["b"]}],"type":"object"}"#,
        #"{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"integer"}}}]}"#,
        #"{"type":"array","items":{"type":"integer"},"minItems":10000}"#,
        #"{"type":"string","minLength":100000}"#,
        #"{"anyOf":[{"type":"string","minLength":40},{"type":"integer","multipleOf":7}]}"#,
        #"{"type":"integer","not":{"multipleOf":2}}"#,
        #"{"type":"object","properties":{"k":{"enum":["a","b"]}},"required":["k"],"if":{"properties":{"k":{"const":"a"}}},"then":{"required":["x"]},"else":{"required":["y"]}}"#,
        #"{"type":"object","properties":{"a":{"type":"string"}},"unevaluatedProperties":false}"#,
        ##"{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","required":["v"],"properties":{"v":{},"next":{"$ref":"#/$defs/n"}}}}}"##,
        ##"{"$dynamicAnchor":"node","type":"object","required":["v"],"properties":{"v":{},"next":{"$dynamicRef":"#node"}}}"##,
        #"{"enum":[null,"a",3]}"#,
        #"{"type":"string","minLength":5,"maxLength":5}"#,
        #"{"type":"string","maxLength":100000000}"#,
        #"{"type":"string","pattern":"^[A-Z]{2}-[0-9]{4}$","maxLength":7}"#,
        #"{"type":"string","format":"email","pattern":"@example"}"#,
    ])
    func `Every value obeys its schema`(document: String) throws {
        let sampled = try SampledSchema(document)
        let samples = sampled.samples()
        #expect(samples.count == 20)
        for sample in samples { #expect(try sampled.schema.accepts(sample)) }
    }

    @Test(arguments: [
        "false", #"{"type":"integer","minimum":2,"maximum":1}"#, #"{"enum":[]}"#,
        #"{"allOf":[{"type":"null"},{"const":1}]}"#,
        #"{"type":"object","required":["a"],"properties":{"a":false}}"#,
        ##"{"type":"object","required":["self"],"properties":{"self":{"$ref":"#"}}}"##,
        #"{"type":"string","minLength":1000000000}"#, #"{"type":"array","minItems":1000000000}"#,
    ])
    func `There is no value of a schema that allows none`(document: String) throws {
        #expect(try SampledSchema(document).sample() == nil)
    }

    /// Texts of patterns from practice, as long as the schema wants them.
    @Test(arguments: [
        ("^[0-9a-f]+$", 24, 24), ("^[a-z0-9]+(?:-[a-z0-9]+)*$", 30, 60), (#"^\\d+$"#, 10, 13),
        ("^usr_[A-Za-z0-9]+$", 28, 28),
        (#"^[\\x20-\\x7E]+$"#, 64, 64), ("^[A-Za-z0-9+/]+={0,2}$", 20, 20), ("^[A-Z]{2}[0-9]{2}[A-Z0-9]+$", 34, 34),
        (#"\\S"#, 40, 40), (#"^[\\w-]+\\.[\\w-]+\\.[\\w-]+$"#, 60, 200), ("^(?=.*[0-9])[a-z0-9]+$", 40, 50),
        ("^[a-z]*$", 0, 2),
        ("^(ab|cde)+$", 33, 33), ("", 12, 12), ("x$", 100, 100),
    ])
    func `A text of a pattern is as long as it has to be`(pattern: String, least: Int, most: Int) throws {
        let sampled = try SampledSchema(
            #"{"type":"string","pattern":"\#(pattern)","minLength":\#(least),"maxLength":\#(most)}"#
        )
        let samples = sampled.samples()
        #expect(samples.count == 20)
        for sample in samples { #expect(try sampled.schema.accepts(sample), "\(sample)") }
    }

    /// Formats that leave texts of any length, and lengths that usual texts do not have.
    @Test(arguments: [
        ("email", 0, 12), ("email", 30, 60), ("uri", 0, 12), ("uri", 40, 200), ("hostname", 20, 63), ("hostname", 1, 3),
        ("byte", 20, 24), ("date-time", 22, 40), ("time", 14, 20), ("duration", 9, 9), ("uri-reference", 50, 50),
        ("json-pointer", 40, 44),
    ])
    func `A text of a format is as long as it has to be`(format: String, least: Int, most: Int) throws {
        let sampled = try SampledSchema(
            #"{"type":"string","format":"\#(format)","minLength":\#(least),"maxLength":\#(most)}"#
        )
        let samples = sampled.samples()
        #expect(samples.count == 20)
        for sample in samples { #expect(try sampled.schema.accepts(sample), "\(sample)") }
    }

    @Test func `A text matches the patterns of all parts`() throws {
        let sampled = try SampledSchema(
            #"{"type":"string","minLength":12,"allOf":[{"pattern":"^a"},{"pattern":"z$"}]}"#
        )
        let samples = sampled.samples()
        #expect(samples.count == 20)
        for sample in samples { #expect(try sampled.schema.accepts(sample), "\(sample)") }
    }

    /// Without a type it allows what is no object, however deep the requirement is.
    @Test func `What requires itself without end is obeyed by another kind of value`() throws {
        let circle = ##"{"required":["self"],"properties":{"self":{"$ref":"#/properties/a"}}}"##
        let sampled = try SampledSchema(##"{"type":"object","required":["a"],"properties":{"a":\##(circle)}}"##)
        #expect(sampled.samples(3).count == 3)
    }

    @Test func `The same seed makes the same value, whatever was made before`() throws {
        let document = #"""
            {"type":"object","required":["id","tags"],"properties":{"id":{"type":"integer"},"name":{"type":"string"},
             "tags":{"type":"array","items":{"$ref":"#/$defs/tag"}}},"$defs":{"tag":{"anyOf":[{"type":"string"},
             {"type":"object","properties":{"email":{"type":"string","format":"email"},"more":{"$ref":"#"}}}]}}}
            """#
        let fresh = try SampledSchema(document)
        let used = try SampledSchema(document)
        _ = used.samples(30)
        let texts = (1...10).map { fresh.sample(seed: $0)?.text(.compact) }
        #expect(texts == (1...10).map { used.sample(seed: $0)?.text(.compact) })
        #expect(Set(texts).count > 5)
    }

    @Test func `A schema that contains itself everywhere comes to an end`() throws {
        let names = (0..<30).map { ##""p\##($0)":{"anyOf":[{"$ref":"#"},{"type":"array","items":{"$ref":"#"}}]}"## }
        let sampled = try SampledSchema(#"{"type":"object","properties":{\#(names.joined(separator: ","))}}"#)
        for sample in sampled.samples(10) { #expect(sample.text(.compact).utf8.count < 50_000) }
    }

    @Test func `A schema that asks the same question in 2^40 places has a sample, and soon`() throws {
        let doubled = (1...40).map { number in
            let before = ##"{"$ref":"#/$defs/x\##(number - 1)"}"##
            return #""x\#(number)":{"allOf":[\#(before),{"not":{"not":\#(before)}}]}"#
        }
        let definitions = doubled.joined(separator: ",")
        let sampled = try SampledSchema(##"{"$ref":"#/$defs/x40","$defs":{"x0":{"type":"object"},\##(definitions)}}"##)
        #expect(sampled.sample(seed: 1) == [:])
    }

    /// No value matches one branch only, and each comparison of a value with a branch takes many steps.
    @Test func `A search for a value among equal branches is bounded`() throws {
        let doubled = (1...9).map { number in
            let before = ##"{"$ref":"#/$defs/x\##(number - 1)"}"##
            return #""x\#(number)":{"oneOf":[\#(before),\#(before)]}"#
        }
        let definitions = doubled.joined(separator: ",")
        let sampled = try SampledSchema(##"{"$ref":"#/$defs/x9","$defs":{"x0":{"type":"integer"},\##(definitions)}}"##)
        var generator = SeededGenerator(seed: 1)
        var steps = 0
        #expect(sampled.sampler.sample(sampled.schema, going: .either, using: &generator, adding: &steps) == nil)
        // 18 attempts with 4,000 places each.
        #expect((10_000...4_000_000).contains(steps))
    }

    /// Every branch accepts what another one does, so that each value is told apart from 1,000 others.
    @Test(arguments: [
        #"{"type":"object","properties":{"p\(number)":{"type":"integer"}}}"#, #"{"type":"string"}"#,
        #"{"anyOf":[{"type":"array"},{"type":"integer","minimum":\(number)}]}"#, ##"{"$ref":"#"}"##,
    ])
    func `A thousand branches are given up in few steps`(branch: String) throws {
        let branches = (0..<1_000).map { number in branch.replacing("\\(number)", with: "\(number)") }
        let sampled = try SampledSchema(#"{"oneOf":[\#(branches.joined(separator: ","))]}"#)
        if let sample = sampled.sample(seed: 1) { #expect(try sampled.schema.accepts(sample)) }
        #expect(SchemaSampler.contradiction(in: sampled.schema) == nil)
    }

    @Test func `Required recursion leaves by the flattest branch`() throws {
        let sampled = try SampledSchema(
            ##"{"type":"object","required":["c"],"properties":{"c":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}}"##
        )
        #expect(sampled.samples(20).count == 20)
    }

    @Test
    func `Branches that lead back to themselves are given up soon`() throws {
        let branch = ##"{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}]}"##
        let document = ##"{"$defs":{"a":\##(branch),"b":\##(branch)},"oneOf":[{"$ref":"#/$defs/a"},{"type":"null"}]}"##
        let sampled = try SampledSchema(document, preference: .examples)
        let isNull = sampled.samples(3).map(\.isNull)
        #expect(!isNull.contains(false))
    }
}
