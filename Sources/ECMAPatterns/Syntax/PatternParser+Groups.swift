extension PatternParser {
    /// Reads a group of any kind, from its opening parenthesis to its closing one.
    mutating func group() throws(ECMAPatternError) -> PatternNode {
        let start = position
        position += 1
        guard depth < PatternParser.deepestNesting else {
            throw ECMAPatternError("groups lie more than \(PatternParser.deepestNesting) deep in each other", at: start)
        }
        depth += 1
        defer { depth -= 1 }
        let outer = modifiers
        defer { modifiers = outer }

        let node: PatternNode
        if take("?:") {
            node = try disjunction()
        } else if take("?=") {
            node = .look(PatternNode.Look(behind: false, negated: false), try disjunction())
        } else if take("?!") {
            node = .look(PatternNode.Look(behind: false, negated: true), try disjunction())
        } else if take("?<=") {
            node = .look(PatternNode.Look(behind: true, negated: false), try disjunction())
        } else if take("?<!") {
            node = .look(PatternNode.Look(behind: true, negated: true), try disjunction())
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
            throw ECMAPatternError("the group that opens here is never closed", at: start)
        }
        return node
    }

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
                    throw ECMAPatternError("the name of a group may have no escape but `\\u…`", at: place)
                }
                scalar = escaped
            }
            let properties = scalar.properties
            let joins = scalar == "\u{200C}" || scalar == "\u{200D}"
            let fits = name.isEmpty ? properties.isIDStart || scalar == "_" : properties.isIDContinue || joins
            guard fits || scalar == "$" else {
                throw ECMAPatternError("the name of a group is made of letters, digits, `_` and `$`", at: place)
            }
            name.append(scalar)
        }
        guard take(">") else {
            throw ECMAPatternError("the name that begins here is not closed by `>`", at: start)
        }
        guard !name.isEmpty else { throw ECMAPatternError("the name of a group is missing", at: start) }
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
            default: throw ECMAPatternError("`(?` begins no kind of group of ECMAScript here", at: start)
            }
            if letter != "-" { seen.append(letter) }
            position += 1
        }
        guard !seen.isEmpty, take(":") else {
            throw ECMAPatternError("`(?` begins no kind of group of ECMAScript here", at: start)
        }
    }
}
