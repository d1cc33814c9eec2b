extension YAMLReader {
    /// Reads a node in block style (YAML 1.2.2, section 8.2.3), or what a collection begins with.
    ///
    /// Properties before a line break are the node's. Those on the line of a member's name are the name's, which is
    /// known behind it only: `&mapping` and a line below `&name a: b`.
    mutating func readBlockNode(at place: BlockPlace) throws(JSONSyntaxError) -> Step {
        let empty = (offset: offset, position: position(of: offset))
        var outer = YAMLProperties()
        var inner = YAMLProperties()
        var canOpen = place.isCompact
        var isAfterTab = false
        var entry = offset
        while true {
            try skipSeparation()
            if offset == contentStart {
                try merge(&inner, into: &outer)
                guard try hasContent(place) else { return .finished(.scalar(emptyScalar(empty, outer))) }
                canOpen = true
                isAfterTab = sawTab
            } else if inner.isEmpty, sawTab {
                isAfterTab = true
            }
            guard offset < bytes.count else {
                try merge(&inner, into: &outer)
                return .finished(.scalar(emptyScalar(empty, outer)))
            }
            if inner.isEmpty { entry = offset }
            guard bytes[offset] == UInt8(ascii: "&") || bytes[offset] == UInt8(ascii: "!") else { break }
            try readProperty(into: &inner)
        }
        let opening = Opening(isAllowed: canOpen, isAfterTab: isAfterTab, column: entry - lineStart, properties: outer)
        switch bytes[offset] {
        case .minus where isBlank(at: offset + 1):
            guard inner.isEmpty else { throw error(.yaml(.propertiesBeforeEntry), at: entry) }
            try open(.blockSequence, as: opening, position: position(of: offset))
            return enterSequence()
        case UInt8(ascii: "?") where isBlank(at: offset + 1):
            guard inner.isEmpty else { throw error(.yaml(.propertiesBeforeEntry), at: entry) }
            try open(.blockMapping, as: opening, position: position(of: offset))
            return enter(.name)
        case .colon where isBlank(at: offset + 1):
            let name = emptyScalar((offset, position(of: offset)), inner)
            try open(.blockMapping, as: opening, position: name.position)
            return try enterValue(of: .scalar(name))
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            try merge(&inner, into: &outer)
            var scalar = try readBlockScalar(parent: place.parent)
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
            guard inner.isEmpty else { throw error(.yaml(.propertiesOfAlias), at: entry) }
            let alias = try readAlias()
            if isBeforeColon {
                try open(.blockMapping, as: opening, position: alias.value.position)
                return try enterValue(of: .node(alias))
            }
            guard outer.isEmpty else { throw error(.yaml(.propertiesOfAlias), at: alias.offset) }
            return .finished(.node(alias))
        default:
            let line = lineStart
            var scalar = try readFlowScalar(leastIndent: place.parent + 1, inFlow: false)
            if isBeforeColon {
                guard line == lineStart else { throw error(.yaml(.nameOfManyLines), at: scalar.offset) }
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
        guard offset < bytes.count, !isAtMarker() else { return false }
        if spaces > place.parent { return true }
        guard !sawTab else { throw error(.yaml(.tabIndentation), at: lineStart + spaces) }
        return spaces == place.parent && place.allowsSequenceAtParent && isAtIndicator(.minus)
    }

    /// Reads on behind a node: a further entry of the innermost collection, or its end.
    mutating func readBlockEntry() throws(JSONSyntaxError) -> Step {
        try skipSeparation()
        guard offset < bytes.count, !isAtMarker() else { return .finished(.node(close())) }
        guard offset == contentStart else { throw textAfterValue() }
        guard !sawTab else { throw error(.yaml(.tabIndentation), at: lineStart + spaces) }
        let top = frames.count - 1
        let frame = frames[top]
        if spaces < frame.indent { return .finished(.node(close())) }
        guard spaces == frame.indent else { throw indentationError() }
        if frame.kind == .blockSequence {
            if isAtIndicator(.minus) { return enterSequence() }
            let isInMapping = top > 0 && frames[top - 1].kind == .blockMapping && frames[top - 1].indent == spaces
            guard isInMapping else { throw error(.yaml(.missingDash), at: offset) }
            return .finished(.node(close()))
        }
        return try readMember()
    }

    /// Reads the text at the column of a mapping's members.
    private mutating func readMember() throws(JSONSyntaxError) -> Step {
        let top = frames.count - 1
        if isAtIndicator(.colon), frames[top].part == .colon { return enter(.value) }
        if isAtIndicator(UInt8(ascii: "?")) { return enter(.name) }
        var name = emptyScalar((offset, position(of: offset)), YAMLProperties())
        if isAtIndicator(.colon) { return try enterValue(of: .scalar(name)) }
        guard !isAtIndicator(.minus) else { throw error(.yaml(.entryAmongMembers), at: offset) }
        let line = lineStart
        var properties = YAMLProperties()
        while offset < bytes.count, bytes[offset] == UInt8(ascii: "&") || bytes[offset] == UInt8(ascii: "!") {
            try readProperty(into: &properties)
            skipBlanks()
        }
        guard offset < bytes.count, !isBreak(at: offset) else { throw error(.yaml(.missingColon), at: name.offset) }
        var item: Item
        switch bytes[offset] {
        case .openBracket, .openBrace:
            throw error(.yaml(.collectionAsName), at: offset)
        case .colon where isBlank(at: offset + 1):
            name.properties = properties
            item = .scalar(name)
        case UInt8(ascii: "*"):
            guard properties.isEmpty else { throw error(.yaml(.propertiesOfAlias), at: offset) }
            item = .node(try readAlias())
        default:
            name = try readFlowScalar(leastIndent: spaces + 1, inFlow: false, isOneLine: true)
            name.properties = properties
            item = .scalar(name)
        }
        guard isBeforeColon else { throw error(.yaml(.missingColon), at: name.offset) }
        guard line == lineStart else { throw error(.yaml(.nameOfManyLines), at: item.offset) }
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
        let start = lineStart + opening.column
        guard opening.isAllowed else {
            throw error(.yaml(kind == .blockSequence ? .sequenceOnLine : .mappingOnLine), at: start)
        }
        guard !opening.isAfterTab else { throw error(.yaml(.tabIndentation), at: tab(before: start)) }
        try open(kind, at: start, position: position, indent: opening.column, properties: opening.properties)
    }

    /// The last tab before an offset in its line.
    private func tab(before start: Int) -> Int {
        var place = start
        while place > lineStart, bytes[place] != .tab { place -= 1 }
        return place
    }

    /// Takes a dash.
    private mutating func enterSequence() -> Step {
        offset += 1
        return .blockNode(BlockPlace(parent: frames[frames.count - 1].indent, isCompact: true))
    }

    /// Takes a question mark before a name, or the colon behind such a name, before its value.
    private mutating func enter(_ part: Frame.Part) -> Step {
        let top = frames.count - 1
        offset += 1
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
        offset += 1
        frames[top].part = .value
        return .blockNode(BlockPlace(parent: frames[top].indent, allowsSequenceAtParent: true))
    }

    /// Refuses a name that ends too far from its beginning.
    func checkLength(of name: Item) throws(JSONSyntaxError) {
        guard offset - name.offset > YAMLReader.maximumNameLength else { return }
        let length = bytes[name.offset..<offset].reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        guard length <= YAMLReader.maximumNameLength else {
            throw error(.yaml(.longName(limit: YAMLReader.maximumNameLength)), at: name.offset)
        }
    }

    /// Skips white space in the line, up to a colon that ends a name.
    private var isBeforeColon: Bool {
        mutating get {
            skipBlanks()
            return isAtIndicator(.colon)
        }
    }

    func emptyScalar(
        _ place: (offset: Int, position: JSONPosition),
        _ properties: YAMLProperties
    ) -> Scalar {
        Scalar(text: "", isPlain: true, position: place.position, offset: place.offset, properties: properties)
    }

    // MARK: Errors

    /// The error for a line that stands deeper than the entries before it.
    private func indentationError() -> JSONSyntaxError {
        var columns: [Int] = []
        for frame in frames.reversed() where !columns.contains(frame.indent) && columns.count < 4 {
            columns.append(frame.indent)
        }
        return error(.yaml(.indentation(spaces, allowed: columns.reversed())), at: offset)
    }

    /// The error for a character where a line should have ended.
    func textAfterValue() -> JSONSyntaxError {
        switch bytes[offset] {
        case UInt8(ascii: "#"): error(.yaml(.commentWithoutSpace), at: offset)
        case .colon where isBlank(at: offset + 1): error(.yaml(.mappingOnLine), at: offset)
        default: error(.yaml(.textAfterValue), at: offset)
        }
    }
}

extension YAMLReader {
    /// The value of a scalar by its tag, or by the core schema (YAML 1.2.2, section 10.3.2).
    func resolve(_ scalar: Scalar) throws(JSONSyntaxError) -> JSONValue.Content {
        switch scalar.properties.tag {
        case .none:
            guard scalar.isPlain else { return .string(scalar.text) }
            return try content(of: scalar) ?? .string(scalar.text)
        case .nonSpecific, .string:
            return .string(scalar.text)
        case .integer where CoreNumber.isInteger(scalar.text), .float where !CoreNumber.isPrefixed(scalar.text):
            if case .number(let number) = try content(of: scalar) { return .number(number) }
        case .boolean:
            if case .bool(let bool) = try content(of: scalar) { return .bool(bool) }
        case .null:
            if case .null = try content(of: scalar) { return .null }
        case .integer, .float, .sequence, .mapping:
            break
        }
        let start = scalar.properties.tagOffset
        throw error(.yaml(.tagMismatch(shown(tagAt: start))), at: start)
    }

    /// The value of plain text that is not a string.
    private func content(of scalar: Scalar) throws(JSONSyntaxError) -> JSONValue.Content? {
        guard let first = scalar.text.utf8.first else { return .null }
        switch first {
        case 0x30...0x39, .minus, .plus, .point:
            switch CoreNumber(scalar.text) {
            case .number(let number): return .number(number)
            case .notFinite: throw error(.yaml(.notFinite(scalar.text)), at: scalar.offset)
            case .tooLarge: throw error(.yaml(.tooLargeNumber(scalar.text)), at: scalar.offset)
            case .none: return nil
            }
        case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "~"):
            return ["null", "Null", "NULL", "~"].contains(scalar.text) ? .null : nil
        case UInt8(ascii: "t"), UInt8(ascii: "T"):
            return ["true", "True", "TRUE"].contains(scalar.text) ? .bool(true) : nil
        case UInt8(ascii: "f"), UInt8(ascii: "F"):
            return ["false", "False", "FALSE"].contains(scalar.text) ? .bool(false) : nil
        default:
            return nil
        }
    }
}
