import JSON

/// The verdicts of a validation that takes unusually many steps.
///
/// A schema that applies another one along two ways, which does the same, applies the last one along 2^n ways. Each is
/// decided once for each value.
struct VerdictMemo {
    private struct Question: Hashable {
        var node: Int32
        var value: JSONValue
    }

    /// The number of verdicts that are kept.
    private static let capacity = 100_000
    /// The number of questions after which a memo must have answered a quarter of them.
    private static let trial = 10_000

    private var verdicts: [Question: Bool] = [:]
    private var questions = 0
    private var answers = 0

    /// A Boolean value that indicates whether the run repeats itself, as far as this is known.
    var isUseful: Bool { questions < Self.trial || answers * 4 >= questions }

    mutating func verdict(of node: Int32, _ value: JSONValue) -> Bool? {
        questions += 1
        let verdict = verdicts[Question(node: node, value: value)]
        if verdict != nil { answers += 1 }
        return verdict
    }

    mutating func keep(_ verdict: Bool, of node: Int32, _ value: JSONValue) {
        guard verdicts.count < Self.capacity else { return }
        verdicts[Question(node: node, value: value)] = verdict
    }
}

extension JSONValue {
    /// A Boolean value that indicates whether a value takes less time to compare than to validate.
    var isSmall: Bool {
        var room = 64
        return fits(&room)
    }

    private func fits(_ room: inout Int) -> Bool {
        room -= 1
        switch content {
        case .array(let elements):
            guard elements.count <= room else { return false }
            return elements.allSatisfy { $0.fits(&room) }
        case .object(let object):
            guard object.count <= room else { return false }
            return object.members.allSatisfy { $0.name.utf8.count <= 256 && $0.value.fits(&room) }
        case .string(let text): return room >= 0 && text.utf8.count <= 256
        default: return room >= 0
        }
    }
}
