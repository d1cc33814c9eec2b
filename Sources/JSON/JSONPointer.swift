import Basics

/// A path to a value inside a document (RFC 6901).
package struct JSONPointer: Sendable {
    /// The names and indices on the way, unescaped; none for the whole document.
    package var tokens: [String]

    package init(tokens: [String] = []) {
        self.tokens = tokens
    }

    /// Reads the textual form: empty, or a slash before each token, `~0` for a tilde and `~1` for a slash.
    package init?(_ text: String) {
        guard !text.isEmpty else {
            self.init()
            return
        }
        guard text.utf8.first == .slash else { return nil }
        var tokens: [String] = []
        // By bytes: a slash before a combining mark is a separator, too.
        for part in text.utf8.dropFirst().split(separator: .slash, omittingEmptySubsequences: false) {
            guard let token = JSONPointer.unescaped(part) else { return nil }
            tokens.append(token)
        }
        self.init(tokens: tokens)
    }

    private static let tilde = UInt8(ascii: "~")

    private static func unescaped(_ part: Substring.UTF8View) -> String? {
        guard part.contains(tilde) else { return String(decoding: part, as: UTF8.self) }
        var bytes: [UInt8] = []
        var rest = part.makeIterator()
        while let byte = rest.next() {
            guard byte == tilde else {
                bytes.append(byte)
                continue
            }
            switch rest.next() {
            case UInt8(ascii: "0"): bytes.append(tilde)
            case UInt8(ascii: "1"): bytes.append(.slash)
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONPointer {
    /// A Boolean value that indicates whether this is the whole document.
    package var isRoot: Bool { tokens.isEmpty }

    /// The pointer to the value around this one; `nil` for the whole document.
    package var parent: JSONPointer? {
        isRoot ? nil : JSONPointer(tokens: Array(tokens.dropLast()))
    }

    package func appending(_ name: String) -> JSONPointer {
        var longer = self
        longer.tokens.append(name)
        return longer
    }

    package func appending(_ index: Int) -> JSONPointer {
        appending(String(index))
    }

    /// The place with a star for every element's number, which is the same for all elements.
    package var general: JSONPointer {
        JSONPointer(tokens: tokens.map { JSONPointer.index($0) == nil ? $0 : "*" })
    }

    /// The value this points to, or `nil` when the document has none there.
    ///
    /// An array's element is named by digits without leading zeros (section 4). "-", the element after the last,
    /// exists in no document.
    package func value(in document: JSONValue) -> JSONValue? {
        var value = document
        for token in tokens {
            let next: JSONValue? =
                switch value.content {
                case .object(let object): object[token]
                case .array: JSONPointer.index(token).flatMap { value[$0] }
                default: nil
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }

    /// The array index that a token names; `nil` also for one beyond every array.
    package static func index(_ token: String) -> Int? {
        let digits = token.utf8
        let hasLeadingZero = digits.count > 1 && digits.first == .zero
        return !hasLeadingZero && digits.allSatisfy(\.isDigit) ? Int(token) : nil
    }
}

extension JSONPointer: Hashable {
    /// Tokens are compared scalar by scalar, like names.
    package static func == (left: JSONPointer, right: JSONPointer) -> Bool {
        left.tokens.count == right.tokens.count
            && zip(left.tokens, right.tokens).allSatisfy { $0.exact == $1.exact }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(tokens.count)
        for token in tokens { hasher.combine(token.exact) }
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The textual form, which ``init(_:)`` reads again.
    package var description: String {
        var bytes: [UInt8] = []
        for token in tokens {
            bytes.append(.slash)
            for byte in token.utf8 {
                switch byte {
                case JSONPointer.tilde: bytes.append(contentsOf: "~0".utf8)
                case .slash: bytes.append(contentsOf: "~1".utf8)
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONPointer {
    /// Reads the form of a URI's fragment (section 6), number sign included: `#/paths/~1users`.
    ///
    /// `nil` when a percent sign is not followed by two hexadecimal digits or the decoded bytes are not UTF-8.
    package init?(fragment: String) {
        guard fragment.utf8.first == UInt8(ascii: "#"),
            let text = PercentEncoding.decode(Substring(fragment.utf8.dropFirst()))
        else { return nil }
        self.init(text)
    }

    /// The form of a URI's fragment, number sign included, with everything percent-encoded that a fragment may not hold.
    ///
    /// RFC 3986, section 3.5, allows unreserved characters, sub-delimiters and `:@/?` unescaped.
    package var fragment: String { "#" + PercentEncoding.encode(description, allowing: "!$&'()*+,;=:@/?") }
}
