import Checking
import JSON
import JSONSchema
import TestSupport
import Testing

/// Random changes of alternatives that overlap, in schemas of so few values that all of them can be tried.
extension `The verdict on a random change` {
    /// 300 pairs in each direction, and many times as many with `BACKLOT_SCHEDULES`.
    @Test(arguments: [SchemaDirection.request, .response], 1...2 * UInt64(Breadth.factor))
    func `of overlapping alternatives agrees with the validation of every value`(_ side: SchemaDirection, seed: UInt64)
        throws
    {
        var maker = RangeMaker(seed: seed)
        let pairs = (0..<150).map { _ in
            let old = maker.schema()
            return (old: old, new: maker.change(old))
        }
        let changes = try Self.changes(
            from: Self.contract(side, .draft2020, pairs.map(\.old), JSONObject()),
            to: Self.contract(side, .draft2020, pairs.map(\.new), JSONObject())
        )
        var decided = 0
        for (number, pair) in pairs.enumerated() {
            let found = changes.filter { $0.operations.contains("POST /p\(number)") }
            let (old, new) = try (RangeMaker.values(of: pair.old), RangeMaker.values(of: pair.new))
            let refused = side == .request ? old.subtracting(new) : new.subtracting(old)
            let sentences = found.map { "\($0.effect): \($0.sentence)" }.joined(separator: "; ")
            let detail = "\(side), \(refused.sorted()): \(pair.old) → \(pair.new): \(sentences)"
            if found.contains(where: { $0.effect == .breaks }) {
                #expect(!refused.isEmpty, "blamed: \(detail)")
            } else if found.allSatisfy({ $0.effect == .safe }) {
                #expect(refused.isEmpty, "silent: \(detail)")
                if found.isEmpty { #expect(old == new, "no change: \(detail)") }
            } else {
                continue
            }
            decided += 1
        }
        #expect(decided > 75)
    }
}

/// Makes schemas of whole numbers from 0 to 10, with alternatives that overlap.
private struct RangeMaker {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The values that a schema accepts, of those around its limits.
    static func values(of schema: JSONValue) throws -> Set<Int> {
        let compiled = try Schema.compile(schema, dialect: .draft2020)
        return try Set((-1...11).filter { try compiled.accepts(JSONValue(.number(JSONNumber($0)))) })
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func happens(_ percent: Int) -> Bool { number(1...100) <= percent }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        JSONValue(.object(JSONObject(members)))
    }

    private static func value(_ number: Int) -> JSONValue { JSONValue(.number(JSONNumber(number))) }

    private mutating func range() -> JSONValue {
        let (one, other) = (number(0...10), number(0...10))
        let title: [(String, JSONValue)] = happens(50) ? [("title", JSONValue(.string("T\(number(1...9))")))] : []
        return Self.object(
            title + [
                ("type", "integer"), ("minimum", Self.value(min(one, other))), ("maximum", Self.value(max(one, other))),
            ]
        )
    }

    private mutating func group(depth: Int) -> (String, JSONValue) {
        let alternatives = (0..<number(2...3)).map { _ in
            depth > 0 && happens(20) ? Self.object([group(depth: depth - 1)]) : range()
        }
        return (happens(70) ? "oneOf" : "anyOf", JSONValue(.array(alternatives)))
    }

    mutating func schema() -> JSONValue {
        switch number(1...10) {
        case 1: return range()
        case 2: return Self.object([("allOf", [Self.object([group(depth: 0)]), Self.object([group(depth: 0)])])])
        case 3: return Self.object([("minimum", Self.value(number(0...5))), group(depth: 0)])
        case 4: return Self.object([group(depth: 0), ("not", range())])
        default: return Self.object([group(depth: 1)])
        }
    }

    /// A schema that differs in one place.
    mutating func change(_ schema: JSONValue) -> JSONValue {
        guard var object = schema.object else { return schema }
        if happens(5) { return self.schema() }
        let member = object.members[number(0...object.members.count - 1)]
        var changed = member.value
        var name = member.name
        switch name {
        case "minimum", "maximum": changed = Self.value(number(0...10))
        case "not": changed = change(changed)
        case "oneOf", "anyOf", "allOf":
            var parts = changed.array ?? []
            let index = number(0...parts.count - 1)
            switch name == "allOf" ? 10 : number(1...10) {
            case 1: name = name == "oneOf" ? "anyOf" : "oneOf"
            case 2: return parts[index]
            case 3: if parts.count > 1 { parts.remove(at: index) }
            case 4: parts.insert(range(), at: index)
            default: parts[index] = change(parts[index])
            }
            changed = JSONValue(.array(parts))
        default: return self.schema()
        }
        _ = object.removeMember(named: member.name)
        object.set(JSONObject.Member(name: name, value: changed))
        return JSONValue(.object(object))
    }
}
