package import Basics
import HTTPCodec
import JSON
package import ScenarioFormat
package import Simulation

/// An exchange with everything that can be said about it alone: what its route is for, which tokens it brought and
/// received, and how it ended.
///
/// A class, because episodes, tokens and rules refer to the same step; its ``TokenHistory`` owns it.
@dynamicMemberLookup
package final class Step {
    package let exchange: Exchange
    unowned let history: TokenHistory
    package let purpose: RoutePurpose
    /// The token that it brought for each role; one that the route judged comes before others.
    let access: Offer?
    let refresh: Offer?
    /// The tokens of the session that its response carried, in their order.
    private let grants: [(token: HeldToken, isNew: Bool)]
    /// A Boolean value that indicates whether the response has reached the client whole.
    package let isReceived: Bool
    /// A Boolean value that indicates whether a token of the backend's own was required and not accepted; a foreign one
    /// does not count.
    let hasRefusedToken: Bool
    /// The result of a refresh, or of any other step that may grant tokens, as its client could know it.
    let result: RefreshResult
    /// A Boolean value that indicates whether the response may mean that the access token is not valid, right or wrong.
    let isComplaint: Bool
    /// A number that the steps of its episode have which ask for the same thing, credentials aside.
    var request = 0
    /// The episode of its device and launch; `nil` if the device is unknown.
    unowned var episode: Episode?
    /// The request without what differs when the same thing is asked for again.
    private(set) lazy var essence = RequestEssence(exchange, operation, history.evidence.ledger)
    private(set) lazy var operation = RequestOperation(of: exchange.request)
    /// The audience of the access token that it brings; empty for that of the sign-in.
    private(set) lazy var audience: String = {
        let named = isRefresh ? exchange.request.tokenAudience : ""
        guard !named.isEmpty, let family = refresh?.token?.family else { return named }
        let signIn = history.signIns.last { $0.grants.contains { $0.token.family == family } }
        return signIn?.exchange.request.tokenAudience == named ? "" : named
    }()

    init(_ exchange: Exchange, of history: TokenHistory) {
        let roles = history.roles
        self.exchange = exchange
        self.history = history
        purpose = roles.purpose(of: exchange)
        func offer(_ role: TokenRoles.Role) -> Offer? {
            let fitting = exchange.offered.filter { roles.role(of: $0.wanted) == role }
            return (fitting.first { $0.isAccepted != nil } ?? fitting.first).map { offered in
                Offer(offered: offered, token: offered.id.flatMap(history.token(id:)))
            }
        }
        (access, refresh) = exchange.offered.isEmpty ? (nil, nil) : (offer(.access), offer(.refresh))
        grants = exchange.granted.compactMap { granted in
            granted.id.flatMap(history.token(id:)).map { ($0, granted.source == .new) }
        }
        isReceived = exchange.outcome == .sent && exchange.fault == nil
        hasRefusedToken = exchange.offered.contains {
            $0.isAccepted == false && roles.kind(named: $0.wanted) != nil
        }
        result = RefreshResult(of: exchange, isReceived: isReceived, roles)
        isComplaint = isReceived && roles.isComplaint(exchange, purpose, hasRefusedToken: hasRefusedToken)
    }

    package subscript<Value>(dynamicMember path: KeyPath<Exchange, Value>) -> Value { exchange[keyPath: path] }

    // What every comparison reads.
    package var number: UInt64 { exchange.number }
    package var arrival: MonotonicTime { exchange.arrival }
    package var begin: MonotonicTime { exchange.begin }
    package var end: MonotonicTime? { exchange.end }
    package var time: VirtualTime { exchange.time }
    var status: Int { exchange.status.code }
}

extension Step {
    package var isRefresh: Bool { purpose == .refresh }

    /// The tokens of the session in the request, where tokens of the backend belong.
    var offeredTokens: some Sequence<HeldToken> {
        exchange.offered.lazy.compactMap { $0.id.flatMap(self.history.token(id:)) }
    }

    /// A Boolean value that indicates whether a resource has refused the request because of its token, regardless of the
    /// status.
    package var isRefused: Bool { purpose == .resource && hasRefusedToken }

