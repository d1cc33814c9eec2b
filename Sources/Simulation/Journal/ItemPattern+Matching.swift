package import JSONText
package import ScenarioFormat

extension ItemPattern {
    /// The conditions that a stored item does not meet.
    package func misfits(of item: JSONValue) -> [(pointer: JSONPointer, matcher: Matcher)] {
        conditions.filter { !$0.matcher.fits($0.pointer.value(in: item)) }
    }
}
