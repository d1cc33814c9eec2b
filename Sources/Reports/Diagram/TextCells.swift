import Basics

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
