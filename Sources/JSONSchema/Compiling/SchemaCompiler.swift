import Basics
import JSON

/// Compiles any number of schemas into one program, so that what they share is compiled once.
package struct SchemaCompiler {
    var registry: SchemaRegistry
    let formats: FormatMode
    let refusesWriteOnly: Bool
    var tree = PlaceTree()
    var draft = ProgramDraft()
    /// The node of each place, -1 where no schema is needed yet.
    var nodes: [Int32] = []
    /// The places of documents' roots, by the document's number.
    var roots: [Int: Int32] = [:]
    var rules: [SchemaRules] = []
    var references = ReferenceCache()
    var dynamics = DynamicAnchors()
    /// Nodes whose schema is still to be compiled.
    var waiting: [Int32] = []
    /// Places in `$defs` that are checked even when nothing refers to them.
    var unchecked: [Int32] = []
    /// Nodes that something is wrong with.
    var broken: Set<Int32> = []
    var loops = LoopFinder()
    private var damage = InvalidSubschemaPropagation()
    private var noted: Set<SchemaProblem> = []

    /// The problems so far, in the order of discovery, each once.
    package private(set) var problems: [SchemaProblem] = []

    /// - Parameter refusesWriteOnly: whether a value is refused where a schema says that it is write-only, as in what a
    ///   server sends.
    package init(registry: SchemaRegistry, formats: FormatMode = .annotation, refusesWriteOnly: Bool = false) {
        self.registry = registry
        self.formats = formats
        self.refusesWriteOnly = refusesWriteOnly
    }

    /// Compiles the schema at a place, and everything that it refers to.
    ///
    /// - Parameter uri: an absolute URI whose fragment is a JSON Pointer, such as `file:a.json#/components/schemas/User`.
    /// - Returns: the schema's number for ``SchemaProgram/schema(_:)``, or `nil` when the schema has errors; they are among
    ///   ``problems``. A schema that refers to itself without end is a problem too, but can be used.
    package mutating func compile(_ uri: String) -> SchemaID? {
        add(uri).flatMap { damage.reaches($0.number, broken: broken, in: draft) ? nil : $0 }
    }

    /// The same for a reader that can use a schema with errors; `nil` where there is no schema.
    package mutating func add(_ uri: String) -> SchemaID? {
        let reference = URIReference(uri)
        guard let place = locate(reference) else {
            let message = "there is no schema at \(uri)"
            note("unresolvable-reference", message, uri: uri, position: .unknown, advice: advice(for: reference))
            return nil
        }
        let root = node(at: place)
        drain()
        return SchemaID(root)
    }

    private mutating func advice(for reference: URIReference) -> String? {
        guard let fragment = reference.fragment, let resource = resource(named: reference.resource) else { return nil }
        let root = root(of: registry.resources[resource].document)
        return nearest(to: "#" + fragment, from: root).map { "did you mean \"\($0)\"?" }
    }

    /// Ends compilation.
    package consuming func finish() -> SchemaProgram {
        ProgramFinisher.finish(self)
    }

    /// The nodes that cannot be used.
    mutating func damagedNodes() -> Set<Int32> { damage.nodes(broken: broken, in: draft) }

    mutating func note(_ id: String, _ message: String, uri: String, position: JSONPosition, advice: String? = nil) {
        let problem = SchemaProblem(id, message, uri: uri, position: position, advice: advice)
        if noted.insert(problem).inserted { problems.append(problem) }
    }

    /// The number of a place's node, which is compiled sooner or later.
    mutating func node(at place: Int32) -> Int32 {
        while nodes.count <= Int(place) { nodes.append(-1) }
        if nodes[Int(place)] >= 0 { return nodes[Int(place)] }
        let number = Int32(draft.nodes.count)
        draft.nodes.append(SchemaNode(place: place, resource: tree[place].resource))
        nodes[Int(place)] = number
        waiting.append(number)
        return number
    }

    private mutating func drain() {
        while true {
            if let number = waiting.popLast() {
                open(Int(draft.nodes[Int(number)].resource))
                NodeCompiler.compile(number, in: &self)
            } else if let place = unchecked.popLast() {
                NodeCompiler.check(place, in: &self)
            } else {
                break
            }
        }
        for node in loops.find(in: draft) { noteLoop(at: draft.nodes[Int(node)].place) }
    }

    /// A warning rather than an end: values that fail on the way there still get their verdict.
    private mutating func noteLoop(at place: Int32) {
        let message = "this schema refers to itself without descending into a part of the value"
        note("circular-reference", message, uri: uri(of: place), position: tree[place].value.position)
    }

    /// Compiles what dynamic references may find in a resource that schemas are reached in.
    private mutating func open(_ resource: Int) {
        guard dynamics.opened.insert(resource).inserted else { return }
        let document = registry.resources[resource].document
        for anchor in registry.resources[resource].dynamicAnchors {
            guard let place = walk(anchor.path, from: root(of: document)) else { continue }
            offer(anchor.name, resource: resource, place: place)
        }
        if registry.resources[resource].isRecursiveAnchor,
            let place = walk(registry.resources[resource].path, from: root(of: document))
        {
            offer(DynamicAnchors.recursive, resource: resource, place: place)
        }
    }

    /// Compiles what an anchor names, now or when the first reference looks for such an anchor.
    private mutating func offer(_ name: String, resource: Int, place: Int32) {
        if dynamics.isWanted(name) {
            dynamics.note(name, resource: resource, node: node(at: place))
        } else {
            dynamics.postpone(name, resource: resource, place: place)
        }
    }

    /// Takes note that some reference looks for an anchor.
    mutating func want(_ name: String) {
        for (resource, place) in dynamics.want(name) {
            dynamics.note(name, resource: resource, node: node(at: place))
        }
    }
}

