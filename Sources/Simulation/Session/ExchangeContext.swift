import JSONText
package import ScenarioFormat

/// What one exchange knows while its reply is being made.
struct ExchangeContext {
    let number: UInt64
    let now: VirtualTime
    var request: RequestView
    var chance: Chance
    /// The route's key, where one matched.
    var route: String?
    var device: String?
    var account: String?
    var offered: [OfferedToken] = []
    /// What the reply hands out, by kind; a kind with `nil` is handed out as null.
    var granted: [(kind: String, token: Token?, source: Grant.Source)] = []
    var stateChanges: [Event.StateChange] = []
    var guardName: String?

    func granted(_ kind: String) -> Token? {
        granted.last { $0.kind == kind }?.token
    }
}

/// A token that a request carried, and what it was.
package struct OfferedToken: Sendable, Hashable {
    /// The kind that the route wanted, or that travels in this place.
    package var wanted: String
    /// The kind that it is; `nil` for one that is not this session's.
    package var kind: String?
    /// The token's own id; `nil` for one that is not this session's.
    package var id: String?
    package var standing: TokenStanding
    /// Whether the route accepted it; `nil` where the route wanted none.
    package var isAccepted: Bool?
    package var device: String?
    /// How long ago it was issued.
    package var age: Duration?
    /// How long it is still valid; negative once it has expired.
    package var timeLeft: Duration?
}
