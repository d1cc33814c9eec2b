import Basics
import HTTPCodec
import JSON

/// The difference between a value and the client's result, member by member.
struct ValueComparison {
    /// Something that did not come back as it was sent.
    struct Difference: Sendable, Equatable {
        /// In the response's body.
        var place: JSONPointer
        /// The change: `9007199254740993 became 9007199254740992`.
        var words: String
    }

    private(set) var differences: [Difference] = []
    /// Enough to say what is wrong; one value can differ in thousands of places.
    private static let limit = 50

    /// Compares what was sent with what came back.
    ///
    /// Members that came back and were not sent do not matter, and null counts as absent. A moment may be in another time
    /// zone, have other digits or be a number, a UUID may be in the other case, and `created_at` may be `createdAt`.
    ///
    /// - Parameters:
    ///   - place: the place of both in the response's body.
    ///   - isDropped: whether a place need not come back.
    init(
        _ sent: JSONValue?,
        _ returned: JSONValue?,
        at place: JSONPointer
    ) {
        compare(sent, returned, at: place)
    }

    /// Recursive, as variants are never deep.
    private mutating func compare(_ sent: JSONValue?, _ returned: JSONValue?, at place: JSONPointer) {
        guard differences.count < Self.limit else { return }
        let returned = returned?.isNull == true ? nil : returned
        guard let sent, !sent.isNull else {
            if let returned { add("\(sent == nil ? "nothing" : "null") became \(returned.brief)", at: place) }
            return
        }
        switch (sent.content, returned?.content) {
        case (.object(let sent), .object(let returned)):
            for member in sent.members {
                let found = returned[member.name] ?? returned[member.name.inCamelCase]
                compare(member.value, found, at: place.appending(member.name))
            }
        // A client that returns nothing at all has kept no member, and each may be left out with a reason.
        case (.object(let sent), nil) where !sent.isEmpty:
            for member in sent.members { compare(member.value, nil, at: place.appending(member.name)) }
        case (.object(let sent), nil) where sent.isEmpty && place.isRoot: break
        case (.array(let sent), .array(let returned)) where sent.count == returned.count:
            for (index, (sent, returned)) in zip(sent, returned).enumerated() {
                compare(sent, returned, at: place.appending(index))
            }
        case (.array(let sent), .array(let returned)):
            add("\(sent.count) elements became \(returned.count)", at: place)
        default:
            if sent == returned || returned.map(sent.meansTheSame) == true { return }
            add("\(sent.brief) became \(returned?.brief ?? "nothing")", at: place)
        }
    }

    private mutating func add(_ words: String, at place: JSONPointer) {
        differences.append(Difference(place: place, words: words))
    }
}

extension JSONValue {
    /// The value on one short line.
    var brief: String {
        switch content {
        case .object(let object): object.isEmpty ? "{}" : "an object"
        case .array(let elements): elements.isEmpty ? "[]" : "an array"
        default: text().shortened
        }
    }
}

extension JSONValue {
    /// Returns whether another value has the same meaning, because it was rewritten by a type that clients have for such
    /// values.
    func meansTheSame(as other: JSONValue) -> Bool {
        if let one = string, let two = other.string, one.isSameUUID(as: two) { return true }
        return moments.contains { one in
            other.moments(replacing: self).contains { abs(one - $0) < Self.lostTime }
        }
    }

    /// Formatters cut texts off at the millisecond, and a `Double` has often a little less than that, in seconds.
    private static let lostTime = 0.002

    /// The moments that it may mean, in seconds since 1970: by RFC 3339, or in seconds or milliseconds.
    private var moments: [Double] {
        if let text = string {
            return RFC3339.parse(text).map { [Double($0.secondsSince1970) + Double($0.nanoseconds) / 1e9] } ?? []
        }
        // Smaller numbers are counts and amounts.
        guard let number = number?.double, abs(number) > 1e8 else { return [] }
        return [number, number / 1_000]
    }

    /// The moments that it may mean in place of a value: also in seconds since the reference date of Foundation's `Date`,
    /// which is the default of encoders and the only number that another number may have become.
    private func moments(replacing sent: JSONValue) -> [Double] {
        guard let number = number?.double else { return moments }
        return (sent.number == nil ? moments : []) + [number + 978_307_200]
    }
}

extension String {
    /// In either case (RFC 9562, section 4).
    fileprivate func isSameUUID(as other: String) -> Bool {
        guard utf8.count == 36, other.utf8.count == 36 else { return false }
        return zip(utf8, other.utf8).enumerated().allSatisfy { index, digits in
            if [8, 13, 18, 23].contains(index) { return digits.0 == 0x2D && digits.1 == 0x2D }
            guard let one = Character(Unicode.Scalar(digits.0)).hexDigitValue else { return false }
            return one == Character(Unicode.Scalar(digits.1)).hexDigitValue
        }
    }

    /// As decoders that convert from snake case name a member.
    fileprivate var inCamelCase: String {
        let words = split(separator: "_")
        guard words.count > 1 else { return self }
        return prefix { $0 == "_" } + words[0].lowercased()
            + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined()
    }
}
