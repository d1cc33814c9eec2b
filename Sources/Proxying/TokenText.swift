import Basics
import Checking
import HTTPCodec
import JSON
import Simulation
import StubServing

/// Replaces tokens in the text of messages, in the forms in which they are written there.
enum TokenText {
    /// The place of a text, which decides how a token is written.
    enum Place {
        case field, query, json
    }

    // MARK: Tokens of this server, which are words

    /// Replaces words; `nil` if no word has a replacement.
    static func replacing(
        in bytes: [UInt8],
        _ place: Place,
        shortest: Int = TokenVault.shortest,
        by value: ([UInt8]) -> String?
    ) -> [UInt8]? {
        var (result, copied, index): ([UInt8], Int, Int) = ([], 0, 0)
        while let word = TokenWord.next(in: bytes, from: index, shortest: shortest) {
            index = word.range.upperBound
            guard let value = value(word.bytes) else { continue }
            result += bytes[copied..<word.range.lowerBound]
            result += written(value, in: place)
            copied = index
        }
        return copied == 0 ? nil : result + bytes[copied...]
    }

    static func replacing(
        in text: String,
        _ place: Place,
        shortest: Int = TokenVault.shortest,
        by value: ([UInt8]) -> String?
    ) -> String {
        guard text.utf8.count >= shortest else { return text }
        return replacing(in: Array(text.utf8), place, shortest: shortest, by: value)
            .map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// A request in whose fields, target and body words are replaced.
    ///
    /// - Parameter inTarget: The length of the shortest word of the target that is replaced.
    static func replacing(
        in request: HTTPRequest,
        shortest: Int = TokenVault.shortest,
        inTarget: Int = TokenVault.shortest,
        by value: ([UInt8]) -> String?
    ) -> HTTPRequest {
        var changed = request.retargeted(replacing(in: request.target, .query, shortest: inTarget, by: value))
        changed.fields = request.fields.mapValues { replacing(in: $0, .field, shortest: shortest, by: value) }
        changed.trailers = request.trailers.mapValues { replacing(in: $0, .field, shortest: shortest, by: value) }
        guard !request.body.isEmpty, let body = try? request.decoded(limit: ForwardedExchange.longestKept).body,
            let body = replacing(in: body, place(of: request), shortest: shortest, by: value)
        else { return changed }
        changed.body = body
        changed.fields.remove("Content-Encoding")
        if changed.fields.contains("Content-Length") { changed.fields.set("Content-Length", "\(body.count)") }
        return changed
    }

    /// The place that the body of a request is.
    private static func place(of request: HTTPRequest) -> Place {
        let type = request.fields["Content-Type"]
        if CapturedStrings.isForm(type: type) { return .query }
        // Many clients omit the type of JSON.
        return type?.lowercased().contains("json") ?? true ? .json : .field
    }

    private static func written(_ value: String, in place: Place) -> [UInt8] {
        switch place {
        case .field: Array(value.utf8)
        case .query: Array(PercentEncoding.encode(value).utf8)
        case .json: Array(JSONValue.string(value).utf8(.compact).dropFirst().dropLast())
        }
    }

    // MARK: Tokens of the upstream

    /// Replaces texts in every form in which they may be written; `nil` if none occurs.
    static func replacing(_ pairs: [(theirs: String, own: String)], in bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.isEmpty, !pairs.isEmpty else { return nil }
        // A token may be the beginning of another one.
        let tokens = pairs.map { (theirs: Array($0.theirs.utf8), own: Array($0.own.utf8)) }
            .sorted { $0.theirs.count > $1.theirs.count }
        var isFirst = [Bool](repeating: false, count: 256)
        for byte in tokens.compactMap(\.theirs.first) + Array("%\\".utf8) { isFirst[Int(byte)] = true }
        var (result, copied, index): ([UInt8], Int, Int) = ([], 0, 0)
        while index < bytes.count {
            var found: (own: [UInt8], end: Int)?
            if isFirst[Int(bytes[index])] {
                for token in tokens where found == nil {
                    found = place(of: token.theirs, in: bytes, from: index).map { (token.own, $0.upperBound) }
                }
            }
            guard let (own, end) = found else {
                index += 1
                continue
            }
            result += bytes[copied..<index]
            result += own
            (index, copied) = (end, end)
        }
        return copied == 0 ? nil : result + bytes[copied...]
    }

    /// The place of a token that begins there, as it is, percent-encoded, or with the escapes of JSON.
    private static func place(of token: [UInt8], in bytes: [UInt8], from start: Int) -> Range<Int>? {
        var index = start
        for byte in token {
            guard index < bytes.count else { return nil }
            if bytes[index] == byte {
                index += 1
            } else {
                let (decoded, length) = TokenWord.unit(in: bytes, at: index)
                guard decoded == byte, length > 1 else { return nil }
                index += length
            }
        }
        return start..<index
    }

    static func replacing(_ pairs: [(theirs: String, own: String)], in fields: HTTPFields) -> HTTPFields? {
        var isChanged = false
        let replaced = fields.mapValues { text in
            guard text.utf8.count >= TokenVault.shortest, let bytes = replacing(pairs, in: Array(text.utf8)) else {
                return text
            }
            isChanged = true
            return String(decoding: bytes, as: UTF8.self)
        }
        return isChanged ? replaced : nil
    }

    // MARK: Responses that are repeated

    /// Returns whether a response states a moment at which something ends, so that it cannot be repeated later.
    static func statesMoment(_ response: HTTPResponse) -> Bool {
        response.fields.values(of: "Set-Cookie").contains { $0.lowercased().contains("expires=") }
            || contains(in: response) { name, value in
                guard name.lowercased().contains("exp") else { return false }
                if let number = value.number?.int { return number > 1_000_000_000 }
                // Lifetimes are numbers, also as text.
                return value.string.map { $0.utf8.contains { !(0x30...0x39 ~= $0) } || $0.utf8.count >= 10 } ?? false
            }
    }

    /// The fields that are about no user.
    private static let plainFields = HTTPFields.hopByHop.union([
        "cache-control", "content-length", "content-type", "date", "pragma", "server", "vary",
    ])

    /// Returns whether a response has nothing but tokens, their type and their lifetimes, so that it is about no user.
    static func isPlain(_ response: HTTPResponse, except tokens: Set<String>) -> Bool {
        let hasOnlyTokens = response.fields.allSatisfy { name, value in
            let cookie = value.prefix { $0 != ";" }.drop { $0 != "=" }.dropFirst()
            return plainFields.contains(name.lowercased())
                || name.lowercased() == "set-cookie" && tokens.contains(String(cookie))
        }
        return hasOnlyTokens
            && !contains(in: response) { name, value in
                if value.object != nil || value.array != nil || name.lowercased().contains("expire") { return false }
                guard let text = value.string else { return true }
                return !tokens.contains(text) && text.lowercased() != "bearer"
            }
    }

    private static func contains(in response: HTTPResponse, _ isWanted: (String, JSONValue) -> Bool) -> Bool {
        guard !response.body.isEmpty else { return false }
        guard let root = (try? JSONParser(duplicateNames: .lastWins).parse(response.body))?.root else { return true }
        func contains(_ value: JSONValue, _ name: String) -> Bool {
            if isWanted(name, value) { return true }
            if let elements = value.array, elements.contains(where: { contains($0, name) }) { return true }
            return value.object?.members.contains { contains($0.value, $0.name) } ?? false
        }
        return contains(root, "")
    }
}
