package import JSON

/// A judgement that a story does not pass on its client, and why.
package struct Exemption: Sendable, Hashable {
    /// The judgement's number or name: `B2` or `refresh-storm`.
    package var judgement: String
    package var reason: String
    package var position: JSONPosition

    package init(judgement: String, reason: String, position: JSONPosition = .unknown) {
        self.judgement = judgement
        self.reason = reason
        self.position = position
    }
}
