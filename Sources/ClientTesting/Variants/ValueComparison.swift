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
    /// Members that came back and were not sent do not matter, and null counts as absent. So is a moment in another
    /// time zone or with other digits, and a UUID in the other case.
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
                compare(member.value, returned[member.name], at: place.appending(member.name))
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
    /// Returns whether another text has the same meaning in other letters, because it was rewritten by a type that clients
    /// have for such texts.
    func meansTheSame(as other: JSONValue) -> Bool {
        guard let one = string, let two = other.string else { return false }
        return one.isSameUUID(as: two) || one.isSameMoment(as: two)
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

    /// Within the millisecond to which such texts are usually written.
    fileprivate func isSameMoment(as other: String) -> Bool {
        guard let one = RFC3339.parse(self), let two = RFC3339.parse(other) else { return false }
        let (seconds, isFar) = one.secondsSince1970.subtractingReportingOverflow(two.secondsSince1970)
        guard !isFar, -1...1 ~= seconds else { return false }
        return abs(Int(seconds) * 1_000_000_000 + one.nanoseconds - two.nanoseconds) <= 1_000_000
    }
}
