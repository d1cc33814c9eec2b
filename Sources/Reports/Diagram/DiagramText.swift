import Basics

/// A text in a diagram with the box that it takes, in the drawing's own units.
struct DiagramText: Sendable, Hashable {
    /// The meaning of a text, which determines its style.
    enum Role: String, Sendable {
        case lifeline
        case request
        case chip
        case refused
        case success
        case failure
        case granted
        case gate
        case mark
        case gap
        case time
        case token
        case badge
    }

    var role: Role
    var text: String
    var box: DiagramBox
    /// A Boolean value that indicates whether the text ends at the box's right edge.
    var isAtEnd = false

    /// Fits a text into a width, shortened in its middle where it must be.
    init?(_ role: Role, _ text: String, x: Int, y: Int, within width: Int, isAtEnd: Bool = false) {
        let size = role.size
        let text = text.printable.shortenedInside(toCells: TextCells.room(in: width, at: size))
        guard !text.isEmpty else { return nil }
        let taken = DiagramText.width(of: text, size: size)
        self.role = role
        self.text = text
        box = DiagramBox(x: isAtEnd ? x - taken : x, y: y, width: taken, height: DiagramText.lineHeight(size))
        self.isAtEnd = isAtEnd
    }

    static func width(of text: String, size: Int) -> Int {
        (TextCells.count(text) * size * TextCells.hundredthsOfEm + 99) / 100
    }

    /// Ascent and descent of the monospaced fonts that systems have, which are below 1.2 em.
    static func lineHeight(_ size: Int) -> Int { (size * 6 + 4) / 5 }

    /// The position of the letters.
    var baseline: Int { box.y + role.size }
}

extension DiagramText.Role {
    /// The size of its letters.
    var size: Int {
        switch self {
        case .time, .token, .badge: 10
        default: 11
        }
    }
}

/// A rectangle.
struct DiagramBox: Sendable, Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    var right: Int { x + width }
    var bottom: Int { y + height }

    func intersects(_ other: DiagramBox) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }
}

extension StoryDiagram.Chip {
    /// A token that was brought, in words that get fewer: `refresh-1 valid, 13 d left, 1 d old`.
    ///
    /// One of another kind than was required is named first of all: `access-1 as refresh`.
    var wordsWhenBrought: [String] {
        let name = wanted.map { "\(id) as \($0)" } ?? id
        guard let timeLeft else { return [state.isEmpty ? name : "\(name) \(state)"] }
        func words(_ span: String) -> String {
            if timeLeft >= 0 { return "\(name) \(state), \(span) left" }
            return state == "expired" ? "\(name) expired \(span) ago" : "\(name) \(state), expired \(span) ago"
        }
        let exact = words(TimeWords.short(timeLeft))
        let long = age.map { ["\(exact), \(TimeWords.short($0)) old"] } ?? []
        return long + [exact, words(TimeWords.short(timeLeft, units: 1)), "\(name) \(state)"]
    }

    /// A token that was granted: `+ access-2, lives 2 h`.
    var wordsWhenGranted: String {
        guard let timeLeft else { return "+ \(id)" }
        // A signed token expires at a whole second, so one of two hours is valid for a little less.
        let span = TimeWords.short(timeLeft >= 1 ? timeLeft.rounded(.up) : timeLeft)
        if !state.isEmpty { return timeLeft < 0 ? "+ \(id) again, expired \(span) ago" : "+ \(id) again, \(span) left" }
        return timeLeft <= 0 ? "+ \(id), expired immediately" : "+ \(id), lives \(span)"
    }
}

/// The columns that text takes in a monospaced font.
enum TextCells {
    /// The width of a column: 0.61 em, a little more than in Menlo, SF Mono, DejaVu Sans Mono and Courier.
    static let hundredthsOfEm = 61

    /// Returns the number of columns that fit into a width, for letters of a size.
    static func room(in width: Int, at size: Int) -> Int { max(0, width) * 100 / (size * hundredthsOfEm) }

    static func count(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }

