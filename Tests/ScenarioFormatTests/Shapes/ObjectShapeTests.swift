import Testing

@testable import ScenarioFormat

@Suite
struct `The declaration of an object` {
    @Test(arguments: ObjectShape.all.map(\.name))
    func `names only its own keys in its rules`(name: String) throws {
        let shape = try #require(ObjectShape.all.first { $0.name == name })
        let rules = shape.rules.flatMap(\.rules)
        let named = rules.flatMap { $0.test.keys + [$0.finding?.key].compactMap(\.self) }
        let mentioned = Set(named + shape.needed + shape.exclusive.flatMap(\.self))
        #expect(mentioned.subtracting(shape.keys.map(\.name)).sorted() == [])
    }

    @Test(arguments: ObjectShape.all.map(\.name))
    func `has each key once, with a sentence`(name: String) throws {
        let shape = try #require(ObjectShape.all.first { $0.name == name })
        #expect(Set(shape.keys.map(\.name)).count == shape.keys.count)
        #expect(shape.keys.filter { !$0.summary.hasSuffix(".") }.map(\.name) == [])
    }
}

extension ValueTest {
    /// The keys of the object itself that a test mentions.
    fileprivate var keys: [String] {
        switch self {
        case .has(let key), .member(let key, _): [key]
        case .requires(let key, let test): [key] + test.keys
        case .all(let tests), .any(let tests): tests.flatMap(\.keys)
        case .not(let test): test.keys
        case .anyMember, .oneOf, .between, .filled, .distinct, .object: []
        }
    }
}
