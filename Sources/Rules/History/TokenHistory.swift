import HTTPCodec
import JSON
import ScenarioFormat
package import Simulation

/// What happened, as rules look at it: by device, with the role of every exchange.
package struct TokenHistory: Sendable {
    package let evidence: Evidence
    /// In the order of their first sign-in.
    package let devices: [DeviceHistory]
    /// What each device did in each launch; empty in the history that an episode itself has.
    private(set) var episodes: [Episode] = []
    /// The exchange in which each token was used up for a newer one, by the token's id.
    let spenders: [String: UInt64]
    /// The exchange that granted each token.
    let grants: TokenGrants
    /// The last exchange of each moment that may have ended tokens of a device.
    let enders: [Ending: UInt64]
    /// How the requests of each launch lay to each other.
    let traffic: [LaunchIdentity: LaunchTraffic]

    /// A moment of a device at which tokens may have ended.
    struct Ending: Hashable {
        var device: ExactText
        var time: VirtualTime
    }

    package init(_ evidence: Evidence) {
        self.evidence = evidence
        let names = evidence.ledger.devices.map(\.name)
        var byDevice: [ExactText: [Exchange]] = [:]
        let sole = names.count == 1 ? names.first : nil
        for exchange in evidence.exchanges {
            guard let name = exchange.device ?? sole else { continue }
            byDevice[ExactText(name), default: []].append(exchange)
        }
        devices = names.map { DeviceHistory(name: $0, exchanges: byDevice[ExactText($0)] ?? []) }
        grants = TokenGrants(evidence.exchanges)
        let roles = evidence.roles
        traffic = Dictionary(grouping: evidence.exchanges, by: \.launchIdentity)
            .mapValues {
                LaunchTraffic($0, roles.purpose) { roles.purpose(of: $0) == .resource && roles.haveRefused($0) }
            }
        var spenders: [String: UInt64] = [:]
        var enders: [Ending: UInt64] = [:]
        for exchange in evidence.exchanges {
            if let device = exchange.device ?? sole, evidence.roles.mayEndTokens(exchange) {
                enders[Ending(device: ExactText(device), time: exchange.time)] = exchange.number
            }
            guard exchange.isCommitted else { continue }
            let kinds = exchange.granted.filter { $0.source == .new }.map(\.kind)
            for token in exchange.offered where token.isAccepted == true && kinds.contains(token.wanted) {
                if let id = token.id, spenders[id] == nil { spenders[id] = exchange.number }
            }
        }
        (self.spenders, self.enders) = (spenders, enders)
        episodes = Episode.all(in: self)
    }

    package var roles: TokenRoles { evidence.roles }

    /// What each device sent in each launch of the client.
    var launches: [(device: DeviceHistory, exchanges: [Exchange])] {
        devices.flatMap { device in device.launches.map { (device, $0) } }
    }
}

extension TokenRoles {
    /// Whether an exchange may have ended other tokens than those that it used up.
    fileprivate func mayEndTokens(_ exchange: Exchange) -> Bool {
        switch purpose(of: exchange) {
        case .signOut, .signIn: true
        case .refresh: exchange.offered.contains { $0.standing == .superseded || $0.standing == .reused }
        case .resource, .open: false
        }
    }

    fileprivate func haveRefused(_ exchange: Exchange) -> Bool {
        exchange.offered.contains { $0.isAccepted == false && kind(named: $0.wanted) != nil }
    }

    package func purpose(of exchange: Exchange) -> Purpose {
        guard exchange.origin == nil, let route = exchange.route else { return .open }
        if let own = exchange.answeredBy.flatMap({ purposes["\($0) of \(route)"] }) { return own }
        let wanted = wantedByRefreshes[route] ?? []
        return exchange.offered.contains { wanted.contains($0.wanted) } ? .refresh : purposes[route] ?? .open
    }
}

/// The exchanges of one device, oldest first; those without a device are counted as a sole device's.
package struct DeviceHistory: Sendable {
    package let name: String
    package let exchanges: [Exchange]
    /// The same, apart by launch of the client.
    let launches: [[Exchange]]

    init(name: String, exchanges: [Exchange]) {
        self.name = name
        self.exchanges = exchanges
        launches = exchanges.byProcess.flatMap { $0.chunked { $0.launch == $1.launch } }
    }
}

extension [Exchange] {
    /// The exchanges apart by process of the client, in the order of the first of each.
    var byProcess: [[Exchange]] {
        guard contains(where: { $0.process != nil }) else { return isEmpty ? [] : [self] }
        return map { $0.process }.unique.map { name in filter { $0.process == name } }
    }
}

