import Basics
package import JSON
package import ScenarioFormat
import Signatures

extension Placeholder.Conversion {
    /// The value turned into the kind; `nil` for one that cannot be.
    package func value(of value: JSONValue) -> JSONValue? {
        switch (self, value.content) {
        case (.number, .number), (.text, .string), (.boolean, .bool): value
        case (.s256, .string(let text)): .string(Base64.encodeURL(SHA256.hash(Array(text.utf8))))
        case (.encoded, .string(let text)): .string(PercentEncoding.encode(text))
        case (.encoded, .number(let number)): .string(PercentEncoding.encode(number.text))
        case (.number, .string): value.asNumber.map(JSONValue.number)
        case (.text, .number(let number)): .string(number.text)
        case (.text, .bool(let flag)): .string(flag ? "true" : "false")
        case (.boolean, .string(let text)) where text.exact == "true": true
        case (.boolean, .string(let text)) where text.exact == "false": false
        case (.words(let prefix), .string(let text)): .array(Self.words(after: prefix, in: text))
        case (.spacedWords, .string): value.words
        case (.decoded, .string(let text)): PercentEncoding.decode(text, plusIsSpace: true).map(JSONValue.string)
        case (.prefix, .string(let uri)): .string(uri + (uri.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"))
        case (.pair(let name), .string(let text)): .string("&\(name)=\(PercentEncoding.encode(text))")
        case (.loopback, .string(let uri)): LoopbackURI.withoutPort(uri).map(JSONValue.string)
        case (.alphanumeric, .string(let text)): .string(text.lowercaseLettersAndDigits)
        default: nil
        }
    }

    /// The words after each prefix, up to white space or the next prefix; a prefix without a word is ignored.
    private static func words(after prefix: String, in text: String) -> [JSONValue] {
        let (scalars, mark) = (Array(text.unicodeScalars), Array(prefix.unicodeScalars))
        guard !mark.isEmpty else { return [] }
        var words: [JSONValue] = []
        var word: String.UnicodeScalarView?
        var position = 0
        func finish() {
            if let word, !word.isEmpty { words.append(.string(String(word))) }
        }
        while position < scalars.count {
            if scalars[position...].starts(with: mark) {
                finish()
                word = String.UnicodeScalarView()
                position += mark.count
                continue
            }
            if scalars[position].properties.isWhitespace {
                finish()
                word = nil
            } else {
                word?.append(scalars[position])
            }
            position += 1
        }
        finish()
        return words
    }
}

extension String {
    /// The ASCII letters and digits, in lower case.
    fileprivate var lowercaseLettersAndDigits: String {
        String(lowercased().unicodeScalars.filter { "a"..."z" ~= $0 || "0"..."9" ~= $0 })
    }
}
