import Basics
import JSON

/// A rule about the members of an object together, such as that one key requires another.
///
/// The checker evaluates it and the JSON Schema states it. It holds for complete objects: one that changes another file's
/// may lack what is there.
struct ObjectRule: Sendable {
    var test: ValueTest
    /// The checker's finding; `nil` where the loader says more about it as it reads the value.
    var finding: Finding?

    struct Finding: Sendable {
        var id: String
        var message: @Sendable (JSONValue) -> String
        var advice: String?
        /// The key at which it is reported; the object itself if `nil`.
        var key: String?
    }

    /// A rule that the checker reports.
    init(
        _ test: ValueTest,
        _ id: String,
        at key: String? = nil,
        _ message: @escaping @autoclosure @Sendable () -> String,
        advice: String? = nil
    ) {
        self.init(test, id, at: key, advice: advice) { _ in message() }
    }

    /// A rule whose message depends on the object.
    init(
        _ test: ValueTest,
        _ id: String,
        at key: String? = nil,
        advice: String? = nil,
        message: @escaping @Sendable (JSONValue) -> String
    ) {
        self.test = test
        finding = Finding(id: id, message: message, advice: advice, key: key)
    }

    /// A rule that the loader reports as it reads the value.
    init(reportedByLoader test: ValueTest) {
        self.test = test
    }

    /// The rule that a key has no effect unless a test holds.
    static func idle(
        _ key: String,
        unless test: ValueTest,
        _ reason: String,
        advice: String? = nil
    ) -> ObjectRule {
        ObjectRule(
            .requires(key, test),
            "scenario/idle-key",
            at: key,
            "\"\(key)\" has no effect \(reason)",
            advice: advice
        )
    }
}

/// Rules that belong together; those of several objects have a name, by which the JSON Schema defines them once.
struct ObjectRules: Sendable, ExpressibleByArrayLiteral {
    var name: String?
    var rules: [ObjectRule]

    init(arrayLiteral rules: ObjectRule...) {
        self.init(nil, rules)
    }

    init(_ name: String?, _ rules: [ObjectRule]) {
        self.name = name
        self.rules = rules
    }
}

/// A test of a value that JSON Schema can express.
indirect enum ValueTest: Sendable {
    /// An object has this key.
    case has(String)
    /// An object has this key with a value that passes the test.
    case member(String, ValueTest)
    /// An object lacks this key, or passes the test.
    case requires(String, ValueTest)
    /// An object has any member that passes the test.
    case anyMember(ValueTest)
    case oneOf([JSONValue])
    case between(ClosedRange<Int>)
    /// No empty array or object.
    case filled
    /// An array has no two equal elements.
    case distinct
    case object
    case all([ValueTest])
    case any([ValueTest])
    case not(ValueTest)

    static func lacks(_ key: String) -> ValueTest { .not(.has(key)) }

    static func hasAny(_ keys: [String]) -> ValueTest { .any(keys.map { .has($0) }) }

    func holds(for value: JSONValue) -> Bool {
        switch self {
        case .has(let key): value[key] != nil
        case .member(let key, let test): value[key].map(test.holds) ?? false
        case .requires(let key, let test): value[key] == nil || test.holds(for: value)
        case .anyMember(let test): Optional(value).members.contains { test.holds(for: $0.value) }
        case .oneOf(let values): values.contains(value)
        case .between(let range): value.number?.int.map(range.contains) ?? false
        case .filled: value.array?.isEmpty != true && value.object?.members.isEmpty != true
        case .distinct: value.array.map { Set($0).count == $0.count } ?? true
        case .object: value.object != nil
        case .all(let tests): tests.allSatisfy { $0.holds(for: value) }
        case .any(let tests): tests.contains { $0.holds(for: value) }
        case .not(let test): !test.holds(for: value)
        }
    }

    /// A Boolean value that indicates whether only objects pass the test.
    private var isAboutMembers: Bool {
        switch self {
        case .has, .member, .anyMember: true
        case .all(let tests), .any(let tests): tests.allSatisfy(\.isAboutMembers)
        default: false
        }
    }

    /// The test as JSON Schema.
    var schema: JSONObject {
        switch self {
        case .has(let key): return ["required": [.string(key)]]
        case .member(let key, let test):
            var inner = test.schema
            // These keywords say nothing about other values than objects, which have no members.
            if test.isAboutMembers { inner["type"] = "object" }
            return ["required": [.string(key)], "properties": .object([key: .object(inner)])]
        case .requires(let key, .has(let other)):
            return ["dependentRequired": .object([key: [.string(other)]])]
        case .requires(let key, let test): return ["dependentSchemas": .object([key: .object(test.schema)])]
        case .anyMember(let test):
            return ["not": ["additionalProperties": .object(ValueTest.not(test).schema)]]
        case .oneOf(let values): return values.count == 1 ? ["const": values[0]] : ["enum": .array(values)]
        case .between(let range):
            return [
                "type": "integer", "minimum": .number(JSONNumber(range.lowerBound)),
                "maximum": .number(JSONNumber(range.upperBound)),
            ]
        case .filled: return ["minItems": 1, "minProperties": 1]
        case .distinct: return ["uniqueItems": true]
        case .object: return ["type": "object"]
        case .all(let tests): return ["allOf": .array(tests.map { .object($0.schema) })]
        case .any(let tests): return ["anyOf": .array(tests.map { .object($0.schema) })]
        case .not(let test): return ["not": .object(test.schema)]
        }
    }
}
