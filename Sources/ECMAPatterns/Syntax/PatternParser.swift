/// Reads an expression (ECMA-262, section 22.2.1).
///
/// The grammar is the one of the `u` flag. Where it would refuse what documents in the wild contain, and Annex B.1.2
/// gives a meaning to it, that meaning is taken: brackets and braces that stand alone, escaped punctuation, and a
/// hyphen beside a class escape.
struct PatternParser {
    /// How deep groups may lie in each other: what walks the tree calls itself, on stacks that may be small.
    static let deepestNesting = 50

    let scalars: [Unicode.Scalar]
    var position = 0
    var modifiers = Modifiers()
    var depth = 0
    var groupCount = 0
    var groupsByName: [PatternNode.GroupName: [Int]] = [:]
    /// The names that the alternative being read has used so far, and where.
    var namesInAlternative: [PatternNode.GroupName: Int] = [:]
    /// What backreferences mean can be known only when all groups are.
    var references: [(reference: PatternNode.Reference, offset: Int)] = []

    init(_ source: String) { scalars = Array(source.unicodeScalars) }

    static func parse(_ source: String) throws(ECMAPatternError) -> ParsedPattern {
        var parser = PatternParser(source)
        let root = try parser.disjunction()
        if parser.next != nil {
            throw ECMAPatternError("this `)` closes no group; as a character it is written `\\)`", at: parser.position)
        }
        let parsed = ParsedPattern(root: root, groupCount: parser.groupCount, groupsByName: parser.groupsByName)
        for (reference, offset) in parser.references { try parser.check(reference, at: offset) }
        return parsed
    }

    private func check(_ reference: PatternNode.Reference, at offset: Int) throws(ECMAPatternError) {
        switch reference {
        case .number(let number) where number > groupCount:
            let count = groupCount == 0 ? "no groups" : groupCount == 1 ? "one group" : "\(groupCount) groups"
            throw ECMAPatternError("`\\\(number)` refers to a group, but the expression has \(count)", at: offset)
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
        // In the order in which they are written, so that the same mistake is always the one that is told.
        for (name, offset) in namesOfAll.sorted(by: { $0.value < $1.value }) { try use(name, at: offset) }
        return .alternatives(choices)
    }

    mutating func use(_ name: PatternNode.GroupName, at offset: Int) throws(ECMAPatternError) {
        guard namesInAlternative.updateValue(offset, forKey: name) == nil else {
            throw ECMAPatternError("another group that can match beside this one has the same name", at: offset)
        }
    }

    private mutating func alternative() throws(ECMAPatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let next, next != "|", next != ")" { parts.append(try term()) }
        return .sequence(parts)
    }
}
