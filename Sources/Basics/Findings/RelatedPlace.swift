/// A second place that a finding speaks of, and what is to be seen there.
///
/// A fixture that its contract does not allow is found in the fixture; the contract's sentence stands elsewhere.
package struct RelatedPlace: Sendable, Hashable {
    package var place: Place
    /// A few words without a closing full stop, such as "the contract says so here".
    package var message: String

    package init(_ place: Place, _ message: String) {
        self.place = place
        self.message = message
    }
}

extension RelatedPlace: CustomStringConvertible {
    /// The line that follows a finding's own: `file:line:column: note: …`.
    package var description: String { "\(place): note: \(message)" }
}
