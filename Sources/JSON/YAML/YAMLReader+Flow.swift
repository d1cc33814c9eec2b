extension YAMLReader {
    /// Takes an opening bracket or brace.
    ///
    /// - Parameter indent: the least indentation of further lines.
    mutating func enterFlow(properties: YAMLProperties, indent: Int) throws(JSONSyntaxError) -> Step {
        let kind = scanner.byte == .openBracket ? Frame.Kind.flowSequence : .flowMapping
        try open(kind, at: scanner.place, indent: indent, properties: properties)
        scanner.offset += 1
        return .flowEntry
    }

    /// Reads an entry of a flow collection (YAML 1.2.2, section 7.4) up to its first node, or the collection's end.
    mutating func readFlowEntry() throws(JSONSyntaxError) -> Step {
        try skipFlowSeparation()
        let top = frames.count - 1
        let container = frames[top].container
        switch scanner.byte {
        case .closeBracket, .closeBrace:
            return try leaveFlow()
        case .comma:
            throw scanner.error(.extraComma(container))
        case UInt8(ascii: "?") where scanner.isBlank(at: scanner.offset + 1):
            if container == .array { try openPair(at: scanner.place) }
            frames[frames.count - 1].part = .name
            scanner.offset += 1
        case .colon where scanner.isEndOfName(at: scanner.offset + 1):
            let name = emptyScalar(scanner.place)
            if container == .array { try openPair(at: (name.offset, name.position)) }
            return try enterFlowValue(of: .scalar(name))
        default:
            if container == .object { frames[top].part = .name }
        }
        return .flowNode
    }

    mutating func readFlowNode() throws(JSONSyntaxError) -> Step {
        let empty = scanner.place
        try skipFlowSeparation()
        var properties = YAMLProperties()
        while scanner.isAtProperty {
            try readProperty(into: &properties)
            try skipFlowSeparation()
        }
        let indent = frames[frames.count - 1].indent
        switch scanner.byte {
        case .openBracket, .openBrace:
            return try enterFlow(properties: properties, indent: indent)
        case .comma, .closeBracket, .closeBrace:
            return .finished(.scalar(emptyScalar(empty, properties)))
        case .colon where scanner.isEndOfName(at: scanner.offset + 1):
            return .finished(.scalar(emptyScalar(empty, properties)))
        case UInt8(ascii: "*"):
            guard properties.isEmpty else { throw scanner.error(.yaml(.propertiesOfAlias)) }
            return .finished(.node(try readAlias()))
        default:
            var scalar = try scanner.readFlowScalar(leastIndent: indent, within: frames[frames.count - 1].offset)
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
            scanner.skipBlanks()
            // The name of a pair without braces is on the same line as its colon.
            if item.offset >= scanner.lineStart, isAtFlowColon(behind: item) {
                try checkLength(of: item)
                try openPair(at: item.place)
                return try enterFlowValue(of: item)
            }
            append(try node(of: item))
        }
        return .flowSeparator
    }

    mutating func readFlowSeparator() throws(JSONSyntaxError) -> Step {
        try skipFlowSeparation()
        let container = frames[frames.count - 1].container
        switch scanner.byte {
        case .comma:
            scanner.offset += 1
            return .flowEntry
        case .closeBracket, .closeBrace:
            return try leaveFlow()
        case UInt8(ascii: "#"):
            throw scanner.error(.yaml(.commentWithoutSpace))
        case .colon where container == .array:
            throw scanner.error(.yaml(.nameOfManyLines))
        default:
            throw scanner.error(.missingComma(container))
        }
    }

    // MARK: Beginnings and ends

    private mutating func openPair(at place: YAMLScanner.Place) throws(JSONSyntaxError) {
        try open(.flowPair, at: place, indent: frames[frames.count - 1].indent)
    }

    /// Takes the colon behind a name.
    private mutating func enterFlowValue(of name: Item) throws(JSONSyntaxError) -> Step {
        try addMember(named: name)
        frames[frames.count - 1].part = .value
        scanner.offset += 1
        return .flowNode
    }

    private mutating func leavePair() {
        append(close())
    }

    /// Takes a closing bracket or brace.
    private mutating func leaveFlow() throws(JSONSyntaxError) -> Step {
        let frame = frames[frames.count - 1]
        let closing: UInt8 = frame.container == .array ? .closeBracket : .closeBrace
        guard scanner.byte == closing else {
            throw scanner.error(.wrongClosing(frame.container, opened: frame.position))
        }
        scanner.offset += 1
        let node = close()
        if frames.last?.isFlow != true {
            guard !scanner.skipToColon() else { throw scanner.error(.yaml(.collectionAsName), at: node.offset) }
            guard !frame.mustBeName else { throw scanner.error(.yaml(.twoAnchors), at: node.offset) }
        }
        return .finished(.node(node))
    }

    // MARK: Characters

    /// Skips white space, line breaks and comments up to a character of the innermost collection.
    mutating func skipFlowSeparation() throws(JSONSyntaxError) {
        try scanner.skipSeparation()
        let frame = frames[frames.count - 1]
        guard !scanner.isAtEnd, !scanner.isAtMarker() else {
            throw scanner.error(.notClosed(frame.container, opened: frame.position))
        }
        guard scanner.isAtContent, scanner.spaces < frame.indent else { return }
        // A closing bracket below the name of its member is common, and has one meaning only.
        let isClosing = scanner.byte == .closeBracket || scanner.byte == .closeBrace
        guard isClosing, scanner.spaces == frame.indent - 1, !scanner.sawTab else {
            throw scanner.continuationError(frame.indent, of: frame.offset)
        }
    }

    /// Returns whether a colon at `offset` makes an item a name; behind quotes and brackets it may touch the value.
    private func isAtFlowColon(behind item: Item) -> Bool {
        guard !scanner.isAtEnd, scanner.byte == .colon else { return false }
        let isLikeJSON =
            switch item {
            case .scalar(let scalar): !scalar.isPlain
            case .node(let node): node.name == nil
            }
        return isLikeJSON || scanner.isEndOfName(at: scanner.offset + 1)
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
