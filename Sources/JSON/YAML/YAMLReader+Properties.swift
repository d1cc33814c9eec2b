/// What may precede a node: its tag and its anchor (YAML 1.2.2, section 6.9).
struct YAMLProperties {
    var tag: YAMLTag?
    var tagOffset = 0
    /// The anchor's number.
    var anchor: Int?

    var isEmpty: Bool { tag == nil && anchor == nil }
}

/// The tags that a node of JSON can bear (YAML 1.2.2, section 10.3).
enum YAMLTag: String {
    /// `!`: what it is without the schema, so that plain text is a string.
    case nonSpecific = "!"
    case string = "tag:yaml.org,2002:str"
    case integer = "tag:yaml.org,2002:int"
    case float = "tag:yaml.org,2002:float"
    case boolean = "tag:yaml.org,2002:bool"
    case null = "tag:yaml.org,2002:null"
    case sequence = "tag:yaml.org,2002:seq"
    case mapping = "tag:yaml.org,2002:map"
}

extension YAMLReader {
    /// Reads an anchor or a tag, which white space has to follow.
    mutating func readProperty(into properties: inout YAMLProperties) throws(JSONSyntaxError) {
        let start = offset
        if bytes[offset] == UInt8(ascii: "&") {
            let name = try readAnchorName()
            guard properties.anchor == nil else { throw error(.yaml(.twoAnchors), at: start) }
            anchors[ExactText(name)] = anchored.count
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
        guard let number = anchors[ExactText(name)] else {
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

    /// A tag as it is written.
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
