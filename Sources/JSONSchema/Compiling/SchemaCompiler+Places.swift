import JSON

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

    /// The resource with a URI, which may be a metaschema that nobody added.
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
