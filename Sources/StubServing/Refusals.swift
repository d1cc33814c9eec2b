/// What arrived and could not be read as a request, so that no journal has it.
package struct Refusals: Sendable, Hashable {
    package private(set) var count = 0
    /// Why the first was refused, as a sentence without a closing full stop.
    package private(set) var first: String?

    package init() {}

    mutating func note(_ sentence: String) {
        count += 1
        if first == nil { first = sentence }
    }
}