    /// A Boolean value that indicates whether it granted tokens that are new, and the client has them.
    var isRenewal: Bool { result == .renewed }

    /// The tokens of a role that its response carried: the new ones, or those that it repeated, too.
    func granted(_ role: TokenRoles.Role, countingRepeated isRepetitionCounted: Bool = false) -> [HeldToken] {
        grants.filter { (isRepetitionCounted || $0.isNew) && $0.token.role == role }.map(\.token)
    }

    /// Returns whether both were in flight at the same time.
    package func overlaps(_ other: Step) -> Bool {
        let (first, second) = arrival <= other.arrival ? (self, other) : (other, self)
        return first.end.map { second.arrival < $0 } ?? true
    }

    /// Returns whether both came over the same connection, as far as connections are known.
    func sharesConnection(with other: Step) -> Bool {
        exchange.connection != 0 && exchange.connection == other.exchange.connection
    }

    /// Returns whether it asks for the same thing in the same way as another one, credentials aside.
    func isSameRequest(as other: Step) -> Bool {
        exchange.request.method == other.exchange.request.method
            && exchange.request.target.exact == other.exchange.request.target.exact
            && exchange.origin == other.exchange.origin
    }
}

extension Step {
    /// Returns whether it reads a list, and another request an item of it: one path is the beginning of the other.
    func isList(above item: Step) -> Bool {
        essence.isRead && item.essence.isRead && exchange.origin == item.exchange.origin
            && item.exchange.request.path.utf8.starts(with: "\(exchange.request.path)/".utf8)
    }
}

extension Exchange {
    /// The exchange as a sentence's subject: `exchange 3 POST /refresh`.
    var subject: String { "exchange \(number) \(line)" }

    /// The method and the path that were asked for: `POST /refresh`.
    var line: String { "\(request.method.rawValue) \(request.path)".printable.shortened }

    /// A Boolean value that indicates whether the response is a success.
    var hasSucceeded: Bool { status.isSuccessful }

    /// Returns whether it carries a token of this session.
    func brings(_ id: String) -> Bool {
        self.offered.contains { $0.id == id }
    }

    /// A Boolean value that indicates whether the server made new tokens for it, received or not.
    var handsOutNewTokens: Bool {
        self.granted.contains { $0.source == .new && $0.id != nil }
    }

    /// A Boolean value that indicates whether a token is required, and there is none.
    var lacksTokens: Bool {
        self.offered.contains { $0.standing == .missing && $0.isAccepted == false }
            && !self.offered.contains { $0.id != nil }
    }

    /// The place that the request replaces or removes as a whole, so that of several such requests the last one is enough; `nil`
    /// for what is not replaced, or in part only (RFC 9110, sections 9.3.4 and 9.3.5).
    var placeOfState: ExactText? {
        let parts = ["Content-Range", "Upload-Offset"]
        guard [.put, .delete].contains(request.method), !parts.contains(where: { request.fields[$0] != nil }) else {
            return nil
        }
        return ExactText("\(request.target) \(self.origin ?? "")")
    }

    /// The process as a part of a sentence.
    var processWords: String { self.process.map { "the process \($0.printable)" } ?? "the client" }
}

/// A token that a request brought for a role.
@dynamicMemberLookup
struct Offer {
    let offered: OfferedToken
    /// `nil` for one that is not this session's.
    let token: HeldToken?

    subscript<Value>(dynamicMember path: KeyPath<OfferedToken, Value>) -> Value { offered[keyPath: path] }
}

/// The result of a refresh, as its client could know it.
enum RefreshResult {
    /// New tokens have arrived.
    case renewed
    /// The server has done it, and its response was lost.
    case lost
    /// The response ends the session permanently.
    case terminal
    /// It failed, and may succeed the next time.
    case passing
    /// Nothing of all that: it is still under way, it got a response without new tokens, or it was refused for another
    /// token than its refresh token, which leaves open whether the session goes on.
    case other
}

