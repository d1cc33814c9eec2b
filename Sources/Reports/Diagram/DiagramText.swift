import Basics

/// A text in a diagram with the box that it takes, in the drawing's own units.
struct DiagramText: Sendable, Hashable {
    /// What a text says, which decides how it looks.
    enum Role: String, Sendable {
        case lane
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
    /// Whether the text ends at the box's right edge.
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

    /// Where the letters stand.
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
