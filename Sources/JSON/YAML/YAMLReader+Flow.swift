extension YAMLReader {
    /// Takes an opening bracket or brace.
    ///
    /// - Parameter indent: the least indentation of further lines.
    mutating func enterFlow(properties: YAMLProperties, indent: Int) throws(JSONSyntaxError) -> Step {
        let kind = bytes[offset] == .openBracket ? Frame.Kind.flowSequence : .flowMapping
        try open(kind, at: offset, position: position(of: offset), indent: indent, properties: properties)
        offset += 1
        return .flowEntry
    }

    /// Reads an entry of a flow collection (YAML 1.2.2, section 7.4) up to its first node, or the collection's end.
    mutating func readFlowEntry() throws(JSONSyntaxError) -> Step {
        try skipFlowSeparation()
        let top = frames.count - 1
        let container = frames[top].container
        switch bytes[offset] {
        case .closeBracket, .closeBrace:
            return try leaveFlow()
        case .comma:
            throw error(.extraComma(container), at: offset)
        case UInt8(ascii: "?") where isBlank(at: offset + 1):
            if container == .array { try openPair(at: offset, position: position(of: offset)) }
            frames[frames.count - 1].part = .name
            offset += 1
        case .colon where isEndOfName(at: offset + 1):
            let name = emptyScalar((offset, position(of: offset)), YAMLProperties())
            if container == .array { try openPair(at: offset, position: name.position) }
            return try enterFlowValue(of: .scalar(name))
        default:
            if container == .object { frames[top].part = .name }
        }
        return .flowNode
    }

    mutating func readFlowNode() throws(JSONSyntaxError) -> Step {
        let empty = (offset: offset, position: position(of: offset))
        try skipFlowSeparation()
        var properties = YAMLProperties()
        while bytes[offset] == UInt8(ascii: "&") || bytes[offset] == UInt8(ascii: "!") {
            try readProperty(into: &properties)
            try skipFlowSeparation()
        }
        let indent = frames[frames.count - 1].indent
        switch bytes[offset] {
        case .openBracket, .openBrace:
            return try enterFlow(properties: properties, indent: indent)
        case .comma, .closeBracket, .closeBrace:
            return .finished(.scalar(emptyScalar(empty, properties)))
        case .colon where isEndOfName(at: offset + 1):
            return .finished(.scalar(emptyScalar(empty, properties)))
        case UInt8(ascii: "*"):
            guard properties.isEmpty else { throw error(.yaml(.propertiesOfAlias), at: offset) }
            return .finished(.node(try readAlias()))
        default:
            var scalar = try readFlowScalar(leastIndent: indent, inFlow: true)
            scalar.properties = properties
            return .finished(.scalar(scalar))
        }
    }

    /// Puts a finished node into the innermost collection, which is in flow style.
    mutating func placeInFlow(_ item: Item) throws(JSONSyntaxError) -> Step {
        let top = frames.count - 1
        switch frames[top].part {
        case .name, .colon:
            try skipFlowSeparation()
            if isAtFlowColon(behind: item) { return try enterFlowValue(of: item) }
            try addMember(named: item)
            frames[top].part = .entry
            if frames[top].kind == .flowPair { leavePair() }
        case .value:
            setValue(try node(of: item))
            if frames[top].kind == .flowPair { leavePair() }
        case .entry:
            skipBlanks()
            // The name of a pair without braces is on the same line as its colon.
            if item.offset >= lineStart, isAtFlowColon(behind: item) {
                try checkLength(of: item)
                try openPair(at: item.offset, position: position(of: item))
                return try enterFlowValue(of: item)
            }
            append(try node(of: item))
        }
        return .flowSeparator
    }

    mutating func readFlowSeparator() throws(JSONSyntaxError) -> Step {
        try skipFlowSeparation()
        let container = frames[frames.count - 1].container
        switch bytes[offset] {
        case .comma:
            offset += 1
            return .flowEntry
        case .closeBracket, .closeBrace:
            return try leaveFlow()
        case UInt8(ascii: "#"):
            throw error(.yaml(.commentWithoutSpace), at: offset)
        case .colon where container == .array:
            throw error(.yaml(.nameOfManyLines), at: offset)
        default:
            throw error(.missingComma(container), at: offset)
        }
    }

    // MARK: Beginnings and ends

    private mutating func openPair(at offset: Int, position: JSONPosition) throws(JSONSyntaxError) {
        let indent = frames[frames.count - 1].indent
        try open(.flowPair, at: offset, position: position, indent: indent, properties: YAMLProperties())
    }

    /// Takes the colon behind a name.
    private mutating func enterFlowValue(of name: Item) throws(JSONSyntaxError) -> Step {
        try addMember(named: name)
        frames[frames.count - 1].part = .value
        offset += 1
        return .flowNode
    }

    private mutating func leavePair() {
        append(close())
    }

    /// Takes a closing bracket or brace.
    private mutating func leaveFlow() throws(JSONSyntaxError) -> Step {
        let frame = frames[frames.count - 1]
        let closing: UInt8 = frame.container == .array ? .closeBracket : .closeBrace
        guard bytes[offset] == closing else {
            throw error(.wrongClosing(frame.container, opened: frame.position), at: offset)
        }
        offset += 1
        let node = close()
        if frames.last?.isFlow != true {
            skipBlanks()
            guard !isAtIndicator(.colon) else { throw error(.yaml(.collectionAsName), at: node.offset) }
            guard !frame.mustBeName else { throw error(.yaml(.twoAnchors), at: node.offset) }
        }
        return .finished(.node(node))
    }

    private func position(of item: Item) -> JSONPosition {
        switch item {
        case .scalar(let scalar): scalar.position
        case .node(let node): node.value.position
        }
    }

    // MARK: Characters

    /// Skips white space, line breaks and comments up to a character of the innermost collection.
    mutating func skipFlowSeparation() throws(JSONSyntaxError) {
        try skipSeparation()
        let frame = frames[frames.count - 1]
        guard offset < bytes.count, !isAtMarker() else {
            throw error(.notClosed(frame.container, opened: frame.position), at: offset)
        }
        guard offset == contentStart, spaces < frame.indent else { return }
        // A closing bracket below the name of its member is common, and has one meaning only.
        let isClosing = bytes[offset] == .closeBracket || bytes[offset] == .closeBrace
        guard isClosing, spaces == frame.indent - 1, !sawTab else {
            throw continuationError(frame.indent, of: frame.offset)
        }
    }

    /// The error for a line that is indented less than what it continues.
    ///
    /// Mostly an end is missing where that begins, and the line is right.
    func continuationError(_ least: Int, of opening: Int) -> JSONSyntaxError {
        let isTab = sawTab && lineStart + spaces < bytes.count && bytes[lineStart + spaces] == .tab
        guard !isTab else { return error(.yaml(.tabIndentation), at: lineStart + spaces) }
        return error(.yaml(.openAcross(line: line(of: offset), least: least)), at: opening)
    }

    /// Returns whether a colon before an offset ends a name: what follows cannot go on a plain text.
    private func isEndOfName(at offset: Int) -> Bool {
        isBlank(at: offset) || bytes[offset].isFlowIndicator
    }

    /// Returns whether a colon at `offset` makes an item a name; behind quotes and brackets it may touch the value.
    private func isAtFlowColon(behind item: Item) -> Bool {
        guard offset < bytes.count, bytes[offset] == .colon else { return false }
        let isLikeJSON =
            switch item {
            case .scalar(let scalar): !scalar.isPlain
            case .node(let node): node.name == nil
            }
        return isLikeJSON || isEndOfName(at: offset + 1)
    }
}

extension UInt8 {
    /// A Boolean value that indicates whether it ends plain text in flow collections: `,`, `[`, `]`, `{` or `}`.
    @inline(__always)
    var isFlowIndicator: Bool {
        switch self {
        case .comma, .openBracket, .closeBracket, .openBrace, .closeBrace: true
        default: false
        }
    }
}
