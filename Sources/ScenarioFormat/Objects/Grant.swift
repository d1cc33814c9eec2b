import Basics
import JSON

/// A token that a response hands out.
package struct Grant: Sendable, Hashable {
    /// The source of the token.
    package enum Source: String, Sendable, CaseIterable {
        case new
        /// The copy that was stored when one was last granted, `null` when it was forgotten.
        case stored
        case none
    }

    package var kind: String
    package var source: Source
}
