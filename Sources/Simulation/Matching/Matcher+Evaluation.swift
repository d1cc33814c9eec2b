import Basics
package import JSON
package import ScenarioFormat

extension Matcher {
    /// Tells whether a value fits; `nil` is a value that is not there.
    ///
    /// - Parameter isLoose: whether the text of a request may be the operand instead of the value, so that a stored
    ///   345 equals the "345" of a path, as the "345" of a path equals the 345 of a scenario.
    /// - Throws: where an expression needs too many steps for an answer.
    func fits(_ value: JSONValue?, isLoose: Bool = false) throws(TextPattern.Undecided) -> Bool {
        switch self {
        case .all(let matchers):
            try Self.all(matchers) { matcher throws(TextPattern.Undecided) in
                try matcher.fits(value, isLoose: isLoose)
            }
        case .not(let matcher): try !matcher.fits(value, isLoose: isLoose)
        case .exists(let wanted): (value != nil) == wanted
        case .equals(let wanted): value.map { $0.equals(wanted, isLoose) } ?? false
        case .oneOf(let wanted): value.map { value in wanted.contains { value.equals($0, isLoose) } } ?? false
        case .contains(let part): value?.holds(part, isLoose) ?? false
        case .startsWith(let start): value?.plainText.utf8.starts(with: start.utf8) ?? false
        case .endsWith(let end): value?.plainText.utf8.reversed().starts(with: end.utf8.reversed()) ?? false
        case .atLeast(let bound): value.flatMap { $0.order(to: bound, isLoose) }.map { $0 >= 0 } ?? false
        case .atMost(let bound): value.flatMap { $0.order(to: bound, isLoose) }.map { $0 <= 0 } ?? false
        case .matches(let pattern): if let value { try pattern.isFound(in: value.plainText) } else { false }
        case .date(let form): value?.string.map(form.fits) ?? false
        case .length(let range): value?.length.map { $0 >= range.atLeast && $0 <= range.atMost } ?? false
        case .type(let names): value.map { value in names.contains { $0.fits(value) } } ?? false
        case .each(let matcher):
            if let elements = value?.array {
                try Self.all(elements) { element throws(TextPattern.Undecided) in
                    try matcher.fits(element, isLoose: isLoose)
                }
            } else {
                false
            }
        case .words(let matcher): try matcher.fits(value?.words, isLoose: isLoose)
        // Only the caller, which makes the operand, can tell.
        case .made: false
        }
    }

    private static func all<Element>(
        _ elements: [Element],
        _ fits: (Element) throws(TextPattern.Undecided) -> Bool
    ) throws(TextPattern.Undecided) -> Bool {
        for element in elements { guard try fits(element) else { return false } }
        return true
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
    fileprivate func equals(_ wanted: JSONValue, _ isLoose: Bool) -> Bool {
        isLoose ? corresponds(to: wanted) : equals(wanted)
    }

    /// Equality in which either side may be the text of the other.
    func corresponds(to other: JSONValue) -> Bool {
        equals(other) || other.equals(self)
    }

    private func equals(_ wanted: JSONValue) -> Bool {
        if self == wanted { return true }
        switch (content, wanted.content) {
        case (.string(let text), .number(let number)): return JSONNumber(text) == number
        case (.string(let text), .bool(let flag)): return text == (flag ? "true" : "false")
        default: return false
        }
    }

    fileprivate func holds(_ part: JSONValue, _ isLoose: Bool) -> Bool {
        if let values = array { return values.contains { $0.covers(part, isLoose) } }
        let part = part.plainText
        return part.isEmpty || plainText.utf8.firstRange(of: part.utf8) != nil
    }

    /// Equality, or for objects: having at least these members.
    private func covers(_ wanted: JSONValue, _ isLoose: Bool) -> Bool {
        guard let members = wanted.object?.members, let object else { return equals(wanted, isLoose) }
        return members.allSatisfy { member in object[member.name]?.equals(member.value, isLoose) ?? false }
    }

    /// Below zero when the value comes before the bound, above when it comes after; `nil` where they do not compare.
    fileprivate func order(to bound: Matcher.Bound, _ isLoose: Bool) -> Int? {
        switch bound {
        case .number(let bound): return asNumber.map { $0.order(to: bound) }
        case .text(let bound):
            if let string {
                return string.utf8.lexicographicallyPrecedes(bound.utf8) ? -1 : string.exact == bound.exact ? 0 : 1
            }
            guard isLoose, let number, let bound = JSONNumber(bound) else { return nil }
            return number.order(to: bound)
        }
    }

    fileprivate var length: Int? {
        array?.count ?? string?.unicodeScalars.count
    }

    /// The texts between the single spaces of a text, such as the values of a scope (RFC 6749, section 3.3).
    var words: JSONValue? {
        string.map { .array($0.split(separator: " ", omittingEmptySubsequences: false).map { .string(String($0)) }) }
    }

    /// The value as a part of a text: a string without quotes, nothing for null, else its JSON.
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

extension JSONNumber {
    fileprivate func order(to bound: JSONNumber) -> Int {
        self < bound ? -1 : self == bound ? 0 : 1
    }
}

extension ItemPattern {
    /// The conditions that a stored item does not meet.
    ///
    /// - Throws: where it meets all that can be decided, and an expression needs too many steps.
    package func mismatches(
        of item: JSONValue
    ) throws(TextPattern.Undecided) -> [(pointer: JSONPointer, matcher: Matcher)] {
        var mismatches: [(pointer: JSONPointer, matcher: Matcher)] = []
        var undecided: TextPattern.Undecided?
        for condition in conditions {
            do throws(TextPattern.Undecided) {
                guard try !condition.matcher.isMet(by: condition.pointer.value(in: item)) else { continue }
                mismatches.append((condition.pointer, condition.matcher))
            } catch {
                undecided = error
            }
        }
        if let undecided, mismatches.isEmpty { throw undecided }
        return mismatches
    }
}

extension Matcher {
    /// Returns whether a value is as it should be; `nil` is a value that is not there.
    ///
    /// No value meets a matcher whose operand is only known while a request is answered.
    ///
    /// - Throws: where an expression needs too many steps, so that it is not known.
    package func isMet(by value: JSONValue?) throws(TextPattern.Undecided) -> Bool { try fits(value) }
}
