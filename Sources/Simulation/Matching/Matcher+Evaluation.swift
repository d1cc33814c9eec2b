import JSONText
import ScenarioFormat

extension Matcher {
    /// Tells whether a value fits; `nil` is a value that is not there.
    func fits(_ value: JSONValue?) -> Bool {
        switch self {
        case .all(let matchers): matchers.allSatisfy { $0.fits(value) }
        case .not(let matcher): !matcher.fits(value)
        case .exists(let wanted): (value != nil) == wanted
        case .equals(let wanted): value.map { $0.equals(wanted) } ?? false
        case .oneOf(let wanted): value.map { value in wanted.contains { value.equals($0) } } ?? false
        case .contains(let part): value?.holds(part) ?? false
        case .startsWith(let start): value?.plainText.utf8.starts(with: start.utf8) ?? false
        case .endsWith(let end): value?.plainText.utf8.reversed().starts(with: end.utf8.reversed()) ?? false
        case .atLeast(let bound): value.flatMap { $0.order(to: bound) }.map { $0 >= 0 } ?? false
        case .atMost(let bound): value.flatMap { $0.order(to: bound) }.map { $0 <= 0 } ?? false
        case .matches(let pattern): value.map { pattern.isFound(in: $0.plainText) } ?? false
        case .date(let form): value?.string.map(form.fits) ?? false
        case .length(let range): value?.length.map { $0 >= range.atLeast && $0 <= range.atMost } ?? false
        case .type(let names): value.map { value in names.contains { $0.fits(value) } } ?? false
        case .each(let matcher): value?.array?.allSatisfy { matcher.fits($0) } ?? false
        // Only whoever makes the operand can tell.
        case .made: false
        }
    }
}

extension Matcher.TypeName {
    fileprivate func fits(_ value: JSONValue) -> Bool {
        switch (self, value.content) {
        case (.string, .string), (.number, .number), (.boolean, .bool), (.array, .array), (.object, .object),
            (.null, .null):
            true
        case (.integer, .number(let number)): number.isInteger
        default: false
        }
    }
}

extension JSONValue {
    /// Equality that lets the text of a header field or query item equal a number or a boolean of the scenario.
    fileprivate func equals(_ wanted: JSONValue) -> Bool {
        if self == wanted { return true }
        switch (content, wanted.content) {
        case (.string(let text), .number(let number)): return JSONNumber(text) == number
        case (.string(let text), .bool(let flag)): return text == (flag ? "true" : "false")
        default: return false
        }
    }

    fileprivate func holds(_ part: JSONValue) -> Bool {
        if let values = array { return values.contains { $0.covers(part) } }
        let part = part.plainText
        return part.isEmpty || plainText.utf8.firstRange(of: part.utf8) != nil
    }

    /// Equality, or for objects: having at least these members.
    private func covers(_ wanted: JSONValue) -> Bool {
        guard let members = wanted.object?.members, let object else { return equals(wanted) }
        return members.allSatisfy { member in object[member.name]?.equals(member.value) ?? false }
    }

    /// Below zero when the value comes before the bound, above when it comes after; `nil` where they do not compare.
    fileprivate func order(to bound: Matcher.Bound) -> Int? {
        switch bound {
        case .number(let bound): asNumber.map { $0 < bound ? -1 : $0 == bound ? 0 : 1 }
        case .text(let bound):
            string.map { $0.utf8.lexicographicallyPrecedes(bound.utf8) ? -1 : $0.hasSameUTF8(as: bound) ? 0 : 1 }
        }
    }

    fileprivate var length: Int? {
        array?.count ?? string?.unicodeScalars.count
    }

    fileprivate var asNumber: JSONNumber? {
        number ?? string.flatMap { JSONNumber($0) }
    }

    /// The value as it stands in a text: a string without quotes, nothing for null, else its JSON.
    var plainText: String {
        switch content {
        case .string(let text): text
        case .null: ""
        case .number(let number): number.text
        case .bool(let flag): flag ? "true" : "false"
        case .array, .object: text(.compact)
        }
    }
}