    /// Two for East Asian letters and pictures, none for combining marks, otherwise one.
    static func width(of scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F000...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: return 0
            default: return 1
            }
        }
    }
}

extension String {
    /// The text with its middle left out where it takes more columns than there are.
    ///
    /// The end of a path says most, so a little more is kept of it than of the beginning.
    func shortenedInside(toCells limit: Int) -> String {
        guard unicodeScalars.count > limit / 2, TextCells.count(self) > limit else { return self }
        guard limit > 1 else { return "" }
        let tail = limit / 2
        return prefix(cells: limit - 1 - tail) + "…" + suffix(cells: tail)
    }

    private func prefix(cells limit: Int) -> String {
        var (text, taken) = (String.UnicodeScalarView(), 0)
        for scalar in unicodeScalars {
            taken += TextCells.width(of: scalar)
            guard taken <= limit else { break }
            text.append(scalar)
        }
        return String(text)
    }

    private func suffix(cells limit: Int) -> String {
        var (count, taken) = (0, 0)
        for scalar in unicodeScalars.reversed() {
            taken += TextCells.width(of: scalar)
            guard taken <= limit else { break }
            count += 1
        }
        return String(String.UnicodeScalarView(unicodeScalars.suffix(count)))
    }
}

/// Spans of time in words, by their two largest units.
enum TimeWords {
    private static let units: [(seconds: Int, symbol: String, noun: String)] = [
        (86_400, "d", "day"), (3_600, "h", "hour"), (60, "min", "minute"), (1, "s", "second"),
    ]

    /// `13 d 2 h`, `45 s`, `120 ms`.
    static func short(_ seconds: Double, units: Int = 2) -> String {
        parts(seconds).prefix(units).map { "\($0.count) \($0.symbol)" }.joined(separator: " ")
    }

    /// `2h1m`, for the narrow column of an axis.
    static func compact(_ seconds: Double) -> String {
        let words = parts(seconds).map { "\($0.count)\($0.symbol == "min" ? "m" : $0.symbol)" }.joined()
        return seconds < 0 ? "-" + words : words
    }

    /// `2 weeks`, `2 hours 1 minute`.
    static func long(_ seconds: Double) -> String {
        let days = whole(seconds) / 86_400
        if days >= 14, days % 7 == 0, whole(seconds) % 86_400 < 3_600 { return plural(days / 7, "week") }
        return parts(seconds).map { plural($0.count, $0.noun) }.joined(separator: " ")
    }

    /// The text of a shortened period: `2 weeks pass`.
    static func gap(from: Double, to: Double) -> String {
        if to < from { return "the clock is set back by \(long(from - to))" }
        let span = long(to - from)
        if to <= 0 { return "\(span) before the story" }
        let isOne = span.hasPrefix("1 ") && span.split(separator: " ").count == 2
        return "\(span) \(isOne ? "passes" : "pass")"
    }

    private static func whole(_ seconds: Double) -> Int {
        let magnitude = abs(seconds)
        guard magnitude.isFinite, magnitude < 1e15 else { return 1_000_000_000_000_000 }
        return Int(magnitude)
    }

    private static func parts(_ seconds: Double) -> [(count: Int, symbol: String, noun: String)] {
        guard abs(seconds) >= 1 || !seconds.isFinite else {
            return seconds == 0 ? [(0, "s", "second")] : [(Int(abs(seconds) * 1_000), "ms", "millisecond")]
        }
        var rest = whole(seconds)
        var parts: [(count: Int, symbol: String, noun: String)] = []
        for unit in units {
            let (count, remainder) = rest.quotientAndRemainder(dividingBy: unit.seconds)
            guard count > 0 else {
                if parts.isEmpty { continue } else { break }
            }
            parts.append((count, unit.symbol, unit.noun))
            rest = remainder
            if parts.count == 2 { break }
        }
        return parts
    }
}

extension TimeWords {
    /// A moment by its distance from the start.
    static func relative(_ seconds: Double) -> String {
        abs(seconds) < 1 ? "at the start" : "\(short(seconds)) \(seconds < 0 ? "before" : "after") the start"
    }
}
