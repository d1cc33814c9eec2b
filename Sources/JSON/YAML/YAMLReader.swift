import Basics

/// The YAML reader at work on one text, by YAML 1.2.2 with the core schema of its section 10.3.
///
/// Like ``JSONReader`` it does not recurse: open collections wait in `frames`, their parts in two common stacks. There
/// are no tokens and no look-ahead for names either: a scalar is read first, and a colon behind it tells what it is. So
/// every byte is looked at a small, fixed number of times, and no depth can overflow the thread's stack.
struct YAMLReader {
    /// The next node to read.
    enum Step {
        case blockNode(BlockPlace)
        /// A further entry of the innermost block collection, or its end.
        case blockEntry
        /// An entry of the innermost flow collection, or its end.
        case flowEntry
        case flowNode
        /// The token after an entry of the innermost flow collection.
        case flowSeparator
        /// Nothing: a node has been read and belongs into the innermost collection.
        case finished(Item)
    }

    /// The position of a node in block style.
    struct BlockPlace {
        /// The column of the entries of the collection that it is in; -1 for a document's root.
        var parent: Int
        /// A Boolean value that indicates whether a collection may begin on the same line, as in `- - a` and `- a: b`.
        var isCompact = false
        /// A Boolean value that indicates whether a sequence may stand right below a member's name, without further
        /// indentation.
        var allowsSequenceAtParent = false
    }

    /// A finished value.
    struct Node {
        var value: JSONValue
        /// The text that it is called by as a member's name; `nil` for a collection, which cannot be one.
        var name: String?
        /// The nesting depth of the collections, itself included.
        var height = 0
        var offset: Int
    }

    enum Item {
        case scalar(YAMLScalar)
        case node(Node)

        var offset: Int {
            switch self {
            case .scalar(let scalar): scalar.offset
            case .node(let node): node.offset
            }
        }

        var place: YAMLScanner.Place {
            switch self {
            case .scalar(let scalar): (scalar.offset, scalar.position)
            case .node(let node): (node.offset, node.value.position)
            }
        }
    }

    /// A collection that is still open.
    struct Frame {
        enum Kind {
            case blockSequence
            case blockMapping
            case flowSequence
            case flowMapping
            /// The mapping of one member that `[a: b]` writes without braces.
            case flowPair
        }

        /// The role of the next node in a mapping.
        enum Part {
            case entry
            case name
            /// The name behind a `?` is there; a colon may follow.
            case colon
            case value
        }

        var kind: Kind
        var position: JSONPosition
        var offset: Int
        /// In block style the column of all entries, in flow style the least indentation of further lines.
        var indent: Int
        /// The start of its parts in `elements` or `members`.
        var base: Int
        var part = Part.entry
        /// The number in `members` of the member whose value comes next.
        var awaiting = 0
        var names = NameIndex()
        var anchor: Int?
        /// A Boolean value that indicates whether it has two sets of properties, as only a mapping and its first name
        /// can.
        var mustBeName = false
        var height = 0
        var weightBefore: Int

        var isSequence: Bool { kind == .blockSequence || kind == .flowSequence }
        var isFlow: Bool { kind != .blockSequence && kind != .blockMapping }
        var container: JSONSyntaxError.Container { isSequence ? .array : .object }
    }

    /// The value of an alias.
    struct Anchored {
        var node: Node
        var weight: Int
    }

    /// The maximum that all aliases of a document may add, in nodes and in 64 bytes of text.
    ///
    /// More than ten times what the largest public contracts hold, and little enough to walk over it in a second.
    /// Without it, ten lines that repeat each other ten times are ten thousand million nodes.
    static let maximumRepeatedNodes = 1_000_000
    /// The number of characters that a name may have that no `?` precedes (YAML 1.2.2, section 7.4.2).
    static let maximumNameLength = 1_024
    private static let maximumDuplicates = 1_000

    var scanner: YAMLScanner
    private let maximumDepth: Int
    private let duplicateNames: JSONParser.DuplicateNames

    var frames: [Frame] = []
    var elements: [JSONValue] = []
    var members: [JSONObject.Member] = []
    private var duplicates: [DuplicateName] = []