/// The dialect and vocabularies of each place.
extension SchemaCompiler {
    mutating func number(of rules: SchemaRules) -> Int32 {
        if let known = self.rules.firstIndex(of: rules) { return Int32(known) }
        self.rules.append(rules)
        return Int32(self.rules.count - 1)
    }

    mutating func documentRules(_ document: RegisteredDocument) -> SchemaRules {
        let standard = SchemaRules(dialect: document.dialect)
        if let declared = document.root["$schema"]?.string {
            return declaredRules(declared, isRequired: true, at: document.root) ?? standard
        }
        if document.dialect == .openAPI31, let declared = document.root["jsonSchemaDialect"]?.string {
            return declaredRules(declared, isRequired: true, at: document.root) ?? standard
        }
        return standard
    }

    /// The rules that a `$schema` asks for; `nil` when its metaschema is not known.
    mutating func declaredRules(_ declared: String, isRequired: Bool, at value: JSONValue) -> SchemaRules? {
        if let dialect = SchemaDialect(schemaURI: declared) { return SchemaRules(dialect: dialect) }
        guard isRequired else { return nil }
        var dialect: SchemaDialect?
        var vocabularies: Vocabularies?
        var uri = declared
        // A metaschema may have a metaschema itself; a long chain of them has no use.
        for _ in 0..<8 {
            let resource = resource(named: URIReference(uri).resource).map { registry.resources[$0] }
            guard let metaschema = resource?.value else { break }
            if vocabularies == nil, let declared = metaschema["$vocabulary"]?.object {
                vocabularies = self.vocabularies(declared, at: metaschema)
            }
            guard let next = metaschema["$schema"]?.string else { break }
            dialect = SchemaDialect(schemaURI: next)
            if dialect != nil { break }
            uri = next
        }
        guard let dialect else {
            let position = value["$schema"]?.position ?? value.position
            note(
                "unknown-metaschema",
                "the metaschema \(declared) is unknown, so the schema cannot be interpreted",
                uri: declared,
                position: position,
                advice: "use a standard metaschema, such as https://json-schema.org/draft/2020-12/schema"
            )
            return nil
        }
        guard let vocabularies, dialect >= .draft2019 else { return SchemaRules(dialect: dialect) }
        return SchemaRules(dialect: dialect, vocabularies: vocabularies.union(.core))
    }

