import Basics
package import HTTPCodec
import JSON
package import ScenarioFormat

/// The response to a request, its time, and its fault.
package struct Decision: Sendable {
    /// The exchange's number in its session's journal.
    package var exchange: UInt64
    package var message: ResponseMessage
    package var wait: Wait
    /// The time for which it is held after that wait, on the machine's clock; see ``Session/refusalHold``.
    package var hold = Duration.zero
    package var pacing: Pacing?
    package var fault: WireFault?
    /// A Boolean value that indicates whether the body is sent part by part by ``Session/Effect/sent(_:)``; the
    /// response has all of it as well.
    package var isStream = false
    /// The handling of the client's messages, if the stream is a WebSocket.
    package var webSocket: WebSocketRole?

    /// A session's handling of the messages of a WebSocket's client.
    package struct WebSocketRole: Sendable, Hashable {
        package var echoes: Bool
    }
    /// The way in which the upstream's message is sent, where the upstream responds; ``response`` is then for callers
    /// that cannot ask it.
    package var forwarding: Forwarding? {
        get { upstream?.forwarding }
        set { upstream = newValue.map(Upstream.init) }
    }

    private var upstream: Upstream?

    /// A class, because few of the many decisions that are passed on have one.
    private final class Upstream: Sendable {
        let forwarding: Forwarding

        init(_ forwarding: Forwarding) { self.forwarding = forwarding }
    }

    /// A Boolean value that indicates whether the body is to be sent as gzip, as its fields say already.
    package var isCompressed = false
    /// The response of the scenario that it is; `nil` for the tool's own responses and for those of the contract.
    package var script: ScenarioResponse?

    package init(exchange: UInt64, message: ResponseMessage, wait: Wait) {
        self.exchange = exchange
        self.message = message
        self.wait = wait
    }

    package var response: HTTPResponse {
        get { message.response }
        set { message = .made(newValue) }
    }

    /// The data of a scenario's response for the contract's evaluation.
    package struct ScenarioResponse: Sendable {
        /// The response's number among those of its scenario, where every message of it is the same but for the date.
        package var constant: Int?
        let compiled: CompiledResponse

        /// The response as the scenario has it.
        package var response: StubResponse { compiled.response }

        /// A Boolean value that indicates whether the body is a part of the scenario.
        package var sharesBody: Bool { compiled.constantBody != nil }
    }

    /// The changes of a session to the message of an upstream server.
    package struct Forwarding: Sendable {
        /// The status that replaces that of the message.
        package var status: HTTPStatus?
        /// Fields that replace those of the message.
        package var fields = HTTPFields()
        package var pacing: Pacing?
        package var fault: WireFault?
        /// The part of the body that a truncated message keeps.
        package var keep = 1.0
        /// The purpose of the request.
        package var purpose: RoutePurpose?
        /// The time of the session.
        package var time = VirtualTime(seconds: 0)
    }

    /// The response latency.
    package enum Wait: Sendable, Hashable {
        case none
        /// On the machine's clock.
        case real(Duration)
        /// Until the virtual clock reaches a moment, of which ``Session/Effect/released(exchange:)`` informs.
        case virtual(until: VirtualTime)
    }
}

/// The response that was chosen for a request, and why.
struct ChosenResponse {
    /// The rare ones lie elsewhere, so that the usual one is small.
    enum Source {
        case scenario(CompiledResponse)
        indirect case problem(Problem)
        /// A message that the contract documents, without a date.
        indirect case documented(HTTPResponse)
    }

    var source: Source
    var nearest: NearestRoute?
    /// The methods of a known path, for a response that has to name them.
    var allowedMethods: [String]?
    /// The sequence that the response is the next one of, and that counts on when the response is made.
    var sequence: Session.SequenceKey?

    init(_ response: CompiledResponse) {
        source = .scenario(response)
    }

    init(_ problem: Problem) {
        source = .problem(problem)
    }

    init(documented response: HTTPResponse) {
        source = .documented(response)
    }

    /// A Boolean value that indicates whether the upstream server responds.
    var isForwarded: Bool {
        if case .scenario(let response) = source { response.isForwarded } else { false }
    }

    /// A Boolean value that indicates whether the response, or a change with it, reads the request's body as JSON.
    var readsBody: Bool {
        if case .scenario(let response) = source { response.readsBody } else { false }
    }
}

