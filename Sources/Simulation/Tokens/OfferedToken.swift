package import ScenarioFormat

/// A token that a request carried, and what it was.
package struct OfferedToken: Sendable, Hashable {
    /// The kind that the route wanted, or that travels in this place.
    package var wanted: String
    /// The kind that it is; `nil` where that is not known.
    package var kind: String?
    /// The token's own id; `nil` for one that is not this session's, such as a foreign one that is valid.
    package var id: String?
    package var standing: TokenStanding
    /// A Boolean value that indicates whether the route accepted it; `nil` where the route wanted none.
    package var isAccepted: Bool?
    package var device: String?
    /// The time since it was issued.
    package var age: Duration?
    /// The time for which it is still valid; negative once it has expired.
    package var timeLeft: Duration?
}

extension OfferedToken {
    init(_ token: Token, wanted: String, as standing: TokenStanding, at now: VirtualTime) {
        self.init(
            wanted: wanted,
            kind: token.kind,
            id: token.id,
            standing: standing,
            device: token.device,
            age: now - token.issued,
            timeLeft: token.expires - now
        )
    }
}

extension OfferedToken {
    /// A token that a captured request carried.
    package init(
        captured token: Token?,
        wanted: String,
        as standing: TokenStanding,
        isAccepted: Bool?,
        at now: VirtualTime
    ) {
        self.init(
            wanted: wanted,
            kind: token?.kind,
            id: token?.id,
            standing: standing,
            isAccepted: isAccepted,
            device: token?.device,
            age: token.map { now - $0.issued },
            timeLeft: token.map { $0.expires - now }
        )
    }
}
