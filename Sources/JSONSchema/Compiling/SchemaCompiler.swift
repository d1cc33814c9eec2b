import JSON

/// Compiles any number of schemas into one program, so that what they share is compiled once.
package struct SchemaCompiler {
    var registry: SchemaRegistry
    let formats: FormatMode
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
    /// Places in `$defs` that are checked even when nobody refers to them.
    var unchecked: [Int32] = []
    /// Nodes that something is wrong with.
    var broken: Set<Int32> = []
    var loops = LoopFinder()
    private var damage = InvalidSubschemaPropagation()
    private var noted: Set<SchemaProblem> = []

    /// What was found wrong so far, in the order of discovery, each once.
    package private(set) var problems: [SchemaProblem] = []

    package init(registry: SchemaRegistry, formats: FormatMode = .annotation) {
        self.registry = registry
        self.formats = formats
    }

    /// Compiles the schema at a place, and everything that it refers to.
    ///
    /// - Parameter uri: an absolute URI whose fragment is a JSON Pointer, such as `file:a.json#/components/schemas/User`.
    /// - Returns: a handle for ``SchemaProgram/schema(_:)``, or `nil` when the schema has errors; they are among
    ///   ``problems``. A schema that refers to itself without end is a problem too, but can be used.
    package mutating func compile(_ uri: String) -> SchemaHandle? {
        let reference = URIReference(uri)
        guard let place = locate(reference) else {
            let message = "there is no schema at \(uri)"
            note("unresolvable-reference", message, uri: uri, position: .unknown, advice: advice(for: reference))
            return nil
        }
        let root = node(at: place)
        drain()
        return damage.reaches(root, broken: broken, in: draft) ? nil : SchemaHandle(index: Int(root))
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

    /// A warning rather than an end: values that fail on the way there get their verdict all the same.
    private mutating func noteLoop(at place: Int32) {
        let message = "this schema refers to itself, and nothing on the way looks at a part of the value"
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
