import Basics
package import JSON

package typealias DraftScenario = Draft<DraftKeys.Scenario>
package typealias DraftRoute = Draft<DraftKeys.Route>
package typealias DraftCondition = Draft<DraftKeys.Condition>
package typealias DraftMatcher = Draft<DraftKeys.Matcher>
package typealias DraftEvent = Draft<DraftKeys.Event>

/// An object of a generated scenario file.
package struct Draft<Key: DraftKey>: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    package private(set) var object = JSONObject()

    package init() {}

    package init(_ object: JSONObject) { self.object = object }

    /// - Parameter elements: keys with their values; a key without a value is not written.
    package init(dictionaryLiteral elements: (Key, JSONValue?)...) {
        for (key, value) in elements { self[key] = value }
    }

    /// - Parameter comment: the comment, which comes first.
    package init(comment: JSONValue, _ members: Draft) {
        object[ObjectShape.comment] = comment
        set(members)
    }

    package subscript(key: Key) -> JSONValue? {
        get { object[key.rawValue] }
        set { object[key.rawValue] = newValue }
    }

    package var isEmpty: Bool { object.isEmpty }
    package var json: JSONValue { .object(object) }

    package func json(at position: JSONPosition) -> JSONValue { JSONValue(.object(object), at: position) }

    /// Sets the members of another object.
    package mutating func set(_ other: Draft) {
        for member in other.object.members { object.set(member) }
    }

    package func setting(_ other: Draft) -> Draft {
        var draft = self
        draft.set(other)
        return draft
    }

    /// The comment: a text or several ones.
    package var comment: JSONValue? {
        get { object[ObjectShape.comment] }
        set { object[ObjectShape.comment] = newValue }
    }

    /// Adds lines to the comment, which comes first.
    package mutating func add(comments: [String]) { object.add(comments: comments) }
}

extension JSONObject {
    private static let mostComments = 200

    /// Adds lines to the comment of an object of a scenario file; what is beyond ``mostComments`` is counted.
    mutating func add(comments texts: [String]) {
        guard !texts.isEmpty else { return }
        let known = self[ObjectShape.comment].map { $0.array ?? [$0] } ?? []
        var all = known + texts.map { .string($0.printable) }
        if all.count > Self.mostComments {
            all = Array(all.prefix(Self.mostComments)) + [.string("and \(all.count - Self.mostComments) more")]
        }
        let comment = all.count == 1 ? all[0] : .array(all)
        guard self[ObjectShape.comment] == nil else { return self[ObjectShape.comment] = comment }
        self = JSONObject([Member(name: ObjectShape.comment, value: comment)] + members)
    }
}

extension JSONValue {
    package static func number(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }
    package static func strings(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map(JSONValue.string)) }

    // Objects of a scenario file as literals.

    package static func scenario(_ draft: DraftScenario) -> JSONValue { draft.json }
    package static func tokens(_ draft: Draft<DraftKeys.Tokens>) -> JSONValue { draft.json }
    package static func carrier(_ draft: Draft<DraftKeys.Carrier>) -> JSONValue { draft.json }
    package static func issuer(_ draft: Draft<DraftKeys.Issuer>) -> JSONValue { draft.json }
    package static func route(_ draft: DraftRoute) -> JSONValue { draft.json }
    package static func delivery(_ draft: Draft<DraftKeys.Delivery>) -> JSONValue { draft.json }
    package static func condition(_ draft: DraftCondition) -> JSONValue { draft.json }
    package static func matcher(_ draft: DraftMatcher) -> JSONValue { draft.json }
    package static func selection(_ draft: Draft<DraftKeys.Selection>) -> JSONValue { draft.json }
    package static func event(_ draft: DraftEvent) -> JSONValue { draft.json }
    package static func expectation(_ draft: Draft<DraftKeys.Expectation>) -> JSONValue { draft.json }
    package static func gate(_ draft: Draft<DraftKeys.Gate>) -> JSONValue { draft.json }
}
