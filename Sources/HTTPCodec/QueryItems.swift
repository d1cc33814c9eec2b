import Basics

/// Names and values of a query or a form, in their order, repeats kept.
package struct QueryItems: Sendable, Hashable {
    package struct Item: Sendable, Hashable {
        package var name: String
        package var value: String

        /// False for `flag` in `?flag&a=`, whose value is empty too.
        package var hasEqualsSign: Bool

        package init(name: String, value: String, hasEqualsSign: Bool = true) {
            self.name = name
            self.value = value
            self.hasEqualsSign = hasEqualsSign
        }
    }

    package var items: [Item]

    package init(_ items: [Item] = []) {
        self.items = items
    }

    /// Splits at `&` and the first `=`; what cannot be decoded is not changed, so that a bad client is seen, not lost.
    package init(parsing query: String, plusIsSpace: Bool = true) {
        items = query.utf8.split(separator: 0x26).map { pair in
            let equals = pair.firstIndex(of: 0x3D)
            let name = Substring(pair[..<(equals ?? pair.endIndex)])
            let value = equals.map { Substring(pair[pair.index(after: $0)...]) } ?? ""
            return Item(
                name: PercentEncoding.decode(name, plusIsSpace: plusIsSpace) ?? String(name),
                value: PercentEncoding.decode(value, plusIsSpace: plusIsSpace) ?? String(value),
                hasEqualsSign: equals != nil
            )
        }
    }

    /// A body of `application/x-www-form-urlencoded`.
    package init(parsingForm body: [UInt8]) {
        self.init(parsing: HTTPFields.text(body[...]), plusIsSpace: true)
    }

    package func first(named name: String) -> String? {
        items.first { $0.name.exact == name.exact }?.value
    }

    package func all(named name: String) -> [String] {
        items.filter { $0.name.exact == name.exact }.map(\.value)
    }

    /// As a query again, encoded so that parsing gives the same items.
    package var text: String {
        items.map { item in
            let name = PercentEncoding.encode(item.name)
            return item.hasEqualsSign ? "\(name)=\(PercentEncoding.encode(item.value))" : name
        }
        .joined(separator: "&")
    }
}

/// Reads `token ; name = value` as MIME fields have it, for media types and content dispositions.
struct ParameterScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func skipSpace() {
        while index < bytes.count, ByteClass.isSpaceOrTab(bytes[index]) { index += 1 }
    }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    mutating func token() -> [UInt8]? {
        let start = index
        while index < bytes.count, ByteClass.isToken(bytes[index]) { index += 1 }
        return index > start ? Array(bytes[start..<index]) : nil
    }

    mutating func lowercasedToken() -> String? {
        token().map { String(decoding: $0.map(ByteClass.lowercased), as: UTF8.self) }
    }

    /// The parameters to the end; `nil` when something else is there.
    ///
    /// An empty one, as in `a/b;`, is let pass.
    ///
    /// - Parameter keepsBackslashes: Browsers and URLSession's users write file names with bare backslashes, so there a
    ///   backslash only escapes a quote.
    mutating func parameters(keepsBackslashes: Bool = false) -> [(name: String, value: [UInt8])]? {
        var found: [(name: String, value: [UInt8])] = []
        while true {
            skipSpace()
            if isAtEnd { return found }
            guard skip(0x3B) else { return nil }
            skipSpace()
            if isAtEnd || bytes[index] == 0x3B { continue }
            guard let name = lowercasedToken(), skip(0x3D) else { return nil }
            guard let value = token() ?? quotedString(keepsBackslashes: keepsBackslashes) else { return nil }
            found.append((name, value))
        }
    }

    private mutating func quotedString(keepsBackslashes: Bool) -> [UInt8]? {
        guard skip(0x22) else { return nil }
        var value: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == 0x22 { return value }
            if byte == 0x5C, index < bytes.count, !keepsBackslashes || bytes[index] == 0x22 {
                value.append(bytes[index])
                index += 1
            } else {
                value.append(byte)
            }
        }
        return nil
    }
}
