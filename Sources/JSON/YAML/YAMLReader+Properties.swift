import Basics

extension YAMLReader {
    /// Reads an anchor or a tag, which white space has to follow.
    mutating func readProperty(into properties: inout YAMLProperties) throws(JSONSyntaxError) {
        let start = scanner.offset
        if scanner.byte == UInt8(ascii: "&") {
            let name = try scanner.readAnchorName()
            guard properties.anchor == nil else { throw scanner.error(.yaml(.twoAnchors), at: start) }
            anchors[name.exact] = anchored.count
            properties.anchor = anchored.count
            anchored.append(nil)
        } else {
            guard properties.tag == nil else { throw scanner.error(.yaml(.twoTags), at: start) }
            properties.tagOffset = start
            properties.tag = try scanner.readTag()
        }
        let isFlow = frames.last?.isFlow ?? false
        guard scanner.isBlank(at: scanner.offset) || isFlow && scanner.byte.isFlowIndicator else {
            throw scanner.error(.yaml(.textAfterProperty))
        }
    }

    /// Moves properties to a node that has some already, on another line perhaps.
    func merge(_ properties: inout YAMLProperties, into node: inout YAMLProperties) throws(JSONSyntaxError) {
        guard !properties.isEmpty else { return }
        if properties.anchor != nil {
            guard node.anchor == nil else { throw scanner.error(.yaml(.twoAnchors)) }
            node.anchor = properties.anchor
        }
        if properties.tag != nil {
            guard node.tag == nil else { throw scanner.error(.yaml(.twoTags), at: properties.tagOffset) }
            node.tag = properties.tag
            node.tagOffset = properties.tagOffset
        }
        properties = YAMLProperties()
    }

    /// Refuses a collection with the tag of something else.
    func check(_ properties: YAMLProperties, of container: JSONSyntaxError.Container) throws(JSONSyntaxError) {
        guard let tag = properties.tag, tag != .nonSpecific else { return }
        guard tag == (container == .array ? .sequence : .mapping) else {
            throw scanner.tagMismatch(at: properties.tagOffset)
        }
    }

    // MARK: Anchors and aliases

    /// Reads an alias, which is its node once more.
    mutating func readAlias() throws(JSONSyntaxError) -> Node {
        let (start, position) = scanner.place
        let name = try scanner.readAnchorName()
        guard let number = anchors[name.exact] else {
            let isWithoutColon = name.hasSuffix(":") && anchors[ExactText(String(name.dropLast()))] != nil
            throw scanner.error(.yaml(isWithoutColon ? .aliasTouchesColon(name) : .unknownAnchor(name)), at: start)
        }
        guard let anchored = anchored[number] else { throw scanner.error(.yaml(.aliasInItself(name)), at: start) }
        weight += anchored.weight
        repeatedWeight += anchored.weight
        guard repeatedWeight <= YAMLReader.maximumRepeatedNodes else {
            throw scanner.error(.yaml(.tooManyRepeatedNodes(limit: YAMLReader.maximumRepeatedNodes)), at: start)
        }
        try checkDepth(of: anchored.node.height, at: start)
        var node = anchored.node
        node.value.position = position
        node.offset = start
        return node
    }
}
