package import JSON

/// A rule that a story does not pass on its client, and why.
package struct Exemption: Sendable, Hashable {
    /// The rule's number or name: `B2` or `refresh-storm`.
    package var rule: String
    package var reason: String
    package var position: JSONPosition

    package init(rule: String, reason: String, position: JSONPosition = .unknown) {
        self.rule = rule
        self.reason = reason
        self.position = position
    }
}