    private mutating func vocabularies(_ declared: JSONObject, at metaschema: JSONValue) -> Vocabularies {
        var found: Vocabularies = []
        for member in declared.members {
            if let vocabulary = Vocabularies(uri: member.name) {
                found.formUnion(vocabulary)
            } else if member.value.bool == true {
                let message = "the metaschema requires the unknown vocabulary \(member.name)"
                note("unknown-vocabulary", message, uri: member.name, position: member.namePosition)
            }
        }
        return found
    }
}

/// Finding places in documents.
extension SchemaCompiler {
    /// The place that a reference in a schema leads to.
    mutating func locate(_ text: String, from place: Int32) -> Int32? {
        let resource = tree[place].resource
        if let known = references[resource, text] { return known }
        let found: Int32?
        if text.utf8.first == UInt8(ascii: "#") {
            found = locate(String(text.utf8.dropFirst()), in: Int(resource))
        } else {
            let base = URIReference(registry.resources[Int(resource)].uri)
            found = locate(URIReference(text).resolved(against: base))
        }
        if let found { references[resource, text] = found }
        return found
    }

    /// The place that an absolute URI names.
    mutating func locate(_ uri: URIReference) -> Int32? {
        resource(named: uri.resource).flatMap { locate(uri.fragment, in: $0) }
    }

    /// The resource with a URI, which may be a metaschema that the caller did not add.
    mutating func resource(named uri: String) -> Int? {
        if let number = registry.number(of: uri) { return number }
        guard let document = Metaschemas.document(at: uri) else { return nil }
        registry.add(document.root, at: document.uri, dialect: document.dialect)
        return registry.number(of: uri)
    }

    private mutating func locate(_ fragment: String?, in resource: Int) -> Int32? {
        guard let path = registry.path(of: fragment, in: registry.resources[resource]) else { return nil }
        return walk(path, from: root(of: registry.resources[resource].document))
    }

    mutating func walk(_ path: [String], from root: Int32) -> Int32? {
        var place = root
        for token in path {
            guard let next = child(of: place, token) else { return nil }
            place = next
        }
        return place
    }

    /// The place of a part of an object or array; `nil` when it has no such part.
    mutating func child(of parent: Int32, _ token: String) -> Int32? {
        if let known = tree.child(of: parent, token) { return known }
        let value = tree[parent].value
        let part: JSONValue? =
            switch value.content {
            case .object(let object): object[token]
            case .array: JSONPointer.index(token).flatMap { value[$0] }
            default: nil
            }
        return part.map { add($0, to: parent, token, resource: nil) }
    }

    private mutating func add(_ value: JSONValue, to parent: Int32, _ token: String, resource: Int?) -> Int32 {
        let outer = tree[parent]
        var place = PlaceTree.Place(
            parent: parent,
            token: token,
            document: outer.document,
            resource: resource.map(Int32.init) ?? outer.resource,
            rules: outer.rules,
            value: value
        )
        if let declared = value["$schema"]?.string {
            place.rules = number(
                of: declaredRules(declared, isRequired: resource != nil, at: value) ?? rules[Int(place.rules)]
            )
        }
        return tree.add(place)
    }