extension TokenHistory {
    package func purpose(of exchange: Exchange) -> TokenRoles.Purpose {
        roles.purpose(of: exchange)
    }

    package func isRefresh(_ exchange: Exchange) -> Bool { purpose(of: exchange) == .refresh }

    /// Whether a resource has refused the request because of its token, whatever the status.
    package func isRefused(_ exchange: Exchange) -> Bool {
        purpose(of: exchange) == .resource && hasRefusedToken(exchange)
    }

    /// Whether a token of the backend's own was required and is not accepted; a foreign one does not count.
    func hasRefusedToken(_ exchange: Exchange) -> Bool {
        roles.haveRefused(exchange)
    }

    /// The token that the exchange brought for a role; the one that it judged comes before others.
    package func offered(_ role: TokenRoles.Role, in exchange: Exchange) -> OfferedToken? {
        let fitting = exchange.offered.filter { roles.role(of: $0.wanted) == role }
        return fitting.first { $0.isAccepted != nil } ?? fitting.first
    }

    /// The tokens of a role that the exchange granted: the new ones, or those that it repeated, too.
    package func granted(
        _ role: TokenRoles.Role,
        by exchange: Exchange,
        isRepetitionCounted: Bool = false
    ) -> [Token] {
        exchange.granted
            .filter { (isRepetitionCounted || $0.source == .new) && roles.role(of: $0.kind) == role }
            .compactMap { $0.id.flatMap(evidence.ledger.token(id:)) }
    }

    /// Whether the response has reached the client whole.
    package func wasReceived(_ exchange: Exchange) -> Bool {
        exchange.outcome == .sent && exchange.fault == nil
    }

    /// Whether two exchanges were in flight at the same time.
    package func wereTogether(_ one: Exchange, _ other: Exchange) -> Bool {
        let (first, second) = one.arrival <= other.arrival ? (one, other) : (other, one)
        return first.end.map { second.arrival < $0 } ?? true
    }
}

extension TokenHistory {
    /// Whether the exchange granted tokens that are new, and the client has them.
    func renews(_ exchange: Exchange) -> Bool {
        wasReceived(exchange) && exchange.handsOutNewTokens
    }
}

extension TokenHistory {
    /// Whether the server would have accepted a token when an exchange was decided.
    ///
    /// - Parameters:
    ///   - number: the exchange's number; what was decided later at the same virtual time does not count.
    ///   - time: its virtual time.
    func isGood(_ token: Token, before number: UInt64, at time: VirtualTime) -> Bool {
        guard time < token.expires else { return false }
        guard let ended = token.ended, ended <= time else { return true }
        if ended == time, wasEnded(token, in: number..., at: time) { return true }
        guard case .exchanged(let moment) = token.fate else { return false }
        return time - moment < roles.kind(named: token.kind)?.grace ?? .zero
    }

    /// Whether one of these exchanges was what ended the token at that moment.
    private func wasEnded(_ token: Token, in numbers: PartialRangeFrom<UInt64>, at time: VirtualTime) -> Bool {
        if let spender = spenders[token.id] { return numbers.contains(spender) }
        let last = enders[Ending(device: ExactText(token.device), time: time)]
        return last.map(numbers.contains) ?? false
    }
}

/// Whether the sender of a request knew an earlier response, or whatever else of a request's way is asked.
enum Following: Sendable, Hashable {
    case yes
    /// Nothing shows it.
    case no
    /// It would, had the server not been late itself.
    case unclear
}

/// What shows that the sender of a request knew an earlier response: it carries a value that only that response gave;
/// the client does one thing after the other; the response was held for longer than requests are apart that know
/// nothing of each other.
extension TokenHistory {
    /// Whether the sender of a request knew an earlier response of the same launch.
    package func isClearlyBefore(_ earlier: Exchange, _ later: Exchange) -> Bool {
        follows(later, from: earlier) == .yes
    }

    /// The same, where a request that would be a later one, had the server not been late itself, may count as well.
    func isBefore(_ earlier: Exchange, _ later: Exchange, countingUnclear isUnclearCounted: Bool) -> Bool {
        let following = follows(later, from: earlier)
        return following == .yes || isUnclearCounted && following == .unclear
    }

