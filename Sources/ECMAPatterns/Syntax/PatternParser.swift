/// Reads an expression (ECMA-262, section 22.2.1).
///
/// The grammar is the one of the `u` flag. Where it would refuse what documents in the wild contain, and Annex B.1.2
/// gives a meaning to it, that meaning is taken: single brackets and braces, escaped punctuation, and a
/// hyphen next to a class escape.
struct PatternParser {
    /// The limit of groups in groups: the walks over the tree are recursive, on stacks that may be small.
    static let deepestNesting = 50

    let scalars: [Unicode.Scalar]
    var position = 0
    var modifiers = Modifiers()
    var depth = 0
    var groupCount = 0
    var groupsByName: [PatternNode.GroupName: [Int]] = [:]
    /// The names that the alternative being read has used so far, and where.
    var namesInAlternative: [PatternNode.GroupName: Int] = [:]
    /// The meaning of backreferences is known only when all groups are.
    var references: [(reference: PatternNode.Reference, offset: Int)] = []

    init(_ source: String) { scalars = Array(source.unicodeScalars) }

    static func parse(_ source: String) throws(ECMAPatternError) -> ParsedPattern {
        var parser = PatternParser(source)
        let root = try parser.disjunction()
        if parser.next != nil {
            throw ECMAPatternError(
                "this `)` does not close a group; for the character, write `\\)`",
                at: parser.position
            )
        }
        let parsed = ParsedPattern(root: root, groupCount: parser.groupCount, groupsByName: parser.groupsByName)
        for (reference, offset) in parser.references { try parser.check(reference, at: offset) }
        return parsed
    }

    private func check(_ reference: PatternNode.Reference, at offset: Int) throws(ECMAPatternError) {
        switch reference {
        case .number(let number) where number > groupCount:
            let count = groupCount == 0 ? "no groups" : groupCount == 1 ? "one group" : "\(groupCount) groups"
            throw ECMAPatternError(
                "`\\\(number)` refers to a group that does not exist; the expression contains \(count)",
                at: offset
            )
        case .name(let name) where groupsByName[name] == nil:
            var text = String.UnicodeScalarView()
            text.append(contentsOf: name)
            throw ECMAPatternError("no group has the name `\(String(text))`", at: offset)
        default:
            break
        }
    }

    mutating func disjunction() throws(ECMAPatternError) -> PatternNode {
        let outer = namesInAlternative
        var namesOfAll: [PatternNode.GroupName: Int] = [:]
        var choices: [PatternNode] = []
        repeat {
            namesInAlternative = [:]
            choices.append(try alternative())
            namesOfAll.merge(namesInAlternative) { first, _ in first }
        } while take("|")
        namesInAlternative = outer
        // In the order in which they are written, so that the same mistake is always the one that is reported.
        for (name, offset) in namesOfAll.sorted(by: { $0.value < $1.value }) { try use(name, at: offset) }
        return .alternatives(choices)
    }

    mutating func use(_ name: PatternNode.GroupName, at offset: Int) throws(ECMAPatternError) {
        guard namesInAlternative.updateValue(offset, forKey: name) == nil else {
            throw ECMAPatternError("another group with the same name can match together with this group", at: offset)
        }
    }

    private mutating func alternative() throws(ECMAPatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let next, next != "|", next != ")" { parts.append(try term()) }
        return .sequence(parts)
    }
}

extension PatternParser {
    /// Reads the braces of `\p{…}`.
    mutating func property(at start: Int) throws(ECMAPatternError) -> ScalarSet {
        guard take("{") else {
            throw ECMAPatternError("`\\p` must be followed by a property in braces, as in `\\p{Letter}`", at: start)
        }
        let name = propertyWord()
        let value = take("=") ? propertyWord() : nil
        guard take("}") else {
            throw ECMAPatternError("the property that begins here is not closed by `}`", at: start)
        }
        guard let set = UnicodeProperty.set(name: name, value: value) else {
            let text = value.map { "\(name)=\($0)" } ?? name
            throw ECMAPatternError("ECMAScript defines no Unicode property `\(text)`", at: start)
        }
        return set
    }

    private mutating func propertyWord() -> String {
        var word = ""
        while let scalar = next, scalar.isASCII, ScalarSet.wordCharacters.contains(scalar.value) {
            word.unicodeScalars.append(scalar)
            position += 1
        }
        return word
    }
}

extension PatternParser {
    /// One thing in the brackets: a character, which may begin or end a range, or many.
    private enum ClassAtom {
        case character(UInt32)
        case many(ScalarSet)

        var ranges: [ClosedRange<UInt32>] {
            switch self {
            case .character(let character): [character...character]
            case .many(let set): set.ranges
            }
        }
    }

