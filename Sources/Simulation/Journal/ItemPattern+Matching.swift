package import JSON
package import ScenarioFormat

extension ItemPattern {
    /// The conditions that a stored item does not meet.
    package func mismatches(of item: JSONValue) -> [(pointer: JSONPointer, matcher: Matcher)] {
        conditions.filter { !$0.matcher.isMet(by: $0.pointer.value(in: item)) }
    }
}

extension Matcher {
    /// Whether a value is as it should be; `nil` is a value that is not there.
    ///
    /// No value meets a matcher whose operand is only known while a request is answered.
    package func isMet(by value: JSONValue?) -> Bool { fits(value) }
}
