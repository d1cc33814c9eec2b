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
    /// The hashes of the newest words, which take less memory than the words.
    private var words: Set<Int> = []
    /// Those of the words before; they are forgotten when there are ``most`` newer ones.
    private var earlierWords: Set<Int> = []
    private let most: Int
    /// The exchange at which ``words`` begins.
    private var beginning: UInt64 = 0
    /// The newest exchange that may contain a forgotten word; zero before a word was forgotten.
    private var lastForgotten: UInt64 = 0
    /// A Boolean value that indicates whether every word is hidden.
    private var hidesAll = false
    /// The number of bytes of the shortest word.
    private var shortestWord = Self.shortest
    /// The number of bytes of the shortest secret of a real server; shorter ones are ordinary words of a response.
    private static let shortestSecret = 6

    /// - Parameter most: the number of words after which older ones are forgotten.
    init(most: Int = TokenLedger.mostTokens) {
        self.most = most
    }

    /// - Parameter exchange: the number of the newest exchange.
    mutating func note(_ text: String, at exchange: UInt64) { note(text, shortest: Self.shortest, at: exchange) }

    /// Hides a secret of a real server, which may be short.
    ///
    /// - Parameter exchange: the number of the newest exchange.
    mutating func conceal(_ secret: String, at exchange: UInt64) {
        note(secret, shortest: Self.shortestSecret, at: exchange)
    }

    private mutating func note(_ text: String, shortest: Int, at exchange: UInt64) {
        // A token with `/` or `=` in it is hidden piece by piece.
        for word in TokenWord.all(in: text) where word.bytes.count >= shortest {
            shortestWord = min(shortestWord, word.bytes.count)
            words.insert(ExactText(String(decoding: word.bytes, as: UTF8.self)).hashValue)
            if words.count >= most { beginWords(at: exchange) }
        }
    }

    private mutating func beginWords(at exchange: UInt64) {
        if !earlierWords.isEmpty { lastForgotten = beginning }
        (earlierWords, words) = (words, [])
        beginning = exchange
    }

    private var isEmpty: Bool { words.isEmpty && earlierWords.isEmpty }

    /// These tokens, or all words if some that occur in an exchange may be forgotten.
    ///
    /// - Parameter exchange: its number; zero for a text whose exchange is unknown.
    private func ofTexts(in exchange: UInt64) -> ForeignTokens {
        var tokens = self
        tokens.hidesAll = lastForgotten > 0 && exchange <= lastForgotten
        return tokens
    }

    private func contains(_ word: String) -> Bool {
        if hidesAll { return true }
        let hash = word.exact.hashValue
        return words.contains(hash) || earlierWords.contains(hash)
    }

    /// The exchange with replacements for all such tokens in its messages.
    func concealed(in exchange: Exchange) -> Exchange {
        guard !isEmpty else { return exchange }
        return ofTexts(in: exchange.number).replaced(in: exchange)
    }

    private func replaced(in exchange: Exchange) -> Exchange {
        var exchange = exchange
        let sent = exchange.request
        exchange.request = HTTPRequest(
            method: sent.method,
            target: replaced(in: sent.target),
            version: sent.version,
            fields: fields(sent.fields),
            body: bytes(sent.body) ?? sent.body
        )
        exchange.request.trailers = fields(sent.trailers)
        exchange.response.fields = fields(exchange.response.fields)
        if let body = bytes(exchange.response.body) { exchange.response.body = body }
        if let difference = exchange.nearest?.difference { exchange.nearest?.difference = replaced(in: difference) }
        for index in exchange.violations.indices {
            exchange.violations[index].message = replaced(in: exchange.violations[index].message)
        }
        return exchange
    }

    func concealed(in value: JSONValue) -> JSONValue {
        guard !isEmpty, let bytes = ofTexts(in: 0).bytes(value.utf8(.compact)) else { return value }
        return (try? JSONParser().parse(bytes))?.root ?? .null
    }

    private func fields(_ fields: HTTPFields) -> HTTPFields {
        guard fields.contains(where: { bytes(Array($0.value.utf8)) != nil }) else { return fields }
        return fields.mapValues(replaced)
    }

    func text(_ text: String) -> String { isEmpty ? text : ofTexts(in: 0).replaced(in: text) }

    private func replaced(in text: String) -> String {
        guard let bytes = bytes(Array(text.utf8)) else { return text }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes with stand-ins; `nil` where no token stands among them.
    ///
    /// One pass for any number of tokens: the words between bytes that no token contains are looked up.
    private func bytes(_ bytes: [UInt8]) -> [UInt8]? {
        let shortest = hidesAll ? Self.shortestSecret : shortestWord
        var (result, copied, index): ([UInt8], Int, Int) = ([], 0, 0)
        while let word = TokenWord.next(in: bytes, from: index, shortest: shortest) {
            index = word.range.upperBound
            let text = String(decoding: word.bytes, as: UTF8.self)
            guard contains(text) else { continue }
            result += bytes[copied..<word.range.lowerBound]
            result += Token.standIn(for: text).utf8
            copied = index
        }
        return copied == 0 ? nil : result + bytes[copied...]
    }
}

extension Session {
    /// An exchange as it may be shown or saved: without the tokens of other servers.
    package func shown(_ exchange: Exchange) -> Exchange { backend.foreignTokens.concealed(in: exchange) }

    package func shown(target: String) -> String { backend.foreignTokens.text(target) }

    /// A stored item without the tokens of other servers.
    package func shown(_ item: JSONValue) -> JSONValue { backend.foreignTokens.concealed(in: item) }
}
