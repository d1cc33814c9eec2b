import JSON

/// The kinds of names that a file declares and that its other parts refer to.
enum DeclaredName {
    case account
    case collection
    case counter
    case origin
    case process
    case route
    case tokenKind
    /// A kind whose tokens the backend issues itself, and the action that requires this.
    case ownKind(for: String)
}

extension ValueType<String> {
    /// A name that the file declares; others are reported.
    static func name(of kind: DeclaredName) -> Self {
        let form: TextForm = if case .route = kind { .route } else { .name }
        return Self(.text(form)) { tree, builder in
            guard let name = tree.string else { return nil }
            let isKnown = builder.expect(name, of: kind, at: tree.position)
            // Conditions on the items of an unknown collection cannot be checked.
            if case .collection = kind { return isKnown ? name : nil }
            return name
        }
    }
}

extension ScenarioBuilder {
    /// Reports a name that the file does not declare; returns whether it does.
    @discardableResult
    mutating func expect(_ name: String, of kind: DeclaredName, at position: JSONPosition) -> Bool {
        switch kind {
        case .account: expect(name, among: names.accounts, as: "account", at: position)
        case .collection: expect(name, among: names.collections, as: "collection", at: position)
        case .counter: expect(name, among: names.vocabulary.counters, as: "counter", at: position)
        case .origin: expect(name, among: names.vocabulary.origins, as: "origin", at: position)
        case .process: expect(name, among: names.processes, as: "process", at: position)
        case .route: expect(name, among: names.routes, as: "route", at: position)
        case .tokenKind: expect(name, among: names.kinds, as: "token kind", at: position)
        case .ownKind(let purpose): expectOwnKind(name, at: position, for: purpose)
        }
    }
}