    func follows(_ later: Exchange, from earlier: Exchange) -> Following {
        guard let end = earlier.end, later.arrival >= end, later.number != earlier.number else { return .no }
        // No process knows what another one was told, unless it has a value from there.
        guard earlier.process == later.process else { return carriesValue(later, of: earlier) ? .yes : .no }
        if earlier.launch == later.launch, let traffic = traffic[later.launchIdentity],
            traffic.isSequential || traffic.hasOneConnection
        {
            if later.begin < end { return .unclear }
            return traffic.isSequentialUnclear && !traffic.hasOneConnection ? .unclear : .yes
        }
        let limit = earlier.refusalHold > .zero ? TimeLimit.transit.value : TimeLimit.siblings.value
        if later.begin >= end, later.begin.since(end) > limit { return .yes }
        if carriesValue(later, of: earlier) { return .yes }
        return later.arrival.since(end) > limit ? .unclear : .no
    }

    /// The same for a refresh that offers again what an earlier one has offered.
    ///
    /// A client with one refresh at a time has no reason to do so once the response is out, so a held one needs no
    /// further evidence.
    func reoffers(_ later: Exchange, after earlier: Exchange) -> Following {
        guard let end = earlier.end, later.arrival >= end else { return .no }
        guard earlier.refusalHold > .zero else { return follows(later, from: earlier) }
        return later.begin >= end ? .yes : .unclear
    }

    /// Whether a request may have waited in the platform's pool of connections while a response was on its way, so that
    /// the code that handles tokens had no more influence on it.
    func mayHaveWaited(_ request: Exchange, for response: Exchange) -> Following {
        guard let end = response.end else { return .no }
        return traffic[request.launchIdentity]?.mayHaveWaited(request, since: end) ?? .no
    }

    // MARK: Values

    /// Whether a request carries a value that only an earlier response gave: a token, an id, a cursor, a cookie.
    private func carriesValue(_ later: Exchange, of earlier: Exchange) -> Bool {
        if later.offered.contains(where: { $0.id.map { grants[$0] == earlier.number } ?? false }) { return true }
        let given = earlier.givenValues
        guard !given.isEmpty else { return false }
        let sent =
            Array(later.request.target.utf8) + [0x0A] + Array((later.request.fields["Cookie"] ?? "").utf8) + [0x0A]
            + later.request.body.prefix(Exchange.longestSearched)
        guard let value = given.first(where: { sent.contains(sequence: $0) }) else { return false }
        // What stood in an older message may have come from there.
        let end = evidence.exchanges.place { $0.number < later.number }
        guard end <= Self.mostSearched else { return false }
        return !evidence.exchanges[..<end].contains { $0.number != earlier.number && $0.tells(value) }
    }

    /// In longer journals a value's only source is not searched for.
    private static let mostSearched = 256
}

extension Exchange {
    fileprivate static let longestSearched = 64 << 10
    /// Shorter texts are words that may stand anywhere.
    private static let shortestValue = 8
    private static let mostValues = 64

    /// Texts of the response that a client may send back.
    fileprivate var givenValues: [[UInt8]] {
        guard response.body.count <= Self.longestSearched else { return [] }
        var values = response.fields.filter { $0.name.utf8.elementsEqual("Set-Cookie".utf8) }
            .compactMap { $0.value.utf8.split(separator: UInt8(ascii: ";")).first.map(Array.init) }
        func collect(_ value: JSONValue, depth: Int) {
            guard values.count < Self.mostValues, depth < 8 else { return }
            if let text = value.string { values.append(Array(text.utf8)) }
            for element in value.array ?? [] { collect(element, depth: depth + 1) }
            for member in value.object?.members ?? [] { collect(member.value, depth: depth + 1) }
        }
        if let root = (try? JSONParser().parse(response.body))?.root { collect(root, depth: 0) }
        return values.filter { Self.shortestValue...512 ~= $0.count }
    }

    /// Whether a text stands in the request or in the response.
    fileprivate func tells(_ value: [UInt8]) -> Bool {
        let fields = (Array(request.fields) + Array(response.fields)).map(\.value)
        return request.target.utf8.contains(sequence: value) || request.body.contains(sequence: value)
            || response.body.contains(sequence: value) || fields.contains { $0.utf8.contains(sequence: value) }
    }
}

extension Collection where Element == UInt8 {
    /// Whether bytes occur in a row.
    fileprivate func contains(sequence: [UInt8]) -> Bool {
        guard let first = sequence.first else { return true }
        var rest = self[...]
        while let index = rest.firstIndex(of: first) {
            if rest[index...].starts(with: sequence) { return true }
            rest = rest[index...].dropFirst()
        }
        return false
    }
}

