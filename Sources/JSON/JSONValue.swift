import Basics

/// A JSON value and where it was read.
///
/// Equality and hash follow JSON's data model and ignore the position: numbers are compared by their mathematical
/// value, strings and names scalar by scalar, objects regardless of their members' order.
package struct JSONValue: Sendable {
    /// The kind and content of a value.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONValue])
        case object(JSONObject)
    }

    package var content: Content
    /// The position of the value's first character; ``JSONPosition/unknown`` for a value made in code.
    package var position: JSONPosition

    @inline(__always)
    package init(_ content: Content, at position: JSONPosition = .unknown) {
        self.content = content
        self.position = position
    }
}

extension JSONValue {
    /// JSON's null, made in code.
    package static var null: JSONValue { JSONValue(.null) }

    package var isNull: Bool {
        if case .null = content { true } else { false }
    }

    package var bool: Bool? {
        if case .bool(let bool) = content { bool } else { nil }
    }

    package var number: JSONNumber? {
        if case .number(let number) = content { number } else { nil }
    }

    /// The exact value of a number that is an `Int`; 1.0 and 1e2 are.
    package var int: Int? { number?.int }

    package var string: String? {
        if case .string(let string) = content { string } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let elements) = content { elements } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let object) = content { object } else { nil }
    }

    /// The type's name as JSON Schema says it, for sentences such as "a string was expected, found a number".
    package var kindName: String {
        switch content {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The value of an object's member; `nil` also when this is not an object.
    package subscript(name: String) -> JSONValue? { object?[name] }

    /// The element of an array; `nil` beyond its ends and when this is not an array.
    package subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

extension JSONValue: CustomStringConvertible {
    /// The compact text.
    package var description: String { text(.compact) }
}

/// Values made in code, without a position in a text.
extension JSONValue {
    package static func bool(_ value: Bool) -> JSONValue { JSONValue(.bool(value)) }

    package static func number(_ value: JSONNumber) -> JSONValue { JSONValue(.number(value)) }

    package static func string(_ value: String) -> JSONValue { JSONValue(.string(value)) }

    package static func array(_ elements: [JSONValue]) -> JSONValue { JSONValue(.array(elements)) }

    package static func object(_ object: JSONObject) -> JSONValue { JSONValue(.object(object)) }
}

extension JSONValue {
    /// A description of a value, for the middle of a sentence: `the string "abc"`, `an array of 3`.
    package var shownBriefly: String {
        switch content {
        case .number(let number): "the number \(number.text.shortened)"
        case .string(let text): "the string \"\(text.shortened)\""
        case .bool(let flag): "\(flag)"
        case .null: "null"
        case .array(let values): values.isEmpty ? "an empty array" : "an array of \(values.count)"
        case .object: "an object"
        }
    }
}

extension JSONValue {
    /// Returns whether this is a copy of the very value, places included, and not only one that says the same.
    ///
    /// It costs the same for every size, because copies of an array or object share its storage. Equal values that
    /// were read twice count as different ones.
    package func isSameInstance(as other: JSONValue) -> Bool {
        guard position == other.position else { return false }
        return switch (content, other.content) {
        case (.array(let values), .array(let others)): values.sharesStorage(with: others)
        case (.object(let object), .object(let others)): object.members.sharesStorage(with: others.members)
        case (.array, _), (.object, _), (_, .array), (_, .object): false
        default: self == other
        }
    }
}

extension Array {
    fileprivate func sharesStorage(with other: [Element]) -> Bool {
        guard count == other.count, !isEmpty else { return count == other.count }
        let start = withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
        return start == other.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
    }
}

// Literals, so that expected values in code and tests read like the JSON they mean. Their position is unknown.
//
// There is none for `nil`: an optional value would then take some `nil`s for JSON's null. Null is written `.null`.

extension JSONValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self.init(.bool(value)) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) { self.init(.number(JSONNumber(value))) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// Takes the shortest text that names the same `Double`; a literal beyond the range of `Double` becomes null.
    package init(floatLiteral value: Double) {
        self.init(JSONNumber(value).map(Content.number) ?? .null)
    }
}

extension JSONValue: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(.string(value)) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Keeps the order in which the members are written; of two equal names the last value wins.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(.object(JSONObject(elements)))
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

// Values are compared and hashed without recursion: they come from clients, and the threads that serve them may have
// small stacks. Arrays and objects that are still to be looked at wait in a list instead.

extension JSONValue: Equatable {
    package static func == (left: JSONValue, right: JSONValue) -> Bool { left.content == right.content }
}

extension JSONValue.Content: Equatable {
    private typealias Pair = (left: JSONValue.Content, right: JSONValue.Content)

    package static func == (left: JSONValue.Content, right: JSONValue.Content) -> Bool {
        var waiting: [Pair] = []
        guard agree(left, right, waiting: &waiting) else { return false }
        while let pair = waiting.popLast() {
            guard partsAgree(pair, waiting: &waiting) else { return false }
        }
        return true
    }

    /// Compares two values but for the parts of arrays and objects, which are left waiting.
    private static func agree(
        _ left: JSONValue.Content,
        _ right: JSONValue.Content,
        waiting: inout [Pair]
    ) -> Bool {
        switch (left, right) {
        case (.null, .null):
            return true
        case (.bool(let left), .bool(let right)):
            return left == right
        case (.number(let left), .number(let right)):
            return left == right
        case (.string(let left), .string(let right)):
            return left.exact == right.exact
        case (.array(let leftElements), .array(let rightElements)):
            guard leftElements.count == rightElements.count else { return false }
        case (.object(let leftObject), .object(let rightObject)):
            guard leftObject.count == rightObject.count else { return false }
        default:
            return false
        }
        waiting.append((left, right))
        return true
    }

    /// Compares the parts of two arrays or two objects of the same size.
    private static func partsAgree(_ pair: Pair, waiting: inout [Pair]) -> Bool {
        switch pair {
        case (.array(let left), .array(let right)):
            for number in left.indices {
                guard agree(left[number].content, right[number].content, waiting: &waiting) else { return false }
            }
            return true
        case (.object(let left), .object(let right)):
            for number in left.members.indices {
                let name = left.members[number].name
                // Most equal objects have the same order too, so the same place is looked at first.
                let other =
                    right.members[number].name.exact == name.exact ? right.members[number].value : right[name]
                guard let other, agree(left.members[number].value.content, other.content, waiting: &waiting) else {
                    return false
                }
            }
            return true
        default:
            return false
        }
    }
}

extension JSONObject: Equatable {
    /// Regardless of order, as RFC 8259 calls an object an unordered collection.
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        JSONValue.Content.object(left) == JSONValue.Content.object(right)
    }
}

