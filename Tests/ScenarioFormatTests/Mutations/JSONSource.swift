import JSON

/// The text of a JSON file as scalars, where places are found by line and column.
struct JSONSource {
    var scalars: [Unicode.Scalar]

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    init(_ scalars: some Sequence<Unicode.Scalar>) {
        self.scalars = Array(scalars)
    }

    var text: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    func offset(of position: JSONPosition) -> Int {
        var line = 1
        var start = 0
        for (offset, scalar) in scalars.enumerated() where line < Int(position.line) && scalar == "\n" {
            line += 1
            start = offset + 1
        }
        return start + Int(position.column) - 1
    }

    func line(of offset: Int) -> Int {
        1 + scalars[..<min(offset, scalars.count)].count { $0 == "\n" }
    }

    /// The offset behind the value or name that begins here.
    func end(of start: Int) -> Int {
        var depth = 0
        var isQuoted = false
        var offset = start
        while offset < scalars.count {
            switch scalars[offset] {
            case "\\" where isQuoted: offset += 1
            case "\"":
                isQuoted.toggle()
                if !isQuoted && depth == 0 { return offset + 1 }
            case "{", "[": if !isQuoted { depth += 1 }
            case "}", "]":
                if isQuoted { break }
                if depth == 0 { return offset }
                depth -= 1
                if depth == 0 { return offset + 1 }
            case ",", " ", "\n": if !isQuoted && depth == 0 { return offset }
            default: break
            }
            offset += 1
        }
        return offset
    }

    /// The offsets of a character of the grammar, outside of strings; of quotes, those that begin and end strings.
    func offsets(of wanted: Unicode.Scalar) -> [Int] {
        var found: [Int] = []
        var isQuoted = false
        var offset = 0
        while offset < scalars.count {
            let scalar = scalars[offset]
            if isQuoted && scalar == "\\" {
                offset += 2
                continue
            }
            if scalar == "\"" { isQuoted.toggle() }
            if scalar == wanted && (!isQuoted || scalar == "\"") { found.append(offset) }
            offset += 1
        }
        return found
    }

    /// The first offset from here that holds no white space.
    func next(from offset: Int) -> Int {
        scalars[offset...].firstIndex { $0 != " " && $0 != "\n" } ?? scalars.count
    }

    func replacing(_ range: Range<Int>, by text: String) -> JSONSource {
        var copy = self
        copy.scalars.replaceSubrange(range, with: text.unicodeScalars)
        return copy
    }
}