extension TokenStanding {
    /// Whether a token that is so was valid once, and a refresh brings a better one.
    var isDead: Bool {
        switch self {
        case .expired, .revoked, .superseded, .reused: true
        case .valid, .wrongKind, .unknown, .malformed, .missing: false
        }
    }

    /// What has happened to such a token, as the words after "which".
    var pastWords: String {
        switch self {
        case .expired: "had expired"
        case .revoked: "had been revoked"
        case .superseded: "had been replaced"
        case .reused: "had been replaced and used again"
        case .valid, .wrongKind, .unknown, .malformed, .missing: "was \(words)"
        }
    }
}

/// The tokens of one role that exchanges have brought, for the question which the client knew when.
struct ReceivedTokens {
    struct Entry {
        var token: Token
        /// The exchange that brought it.
        var exchange: Exchange
        var end: RealTime
    }

    /// By when they were received, and each the newest of those up to there.
    private(set) var newest: [Entry] = []

    /// - Parameter isRepetitionCounted: whether a token that was granted again is one that was received then.
    init(
        _ role: TokenRoles.Role,
        among exchanges: [Exchange],
        of history: TokenHistory,
        isRepetitionCounted: Bool = false
    ) {
        var entries: [Entry] = []
        for exchange in exchanges where history.wasReceived(exchange) {
            let tokens = history.granted(role, by: exchange, isRepetitionCounted: isRepetitionCounted)
            guard let end = exchange.end, let token = tokens.last else { continue }
            entries.append(Entry(token: token, exchange: exchange, end: end))
        }
        for entry in entries.sorted(by: { ($0.end, $0.exchange.number) < ($1.end, $1.exchange.number) }) {
            if let last = newest.last, last.exchange.number > entry.exchange.number {
                newest.append(Entry(token: last.token, exchange: last.exchange, end: entry.end))
            } else {
                newest.append(entry)
            }
        }
    }

    var isEmpty: Bool { newest.isEmpty }

    /// The newest one that the client had by a moment.
    func newest(by moment: RealTime) -> Entry? {
        let place = newest.place { $0.end <= moment }
        return place > 0 ? newest[place - 1] : nil
    }

    /// The last few that had been sent by a moment, newest first.
    func last(_ count: Int, by moment: RealTime) -> [Entry] {
        newest[..<newest.place { $0.end <= moment }].suffix(count).reversed()
    }
}

/// What a response and the token in it say about the token's lifetime.
struct LifetimePromise {
    /// The name of the member that says so, as the response has it.
    var name: String
    /// What the response says.
    var announced: Duration
    /// What the token says, where it is a JWT with `exp`.
    var claimed: Duration?
    /// The moment from which both count.
    var start: VirtualTime

    /// - Returns: `nil` where the response says nothing.
    init?(in exchange: Exchange, of token: Token) {
        guard
            let root = (try? JSONParser().parse(exchange.response.body))?.root,
            let (name, amount) = Self.lifetime(in: root, depth: 0)
        else { return nil }
        self.name = name
        start = token.issued
        claimed = Token.claimedEnd(of: token.value).map { VirtualTime(seconds: Int64($0)) - token.issued }
        // A number that is far too great for seconds is one of milliseconds.
        let lifetime = claimed ?? token.expires - token.issued
        let isMilliseconds = amount > 100_000 && amount / 1_000 <= lifetime.components.seconds * 10
        announced = isMilliseconds ? .milliseconds(amount) : .seconds(amount)
    }

    /// How deep a response may wrap its tokens.
    private static let deepest = 3

    private static func lifetime(in value: JSONValue, depth: Int) -> (name: String, amount: Int64)? {
        guard let object = value.object else { return nil }
        for member in object.members where isLifetime(member.name) {
            let amount = member.value.int ?? member.value.string.flatMap { Int($0) }
            if let amount, 0...1_000_000_000_000 ~= amount { return (member.name, Int64(amount)) }
        }
        guard depth < deepest else { return nil }
        return object.members.lazy.compactMap { lifetime(in: $0.value, depth: depth + 1) }.first
    }

    /// `expires_in` (RFC 6749, section 5.1), and what backends make of it.
    private static func isLifetime(_ name: String) -> Bool {
        let letters = name.utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }.map { $0 | 0x20 }
        return ["expiresin", "accesstokenexpiresin", "accessexpiresin", "expirein", "tokenexpiresin"]
            .contains { $0.utf8.elementsEqual(letters) }
    }
}
