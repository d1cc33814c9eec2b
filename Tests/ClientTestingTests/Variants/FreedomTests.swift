import Basics
import ClientTesting
import Foundation
import JSON
import Testing

/// The ways in which a right client may keep a value, each next to the loss that looks like it.
@Suite struct `A type that a client has chosen` {
    /// Checks a client with this type for the member `value`.
    private func findings<Model: Codable & SendableMetatype>(
        of _: Model.Type,
        for schema: String,
        requiring required: String = #""value""#
    ) async throws -> [String] {
        let document = """
            { "openapi": "3.1.0", "info": { "title": "A", "version": "1" },
              "paths": { "/thing": { "get": { "operationId": "getThing", "responses": { "200": { "description": "A",
                "content": { "application/json": { "schema": {
                  "type": "object", "required": [\(required)], "properties": { "value": \(schema) }
                } } } } } } } } }
            """
        return try await ReaderAdapter("getThing", "/thing", as: Model.self).checkVariants(document).findings
            .map { "\($0.id): \($0.message)" }
    }

    private static let texts = #""type": "array", "items": { "type": "string" }"#

    @Test func `may be a set where elements are unique`() async throws {
        #expect(try await findings(of: Thing<Set<String>>.self, for: "{ \(Self.texts), \"uniqueItems\": true }") == [])
        let list = try await findings(of: Thing<Set<String>>.self, for: "{ \(Self.texts) }")
        #expect(list.contains { $0.hasPrefix("variants/changed-value") }, "\(list)")
    }

    @Test func `may be a Float where the format is float`() async throws {
        let number = #""type": "number", "example": 37.56653512"#
        #expect(try await findings(of: Thing<Float>.self, for: #"{ \#(number), "format": "float" }"#) == [])
        let double = try await findings(of: Thing<Float>.self, for: "{ \(number) }")
        #expect(double.contains { $0.hasPrefix("variants/changed-value") }, "\(double)")
    }

    @Test func `may be a date for seconds`() async throws {
        #expect(try await findings(of: Thing<Moment>.self, for: #"{ "type": "integer" }"#) == [])
    }

    @Test func `must be a date in the unit of the documented example`() async throws {
        func schema(_ example: Int) -> String { #"{ "type": "integer", "example": \#(example) }"# }
        #expect(try await findings(of: Thing<Moment>.self, for: schema(1_772_355_600)) == [])
        #expect(try await findings(of: Thing<MillisecondMoment>.self, for: schema(1_772_355_600_000)) == [])
        let late = try await findings(of: Thing<Moment>.self, for: schema(1_772_355_600_000))
        #expect(
            late.contains {
                $0.hasPrefix("variants/changed-value") && $0.contains("than the milliseconds of the documented example")
            },
            "\(late)"
        )
        let early = try await findings(of: Thing<MillisecondMoment>.self, for: schema(1_772_355_600))
        #expect(early.contains { $0.contains("than the seconds of the documented example") }, "\(early)")
        // An example that is no date of our times does not show a unit.
        #expect(try await findings(of: Thing<MillisecondMoment>.self, for: schema(20)) == [])
    }

    @Test(arguments: ["decimal", "int64", "uint32"]) func `may be a number for a text of one`(format: String)
        async throws
    {
        let schema = #"{ "type": "string", "format": "\#(format)" }"#
        if format == "decimal" {
            #expect(try await findings(of: Thing<NumberInText<Decimal>>.self, for: schema) == [])
        } else {
            #expect(try await findings(of: Thing<NumberInText<Int64>>.self, for: schema) == [])
        }
    }

    @Test func `may be data for Base64`() async throws {
        #expect(
            try await findings(of: Thing<Data>.self, for: #"{ "type": "string", "contentEncoding": "base64" }"#) == []
        )
    }

    @Test func `may have the documented default`() async throws {
        let schema = #"{ "type": "integer", "minimum": 1, "default": 20 }"#
        #expect(try await findings(of: Defaulted<Twenty>.self, for: schema, requiring: "") == [])
        let other = try await findings(of: Defaulted<Twenty>.self, for: #"{ "type": "integer" }"#, requiring: "")
        #expect(other.contains { $0.contains("nothing became 20") }, "\(other)")
        #expect(try await findings(of: Defaulted<NoTexts>.self, for: "{ \(Self.texts) }", requiring: "") == [])
    }

    @Test func `may require the member that tells kinds apart`() async throws {
        func branch(_ kind: String, _ member: String) -> String {
            #"""
            { "type": "object", "required": ["kind", "\#(member)"],
              "properties": { "kind": { "const": "\#(kind)" }, "\#(member)": { "type": "number" } } }
            """#
        }
        let schema = #"{ "oneOf": [\#(branch("circle", "radius")), \#(branch("square", "side"))] }"#
        #expect(try await findings(of: Thing<Figure>.self, for: schema) == [])
    }
}

private struct Thing<Value: Codable>: Codable {
    var value: Value
}

private protocol CountedTime {
    /// The units in a second.
    static var perSecond: Double { get }
}

private enum Seconds: CountedTime { static var perSecond: Double { 1 } }
private enum Milliseconds: CountedTime { static var perSecond: Double { 1_000 } }

private typealias Moment = Instant<Seconds>
private typealias MillisecondMoment = Instant<Milliseconds>

/// Read as a number since 1970, written as Foundation writes a date by default.
private struct Instant<Unit: CountedTime>: Codable {
    var date: Date

    init(from decoder: any Decoder) throws {
        let number = try decoder.singleValueContainer().decode(Double.self)
        date = Date(timeIntervalSince1970: number / Unit.perSecond)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date)
    }
}

private struct NumberInText<Number: ReadFromText>: Codable {
    var number: Number

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = Number(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
        }
        self.number = number
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

private protocol ReadFromText: Codable {
    init?(text: String)
}

extension Decimal: ReadFromText {
    init?(text: String) { self.init(string: text, locale: nil) }
}

extension Int64: ReadFromText {
    init?(text: String) { self.init(text) }
}

private protocol Default {
    associatedtype Value: Codable
    static var value: Value { get }
}

private enum Twenty: Default { static var value: Int { 20 } }
private enum NoTexts: Default { static var value: [String] { [] } }

private struct Defaulted<Assumed: Default>: Codable {
    enum CodingKeys: CodingKey { case value }

    var value: Assumed.Value

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        value = try container.decodeIfPresent(Assumed.Value.self, forKey: .value) ?? Assumed.value
    }
}

/// Knows that there will be other kinds.
private struct Figure: Codable {
    var kind: String
    var radius: Double?
    var side: Double?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decode(String.self, forKey: .kind)
        if kind == "circle" { radius = try container.decode(Double.self, forKey: .radius) }
        if kind == "square" { side = try container.decode(Double.self, forKey: .side) }
    }
}
