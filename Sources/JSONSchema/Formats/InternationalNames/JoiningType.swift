/// How a letter joins its neighbours in cursive scripts (Unicode's Joining_Type).
enum JoiningType {
    /// It joins the letter before it, as alef does.
    case right
    /// It joins the letter after it.
    case left
    /// It joins both, as beh does.
    case dual

    /// The type of a scalar; `nil` for letters that join none.
    init?(_ scalar: Unicode.Scalar) {
        var low = 0
        var high = Self.runs.count
        while low < high {
            let middle = (low + high) / 2
            if Self.runs[middle].last < scalar.value { low = middle + 1 } else { high = middle }
        }
        guard low < Self.runs.count, Self.runs[low].first <= scalar.value else { return nil }
        self = Self.runs[low].type
    }

    /// Whether joining goes through a scalar: marks and format controls.
    static func isTransparent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }

    private struct Run {
        var first: UInt32
        var last: UInt32
        var type: JoiningType
    }

    private static let runs: [Run] = table.split { $0 == " " || $0 == "\n" }.compactMap { entry in
        let bounds = entry.dropLast().split(separator: "-").compactMap { UInt32($0, radix: 16) }
        guard let first = bounds.first, let last = bounds.last else { return nil }
        return Run(first: first, last: last, type: entry.last == "D" ? .dual : entry.last == "R" ? .right : .left)
    }
}
