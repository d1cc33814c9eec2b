package import ScenarioFormat

/// A token that a response handed out.
package struct GrantedToken: Sendable, Hashable {
    package var kind: String
    /// `nil` where null was handed out.
    package var id: String?
    package var source: Grant.Source
}

extension GrantedToken {
    package init(captured kind: String, id: String, source: Grant.Source) {
        self.init(kind: kind, id: id, source: source)
    }
}
