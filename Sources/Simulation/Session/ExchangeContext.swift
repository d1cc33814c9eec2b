import HTTPCodec
import JSON
package import ScenarioFormat

/// What one exchange knows while its response is being made.
struct ExchangeContext {
    let number: UInt64
    let now: VirtualTime
    let arrival: RealTime
    let connection: UInt64
    /// How much earlier the request may have come than the server noticed.
    var lag = Duration.zero
    /// The other server that was asked; `nil` for the backend itself.
    var origin: String?
    var request: RequestView
    var chance: Chance
    /// The route that matched.
    var route: CompiledRoute?
    /// The operation whose documented answer is given.
    var operation: String?
    /// What the contract says about the request.
    var evaluation: ContractEvaluation?
    var device: String?
    var account: String?
    /// What was found in each place where tokens travel; `nil` where nobody has looked yet.
    var presented: [PresentedToken?] = []
    var offered: [OfferedToken] = []
    /// The texts of the offered tokens and where each stands in ``offered``.
    var notes: [(text: String, token: String?, entry: Int)] = []
    /// Superseded tokens that were offered and refused.
    var reused: [String] = []
    /// What the response hands out, by kind; a kind with `nil` is handed out as null.
    var granted: [(kind: String, token: Token?, source: Grant.Source)] = []
    var stateChanges: [Event.StateChange] = []
    /// The case or guard that answers.
    var answeredBy: String?
    /// What the route has found and the response has made, by name.
    var found: [(name: String, items: FoundItems)] = []
    /// The item that a selection or an embed is about, as it is stored.
    var item: JSONValue?
    /// The element of an array for which a change is made.
    var element: JSONValue?
    /// In how many items the one is embedded that is being looked at.
    var embedding = 0
    /// The part of the request that is being kept as a file.
    var uploadedPart: MultipartForm.Part?
    /// The gate that held it.
    var hold: GateHold?
    /// The number of the gate that its response is to wait at.
    var post: Int?

    func granted(_ kind: String) -> Token? {
        granted.last { $0.kind == kind }?.token
    }

    // MARK: Found items

    func foundNumber(of name: String) -> Int? {
        found.firstIndex { $0.name.hasSameUTF8(as: name) }
    }

    /// Lets a name stand for items, perhaps instead of others.
    mutating func bind(_ items: FoundItems, as name: String) {
        if let number = foundNumber(of: name) {
            found[number].items = items
        } else {
            found.append((name, items))
        }
    }

    /// Notes that what a reader sees may be different now.
    mutating func noteItemsChanged() {
        for number in found.indices { found[number].items.isStale = true }
    }
}

/// A token as it was found in a request.
enum PresentedToken {
    case text(String)
    case malformed
    case missing
}

/// A token that a request carried, and what it was.
package struct OfferedToken: Sendable, Hashable {
    /// The kind that the route wanted, or that travels in this place.
    package var wanted: String
    /// The kind that it is; `nil` where that is not known.
    package var kind: String?
    /// The token's own id; `nil` for one that is not this session's, such as a foreign one that is valid.
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
