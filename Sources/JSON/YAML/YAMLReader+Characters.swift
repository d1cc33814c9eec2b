import Basics

extension YAMLReader {
    // MARK: Single characters

    /// Returns whether a space, a tab, a line break or the text's end is at an offset.
    @inline(__always)
    func isBlank(at offset: Int) -> Bool {
        guard offset < bytes.count else { return true }
        switch bytes[offset] {
        case .space, .tab, .lineFeed, .carriageReturn: return true
        default: return false
        }
    }

    @inline(__always)
    func isBreak(at offset: Int) -> Bool {
        offset < bytes.count && (bytes[offset] == .lineFeed || bytes[offset] == .carriageReturn)
    }

    /// Returns whether the byte at `offset` is this indicator, which white space or the text's end has to follow.
    @inline(__always)
    func isAtIndicator(_ indicator: UInt8) -> Bool {
        offset < bytes.count && bytes[offset] == indicator && isBlank(at: offset + 1)
    }

    /// Returns whether a line begins at `offset` with `---` or `...`.
    @inline(__always)
    func isAtMarker(_ character: Unicode.Scalar? = nil) -> Bool {
        guard offset == lineStart, offset + 3 <= bytes.count else { return false }
        let byte = bytes[offset]
        guard byte == .minus || byte == .point, byte == bytes[offset + 1], byte == bytes[offset + 2] else {
            return false
        }
        return isBlank(at: offset + 3) && character.map { UInt8(ascii: $0) == byte } ?? true
    }

    // MARK: White space

    /// Skips spaces and tabs.
    @inline(__always)
    mutating func skipBlanks() {
        while offset < bytes.count, bytes[offset] == .space || bytes[offset] == .tab { offset += 1 }
    }

    /// Takes a line break: LF, CR or CR LF.
    @inline(__always)
    mutating func takeBreak() {
        if bytes[offset] == .carriageReturn, offset + 1 < bytes.count, bytes[offset + 1] == .lineFeed { offset += 1 }
        offset += 1
        lineStart = offset
    }

    /// Counts and skips the spaces that a line begins with.
    @inline(__always)
    mutating func takeIndentation() {
        while offset < bytes.count, bytes[offset] == .space { offset += 1 }
        spaces = offset - lineStart
    }

    /// Skips white space, line breaks and comments; `contentStart` tells whether a line was begun.
    mutating func skipSeparation() throws(JSONSyntaxError) {
        if offset == contentStart { return }
        sawTab = false
        var isLineBegun = offset == lineStart
        var mayComment = isLineBegun || offset > 0 && isBlank(at: offset - 1)
        if isLineBegun { takeIndentation() }
        while offset < bytes.count {
            switch bytes[offset] {
            case .space:
                offset += 1
                mayComment = true
            case .tab:
                offset += 1
                mayComment = true
                sawTab = true
            case .lineFeed, .carriageReturn:
                takeBreak()
                takeIndentation()
                sawTab = false
                mayComment = true
                isLineBegun = true
            case UInt8(ascii: "#") where mayComment:
                while offset < bytes.count, !isBreak(at: offset) { offset += 1 }
            default:
                if isLineBegun { contentStart = offset }
                return
            }
        }
        if isLineBegun { contentStart = offset }
    }

    /// The white space between the lines of one scalar.
    struct Fold {
        var emptyLines = 0
        /// A Boolean value that indicates whether the text or the document ends instead of going on.
        var isEnd = false

        /// A single break becomes a space, empty lines become breaks (YAML 1.2.2, section 6.5).
        func append(to buffer: inout [UInt8]) {
            if emptyLines == 0 {
                buffer.append(.space)
            } else {
                buffer.append(contentsOf: repeatElement(.lineFeed, count: emptyLines))
            }
        }
    }

    /// Advances from a line break to the first character of the next line that has one.
    mutating func crossLines() -> Fold {
        var fold = Fold(emptyLines: -1)
        while offset < bytes.count {
            guard isBreak(at: offset) else {
                fold.isEnd = spaces == 0 && lineStart == offset && isAtMarker()
                return fold
            }
            takeBreak()
            fold.emptyLines += 1
            takeIndentation()
            sawTab = false
            while offset < bytes.count, bytes[offset] == .tab || bytes[offset] == .space {
                offset += 1
                sawTab = true
            }
        }
        fold.isEnd = true
        return fold
    }

    // MARK: Forbidden characters

