import Basics
import JSON

/// The differences between the structures of two JSON documents: members and kinds of values, and not the values.
///
/// The elements of an array are compared as one, and so are the values of an object whose member names are data. Null, an
/// empty array and an empty object say nothing about the values that may be there.
struct ShapeComparison {
    struct Difference: Hashable {
        enum Kind: Hashable {
            /// The mock has a member that no real value has.
            case missing
            /// A real value has a member that the mock lacks.
            case additional
            /// The real values are of kinds that the mock does not have there.
            case otherKind(real: ValueKinds, mock: ValueKinds)
        }

        var kind: Kind
        /// The place; `*` means each element or each member.
        var pointer: JSONPointer
    }

    private(set) var differences: [Difference] = []

    /// A document can differ in thousands of places.
    private static let most = 100
    /// The maximum depth.
    private static let deepest = 100

    /// Compares a real document with those of the mock; a member that one of the mock's documents lacks may be missing.
    init(of real: JSONValue, with mock: [JSONValue]) {
        compare([real], mock, at: JSONPointer())
    }

    private mutating func compare(_ real: [JSONValue], _ mock: [JSONValue], at pointer: JSONPointer) {
        let (real, mock) = (real.filter { !$0.isNull }, mock.filter { !$0.isNull })
        guard !real.isEmpty, !mock.isEmpty, pointer.tokens.count < Self.deepest else { return }
        let (found, known) = (Self.kinds(of: real), Self.kinds(of: mock))
        if !found.subtracting(known).isEmpty { add(.otherKind(real: found, mock: known), at: pointer) }
        let elements = (real.flatMap { $0.array ?? [] }, mock.flatMap { $0.array ?? [] })
        if !elements.0.isEmpty { compare(elements.0, elements.1, at: pointer.appending("*")) }
        let objects = (real.compactMap(\.object), mock.compactMap(\.object))
        guard objects.0.contains(where: { !$0.isEmpty }), objects.1.contains(where: { !$0.isEmpty }) else { return }
        if Self.areKeyedByData(objects.0), Self.areKeyedByData(objects.1) {
            let values = (objects.0.flatMap(\.members), objects.1.flatMap(\.members))
            return compare(values.0.map(\.value), values.1.map(\.value), at: pointer.appending("*"))
        }
        compareMembers(objects.0, objects.1, at: pointer)
    }

    private mutating func compareMembers(_ real: [JSONObject], _ mock: [JSONObject], at pointer: JSONPointer) {
        let (found, known) = (Self.members(of: real), Self.members(of: mock))
        for name in known.names {
            let place = pointer.appending(name.text)
            let values = known.values[name] ?? []
            if let sent = found.values[name] {
                compare(sent, values, at: place)
            } else if values.count == mock.count, !values.contains(where: \.isNull) {
                add(.missing, at: place)
            }
        }
        for name in found.names where known.values[name] == nil {
            if found.values[name]?.allSatisfy(\.isNull) != true { add(.additional, at: pointer.appending(name.text)) }
        }
    }

    private mutating func add(_ kind: Difference.Kind, at pointer: JSONPointer) {
        if differences.count < Self.most { differences.append(Difference(kind: kind, pointer: pointer)) }
    }

    private static func members(of objects: [JSONObject]) -> (names: [ExactText], values: [ExactText: [JSONValue]]) {
        var (names, values): ([ExactText], [ExactText: [JSONValue]]) = ([], [:])
        for member in objects.lazy.flatMap(\.members) {
            if values[member.name.exact] == nil { names.append(member.name.exact) }
            values[member.name.exact, default: []].append(member.value)
        }
        return (names, values)
    }

    /// The kinds of values; 1 and 1.5 are of the same kind, because a text shows only the values of one moment.
    private static func kinds(of values: [JSONValue]) -> ValueKinds {
        values.reduce(into: []) { kinds, value in
            let kind = ValueKinds(of: value)
            kinds.formUnion(ValueKinds.number.contains(kind) ? .number : kind)
        }
    }

    /// Returns whether all names of members are data: ids, dates or addresses by which something is found.
    static func areKeyedByData(_ objects: [JSONObject]) -> Bool {
        objects.lazy.flatMap(\.members).allSatisfy { member in
            let bytes = member.name.utf8
            guard bytes.first?.isASCIIDigit != true, !bytes.contains(UInt8(ascii: "@")) else { return true }
            let isHexadecimal = bytes.allSatisfy { $0.hexadecimalDigitValue != nil || $0 == UInt8(ascii: "-") }
            return bytes.contains(where: \.isASCIIDigit) && (bytes.count >= 20 || isHexadecimal && bytes.count >= 8)
        }
    }
}

extension ShapeComparison.Difference {
    /// The difference as the end of a sentence; of a message, it contains only names of members.
    var words: String {
        let place = pointer.isRoot ? "the body" : pointer.description
        switch kind {
        case .missing: return "the real response has no \(place)"
        case .additional: return "the real response also has \(place)"
        case .otherKind(let real, let mock): return "\(place) is \(real.words) instead of \(mock.words)"
        }
    }
}

extension ValueKinds {
    /// The kinds for a sentence: `a string or null`.
    fileprivate var words: String {
        let names = singles.map { kind in
            switch kind {
            case .null: "null"
            case .boolean: "a boolean"
            case .integer, .fraction: "a number"
            case .string: "a string"
            case .array: "an array"
            default: "an object"
            }
        }
        return names.unique.joined(lastBy: "or")
    }
}

extension JSONPointer {
    /// The position of the first value in a document that the pointer leads to, where `*` means each element or member.
    ///
    /// If the document has no such value, it is the position of the last value on the way.
    func position(in document: JSONValue) -> JSONPosition {
        var values = [document]
        for token in tokens {
            let inner = values.flatMap { value -> [JSONValue] in
                if let named = value[token] { return [named] }
                guard token == "*" else { return Int(token).flatMap { value[$0] }.map { [$0] } ?? [] }
                return value.array ?? value.object?.members.map(\.value) ?? []
            }
            guard !inner.isEmpty else { break }
            values = inner
        }
        return values[0].position
    }
}
