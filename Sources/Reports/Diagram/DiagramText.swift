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
