import Basics
import HTTPCodec
import JSON
import Simulation

/// The knowledge that the sender of a request had of an earlier response.
enum Following: Sendable, Hashable {
    case yes
    /// Nothing shows it.
    case no
    /// It would, had the server not been late itself.
    case unclear

    /// The same for a request that may have waited in the platform's pool, where the client could no longer change it.
    func unless(waiting: Following) -> Following {
        switch waiting {
        case .yes: .no
        case .unclear: self == .yes ? .unclear : self
        case .no: self
        }
    }
}

/// The evidence that the sender of a request knew an earlier response: it carries a value that only that response gave;
/// the client does one thing after the other; or the response was held for longer than requests are apart that know
/// nothing of each other.
extension Step {
    /// Returns whether the sender of this request knew an earlier response.
    func follows(_ earlier: Step) -> Following {
        guard let end = earlier.end, arrival >= end, number != earlier.number else { return .no }
        // No process knows what another one received, unless it has a value from there.
        guard earlier.process == exchange.process else { return carriesValue(of: earlier) ? .yes : .no }
        if earlier.launch == exchange.launch, let traffic = history.traffic[exchange.launchIdentity],
            traffic.isSequential || traffic.hasOneConnection
        {
            if begin < end { return .unclear }
            return traffic.isSequentialUnclear && !traffic.hasOneConnection ? .unclear : .yes
        }
        let limit = earlier.refusalHold > .zero ? TimeLimit.transit.value : TimeLimit.siblings.value
        if begin >= end, begin.since(end) > limit { return .yes }
        if carriesValue(of: earlier) { return .yes }
        return arrival.since(end) > limit ? .unclear : .no
    }

    /// The same as a yes or no.
    ///
    /// - Parameter isUnclearCounted: whether a request counts that would be a later one, had the server not been late
    ///   itself.
    func isAfter(_ earlier: Step, countingUnclear isUnclearCounted: Bool = false) -> Bool {
        let following = follows(earlier)
        return following == .yes || isUnclearCounted && following == .unclear
    }

    /// The same for a refresh that offers again what an earlier one has offered.
    ///
    /// A client with one refresh at a time has no reason to do so once the response is out, so a held one needs no
    /// further evidence.
    func reoffers(after earlier: Step) -> Following {
        guard let end = earlier.end, arrival >= end else { return .no }
        guard earlier.refusalHold > .zero else { return follows(earlier) }
        return begin >= end ? .yes : .unclear
    }

    /// Returns whether the request may have waited in the platform's pool of connections while a response was on its
    /// way, so that the code that handles tokens had no more influence on it.
    func mayHaveWaited(for response: Step) -> Following {
        guard let end = response.end else { return .no }
        return history.traffic[exchange.launchIdentity]?.mayHaveWaited(self, since: end) ?? .no
    }
}

// MARK: Values

extension Step {
    /// Returns whether it carries a value that only an earlier response gave: a token, an id, a cursor, a cookie.
    private func carriesValue(of earlier: Step) -> Bool {
        if offeredTokens.contains(where: { $0.source === earlier }) { return true }
        let given = earlier.exchange.givenValues
        guard !given.isEmpty else { return false }
        let sent =
            Array(exchange.request.target.utf8) + [0x0A] + Array((exchange.request.fields["Cookie"] ?? "").utf8)
            + [0x0A] + exchange.request.body.prefix(Exchange.longestSearched)
        guard let value = given.first(where: { sent.contains($0) }) else { return false }
        // A value in an older message may have come from there.
        let older = history.steps.before(number)
        guard older.count <= Self.mostSearched else { return false }
        return !older.contains { $0 !== earlier && $0.exchange.contains(value) }
    }

    /// In longer journals a value's only source is not searched for.
    private static let mostSearched = 256
}

extension Exchange {
    fileprivate static let longestSearched = 64 << 10
    /// Shorter texts are words that may occur anywhere.
    private static let shortestValue = 8
    private static let mostValues = 64

    /// Texts of the response that a client may send back.
    fileprivate var givenValues: [[UInt8]] {
        guard message.body.count <= Self.longestSearched else { return [] }
        var values = response.fields.values(of: "Set-Cookie")
            .compactMap { $0.utf8.split(separator: UInt8(ascii: ";")).first.map(Array.init) }
        func collect(_ value: JSONValue, depth: Int) {
            guard values.count < Self.mostValues, depth < 8 else { return }
            if let text = value.string { values.append(Array(text.utf8)) }
            for element in value.array ?? [] { collect(element, depth: depth + 1) }
            for member in value.object?.members ?? [] { collect(member.value, depth: depth + 1) }
        }
        if let root = (try? JSONParser().parse(message.body))?.root { collect(root, depth: 0) }
        return values.filter { Self.shortestValue...512 ~= $0.count }
    }

    /// Returns whether a text occurs in the request or in the response.
    fileprivate func contains(_ value: [UInt8]) -> Bool {
        let fields = (Array(request.fields) + Array(response.fields)).map(\.value)
        return request.target.utf8.contains(value) || request.body.contains(value)
            || message.body.contains(value) || fields.contains { $0.utf8.contains(value) }
    }
}
