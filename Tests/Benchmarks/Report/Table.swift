import Foundation

/// A table of text whose columns line up; the first is flush left, the others flush right.
struct Table {
    private var rows: [[String]]

    init(_ header: String...) {
        rows = [header]
    }

    mutating func add(_ cells: String...) {
        rows.append(cells)
    }

    func print() {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for (number, row) in rows.enumerated() {
            let cells = zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }
            say("  " + cells.joined(separator: "   "))
            if number == 0 { say("  " + widths.map { String(repeating: "-", count: $0) }.joined(separator: "   ")) }
        }
        say("")
    }
}

/// Writes a line at once, so that whoever watches a long run sees how far it is.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

extension Double {
    /// The number with that many digits behind the point, and commas between thousands.
    func text(_ digits: Int = 0) -> String {
        guard isFinite else { return "-" }
        let plain = String(format: "%.\(digits)f", abs(self))
        let whole = plain.prefix { $0 != "." }
        var grouped = ""
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index) % 3 == 0 { grouped += "," }
            grouped.append(digit)
        }
        return (self < 0 ? "-" : "") + grouped + plain.dropFirst(whole.count)
    }
}