/// The exchanges of a session whose responses have not been sent yet.
struct OpenExchanges: Sendable {
    private struct Entry {
        var route: String?
        var isParked: Bool
        var isHeld = false
    }

    private var entries: [UInt64: Entry] = [:]
    /// The number of each route, so that a search does not visit thousands of slow ones.
    private var counts: [String: Int] = [:]
    /// The number of waits on the virtual clock.
    private(set) var parkedCount = 0

    /// The number of held ones; for conditions they count as answered.
    private var heldCount = 0

    var count: Int { entries.count - heldCount }

    /// The number of all, including held ones.
    var total: Int { entries.count }

    /// The exchanges' numbers in their order.
    var numbers: [UInt64] { entries.keys.sorted() }

    /// A Boolean value that indicates whether there are any and all of them wait on the virtual clock.
    var isWaitingForTime: Bool { parkedCount > 0 && parkedCount == entries.count }

    func count(of route: String) -> Int {
        counts[route] ?? 0
    }

    mutating func add(_ exchange: UInt64, route: String?, isParked: Bool) {
        entries[exchange] = Entry(route: route, isParked: isParked)
        if isParked { parkedCount += 1 }
        if let route { counts[route, default: 0] += 1 }
    }

    /// Adds an exchange whose response would leave at once, were it not held.
    mutating func addHeld(_ exchange: UInt64) {
        entries[exchange] = Entry(route: nil, isParked: false, isHeld: true)
        heldCount += 1
    }

    /// Notes that an exchange waits on the virtual clock from now on.
    mutating func park(_ exchange: UInt64) {
        guard entries[exchange]?.isParked == false else { return }
        entries[exchange]?.isParked = true
        parkedCount += 1
    }

    /// Notes that an exchange's wait on the virtual clock is over.
    mutating func release(_ exchange: UInt64) {
        guard entries[exchange]?.isParked == true else { return }
        entries[exchange]?.isParked = false
        parkedCount -= 1
    }

    /// Takes an exchange out, and tells whether it was still waiting on the virtual clock.
    mutating func remove(_ exchange: UInt64) -> Bool {
        guard let entry = entries.removeValue(forKey: exchange) else { return false }
        if entry.isParked { parkedCount -= 1 }
        if entry.isHeld { heldCount -= 1 }
        if let route = entry.route {
            let left = counts[route, default: 1] - 1
            counts[route] = left > 0 ? left : nil
        }
        return entry.isParked
    }
}

/// The data of one exchange while its response is rendered.
struct ExchangeContext {
    let number: UInt64
    let now: VirtualTime
    let arrival: MonotonicTime
    let connection: UInt64
    /// The maximum time between the request's arrival and the server's notice.
    var lag = Duration.zero
    /// The other server that was asked; `nil` for the backend itself.
    var origin: String?
    var request: RequestView
    /// A Boolean value that indicates whether the request is in memory anyway, because it has come before.
    var sharesRequest = false
    /// Where the request leads, as far as it was found out before.
    var match: RouteTree.Match?
    var chance: Chance
    /// The route that matched.
    var route: CompiledRoute?
    /// The operation whose documented response is given.
    var operation: String?
    var consultation: RequestConsultation?
    /// The reason why the request's body is not decoded.
    var codingError: ContentCodingError?
    /// The purpose that the request alone suggests.
    var guess: RoutePurpose?
    /// The texts of the request that may be tokens, wherever they are.
    var candidates: [String] = []
    /// A Boolean value that indicates whether the journal does not get the body of the request.
    var hidesBody = false
    var device: String?
    var account: String?
    /// The texts in each place of tokens; `nil` before the first use.
    var presented: [PresentedToken?] = []
    var offered: [OfferedToken] = []
    /// The texts of the offered tokens, the state of each when it was noted, and its index in ``offered``.
    var notes: [(text: String, token: Token?, entry: Int)] = []
    /// Superseded tokens that were offered and refused.
    var reused: [String] = []
    /// The tokens that the response grants, by kind; `nil` is written as null.
    var granted: [(kind: String, token: Token?, source: Grant.Source)] = []
    var stateChanges: [Event.StateChange] = []
    /// The case or guard that answers.
    var answeredBy: String?
    /// The index of the case that answers.
    var branch: Int?
    /// A Boolean value that indicates whether the client gets only a part of the response, or 304 because it has it
    /// already.
    var isConditional = false
    /// A Boolean value that indicates whether the body is to be sent as gzip.
    var isCompressed = false
    /// The tokens that conditions have found, by the kind that they asked for.
    var presentedTokens: [(kind: String, id: String)] = []
    /// The items that the route found and the response created, by name.
    var found: [(name: String, items: FoundItems)] = []
    /// The events of the response, where it is a stream.
    var stream: RenderedStream?
    /// The token whose claims are made.
    var issued: Token?
    /// The proof of possession, once it was looked at.
    var proof: CheckedProof?
    /// The item that a selection or an embed is about, as it is stored.
    var item: JSONValue?
    /// The element of an array for which a change is made.
    var element: JSONValue?
    /// In how many items the one is embedded that is being looked at.
    var embedding = 0
    var embeddedWork = EmbeddedWork()
    /// The expression of a condition that took too many steps, so that no response can be chosen.
    var undecided: String?
    /// The part of the request that is being kept as a file.
    var uploadedPart: MultipartForm.Part?
    /// The gate that held it.
    var hold: GateHold?
    /// The index of the gate at which its response waits.
    var gate: Int?
    /// The limit on the route's requests, once the request was counted.
    var rate: RateState?
    /// The fault that was armed for it.
    var armed: Session.ArmedFault?
    /// The header fields that replace those of the response, where the armed fault has no body.
    var armedHeaders: [HeaderTemplate] = []
    /// The header fields that the response of an armed fault must have, and gets if it lacks them.
    var requiredFields: [(name: String, value: String)] = []