extension RefreshResult {
    fileprivate init(of refresh: Exchange, isReceived: Bool, _ roles: TokenRoles) {
        let hasGranted = refresh.handsOutNewTokens
        if !isReceived {
            self = refresh.outcome == .open ? .other : refresh.isCommitted && hasGranted ? .lost : .passing
        } else if hasGranted {
            self = .renewed
        } else if refresh.status.isSuccessful {
            self = .other
        } else {
            self = roles.failure(of: refresh)
        }
    }
}

extension TokenRoles {
    /// Returns whether a failed refresh ends the session: the scenario lists the statuses; without a list, a
    /// refused refresh token does.
    ///
    /// Where another token was refused first, such a status is all that the client has, so it may end its session and
    /// may go on.
    fileprivate func failure(of refresh: Exchange) -> RefreshResult {
        let offers = refresh.offered.filter { role(of: $0.wanted) == .refresh }
        let statuses = offers.flatMap { kind(named: $0.wanted)?.terminal ?? [] }
        let isJudged = offers.contains { $0.isAccepted != nil }
        let isRefused = refresh.offered.contains {
            $0.isAccepted == false && (!isJudged || role(of: $0.wanted) == .refresh)
        }
        let status = refresh.status.code
        guard statuses.isEmpty ? isRefused : statuses.contains(status) else {
            return refresh.isRefusedByUser ? .other : .passing
        }
        return isJudged || !isRefused ? .terminal : .other
    }

    fileprivate func isComplaint(_ exchange: Exchange, _ purpose: RoutePurpose, hasRefusedToken: Bool) -> Bool {
        guard exchange.origin == nil, ![.refresh, .signIn].contains(purpose) else { return false }
        if hasRefusedToken { return true }
        let status = exchange.status.code
        let kinds = exchange.offered.compactMap { kind(named: $0.wanted) }
        return status == 401 || kinds.contains { $0.refusals.contains(status) && status >= 400 }
    }
}

extension Exchange {
    /// A Boolean value that indicates whether a user had armed the response, and its status says that the request is
    /// wrong.
    ///
    /// A client cannot know that the backend refuses no refresh so, and may take it for the end of the session (RFC 6749,
    /// section 5.2).
    fileprivate var isRefusedByUser: Bool {
        self.armedFault != nil && self.fault == nil && !self.isCommitted
            && 400..<500 ~= status.code && ![408, 425, 429].contains(status.code)
    }
}

extension TokenStanding {
    /// A Boolean value that indicates whether a token that is so was valid once, and a refresh brings a better one.
    var isDead: Bool {
        switch self {
        case .expired, .revoked, .superseded, .reused: true
        case .valid, .wrongKind, .unknown, .malformed, .missing: false
        }
    }

    /// The past of such a token, as the words after "which".
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

// MARK: Lists in the order of the numbers

extension [Step] {
    /// Those that come before a number, or have it.
    private func place(of number: UInt64) -> Int { place { $0.number < number } }

    func before(_ number: UInt64) -> ArraySlice<Step> { self[..<place(of: number)] }

    func from(_ number: UInt64) -> ArraySlice<Step> { self[place(of: number)...] }

    func after(_ step: Step) -> ArraySlice<Step> { from(step.number + 1) }

    /// Those that come after one step and before another one.
    func between(_ earlier: UInt64, _ later: UInt64) -> ArraySlice<Step> {
        let first = place(of: earlier + 1)
        return self[first..<Swift.max(first, place(of: later))]
    }

    func between(_ earlier: Step, _ later: Step) -> ArraySlice<Step> { between(earlier.number, later.number) }
}

extension Array {
    /// The place of the first element that is not so, where all that are so come first.
    func place(after isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The runs of elements whose neighbours belong together.
    func chunked(_ belongTogether: (Element, Element) -> Bool) -> [[Element]] {
        var chunks: [[Element]] = []
        var start = startIndex
        for index in indices where index > start && !belongTogether(self[index - 1], self[index]) {
            chunks.append(Array(self[start..<index]))
            start = index
        }
        if start < endIndex { chunks.append(start == startIndex ? self : Array(self[start...])) }
        return chunks
    }
}

extension Array where Element: Comparable {
    /// The place of the first value that is not less than this one, in an array whose values rise.
    func place(of value: Element) -> Int { place { $0 < value } }
}