    /// The place of a document's root; the resources inside are given theirs at once.
    mutating func root(of document: Int) -> Int32 {
        if let known = roots[document] { return known }
        let registered = registry.documents[document]
        let place = PlaceTree.Place(
            parent: -1 - Int32(document),
            token: "",
            document: Int32(document),
            resource: Int32(registered.resource),
            rules: number(of: documentRules(registered)),
            value: registered.root
        )
        let root = tree.add(place)
        roots[document] = root
        for number in registered.resource + 1..<registered.resource + registered.resourceCount {
            let resource = registry.resources[number]
            guard let last = resource.path.last, let parent = walk(resource.path.dropLast(), from: root) else {
                continue
            }
            _ = add(resource.value, to: parent, last, resource: number)
        }
        return root
    }

    private mutating func walk(_ path: ArraySlice<String>, from root: Int32) -> Int32? { walk(Array(path), from: root) }

    /// The absolute URI of a place, pointer included.
    func uri(of place: Int32) -> String {
        let pointer = JSONPointer(tokens: tree.path(of: place))
        return registry.resources[Int(tree[place].resource)].uri + pointer.fragment
    }
}

/// The targets of references, so that a thousand equal ones are resolved once.
struct ReferenceCache {
    private struct Key: Hashable {
        var resource: Int32
        var text: ExactText
    }

    private var places: [Key: Int32] = [:]

    subscript(resource: Int32, text: String) -> Int32? {
        get { places[Key(resource: resource, text: text.exact)] }
        set { places[Key(resource: resource, text: text.exact)] = newValue }
    }
}

/// Knows which schemas cannot be used, because something is wrong with one that they lead to.
///
/// It learns as compilation goes on: each node and each way between two is looked at once.
struct InvalidSubschemaPropagation {
    private var users: [Int32: [Int32]] = [:]
    private var damaged: Set<Int32> = []
    private var nodeCount = 0

    /// - Parameter broken: all nodes that something is wrong with.
    mutating func reaches(_ root: Int32, broken: Set<Int32>, in draft: ProgramDraft) -> Bool {
        nodes(broken: broken, in: draft).contains(root)
    }

    /// All nodes that something is wrong with, and those that lead to them.
    mutating func nodes(broken: Set<Int32>, in draft: ProgramDraft) -> Set<Int32> {
        guard !broken.isEmpty else { return [] }
        var waiting = broken.subtracting(damaged).sorted()
        damaged.formUnion(broken)
        for number in nodeCount..<draft.nodes.count {
            for next in draft.successors(of: Int32(number)) {
                users[next, default: []].append(Int32(number))
                if damaged.contains(next), damaged.insert(Int32(number)).inserted { waiting.append(Int32(number)) }
            }
        }
        nodeCount = draft.nodes.count
        while let node = waiting.popLast() {
            for user in users[node] ?? [] where damaged.insert(user).inserted { waiting.append(user) }
        }
        return damaged
    }
}

/// Finds schemas that can never come to a verdict, because they apply themselves to the same value.
struct LoopFinder {
    private enum Mark: UInt8 {
        case new
        case open
        case done
    }

    private var marks: [Mark] = []

    /// The nodes, among those added since the last time, at which such a loop closes.
    mutating func find(in draft: ProgramDraft) -> [Int32] {
        let first = marks.count
        marks += repeatElement(.new, count: draft.nodes.count - first)
        var found: [Int32] = []
        for start in first..<draft.nodes.count where marks[start] == .new {
            visit(Int32(start), in: draft, found: &found)
        }
        return found
    }

    private mutating func visit(_ start: Int32, in draft: ProgramDraft, found: inout [Int32]) {
        var stack: [(node: Int32, next: [Int32])] = [(start, draft.inPlace(draft.nodes[Int(start)], onlyAlways: true))]
        marks[Int(start)] = .open
        while let top = stack.indices.last {
            guard let next = stack[top].next.popLast() else {
                marks[Int(stack.removeLast().node)] = .done
                continue
            }
            switch marks[Int(next)] {
            case .done: break
            case .open: found.append(next)
            case .new:
                marks[Int(next)] = .open
                stack.append((next, draft.inPlace(draft.nodes[Int(next)], onlyAlways: true)))
            }
        }
    }
}
