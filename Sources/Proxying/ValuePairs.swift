import Basics
import Checking
import HTTPCodec
import JSON

/// The tokens and identifiers of two servers that mean the same, because both were at the same place of responses to one
/// request.
struct ValuePairs {
    /// The value of the other server, by that of the first one.
    private var others: [String: String] = [:]
    /// The values that the other server has shown; it has the same item or token, so they are never replaced.
    private var shown: Set<String> = []

    /// The number of pairs at which all are forgotten.
    private static let most = 50_000
    /// The shortest text that is replaced wherever it is; a shorter one may be an ordinary word or number.
    private static let shortest = 6

    /// Learns from two responses to one request.
    mutating func learn(_ real: HTTPResponse, _ mock: HTTPResponse) {
        if others.count > Self.most { others = [:] }
        if shown.count > Self.most { shown = [] }
        let known = MessageSurvey(mock).items
        for item in MessageSurvey(real).items {
            guard let other = known.first(where: { $0.place == item.place }) else { continue }
            if case .body = item.place { continue }
            pair(item.value, other.value)
        }
        if let real = real.fields["Location"], let mock = mock.fields["Location"] {
            let parts = (real.split { "/?#".contains($0) }, mock.split { "/?#".contains($0) })
            for (real, mock) in zip(parts.0, parts.1) where parts.0.count == parts.1.count {
                pair(String(real), String(mock))
            }
        }
        let parser = JSONParser(duplicateNames: .lastWins)
        if let real = try? parser.parse(real.body).root, let mock = try? parser.parse(mock.body).root {
            learn(real, mock, "", depth: 0)
        }
    }

    private mutating func learn(_ real: JSONValue, _ mock: JSONValue, _ name: String, depth: Int) {
        guard depth < 64 else { return }
        if let real = real.object, let mock = mock.object {
            for member in real.members {
                if let other = mock[member.name] { learn(member.value, other, member.name, depth: depth + 1) }
            }
        } else if let real = real.array, let mock = mock.array, !mock.isEmpty {
            // The real server may have more items.
            for (index, value) in real.enumerated() { learn(value, mock[index % mock.count], name, depth: depth + 1) }
        } else if let real = Self.text(real), let mock = Self.text(mock), Self.identifies(real, name) {
            pair(real, mock)
        }
    }

    private mutating func pair(_ real: String, _ mock: String) {
        shown.insert(mock)
        others[mock] = nil
        if !shown.contains(real) { others[real] = mock }
    }

    private static func text(_ value: JSONValue) -> String? { value.string ?? value.number?.text }

    private static func identifies(_ text: String, _ name: String) -> Bool {
        let plain = TokenNames.plain(name)
        if ["id", "slug", "cursor"].contains(where: plain.hasSuffix) || TokenNames.sayToken(name) { return true }
        return text.utf8.count >= 16 && !text.contains(" ") && RFC3339.parse(text) == nil
    }

    /// The request for the other server.
    func translated(_ request: HTTPRequest) -> HTTPRequest {
        guard !others.isEmpty else { return request }
        func value(_ word: [UInt8]) -> String? { others[String(decoding: word, as: UTF8.self)] }
        return TokenText.replacing(in: request, shortest: Self.shortest, inTarget: 1, by: value)
    }
}