    /// By an anchor's name its number in `anchored`, of equal names the last one's.
    var anchors: [ExactText: Int] = [:]
    /// `nil` while the node is being read.
    var anchored: [Anchored?] = []
    /// Nodes so far, with what aliases repeat.
    var weight = 0
    var repeatedWeight = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, as parser: JSONParser) {
        scanner = YAMLScanner(bytes, document: parser.document)
        maximumDepth = min(max(parser.maximumDepth, 0), JSONParser.depthLimit)
        duplicateNames = parser.duplicateNames
    }

    // MARK: Documents

    /// Reads a text that must hold one document.
    mutating func readDocument() throws(JSONSyntaxError) -> JSONDocument {
        try scanner.checkCharacters()
        guard let document = try readNextDocument() else { throw scanner.error(.yaml(.empty), at: scanner.bytes.count) }
        var hasDirectives = false
        try skipPrefix(&hasDirectives)
        guard scanner.isAtEnd, !hasDirectives else { throw scanner.error(.yaml(.secondDocument)) }
        try scanner.checkUnprintable(before: scanner.offset)
        return document
    }

    /// Reads all documents of a text.
    mutating func readStream() throws(JSONSyntaxError) -> [JSONDocument] {
        try scanner.checkCharacters()
        var documents: [JSONDocument] = []
        while let document = try readNextDocument() { documents.append(document) }
        try scanner.checkUnprintable(before: scanner.bytes.count)
        return documents
    }

    private mutating func readNextDocument() throws(JSONSyntaxError) -> JSONDocument? {
        anchors = [:]
        anchored = []
        scanner.handles = [:]
        duplicates = []
        var hasDirectives = false
        try skipPrefix(&hasDirectives)
        if scanner.isAtMarker("-") {
            scanner.offset += 3
        } else {
            guard !hasDirectives else { throw scanner.error(.yaml(.directivesWithoutDocument)) }
            guard !scanner.isAtEnd else { return nil }
        }
        let root = try readRoot()
        try scanner.skipSeparation()
        if scanner.isAtMarker(".") {
            try scanner.skipEndMarker()
        } else if !scanner.isAtEnd, !scanner.isAtMarker("-") {
            throw scanner.isAtContent ? scanner.error(.yaml(.textAfterRoot)) : scanner.textAfterValue()
        }
        try scanner.checkUnprintable(before: scanner.offset)
        return JSONDocument(root: root, duplicates: duplicates)
    }

    /// Skips comments, ends of documents and directives, up to a document's first character.
    private mutating func skipPrefix(_ hasDirectives: inout Bool) throws(JSONSyntaxError) {
        var hasVersion = false
        while true {
            scanner.skipByteOrderMark()
            try scanner.skipSeparation()
            guard !scanner.isAtEnd, scanner.isAtContent, scanner.spaces == 0 else { return }
            if scanner.isAtMarker("."), !hasDirectives {
                try scanner.skipEndMarker()
            } else if scanner.byte == UInt8(ascii: "%"), frames.isEmpty {
                try scanner.readDirective(&hasVersion)
                hasDirectives = true
            } else {
                return
            }
        }
    }

    // MARK: Nodes

    private mutating func readRoot() throws(JSONSyntaxError) -> JSONValue {
        var step = Step.blockNode(BlockPlace(parent: -1))
        while true {
            switch step {
            case .blockNode(let place): step = try readBlockNode(at: place)
            case .blockEntry: step = try readBlockEntry()
            case .flowEntry: step = try readFlowEntry()
            case .flowNode: step = try readFlowNode()
            case .flowSeparator: step = try readFlowSeparator()
            case .finished(let item):
                guard let frame = frames.last else { return try node(of: item).value }
                step = frame.isFlow ? try placeInFlow(item) : try placeInBlock(item)
            }
        }
    }

    /// The value of a node as an element, a member's value or a document.
    mutating func node(of item: Item) throws(JSONSyntaxError) -> Node {
        guard case .scalar(let scalar) = item else {
            guard case .node(let node) = item else { throw scanner.error(.yaml(.empty)) }
            return node
        }
        let content = try scalar.content(in: scanner)
        let node = Node(
            value: JSONValue(content, at: scalar.position),
            name: scalar.text,
            offset: scalar.offset
        )
        let weight = 1 + scalar.text.utf8.count / 64
        self.weight += weight
        if let anchor = scalar.properties.anchor { anchored[anchor] = Anchored(node: node, weight: weight) }
        return node
    }

    mutating func open(
        _ kind: Frame.Kind,
        at place: YAMLScanner.Place,
        indent: Int,
        properties: YAMLProperties = YAMLProperties()
    ) throws(JSONSyntaxError) {
        guard frames.count < maximumDepth else {
            throw scanner.error(.tooDeep(limit: maximumDepth), at: place.offset)
        }
        var frame = Frame(
            kind: kind,
            position: place.position,
            offset: place.offset,
            indent: indent,
            base: 0,
            anchor: properties.anchor,
            weightBefore: weight
        )
        frame.base = frame.isSequence ? elements.count : members.count
        try check(properties, of: frame.container)
        frames.append(frame)
    }

    /// Takes the innermost collection's parts out of the common stacks.
    mutating func close() -> Node {
        let frame = frames.removeLast()
        let content: JSONValue.Content
        if frame.isSequence {
            let own = Array(elements[frame.base...])
            elements.removeLast(own.count)
            content = .array(own)
        } else {
            let own = Array(members[frame.base...])
            members.removeLast(own.count)
            content = .object(JSONObject(distinct: own, index: frame.names))
        }
        weight += 1
        let node = Node(
            value: JSONValue(content, at: frame.position),
            height: frame.height + 1,
            offset: frame.offset
        )
        if let anchor = frame.anchor {
            anchored[anchor] = Anchored(node: node, weight: weight - frame.weightBefore)
        }
        return node
    }

    /// Makes a node an element of the innermost collection.
    mutating func append(_ node: Node) {
        elements.append(node.value)
        noteHeight(of: node)
    }

    /// Makes a node the value of the member that awaits one.
    mutating func setValue(_ node: Node) {
        let top = frames.count - 1
        members[frames[top].awaiting].value = node.value
        frames[top].part = .entry
        noteHeight(of: node)
    }

    private mutating func noteHeight(of node: Node) {
        let top = frames.count - 1
        if node.height > frames[top].height { frames[top].height = node.height }
    }

    /// Begins a member of the innermost mapping; its value is null until there is another one.
    mutating func addMember(named item: Item) throws(JSONSyntaxError) {
        let (name, position) = try name(of: item)
        weight += 1 + name.utf8.count / 64
        let top = frames.count - 1
        let base = frames[top].base
        if let number = frames[top].names.number(of: name, in: members, from: base) {
            let first = members[base + number].namePosition
            guard duplicateNames == .lastWins else {
                throw scanner.error(.duplicateName(name, first: first), at: item.offset)
            }
            frames[top].awaiting = base + number
            members[base + number].value = JSONValue(.null, at: position)
            if duplicates.count < YAMLReader.maximumDuplicates {
                duplicates.append(DuplicateName(name: name, position: position, firstPosition: first))
            }
        } else {
            frames[top].awaiting = members.count
            let value = JSONValue(.null, at: position)
            members.append(JSONObject.Member(name: name, namePosition: position, value: value))
            frames[top].names.noteLast(of: members, from: base)
        }
    }

    /// A scalar's source text: `200` is called "200", and a name that is empty "".
    private mutating func name(of item: Item) throws(JSONSyntaxError) -> (String, JSONPosition) {
        switch item {
        case .scalar(let scalar):
            if scalar.isPlain, scalar.text == "<<", scalar.properties.tag == nil {
                throw scanner.error(.yaml(.mergeKey), at: scalar.offset)
            }
            if scalar.properties.isEmpty { return (scalar.text, scalar.position) }
            _ = try node(of: item)
            return (scalar.text, scalar.position)
        case .node(let node):
            guard let name = node.name else { throw scanner.error(.yaml(.collectionAsName), at: node.offset) }
            return (name, node.value.position)
        }
    }

    /// Refuses a place in which the aliased node would be nested too deep.
    func checkDepth(of height: Int, at offset: Int) throws(JSONSyntaxError) {
        guard frames.count + height <= maximumDepth else {
            throw scanner.error(.tooDeep(limit: maximumDepth), at: offset)
        }
    }
}
