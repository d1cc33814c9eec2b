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

    /// Splits at `&` and the first `=`; what cannot be decoded stays as it is, so that a bad client is seen, not lost.
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
        items.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    package func all(named name: String) -> [String] {
        items.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
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