    /// Reads a class, from its opening bracket to its closing one.
    mutating func characterClass() throws(ECMAPatternError) -> ScalarSet {
        let start = position
        position += 1
        let negated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while let next, next != "]" {
            let place = position
            let first = try classAtom()
            guard self.next == "-", let end = scalar(after: 1), end != "]" else {
                ranges += first.ranges
                continue
            }
            position += 1
            let last = try classAtom()
            if case .character(let lower) = first, case .character(let upper) = last {
                guard lower <= upper else {
                    throw ECMAPatternError("the end of this range precedes its start", at: place)
                }
                ranges.append(lower...upper)
            } else {
                // `[\w-.]`, which Annex B.1.2 reads as both sides and the hyphen.
                ranges += first.ranges + [0x2D...0x2D] + last.ranges
            }
        }
        guard take("]") else {
            throw ECMAPatternError("the character class that begins here is not closed by `]`", at: start)
        }
        let set = modifiers.widened(ScalarSet(ranges))
        return negated ? set.complement : set
    }

    private mutating func classAtom() throws(ECMAPatternError) -> ClassAtom {
        let start = position
        guard take("\\") else {
            position += 1
            return .character(scalars[start].value)
        }
        if take("b") { return .character(0x08) }
        if let set = try setEscape(at: start) { return .many(set) }
        return .character(try characterEscape(at: start))
    }
}

extension PatternParser {
    var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    func scalar(after distance: Int) -> Unicode.Scalar? {
        position + distance < scalars.count ? scalars[position + distance] : nil
    }

    mutating func take(_ expected: Unicode.Scalar) -> Bool {
        guard next == expected else { return false }
        position += 1
        return true
    }

    /// Takes a text of ASCII characters if it is what follows.
    mutating func take(_ expected: String) -> Bool {
        let wanted = Array(expected.unicodeScalars)
        guard position + wanted.count <= scalars.count,
            scalars[position..<position + wanted.count].elementsEqual(wanted)
        else { return false }
        position += wanted.count
        return true
    }

    /// Takes a decimal number; what is too large to count is `LengthBounds.largest`.
    mutating func number() -> Int? {
        let start = position
        var value = 0
        while let digit = next, ("0"..."9").contains(digit) {
            value = min(value * 10 + Int(digit.value - 0x30), LengthBounds.largest)
            position += 1
        }
        return position == start ? nil : value
    }

    /// Takes exactly this number of hexadecimal digits.
    mutating func hexadecimal(digits: Int) -> UInt32? {
        var value: UInt32 = 0
        for distance in 0..<digits {
            guard let digit = scalar(after: distance)?.hexadecimalValue else { return nil }
            value = value << 4 | digit
        }
        position += digits
        return value
    }
}

extension Unicode.Scalar {
    /// The value of the scalar as a hexadecimal digit of ASCII.
    var hexadecimalValue: UInt32? {
        switch self {
        case "0"..."9": value - 0x30
        case "a"..."f": value - 0x61 + 10
        case "A"..."F": value - 0x41 + 10
        default: nil
        }
    }
}

extension PatternParser {
    /// Reads a group of any kind, from its opening parenthesis to its closing one.
    mutating func group() throws(ECMAPatternError) -> PatternNode {
        let start = position
        position += 1
        guard depth < PatternParser.deepestNesting else {
            throw ECMAPatternError(
                "groups are nested more than \(PatternParser.deepestNesting) levels deep",
                at: start,
                isLimit: true
            )
        }
        depth += 1
        defer { depth -= 1 }
        let outer = modifiers
        defer { modifiers = outer }

        let node: PatternNode
        if take("?:") {
            node = try disjunction()
        } else if let look = Self.lookarounds.first(where: { take($0.sign) }) {
            node = .look(PatternNode.Lookaround(behind: look.behind, negated: look.negated), try disjunction())
        } else if take("?<") {
            node = try namedGroup()
        } else if take("?") {
            try readModifiers(of: start)
            node = try disjunction()
        } else {
            groupCount += 1
            node = .capture(groupCount, try disjunction())
        }
        guard take(")") else {
            throw ECMAPatternError("the group that begins here is not closed", at: start)
        }
        return node
    }

    private static let lookarounds = [
        (sign: "?=", behind: false, negated: false), (sign: "?!", behind: false, negated: true),
        (sign: "?<=", behind: true, negated: false), (sign: "?<!", behind: true, negated: true),
    ]

    private mutating func namedGroup() throws(ECMAPatternError) -> PatternNode {
        let start = position
        let name = try groupName()
        groupCount += 1
        let index = groupCount
        groupsByName[name, default: []].append(index)
        try use(name, at: start)
        return .capture(index, try disjunction())
    }

    /// Reads a name up to and with its closing `>`.
    mutating func groupName() throws(ECMAPatternError) -> PatternNode.GroupName {
        let start = position
        var name: PatternNode.GroupName = []
        while let character = next, character != ">" {
            let place = position
            position += 1
            var scalar = character
            if character == "\\" {
                guard take("u"), let escaped = try unicodeEscape(at: place).flatMap(Unicode.Scalar.init) else {
                    throw ECMAPatternError("a group name must not contain an escape other than `\\u…`", at: place)
                }
                scalar = escaped
            }
            let properties = scalar.properties
            let joins = scalar == "\u{200C}" || scalar == "\u{200D}"
            let fits = name.isEmpty ? properties.isIDStart || scalar == "_" : properties.isIDContinue || joins
            guard fits || scalar == "$" else {
                throw ECMAPatternError("a group name must consist of letters, digits, `_` and `$`", at: place)
            }
            name.append(scalar)
        }
        guard take(">") else {
            throw ECMAPatternError("the name that begins here is not closed by `>`", at: start)
        }
        guard !name.isEmpty else { throw ECMAPatternError("the group name is missing", at: start) }
        return name
    }

