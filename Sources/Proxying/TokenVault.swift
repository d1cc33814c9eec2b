import Basics
import Checking
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import StubServing

/// Keeps the tokens of an upstream, so that clients have only tokens of this server.
///
/// The upstream's tokens are in this memory alone. A class, because all sessions and loops share it.
final class TokenVault: Sendable {
    /// A token of the upstream, which several tokens of clients may mean one after the other.
    private struct Held {
        let family: Int
        let kind: String
        var value: String
        /// The real time at which the upstream's token expires; `nil` if unknown.
        var end: MonotonicTime?
        /// The lifetime of its kind, as far as a response has stated it.
        var lifetime: Duration?
        /// The real time at which it was received.
        var received: VirtualTime
        var isRefused = false
        /// The newest token of the client that means it.
        var own: String
    }

    /// The tokens of one sign-in.
    private struct Family {
        /// The tokens that a refresh renews, by kind and audience.
        var current: [String: Int] = [:]
        /// The tokens of the upstream that responses may contain again, newest last, with those of the client.
        var known: [(value: String, own: String)] = []
        /// The last response to a refresh, by upstream, method, path and audience.
        var renewals: [String: Renewal] = [:]
        /// A refresh as the client sends it, by audience.
        var refreshes: [String: ForwardedExchange] = [:]
        /// The number of refreshes at the upstream that have ended.
        var ended = 0

        static let mostKnown = 32
        static let mostRenewals = 4

        /// One refresh token renews the access tokens for all audiences.
        static func key(_ kind: String, _ audience: String) -> String {
            kind == "refresh" || audience.isEmpty ? kind : "\(kind) \(audience)"
        }
    }

    /// A response to a refresh, which other tokens can be put into.
    private struct Renewal {
        var response: HTTPResponse
        /// The granted tokens, by kind.
        var grants: [(kind: String, value: String)]
        /// The kinds whose token the refresh has left unchanged.
        var stable: Set<String>
        /// A Boolean value that indicates whether nothing in it is about one user.
        var isPlain: Bool

        /// The most bytes of a response that is kept.
        private static let longest = 16 << 10

        /// - Parameters:
        ///   - others: The other tokens that the response may contain; it is kept only without them.
        ///   - before: The former tokens of the upstream, by kind.
        init?(
            _ response: HTTPResponse,
            _ grants: [Grant],
            apartFrom others: [(theirs: String, own: String)],
            before: [String: String]
        ) {
            var replaced = response
            // Each kind is replaced by its one current token.
            guard Set(grants.map(\.kind)).count == Set(grants.map(\.value)).count,
                response.body.count <= Self.longest, !TokenText.statesMoment(response), !replaced.replace(others)
            else { return nil }
            (self.response, self.grants) = (response, grants.map { ($0.kind, $0.value) })
            stable = Set(grants.filter { $0.kind == "refresh" && before[$0.kind] == $0.value }.map(\.kind))
            isPlain = TokenText.isPlain(response, except: Set(grants.map(\.value)))
        }
    }

    private struct State {
        var held: [Int: Held] = [:]
        var families: [Int: Family] = [:]
        /// The upstream's token that a token of a client means.
        var numbers: [String: Int] = [:]
        /// The tokens of clients, oldest first.
        var order: [String] = []
        var plainRenewals: [String: Renewal] = [:]
        /// The size of the renewals that were added since all were forgotten, in bytes.
        var renewalBytes = 0
        /// The relays that wait for the refresh of a sign-in, which is under way.
        var waiting: [Int: [RelayOnLoop]] = [:]
        var lastNumber = 0

        /// The number of clients' tokens that are kept; the older half is forgotten then.
        private static let most = 100_000
        /// The number of bytes of renewals at which all are forgotten, so that the upstream responds again.
        private static let mostRenewalBytes = 64 << 20

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }

        /// Keeps a token of the upstream, and returns that of the client.
        ///
        /// - Parameters:
        ///   - key: Its kind and audience.
        ///   - isCurrent: Whether it takes the place of the sign-in's former token of its kind.
        ///   - keepsOwn: Whether the client keeps its token.
        ///   - replaces: Whether the client gets another token also for an equal one: a server without identifiers in its
        ///     tokens hands out equal ones in one second.
        ///   - access: The client's access token from the same response.
        mutating func enter(
            _ grant: Grant,
            as key: String,
            isCurrent: Bool,
            keepsOwn: Bool,
            replaces: Bool,
            hashing access: String?,
            in family: inout Family,
            _ number: Int,
            at moment: Moment
        ) -> String {
            // Not every response states it.
            let lifetime = grant.lifetime ?? family.current[key].flatMap { held[$0]?.lifetime }
            let end = lifetime.map { moment.monotonic.advanced(by: $0) }
            if !replaces, let known = family.known.last(where: { $0.value == grant.value }) {
                if let place = numbers[known.own], let end { held[place]?.end = end }
                return known.own
            }
            let place = isCurrent ? family.current[key] ?? nextNumber() : nextNumber()
            let shift = moment.session - moment.real
            let own =
                (keepsOwn ? held[place]?.own : nil)
                ?? OwnToken.like(grant.value, shiftedBy: shift, hashing: access) { numbers[$0] != nil }
            var token = Held(family: number, kind: grant.kind, value: grant.value, received: moment.real, own: own)
            (token.end, token.lifetime) = (end, lifetime)
            held[place] = token
            if isCurrent { family.current[key] = place }
            note(own, place, for: grant.value, in: &family)
            return own
        }

        /// Notes which token of the upstream a token of the client means.
        mutating func note(_ own: String, _ number: Int, for value: String, in family: inout Family) {
            family.known.removeAll { $0.value == value }
            family.known.append((value, own))
            if family.known.count > Family.mostKnown { family.known.removeFirst() }
            if numbers.updateValue(number, forKey: own) == nil { order.append(own) }
            guard order.count > Self.most else { return }
            for old in order.prefix(Self.most / 2) { numbers[old] = nil }
            order.removeFirst(Self.most / 2)
            let kept = Set(numbers.values)
            held = held.filter { kept.contains($0.key) }
            let signIns = Set(held.values.map(\.family))
            families = families.filter { signIns.contains($0.key) }
        }

