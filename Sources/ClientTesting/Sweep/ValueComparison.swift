import Basics
import JSON

/// What a client has made of a value, member by member.
struct ValueComparison {
    /// Something that did not come back as it was sent.
    struct Difference: Sendable, Equatable {
        /// In the response's body.
        var place: JSONPointer
        /// What became of it: `9007199254740993 became 9007199254740992`.
        var words: String
    }

    private(set) var differences: [Difference] = []
    /// Enough to say what is wrong; one value can differ in thousands of places.
    private static let limit = 50

    /// Compares what was sent with what came back.
    ///
    /// Members that came back and were not sent do not matter, and null is as good as absent. So is a moment in another
    /// time zone or with other digits, and a UUID in the other case.
    ///
    /// - Parameters:
    ///   - place: where both stand in the response's body.
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