    /// Refuses what no YAML text may have anywhere, and notes what only quotes may have (section 5.1).
    mutating func checkCharacters() throws(JSONSyntaxError) {
        if bytes.count > 1 {
            switch (bytes[0], bytes[1]) {
            case (0xFF, 0xFE), (0xFE, 0xFF), (0, _), (_, 0): throw error(.yaml(.wideEncoding), at: 0)
            default: break
            }
        }
        let memory = UnsafeRawBufferPointer(bytes)
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        var offset = 0
        while offset < bytes.count {
            // Eight bytes at a time, while they are printable ASCII.
            while offset &+ 8 <= bytes.count {
                let word = UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let deletes = word ^ (ones &* 0x7F)
                let special = (word | (word &- ones &* 0x20) | (deletes &- ones)) & tops
                guard special == 0 else {
                    offset &+= special.trailingZeroBitCount / 8
                    break
                }
                offset &+= 8
            }
            guard offset < bytes.count else { return }
            let byte = bytes[offset]
            if byte >= 0x20, byte < 0x7F {
                offset += 1
                continue
            }
            if byte < 0x20 {
                guard byte == .tab || byte == .lineFeed || byte == .carriageReturn else {
                    throw error(.yaml(.controlCharacter(Unicode.Scalar(byte))), at: offset)
                }
                offset += 1
                continue
            }
            let length = UTF8Sequence.length(in: bytes, at: offset)
            guard length > 0 else {
                throw error(.invalidUTF8(UTF8Sequence.fault(in: bytes, at: offset), byte: byte), at: offset)
            }
            if isUnprintable(at: offset) { unprintable.append(offset) }
            offset += length
        }
    }

    /// Returns whether the character is DEL, of the C1 controls but NEL, U+FEFF, U+FFFE or U+FFFF.
    private func isUnprintable(at offset: Int) -> Bool {
        switch bytes[offset] {
        case 0x7F: true
        case 0xC2: bytes[offset + 1] < 0xA0 && bytes[offset + 1] != 0x85
        case 0xEF:
            bytes[offset + 1] == 0xBB && bytes[offset + 2] == 0xBF
                || bytes[offset + 1] == 0xBF && bytes[offset + 2] >= 0xBE
        default: false
        }
    }

    /// Refuses noted characters before an offset and outside of quotes.
    func checkUnprintable(before end: Int) throws(JSONSyntaxError) {
        guard nextUnprintable < unprintable.count, unprintable[nextUnprintable] < end else { return }
        let place = unprintable[nextUnprintable]
        throw error(.yaml(.controlCharacter(UTF8Sequence.scalar(in: bytes, at: place) ?? " ")), at: place)
    }

    /// Lets pass the noted characters in quoted text.
    mutating func allowUnprintable(in range: Range<Int>) throws(JSONSyntaxError) {
        try checkUnprintable(before: range.lowerBound)
        while nextUnprintable < unprintable.count, unprintable[nextUnprintable] < range.upperBound {
            nextUnprintable += 1
        }
    }
}

extension YAMLReader {
    /// Reads an anchor or a tag, which white space has to follow.
    mutating func readProperty(into properties: inout YAMLProperties) throws(JSONSyntaxError) {
        let start = offset
        if bytes[offset] == UInt8(ascii: "&") {
            let name = try readAnchorName()
            guard properties.anchor == nil else { throw error(.yaml(.twoAnchors), at: start) }
            anchors[name.exact] = anchored.count
            properties.anchor = anchored.count
            anchored.append(nil)
        } else {
            guard properties.tag == nil else { throw error(.yaml(.twoTags), at: start) }
            properties.tagOffset = start
            properties.tag = try readTag()
        }
        let isFlow = frames.last?.isFlow ?? false
        guard isBlank(at: offset) || isFlow && bytes[offset].isFlowIndicator else {
            throw error(.yaml(.textAfterProperty), at: offset)
        }
    }

    /// Moves properties to a node that has some already, on another line perhaps.
    func merge(_ properties: inout YAMLProperties, into node: inout YAMLProperties) throws(JSONSyntaxError) {
        guard !properties.isEmpty else { return }
        if properties.anchor != nil {
            guard node.anchor == nil else { throw error(.yaml(.twoAnchors), at: offset) }
            node.anchor = properties.anchor
        }
        if properties.tag != nil {
            guard node.tag == nil else { throw error(.yaml(.twoTags), at: properties.tagOffset) }
            node.tag = properties.tag
            node.tagOffset = properties.tagOffset
        }
        properties = YAMLProperties()
    }

    /// Refuses a collection with the tag of something else.
    func check(_ properties: YAMLProperties, of container: JSONSyntaxError.Container) throws(JSONSyntaxError) {
        guard let tag = properties.tag, tag != .nonSpecific else { return }
        guard tag == (container == .array ? .sequence : .mapping) else {
            throw error(.yaml(.tagMismatch(shown(tagAt: properties.tagOffset))), at: properties.tagOffset)
        }
    }

    // MARK: Anchors and aliases