        /// Keeps the response to a refresh, with which later ones are responded to.
        mutating func keep(_ renewal: Renewal?, in family: inout Family, _ route: String) {
            renewalBytes += renewal?.response.body.count ?? 0
            if renewalBytes > Self.mostRenewalBytes {
                for number in families.keys { families[number]?.renewals = [:] }
                (plainRenewals, renewalBytes) = ([:], 0)
            }
            if family.renewals[route] == nil, family.renewals.count >= Family.mostRenewals { family.renewals = [:] }
            family.renewals[route] = renewal
            if let renewal, renewal.isPlain, plainRenewals.count < 100 { plainRenewals[route] = renewal }
        }
    }

    private let state = Lock(State())

    /// A shorter text may be an ordinary word of a message, and is left as it is.
    static let shortest = 16

    // MARK: Requests

    /// A request for the upstream, with the upstream's tokens.
    struct Outgoing {
        var request: HTTPRequest
        /// The number of the sign-in that its tokens are from.
        var family: Int?
        /// The numbers of the tokens that it contains.
        var tokens: [Int] = []
        /// The reason why the tokens of the response are left as they are.
        var binding: String?
        /// The number of the sign-in's refreshes that had ended when the tokens were put in.
        var ended = 0
        /// A Boolean value that indicates whether no refresh was tried before the request yet.
        var mayRenew = true
    }

    /// Puts the upstream's tokens into a request.
    func outgoing(_ request: HTTPRequest) -> Outgoing {
        var outgoing = Outgoing(request: request, binding: Self.binding(of: request))
        state.withLock { state in
            var found: [Int] = []
            func value(_ word: [UInt8]) -> String? {
                guard let number = state.numbers[String(decoding: word, as: UTF8.self)] else { return nil }
                if !found.contains(number) { found.append(number) }
                return state.held[number]?.value
            }
            let changed = TokenText.replacing(in: request, by: value)
            guard !found.isEmpty else { return }
            outgoing.request = changed
            outgoing.tokens = found
            let kinds = found.compactMap { state.held[$0] }
            outgoing.family =
                (kinds.first { $0.kind == "refresh" } ?? kinds.first { $0.kind == "access" } ?? kinds.first)?
                .family
            outgoing.ended = outgoing.family.flatMap { state.families[$0]?.ended } ?? 0
        }
        return outgoing
    }

    /// The reason why a client's tokens cannot be replaced: its requests prove that it has a key.
    private static func binding(of request: HTTPRequest) -> String? {
        if request.fields.contains("DPoP") { return "requests have proofs of possession (DPoP, RFC 9449)" }
        if request.fields.contains("Signature") || request.fields.contains("Signature-Input") {
            return "requests are signed (RFC 9421)"
        }
        let scheme = request.fields["Authorization"]?.prefix { $0 != " " }.lowercased() ?? ""
        if scheme.hasPrefix("aws4-") || scheme == "signature" || scheme == "hawk" {
            return "requests are signed (\(scheme.printable))"
        }
        return nil
    }

    // MARK: Responses

    /// A response for the client, with tokens of this server.
    struct Incoming {
        var response: HTTPResponse
        var isChanged = false
        /// The tokens of the upstream that it has handed out.
        var secrets: [String] = []
    }

    /// A token that a response hands out.
    struct Grant {
        var kind: String
        var value: String
        /// The time until the upstream refuses it; `nil` if that is unknown.
        var lifetime: Duration?
        var isCookie: Bool
    }

    /// A moment in real time and in the time of a session.
    struct Moment {
        var monotonic: MonotonicTime
        var real: VirtualTime
        var session: VirtualTime
    }

    /// Takes the tokens of a response in, and puts tokens of this server in their place.
    ///
    /// - Parameters:
    ///   - grants: The tokens that the response hands out.
    ///   - keepsTokens: Whether the client keeps its tokens, because it does not get the response.
    func incoming(
        _ response: HTTPResponse,
        _ grants: [Grant],
        to outgoing: Outgoing,
        of exchange: ForwardedExchange,
        keepsTokens: Bool,
        at moment: Moment
    ) -> Incoming {
        let (purpose, audience) = (exchange.forwarding.purpose, exchange.audience)
        var incoming = Incoming(response: response)
        let hasSucceeded = response.status.isSuccessful
        let grants = grants.filter {
            outgoing.binding == nil && $0.value.utf8.count >= Self.shortest && !OwnToken.isBound($0.value)
        }
        let (pairs, secrets) = state.withLock { state -> ([(theirs: String, own: String)], [String]) in
            let known = outgoing.family.flatMap { state.families[$0] == nil ? nil : $0 }
            let new = grants.filter { state.numbers[$0.value] == nil }
            guard known != nil || !new.isEmpty else { return ([], []) }
            let number: Int
            if let known, purpose != .signIn || new.isEmpty { number = known } else { number = state.nextNumber() }
            var family = state.families[number] ?? Family()
            let before = family.current.mapValues { state.held[$0]?.value ?? "" }
            let isRenewal = purpose == .refresh || purpose == .signIn || known == nil
            var renewed: Set<String> = []
            var access: String?
            var made: [(theirs: String, own: String)] = []
            // The access token first, because an ID token may have its hash.
            for grant in new.filter({ $0.kind == "access" }) + new.filter({ $0.kind != "access" }) {
                let isCurrent = response.status.code < 400 && (isRenewal || grant.isCookie)
                let isFirst = isCurrent && renewed.insert(grant.kind).inserted
                let replaces = isFirst && !keepsTokens && purpose == .refresh && grant.kind != "refresh"
                let own = state.enter(
                    grant,
                    as: Family.key(grant.kind, audience),
                    isCurrent: isFirst,
                    keepsOwn: keepsTokens,
                    replaces: replaces,
                    hashing: access,
                    in: &family,
                    number,
                    at: moment
                )
                if grant.kind == "access" { access = access ?? own }
                made.append((grant.value, own))
            }
            // A response may repeat each token of its request, also those of another sign-in.
            let sent = outgoing.tokens.compactMap { state.held[$0] }.map { (theirs: $0.value, own: $0.own) }
            let pairs = made + family.known.map { (theirs: $0.value, own: $0.own) } + sent
            if purpose == .refresh, hasSucceeded, !new.isEmpty {
                let others = pairs.filter { pair in !new.contains { $0.value == pair.theirs } }
                let renewal = Renewal(response, new, apartFrom: others, before: before)
                state.keep(renewal, in: &family, "\(exchange.route) \(audience)")
            }
            if hasSucceeded, !new.isEmpty, !keepsTokens {
                let refresh = exchange.refresh(with: family.current["refresh"].flatMap { state.held[$0]?.own })
                if family.refreshes.count >= Family.mostRenewals { family.refreshes = [:] }
                family.refreshes[audience] = refresh ?? family.refreshes[audience]
            }
            state.families[number] = family
            return (pairs, new.map(\.value))
        }
        incoming.secrets = secrets
        incoming.isChanged = incoming.response.replace(pairs)
        return incoming
    }

    /// Notes that the upstream has refused the tokens of a request.
    func noteRefusal(of outgoing: Outgoing) {
        state.withLock { state in
            for number in outgoing.tokens where state.held[number]?.kind != "refresh" {
                state.held[number]?.isRefused = true
            }
        }
    }

    // MARK: Refreshes

    /// The refresh that has to end before a request, because the upstream's access token has expired in real time, or
    /// because the request has the token from before a refresh.
    ///
    /// - Returns: `nil` for none, or if it is unknown how the client refreshes.
    func refresh(before outgoing: Outgoing, at url: ServerURL, _ now: MonotonicTime) -> ForwardedExchange? {
        state.withLock { state in
            guard outgoing.mayRenew,
                let family = outgoing.family.flatMap({ state.families[$0] }),
                let token = family.current["refresh"].flatMap({ state.held[$0] }), !token.isRefused
            else { return nil }
            return family.refreshes.first { audience, refresh in
                guard let access = family.current[Family.key("access", audience)], outgoing.tokens.contains(access),
                    let end = state.held[access]?.end
                else { return false }
                return (end <= now || outgoing.ended != family.ended) && (try? ServerURL(refresh.upstream)) == url
            }?.value
        }
    }

    /// Begins a refresh of a sign-in at the upstream.
    ///
    /// - Returns: False if one is under way, or has ended since the request got its tokens; the relay continues after it.
    func beginRefresh(of family: Int, before outgoing: Outgoing, waiting relay: RelayOnLoop) -> Bool {
        state.withLock { state in
            if let family = state.families[family], family.ended != outgoing.ended {
                relay.perform { $0.proceed() }
            } else if state.waiting[family]?.append(relay) == nil {
                state.waiting[family] = []
                return true
            }
            return false
        }
    }

    /// Ends a refresh, and lets the relays continue: first its own, whose client then finds no refresh under way.
    func endRefresh(of family: Int, continuingOwn: () -> Void = {}) {
        state.withLock { state in
            state.families[family]?.ended += 1
            continuingOwn()
            for relay in state.waiting.removeValue(forKey: family) ?? [] { relay.perform { $0.proceed() } }
        }
    }

    /// Notes that the upstream has refused the refresh token of a sign-in, or has perhaps used it; or that it does not
    /// understand a refresh that no client has sent.
    func noteSpent(of family: Int, isUnknown: Bool = false) {
        state.withLock { state in
            guard !isUnknown else { return state.families[family, default: Family()].refreshes = [:] }
            if let place = state.families[family]?.current["refresh"] { state.held[place]?.isRefused = true }
        }
    }

    /// Returns whether the refresh token of a sign-in is not to be sent again.
    func hasSpent(_ family: Int) -> Bool {
        state.withLock { state in
            state.families[family]?.current["refresh"].flatMap { state.held[$0] }?.isRefused == true
        }
    }

    /// Responds to a refresh in place of the upstream, whose own tokens are still valid.
    ///
    /// - Returns: `nil` if the upstream is to respond: its access token has expired or was refused, or its response to a
    ///   refresh is unknown.
    func renewal(for outgoing: Outgoing, of exchange: ForwardedExchange, at moment: Moment) -> HTTPResponse? {
        guard let number = outgoing.family, outgoing.binding == nil else { return nil }
        let audience = exchange.audience
        let route = "\(exchange.route) \(audience)"
        func key(_ kind: String) -> String { Family.key(kind, audience) }
        return state.withLock { state in
            guard var family = state.families[number],
                let renewal = family.renewals[route] ?? state.plainRenewals[route]
            else { return nil }
            let kinds = renewal.grants.sorted { $0.kind == "access" && $1.kind != "access" }
            let isValid = kinds.allSatisfy { kind, _ in
                guard let held = family.current[key(kind)].flatMap({ state.held[$0] }), !held.isRefused else {
                    return false
                }
                return kind == "refresh" || held.end.map { $0 > moment.monotonic } ?? true
            }
            guard isValid else { return nil }
            var pairs: [(theirs: String, own: String)] = []
            var access: String?
            for (kind, value) in kinds {
                guard let place = family.current[key(kind)], let held = state.held[place] else { continue }
                var own = held.own
                if !renewal.stable.contains(kind) {
                    let shift = moment.session - held.received
                    own = OwnToken.like(held.value, shiftedBy: shift, hashing: access) { state.numbers[$0] != nil }
                    state.held[place]?.own = own
                    state.note(own, place, for: held.value, in: &family)
                }
                if kind == "access" { access = own }
                pairs.append((value, own))
            }
            state.families[number] = family
            var response = renewal.response
            _ = response.replace(pairs)
            if response.fields.contains("Date") {
                response.fields.set("Date", HTTPDate.text(secondsSince1970: moment.real.seconds))
            }
            return response
        }
    }
}

extension HTTPResponse {
    /// Replaces texts in the fields and in the body, and returns whether any was there.
    fileprivate mutating func replace(_ pairs: [(theirs: String, own: String)]) -> Bool {
        let fields = TokenText.replacing(pairs, in: fields)
        if let fields { self.fields = fields }
        let body = TokenText.replacing(pairs, in: body)
        if let body { replaceBody(by: body) }
        return fields != nil || body != nil
    }
}
