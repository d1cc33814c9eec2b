extension YAMLReader {
    /// Reads a node in block style (YAML 1.2.2, section 8.2.3), or what a collection begins with.
    ///
    /// Properties before a line break are the node's. Those on the line of a member's name are the name's, which is
    /// known behind it only: `&mapping` and a line below `&name a: b`.
    mutating func readBlockNode(at place: BlockPlace) throws(JSONSyntaxError) -> Step {
        let empty = scanner.place
        var outer = YAMLProperties()
        var inner = YAMLProperties()
        var canOpen = place.isCompact
        var isAfterTab = false
        var entry = scanner.offset
        while true {
            try scanner.skipSeparation()
            if scanner.isAtContent {
                try merge(&inner, into: &outer)
                guard try hasContent(place) else { return .finished(.scalar(emptyScalar(empty, outer))) }
                canOpen = true
                isAfterTab = scanner.sawTab
            } else if inner.isEmpty, scanner.sawTab {
                isAfterTab = true
            }
            guard !scanner.isAtEnd else {
                try merge(&inner, into: &outer)
                return .finished(.scalar(emptyScalar(empty, outer)))
            }
            if inner.isEmpty { entry = scanner.offset }
            guard scanner.isAtProperty else { break }
            try readProperty(into: &inner)
        }
        let column = entry - scanner.lineStart
        let opening = Opening(isAllowed: canOpen, isAfterTab: isAfterTab, column: column, properties: outer)
        switch scanner.byte {
        case .minus where scanner.isBlank(at: scanner.offset + 1):
            guard inner.isEmpty else { throw scanner.error(.yaml(.propertiesBeforeEntry), at: entry) }
            try open(.blockSequence, as: opening, position: scanner.place.position)
            return enterSequence()
        case UInt8(ascii: "?") where scanner.isBlank(at: scanner.offset + 1):
            guard inner.isEmpty else { throw scanner.error(.yaml(.propertiesBeforeEntry), at: entry) }
            try open(.blockMapping, as: opening, position: scanner.place.position)
            return enter(.name)
        case .colon where scanner.isBlank(at: scanner.offset + 1):
            let name = emptyScalar(scanner.place, inner)
            try open(.blockMapping, as: opening, position: name.position)
            return try enterValue(of: .scalar(name))
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            try merge(&inner, into: &outer)
            var scalar = try scanner.readBlockScalar(parent: place.parent)
            scalar.properties = outer
            return .finished(.scalar(scalar))
        case .openBracket, .openBrace:
            // Both can have an anchor when it is a name, which is refused behind it.
            let isName = inner.anchor != nil && outer.anchor != nil || inner.tag != nil && outer.tag != nil
            if !isName { try merge(&inner, into: &outer) }
            let step = try enterFlow(properties: outer, indent: place.parent + 1)
            frames[frames.count - 1].mustBeName = isName
            return step
        case UInt8(ascii: "*"):
            guard inner.isEmpty else { throw scanner.error(.yaml(.propertiesOfAlias), at: entry) }
            let alias = try readAlias()
            if scanner.skipToColon() {
                try open(.blockMapping, as: opening, position: alias.value.position)
                return try enterValue(of: .node(alias))
            }
            guard outer.isEmpty else { throw scanner.error(.yaml(.propertiesOfAlias), at: alias.offset) }
            return .finished(.node(alias))
        default:
            let line = scanner.lineStart
            var scalar = try scanner.readFlowScalar(leastIndent: place.parent + 1)
            if scanner.skipToColon() {
                guard line == scanner.lineStart else {
                    throw scanner.error(.yaml(.nameOfManyLines), at: scalar.offset)
                }
                try open(.blockMapping, as: opening, position: scalar.position)
                scalar.properties = inner
                return try enterValue(of: .scalar(scalar))
            }
            try merge(&inner, into: &outer)
            scalar.properties = outer
            return .finished(.scalar(scalar))
        }
    }

    /// Returns whether a line that was begun belongs to a node, or ends it before it has begun.
    private func hasContent(_ place: BlockPlace) throws(JSONSyntaxError) -> Bool {
        guard !scanner.isAtEnd, !scanner.isAtMarker() else { return false }
        if scanner.spaces > place.parent { return true }
        try scanner.checkIndentation()
        return scanner.spaces == place.parent && place.allowsSequenceAtParent && scanner.isAtIndicator(.minus)
    }

    /// Reads on behind a node: a further entry of the innermost collection, or its end.
    mutating func readBlockEntry() throws(JSONSyntaxError) -> Step {
        try scanner.skipSeparation()
        guard !scanner.isAtEnd, !scanner.isAtMarker() else { return .finished(.node(close())) }
        guard scanner.isAtContent else { throw scanner.textAfterValue() }
        try scanner.checkIndentation()
        let top = frames.count - 1
        let frame = frames[top]
        if scanner.spaces < frame.indent { return .finished(.node(close())) }
        guard scanner.spaces == frame.indent else { throw indentationError() }
        if frame.kind == .blockSequence {
            if scanner.isAtIndicator(.minus) { return enterSequence() }
            let isInMapping = top > 0 && frames[top - 1].kind == .blockMapping && frames[top - 1].indent == frame.indent
            guard isInMapping else { throw scanner.error(.yaml(.missingDash)) }
            return .finished(.node(close()))
        }
        return try readMember()
    }

    /// Reads the text at the column of a mapping's members.
    private mutating func readMember() throws(JSONSyntaxError) -> Step {
        let top = frames.count - 1
        if scanner.isAtIndicator(.colon), frames[top].part == .colon { return enter(.value) }
        if scanner.isAtIndicator(UInt8(ascii: "?")) { return enter(.name) }
        var name = emptyScalar(scanner.place)
        if scanner.isAtIndicator(.colon) { return try enterValue(of: .scalar(name)) }
        guard !scanner.isAtIndicator(.minus) else { throw scanner.error(.yaml(.entryAmongMembers)) }
        let line = scanner.lineStart
        var properties = YAMLProperties()
        while !scanner.isAtEnd, scanner.isAtProperty {
            try readProperty(into: &properties)
            scanner.skipBlanks()
        }
        guard !scanner.isAtEnd, !scanner.isBreak(at: scanner.offset) else {
            throw scanner.error(.yaml(.missingColon), at: name.offset)
        }
        var item: Item
        switch scanner.byte {
        case .openBracket, .openBrace:
            throw scanner.error(.yaml(.collectionAsName))
        case .colon where scanner.isBlank(at: scanner.offset + 1):
            name.properties = properties
            item = .scalar(name)
        case UInt8(ascii: "*"):
            guard properties.isEmpty else { throw scanner.error(.yaml(.propertiesOfAlias)) }
            item = .node(try readAlias())
        default:
            name = try scanner.readFlowScalar(leastIndent: scanner.spaces + 1, isOneLine: true)
            name.properties = properties
            item = .scalar(name)
        }
        guard scanner.skipToColon() else { throw scanner.error(.yaml(.missingColon), at: name.offset) }
        guard line == scanner.lineStart else { throw scanner.error(.yaml(.nameOfManyLines), at: item.offset) }
        return try enterValue(of: item)
    }

    /// Puts a finished node into the innermost collection, which is in block style.
    mutating func placeInBlock(_ item: Item) throws(JSONSyntaxError) -> Step {
        let top = frames.count - 1
        if frames[top].kind == .blockSequence {
            append(try node(of: item))
        } else if frames[top].part == .name {
            try addMember(named: item)
            frames[top].part = .colon
        } else {
            setValue(try node(of: item))
        }
        return .blockEntry
    }

    // MARK: Beginnings

    /// The place where a block collection may begin, if any.
    struct Opening {
        var isAllowed: Bool
        var isAfterTab: Bool
        var column: Int
        var properties: YAMLProperties
    }

    private mutating func open(
        _ kind: Frame.Kind,
        as opening: Opening,
        position: JSONPosition
    ) throws(JSONSyntaxError) {
        let start = scanner.lineStart + opening.column
        guard opening.isAllowed else {
            throw scanner.error(.yaml(kind == .blockSequence ? .sequenceOnLine : .mappingOnLine), at: start)
        }
        guard !opening.isAfterTab else { throw scanner.error(.yaml(.tabIndentation), at: scanner.tab(before: start)) }
        try open(kind, at: (start, position), indent: opening.column, properties: opening.properties)
    }

    /// Takes a dash.
    private mutating func enterSequence() -> Step {
        scanner.offset += 1
        return .blockNode(BlockPlace(parent: frames[frames.count - 1].indent, isCompact: true))
    }

    /// Takes a question mark before a name, or the colon behind such a name, before its value.
    private mutating func enter(_ part: Frame.Part) -> Step {
        let top = frames.count - 1
        scanner.offset += 1
        frames[top].part = part
        return .blockNode(
            BlockPlace(parent: frames[top].indent, isCompact: true, allowsSequenceAtParent: true)
        )
    }

    /// Consumes the colon after a name that is alone on its line.
    private mutating func enterValue(of name: Item) throws(JSONSyntaxError) -> Step {
        try checkLength(of: name)
        try addMember(named: name)
        let top = frames.count - 1
        scanner.offset += 1
        frames[top].part = .value
        return .blockNode(BlockPlace(parent: frames[top].indent, allowsSequenceAtParent: true))
    }

    /// Refuses a name that ends too far from its beginning.
    func checkLength(of name: Item) throws(JSONSyntaxError) {
        guard scanner.offset - name.offset > YAMLReader.maximumNameLength else { return }
        let length = scanner.bytes[name.offset..<scanner.offset].reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        guard length <= YAMLReader.maximumNameLength else {
            throw scanner.error(.yaml(.longName(limit: YAMLReader.maximumNameLength)), at: name.offset)
        }
    }

    func emptyScalar(_ place: YAMLScanner.Place, _ properties: YAMLProperties = YAMLProperties()) -> YAMLScalar {
        YAMLScalar(text: "", isPlain: true, position: place.position, offset: place.offset, properties: properties)
    }

    // MARK: Errors

    /// The error for a line that stands deeper than the entries before it.
    private func indentationError() -> JSONSyntaxError {
        var columns: [Int] = []
        for frame in frames.reversed() where !columns.contains(frame.indent) && columns.count < 4 {
            columns.append(frame.indent)
        }
        return scanner.error(.yaml(.indentation(scanner.spaces, allowed: columns.reversed())))
    }
}
