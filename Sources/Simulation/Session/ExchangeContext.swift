import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The data of one exchange while its response is rendered.
///
/// It cannot be copied: it is large, and each function that gets it works on the same exchange.
struct ExchangeContext: ~Copyable {
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
    /// The tokens of the request, if it may be sent on.
    var remarks: ForwardingRemarks?
    /// A Boolean value that indicates whether the journal does not get the body of the request.
    var hidesBody = false
    var device: String?
    var account: String?
    /// The texts in each place of tokens; `nil` before the first use.
    var presented: [PresentedToken?] = []
    var offered: [OfferedToken] = []
    /// The texts of the offered tokens, the state of each when it was noted, and its index in ``offered``.
    var notes: [(text: String, token: Token?, entry: Int)] = []
    /// A Boolean value that indicates whether it is a sign-out that the upstream does not get.
    var isWithheld = false
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
    /// The time for which its response waits.
    var delay = Duration.zero
    /// The fault that was armed for it.
    var armed: ArmedFault?
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

    /// The value of a part of the request; `nil` if it is missing.
    mutating func value(of part: RequestPart) -> JSONValue? {
        switch part {
        case .device: device.map(JSONValue.string)
        case .account: account.map(JSONValue.string)
        default: request.value(of: part)
        }
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

extension ExchangeContext {
    /// The context of a request that is decided.
    init(
        _ incoming: consuming IncomingRequest,
        _ number: UInt64,
        at now: VirtualTime,
        _ arrival: MonotonicTime,
        _ seed: UInt64
    ) {
        self.init(
            number: number,
            now: now,
            arrival: arrival,
            connection: incoming.connection,
            request: incoming.route?.view(of: incoming.request) ?? RequestView(incoming.request),
            chance: Chance(seed: seed, stream: number)
        )
        presented = incoming.route?.presented ?? []
        lag = incoming.lag
        sharesRequest = incoming.isKnown
        consultation = incoming.origin == nil ? incoming.consultation : nil
        codingError = incoming.codingError
        request.hasReadableBody = incoming.codingError == nil
        remarks = incoming.remarks
        hidesBody = incoming.remarks?.hidesBody ?? false
        origin = incoming.origin
        match = incoming.route?.match
    }

    /// The context of an event without a request.
    ///
    /// - Parameter stream: the number of a stream of chance that nothing else draws from.
    init(at time: VirtualTime, seed: UInt64, stream: UInt64) {
        self.init(
            number: 0,
            now: time,
            arrival: MonotonicTime(nanoseconds: 0),
            connection: 0,
            request: RequestView(Self.noRequest),
            chance: Chance(seed: seed, stream: stream)
        )
    }

    /// The replacement of a missing request.
    private static let noRequest = HTTPRequest(method: .get, target: "/")
}
