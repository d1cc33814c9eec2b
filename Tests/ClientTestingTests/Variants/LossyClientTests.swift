import Basics
import ClientTesting
import Foundation
import JSON
import Testing

/// Clients that lose parts of a response, or make them up.
@Suite struct `A client that is lossy` {
    private func findings<Model: Codable & SendableMetatype>(of _: Model.Type, for schema: String) async throws
        -> [String]
    {
        let document = """
            { "openapi": "3.1.0", "info": { "title": "A", "version": "1" },
              "paths": { "/thing": { "get": { "operationId": "getThing", "responses": { "200": { "description": "A",
                "content": { "application/json": { "schema": \(schema) } } } } } } } }
            """
        return try await ReaderAdapter("getThing", "/thing", as: Model.self).checkVariants(document).findings
            .map { "\($0.severity) \($0.id): \($0.message)" }
    }

    @Test func `is found when it makes up a member that it calls by another name`() async throws {
        let schema = #"{ "type": "object", "properties": { "like_count": { "type": "integer" } } }"#
        let found = try await findings(of: MadeUp.self, for: schema)
        #expect(found.contains { $0.contains("getThing changes /like_count: nothing became 42") }, "\(found)")
    }

    @Test(arguments: [("created_at", true), ("count", false)])
    func `is found when it rounds a number that is no date`(name: String, isDate: Bool) async throws {
        let schema = #"""
            { "type": "object", "required": ["\#(name)"],
              "properties": { "\#(name)": { "type": "integer", "format": "int64" } } }
            """#
        let found = try await findings(of: [String: Milliseconds].self, for: schema)
        #expect(found.contains { $0.contains("variants/changed-value") } != isDate, "\(found)")
    }

    @Test func `may require what all kinds require of a kind that it does not know`() async throws {
        func kind(_ name: String, _ member: String) -> String {
            #"{ "type": "object", "required": ["kind", "id", "\#(member)"], "properties": { "kind": { "const": "\#(name)" }, "#
                + #""id": { "type": "integer", "format": "int64" }, "\#(member)": { "type": "string" } } }"#
        }
        let schema = #"{ "oneOf": [\#(kind("cat", "fur")), \#(kind("fish", "scales"))] }"#
        let found = try await findings(of: Animal.self, for: schema)
        #expect(found == [])
        let strict = try await findings(of: ClosedAnimal.self, for: schema)
        #expect(strict.contains { $0.hasPrefix("warning variants/evolution") }, "\(strict)")
    }

    @Test func `is warned when it skips an element with a new value, and not blamed for one that is invalid`()
        async throws
    {
        let schema = #"""
            { "type": "array", "items": { "type": "object", "required": ["kind"], "properties": {
              "kind": { "type": "string", "enum": ["cat", "dog"] } } } }
            """#
        let found = try await findings(of: LossyArray.self, for: schema)
        #expect(found.contains { $0.hasPrefix("warning variants/evolution: getThing drops an element") }, "\(found)")
        #expect(found.allSatisfy { $0.hasPrefix("warning") }, "\(found)")
    }
}

private struct Milliseconds: Codable {
    var date: Date

    init(from decoder: any Decoder) throws {
        date = Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self) / 1_000)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date.timeIntervalSince1970 * 1_000)
    }
}

private struct Animal: Codable {
    var kind: String
    var id: Int64
    var fur: String?
    var scales: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decode(String.self, forKey: .kind)
        id = try container.decode(Int64.self, forKey: .id)
        if kind == "cat" { fur = try container.decode(String.self, forKey: .fur) }
        if kind == "fish" { scales = try container.decode(String.self, forKey: .scales) }
    }
}

private struct ClosedAnimal: Codable {
    enum Kind: String, Codable { case cat, fish }

    var kind: Kind
    var id: Int64
    var fur: String?
    var scales: String?
}

private struct MadeUp: Codable {
    enum Read: String, CodingKey { case likes = "like_count" }
    enum Written: String, CodingKey { case likes = "likeCount" }

    var likes: Int

    init(from decoder: any Decoder) throws {
        likes = try decoder.container(keyedBy: Read.self).decodeIfPresent(Int.self, forKey: .likes) ?? 42
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Written.self)
        try container.encode(likes, forKey: .likes)
    }
}

private struct LossyArray: Codable {
    struct Pet: Codable {
        enum Kind: String, Codable { case cat, dog }

        var kind: Kind
    }

    struct Attempt: Decodable {
        var pet: Pet?

        init(from decoder: any Decoder) throws { pet = try? Pet(from: decoder) }
    }

    var pets: [Pet]

    init(from decoder: any Decoder) throws {
        pets = try decoder.singleValueContainer().decode([Attempt].self).compactMap(\.pet)
    }

    func encode(to encoder: any Encoder) throws { try pets.encode(to: encoder) }
}