    /// Takes the name behind `&` or `*`: all up to white space or, as brackets need it, a flow indicator.
    private mutating func readAnchorName() throws(JSONSyntaxError) -> String {
        let start = offset
        offset += 1
        while offset < bytes.count, !isBlank(at: offset), !bytes[offset].isFlowIndicator { offset += 1 }
        guard offset > start + 1 else { throw error(.yaml(.missingAnchorName), at: start) }
        return text(start + 1..<offset)
    }

    /// Reads an alias, which is its node once more.
    mutating func readAlias() throws(JSONSyntaxError) -> Node {
        let start = offset
        let position = position(of: offset)
        let name = try readAnchorName()
        guard let number = anchors[name.exact] else {
            let isWithoutColon = name.hasSuffix(":") && anchors[ExactText(String(name.dropLast()))] != nil
            throw error(.yaml(isWithoutColon ? .aliasTouchesColon(name) : .unknownAnchor(name)), at: start)
        }
        guard let anchored = anchored[number] else { throw error(.yaml(.aliasInItself(name)), at: start) }
        weight += anchored.weight
        repeatedWeight += anchored.weight
        guard repeatedWeight <= YAMLReader.maximumRepeatedNodes else {
            throw error(.yaml(.tooManyRepeatedNodes(limit: YAMLReader.maximumRepeatedNodes)), at: start)
        }
        try checkDepth(of: anchored.node.height, at: start)
        var node = anchored.node
        node.value.position = position
        node.offset = start
        return node
    }

    // MARK: Tags

    private mutating func readTag() throws(JSONSyntaxError) -> YAMLTag {
        let start = offset
        offset += 1
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "<") {
            while offset < bytes.count, !isBlank(at: offset), bytes[offset] != UInt8(ascii: ">") { offset += 1 }
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: ">") else {
                throw error(.yaml(.brokenTag), at: start)
            }
            offset += 1
            return try tag(named: text(start + 2..<offset - 1), writtenAt: start)
        }
        // Up to a second exclamation mark it is the handle of a prefix.
        var handleEnd = start + 1
        while offset < bytes.count, !isBlank(at: offset), !bytes[offset].isFlowIndicator {
            if bytes[offset] == UInt8(ascii: "!") {
                guard handleEnd == start + 1 else { throw error(.yaml(.brokenTag), at: start) }
                handleEnd = offset + 1
            }
            offset += 1
        }
        if offset == start + 1 { return .nonSpecific }
        let handle = text(start..<handleEnd)
        guard handleEnd < offset else { throw error(.yaml(.brokenTag), at: start) }
        guard let prefix = handles[handle] ?? YAMLReader.prefixes[handle] else {
            throw error(.yaml(.unknownHandle(handle)), at: start)
        }
        return try tag(named: prefix + text(handleEnd..<offset), writtenAt: start)
    }

    private static let prefixes = ["!": "!", "!!": "tag:yaml.org,2002:"]

    private func tag(named name: String, writtenAt start: Int) throws(JSONSyntaxError) -> YAMLTag {
        guard name != "!", let tag = YAMLTag(rawValue: name) else {
            throw error(.yaml(.foreignTag(text(start..<offset))), at: start)
        }
        return tag
    }

    /// A tag as written.
    func shown(tagAt start: Int) -> String {
        var end = start
        while end < bytes.count, !isBlank(at: end), !bytes[end].isFlowIndicator { end += 1 }
        return text(start..<end)
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    // MARK: Directives

    /// Reads a line such as `%YAML 1.2` (YAML 1.2.2, section 6.8); directives of unknown names mean nothing.
    mutating func readDirective(_ hasVersion: inout Bool) throws(JSONSyntaxError) {
        let start = offset
        var words: [String] = []
        while offset < bytes.count, !isBreak(at: offset) {
            if bytes[offset] == UInt8(ascii: "#"), isBlank(at: offset - 1) {
                try skipSeparation()
                break
            }
            let word = offset
            while offset < bytes.count, !isBlank(at: offset) { offset += 1 }
            words.append(text(word..<offset))
            skipBlanks()
        }
        if words[0] == "%YAML" {
            let parts = words.count == 2 ? words[1].split(separator: ".", omittingEmptySubsequences: false) : []
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else {
                throw error(.yaml(.brokenDirective), at: start)
            }
            guard parts[0] == "1" else { throw error(.yaml(.unknownVersion(words[1])), at: start) }
            guard !hasVersion else { throw error(.yaml(.repeatedDirective), at: start) }
            hasVersion = true
        } else if words[0] == "%TAG" {
            guard words.count == 3, words[1].first == "!", words[1].last == "!" else {
                throw error(.yaml(.brokenDirective), at: start)
            }
            guard handles.updateValue(words[2], forKey: words[1]) == nil else {
                throw error(.yaml(.repeatedDirective), at: start)
            }
        }
    }
}
