import JSON
import ScenarioFormat
import TestSupport
import Testing

@testable import Simulation

/// How items are kept, found again and put in order.
@Suite struct `The items of a collection` {
    private static let values: [JSONValue] = [
        1, "1", 1.0, "1.0", "-2", -2, true, "true", .null, "", "a", ["a"], [["x": 1]], 12_345, "p", false,
    ]

    /// Whatever has happened to it, what is looked for by an index is what a look at every item finds.
    @Test(arguments: 0..<UInt64(7 * Breadth.factor))
    func `finds by an index what it finds without one`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var items = CollectionItems(account: nil)
        var next = 0
        let pointer = try #require(JSONPointer("/v"))
        for _ in 0..<400 {
            let value = Self.values.randomElement(using: &random) ?? .null
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                next += 1
                items.append(StoredItem(id: next, value: ["v": value], accountName: nil))
            case 5..<7: items.items.randomElement(using: &random).map { items.change($0.id, to: ["v": value], size: 0) }
            case 7: items.items.randomElement(using: &random).map { items.remove([$0.id]) }
            case 8 where items.items.count > 90: items.remove(Set(items.items.prefix(20).map(\.id)))
            default: items.items.randomElement(using: &random).map { items.change($0.id, to: [:], size: 0) }
            }
            let matcher: Matcher = Bool.random(using: &random) ? .equals(value) : .oneOf([value, "a", 1])
            let fits = { (position: Int) in
                (try? matcher.fits(pointer.value(in: items.items[position].value), isLoose: true)) == true
            }
            let all = items.items.indices.filter(fits)
            let found = items.candidates(for: [(pointer, matcher)]) ?? Array(items.items.indices)
            #expect(found.filter(fits) == all)
            #expect(found == found.sorted())
        }
    }

    @Test(arguments: 0..<20)
    func `is put in the order of its values`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let values: [JSONValue?] = (0..<200).map { _ in
            switch Int.random(in: 0..<8, using: &random) {
            case 0: nil
            case 1: .null
            case 2: .bool(Bool.random(using: &random))
            case 3: .number(JSONNumber(Int.random(in: -5...5, using: &random)))
            case 4: JSONNumber(Double.random(in: -2...2, using: &random)).map(JSONValue.number)
            case 5: JSONNumber("9007199254740992\(Int.random(in: 0...3, using: &random))").map(JSONValue.number)
            case 6:
                .string(
                    "2024-05-0\(Int.random(in: 1...3, using: &random))T12:00:0\(Int.random(in: 0...9, using: &random))"
                )
            default:
                .string(String(["\u{0}", "a", "é", "e\u{301}", "一"].shuffled(using: &random).joined().prefix(3)))
            }
        }
        let expected = values.indices.sorted { left, right in
            let order = Self.order(values[left], values[right])
            return order == 0 ? left < right : order < 0
        }
        #expect(ItemOrder.sorted(Array(values.indices), by: values) == expected)
    }

    private static func order(_ left: JSONValue?, _ right: JSONValue?) -> Int {
        let (leftRank, rightRank) = (rank(left), rank(right))
        guard leftRank == rightRank else { return leftRank - rightRank }
        switch (left?.content, right?.content) {
        case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
        case (.number(let left), .number(let right)): return left < right ? -1 : left == right ? 0 : 1
        case (.string(let left), .string(let right)):
            let (left, right) = (Array(left.utf8), Array(right.utf8))
            return left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
        default: return 0
        }
    }

    private static func rank(_ value: JSONValue?) -> Int {
        switch value?.content {
        case nil, .null: 0
        case .bool: 1
        case .number: 2
        case .string: 3
        case .array, .object: 4
        }
    }
}