    /// Reads `i`, `m` and `s`, those that are set and after a hyphen those that are cleared, and the colon.
    private mutating func readModifiers(of start: Int) throws(ECMAPatternError) {
        var seen: [Unicode.Scalar] = []
        var sets = true
        while let letter = next, letter != ":" {
            switch letter {
            case "i" where !seen.contains("i"): modifiers.ignoresCase = sets
            case "m" where !seen.contains("m"): modifiers.isMultiline = sets
            case "s" where !seen.contains("s"): modifiers.dotMatchesAll = sets
            case "-" where sets: sets = false
            default: throw ECMAPatternError("`(?` does not begin a valid ECMAScript group here", at: start)
            }
            if letter != "-" { seen.append(letter) }
            position += 1
        }
        guard !seen.isEmpty, take(":") else {
            throw ECMAPatternError("`(?` does not begin a valid ECMAScript group here", at: start)
        }
    }
}

extension PatternParser {
    /// Reads an assertion, or an atom with its quantifier.
    mutating func term() throws(ECMAPatternError) -> PatternNode {
        let groupsBefore = groupCount
        let start = position
        guard let first = next else { return .empty }
        switch first {
        case "^":
            position += 1
            return .assertion(modifiers.isMultiline ? .lineStart : .start)
        case "$":
            position += 1
            return .assertion(modifiers.isMultiline ? .lineEnd : .end)
        case "\\" where scalar(after: 1) == "b":
            position += 2
            return .assertion(.wordBoundary(ignoringCase: modifiers.ignoresCase))
        case "\\" where scalar(after: 1) == "B":
            position += 2
            return .assertion(.noWordBoundary(ignoringCase: modifiers.ignoresCase))
        default:
            break
        }
        let atom = try atom(first)
        if case .look = atom.kind { return atom }
        guard var repetition = try quantifier() else { return atom }
        repetition.groups = groupsBefore + 1..<groupCount + 1
        repetition.offset = start
        return .repetition(repetition, atom)
    }

    private mutating func atom(_ first: Unicode.Scalar) throws(ECMAPatternError) -> PatternNode {
        switch first {
        case "(":
            return try group()
        case ".":
            position += 1
            return .member(modifiers.dotMatchesAll ? .all : ScalarSet.lineTerminators.complement)
        case "[":
            return .member(try characterClass())
        case "\\":
            return try escape()
        case "*", "+", "?":
            throw nothingToRepeat()
        case "{":
            let start = position
            guard try quantifier() == nil else {
                position = start
                throw nothingToRepeat()
            }
        default:
            break
        }
        position += 1
        return .member(modifiers.widened(ScalarSet(first.value)))
    }

    private func nothingToRepeat() -> ECMAPatternError {
        let sign = next.map { String($0) } ?? ""
        return ECMAPatternError(
            "there is nothing before `\(sign)` to repeat; write `\\\(sign)` for the character",
            at: position
        )
    }

    /// Reads a quantifier if there is one; braces that are not a quantifier are left to be characters.
    private mutating func quantifier() throws(ECMAPatternError) -> PatternNode.Repetition? {
        let start = position
        let minimum: Int
        let maximum: Int?
        if take("*") {
            (minimum, maximum) = (0, nil)
        } else if take("+") {
            (minimum, maximum) = (1, nil)
        } else if take("?") {
            (minimum, maximum) = (0, 1)
        } else if take("{") {
            guard let least = number() else {
                position = start
                return nil
            }
            let most = take(",") ? number() : least
            guard take("}") else {
                position = start
                return nil
            }
            (minimum, maximum) = (least, most)
        } else {
            return nil
        }
        if let maximum, maximum < minimum {
            throw ECMAPatternError(
                "the maximum number of repetitions (\(maximum)) is less than the minimum (\(minimum))",
                at: start
            )
        }
        let isLazy = take("?")
        return PatternNode.Repetition(
            minimum: minimum,
            maximum: maximum,
            isLazy: isLazy,
            groups: 0..<0,
            offset: start
        )
    }
}

/// The flags that a group such as `(?i-s:…)` sets for what it holds.
struct Modifiers {
    /// `i`: letters match in either case.
    var ignoresCase = false
    /// `m`: `^` and `$` match at every line.
    var isMultiline = false
    /// `s`: `.` matches line ends too.
    var dotMatchesAll = false

    /// The characters that match where the expression names a set of them.
    func widened(_ set: ScalarSet) -> ScalarSet { ignoresCase ? set.closedOverCase : set }
}