extension JSONObject.Member: Equatable {
    /// Positions are ignored, as in the comparison of values.
    package static func == (left: JSONObject.Member, right: JSONObject.Member) -> Bool {
        left.name.exact == right.name.exact && left.value == right.value
    }
}

extension JSONValue: Hashable {
    package func hash(into hasher: inout Hasher) { content.hash(into: &hasher) }
}

extension JSONValue.Content: Hashable {
    package func hash(into hasher: inout Hasher) {
        if !hashScalar(into: &hasher) { hasher.combine(digestOfParts) }
    }

    /// Feeds a value that has no parts; says whether it is such a value.
    fileprivate func hashScalar(into hasher: inout Hasher) -> Bool {
        switch self {
        case .null:
            hasher.combine(0 as UInt8)
        case .bool(let bool):
            hasher.combine(bool ? 2 : 1 as UInt8)
        case .number(let number):
            hasher.combine(3 as UInt8)
            number.hash(into: &hasher)
        case .string(let string):
            hasher.combine(4 as UInt8)
            hasher.combine(string.exact)
        case .array, .object:
            return false
        }
        return true
    }

    /// The hash of an array or object, made from the parts' hashes upwards.
    private var digestOfParts: Int {
        var unfinished = [UnfinishedDigest(of: self)]
        var digest = 0
        while let top = unfinished.indices.last {
            switch unfinished[top].content {
            case .array(let elements) where unfinished[top].next < elements.count:
                let part = unfinished[top].hash(elements[unfinished[top].next].content)
                if let part { unfinished.append(part) }
            case .object(let object) where unfinished[top].next < object.count:
                let part = unfinished[top].hash(object.members[unfinished[top].next].value.content)
                if let part { unfinished.append(part) }
            default:
                digest = unfinished.removeLast().result
                if let outer = unfinished.indices.last { unfinished[outer].take(digest) }
            }
        }
        return digest
    }
}

/// An array or object whose parts are being hashed.
private struct UnfinishedDigest {
    let content: JSONValue.Content
    private(set) var next = 0
    /// An array's elements in their order.
    private var elements = Hasher()
    /// The sum of the members' hashes, which does not depend on their order.
    private var members = 0

    init(of content: JSONValue.Content) {
        self.content = content
    }

    /// Hashes the next part when it is a scalar, else returns what has to be hashed first.
    mutating func hash(_ part: JSONValue.Content) -> UnfinishedDigest? {
        var hasher = Hasher()
        guard part.hashScalar(into: &hasher) else { return UnfinishedDigest(of: part) }
        take(hasher.finalize())
        return nil
    }

    /// Consumes the hash of the next part and continues with the one after it.
    mutating func take(_ digest: Int) {
        if case .object(let object) = content {
            var member = Hasher()
            member.combine(object.members[next].name.exact)
            member.combine(digest)
            members &+= member.finalize()
        } else {
            elements.combine(digest)
        }
        next += 1
    }

    /// The hash of all parts, which must have been taken.
    var result: Int {
        var hasher = elements
        hasher.combine(next)
        if case .object = content {
            hasher.combine(members)
        }
        return hasher.finalize()
    }
}

extension JSONObject: Hashable {
    package func hash(into hasher: inout Hasher) {
        JSONValue.Content.object(self).hash(into: &hasher)
    }
}

extension JSONObject.Member: Hashable {
    package func hash(into hasher: inout Hasher) {
        hasher.combine(name.exact)
        value.hash(into: &hasher)
    }
}
