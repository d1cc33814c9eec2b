package import JSON

/// What a backend stores of one sort: posts, comments, users.
package struct ItemCollection: Sendable {
    /// Whose items they are.
    package enum Scope: String, Sendable, CaseIterable {
        /// One set for everybody.
        case session
        /// Every account has a copy of its own, made when it is first needed.
        case account
    }

    /// The collection whose items are the accounts; there is always one.
    package static let accounts = "accounts"

    /// How many items a collection holds at most, all copies together.
    package static let mostItems = 100_000

    package var name: String
    /// What there is at the beginning, in its order.
    package var items: [TreeTemplate]
    package var scope: Scope
    /// What a reader sees in an item that is not stored there.
    package var embeds: [Embed]
    package var position: JSONPosition

    package init(
        name: String,
        items: [TreeTemplate] = [],
        scope: Scope = .session,
        embeds: [Embed] = [],
        position: JSONPosition = .unknown
    ) {
        self.name = name
        self.items = items
        self.scope = scope
        self.embeds = embeds
        self.position = position
    }
}

/// A place of an item where a reader sees other items than the stored value.
package struct Embed: Sendable {
    /// How many items may be embedded in each other.
    package static let greatestDepth = 16

    package var pointer: JSONPointer
    package var selection: Selection

    package init(pointer: JSONPointer, selection: Selection) {
        self.pointer = pointer
        self.selection = selection
    }
}
