import HTTPCodec
import JSON
import ScenarioFormat
package import Simulation

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
        if earlier.launch == later.launch, let traffic = traffic[later.launch],
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
        return traffic[request.launch]?.mayHaveWaited(request, since: end) ?? .no
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
