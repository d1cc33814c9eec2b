/// The columns that text takes in a monospaced font.
enum TextCells {
    /// How wide a column is: 0.61 em, a little more than in Menlo, SF Mono, DejaVu Sans Mono and Courier.
    static let hundredthsOfEm = 61

    /// How many columns fit into a width, for letters of a size.
    static func room(in width: Int, at size: Int) -> Int { max(0, width) * 100 / (size * hundredthsOfEm) }

    static func count(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }

    /// Two for East Asian letters and pictures, none for marks that stand on others, else one.
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