    /// The contract's evaluation of the request.
    var evaluation: ContractEvaluation? { consultation?.evaluation }

    /// The request's route; `nil` without one.
    var purpose: RoutePurpose? {
        guard let purposes = route?.purposes else { return nil }
        if let own = branch.flatMap({ purposes.cases[$0] }) { return own }
        return offered.contains { purposes.refreshKinds.contains($0.wanted) } ? .refresh : purposes.common
    }

    /// The noted data of a token, if it is of the kind that a route requires and no route has judged it yet.
    func entry(of text: String, as requirement: CompiledRequirement) -> (number: Int, standing: TokenStanding)? {
        guard
            !requirement.isForeign, let note = notes.first(where: { $0.text.exact == text.exact }),
            note.token?.kind == requirement.kind, offered[note.entry].isAccepted == nil
        else { return nil }
        return (note.entry, offered[note.entry].standing)
    }

    func granted(_ kind: String) -> Token? {
        granted.last { $0.kind == kind }?.token
    }

    // MARK: Found items

    func foundNumber(of name: String) -> Int? {
        found.firstIndex { $0.name.exact == name.exact }
    }

    /// Assigns items to a name, possibly instead of others.
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

/// The amount of embedded items of one response, within bounds: a list in which each item embeds a
/// list whose items embed a list would keep everybody waiting, and fill the memory.
struct EmbeddedWork {
    /// The maximum number of items that are shown inside others.
    static let mostShown = 50_000
    /// The maximum number of items that are examined for it.
    static let mostLookedAt = 1_000_000

    private var shown = 0
    private var lookedAt = 0
    /// The collection at which a bound was reached.
    private(set) var excess: String?

    /// Notes that so many items are to be looked at; false when they are too many.
    mutating func look(at count: Int, of collection: String) -> Bool {
        lookedAt += count
        if lookedAt > Self.mostLookedAt { excess = excess ?? collection }
        return excess == nil
    }

    /// Notes that an item is to be shown; false when it is one too many.
    mutating func show(of collection: String) -> Bool {
        shown += 1
        if shown > Self.mostShown { excess = excess ?? collection }
        return excess == nil
    }
}

/// A token as it was found in a request.
enum PresentedToken {
    case text(String)
    case malformed
    case missing

    /// The first token of several places; a place with something else in it counts only if no other has one.
    static func first(of found: [PresentedToken]) -> PresentedToken {
        let text = found.first { if case .text = $0 { true } else { false } }
        let malformed = found.first { if case .malformed = $0 { true } else { false } }
        return text ?? malformed ?? .missing
    }
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
