import Basics
import HTTPCodec
package import JSON
import ScenarioFormat

/// The tokens of other servers that a session received, which may be real ones that are valid elsewhere.
///
/// A session judges them as they are; what is shown or saved of an exchange has a stand-in in their place, which is equal
/// for equal tokens (``Token/standIn(for:)``).
struct ForeignTokens: Sendable {
    /// Shorter texts are made up for a test, and may be words of a response; identity providers' have more bytes.
    private static let shortest = 20
    /// Further ones are not kept: a session has a few, and every one of them is looked for.
    private static let most = 1_000
    private var words: Set<ExactText> = []
    /// The number of bytes of the shortest word.
    private var shortestWord = Self.shortest
    /// A secret of a real server has at least so many bytes; shorter ones are ordinary words of a response.
    private static let shortestSecret = 6

    mutating func note(_ text: String) { note(text, shortest: Self.shortest) }

    /// Hides a secret of a real server, which may be short.
    mutating func conceal(_ secret: String) { note(secret, shortest: Self.shortestSecret) }

    private mutating func note(_ text: String, shortest: Int) {
        // A token with `/` or `=` in it is hidden piece by piece.
        for word in text.utf8.split(whereSeparator: { !Self.isTokenByte($0) }) {
            let word = word.prefix(word.count - word.reversed().prefix { $0 == UInt8(ascii: ".") }.count)
            guard word.count >= shortest, words.count < Self.most else { continue }
            shortestWord = min(shortestWord, word.count)
            words.insert(ExactText(String(Substring(word))))
        }
    }

    /// The exchange with replacements for all such tokens in its messages.
    func concealed(in exchange: Exchange) -> Exchange {
        guard !words.isEmpty else { return exchange }
        var exchange = exchange
        let sent = exchange.request
        exchange.request = HTTPRequest(
            method: sent.method,
            target: text(sent.target),
            version: sent.version,
            fields: fields(sent.fields),
            body: bytes(sent.body) ?? sent.body
        )
        exchange.request.trailers = fields(sent.trailers)
        exchange.response.fields = fields(exchange.response.fields)
        if let body = bytes(exchange.response.body) { exchange.response.body = body }
        if let difference = exchange.nearest?.difference { exchange.nearest?.difference = text(difference) }
        for index in exchange.violations.indices {
            exchange.violations[index].message = text(exchange.violations[index].message)
        }
        return exchange
    }

    func concealed(in value: JSONValue) -> JSONValue {
        guard !words.isEmpty, let bytes = bytes(value.utf8(.compact)) else { return value }
        return (try? JSONParser().parse(bytes))?.root ?? .null
    }

    private func fields(_ fields: HTTPFields) -> HTTPFields {
        guard fields.contains(where: { bytes(Array($0.value.utf8)) != nil }) else { return fields }
        var concealed = HTTPFields()
        for (name, value) in fields { concealed.append(name, text(value)) }
        return concealed
    }

    func text(_ text: String) -> String {
        guard !words.isEmpty, let bytes = bytes(Array(text.utf8)) else { return text }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes with stand-ins; `nil` where no token stands among them.
    ///
    /// One pass for any number of tokens: the words between bytes that no token contains are looked up.
    private func bytes(_ bytes: [UInt8]) -> [UInt8]? {
        guard !words.isEmpty else { return nil }
        var (result, copied, index): ([UInt8], Int, Int) = ([], 0, 0)
        while index < bytes.count {
            let start = index
            while index < bytes.count, Self.isTokenByte(bytes[index]) { index += 1 }
            defer { index += 1 }
            var end = index
            // A full stop may end a sentence.
            while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
            guard end - start >= shortestWord, let word = String(validUTF8: bytes[start..<end]),
                words.contains(ExactText(word))
            else { continue }
            result += bytes[copied..<start]
            result += Token.standIn(for: word).utf8
            copied = end
        }
        return copied == 0 ? nil : result + bytes[copied...]
    }

    /// The bytes of a Bearer token except `/` and `=`, which divide paths and queries (RFC 6750, section 2.1).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "+"):
            true
        default: false
        }
    }
}

extension Session {
    /// A session with more tokens issues none to requests: a hundred megabytes, and far more than a test has.
    package static let mostTokens = 100_000

    /// An exchange as it may be shown or saved: without the tokens of other servers.
    package func shown(_ exchange: Exchange) -> Exchange { foreignTokens.concealed(in: exchange) }

    package func shown(target: String) -> String { foreignTokens.text(target) }

    /// A stored item without the tokens of other servers.
    package func shown(_ item: JSONValue) -> JSONValue { foreignTokens.concealed(in: item) }
}
