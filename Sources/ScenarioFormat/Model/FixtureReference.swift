package import JSON

/// The fixture that a response's body was read from, so that a checker can read it again with the place of every value.
package struct FixtureReference: Sendable, Hashable {
    /// The file's path as the user would write it.
    package var path: String
    /// Its document number in the loaded scenario's ``Basics/SourceMap``.
    package var document: Int32
    /// Where the scenario names it.
    package var position: JSONPosition
}
