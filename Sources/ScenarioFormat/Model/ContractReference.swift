package import JSON

/// The OpenAPI file that documents a backend, as the scenario names it.
package struct ContractReference: Sendable, Hashable {
    /// The file's path as the user would write it, from where the scenario was loaded.
    package var path: String
    /// Where the scenario names it.
    package var position: JSONPosition

    package init(path: String, position: JSONPosition) {
        self.path = path
        self.position = position
    }
}

/// What becomes of a request for an operation that the contract does not have.
package enum UndocumentedRule: String, Sendable, Hashable, CaseIterable {
    /// It is answered as scripted, and nothing is said.
    case allow
    /// It is answered as scripted, and reported.
    case warn
    /// It is answered with a problem, before it changes anything.
    case refuse
}

/// Where answers come from for operations that the contract has and the scenario does not.
package enum FillRule: String, Sendable, Hashable, CaseIterable {
    /// The contract's examples, and values made from its schemas where it has none.
    case examples
    /// Values made from the contract's schemas.
    case schema
    /// From nowhere: such a request matches no route.
    case off
}
