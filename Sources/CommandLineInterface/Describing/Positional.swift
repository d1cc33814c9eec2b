/// An argument known by its place, and the key that reads its value from ``ParsedArguments``.
///
/// The value's type tells how often it may be given: `Positional<String>` is required, `Positional<String?>` may be
/// left out, `Positional<[String]>` takes all that follows.
package struct Positional<Value: Sendable>: PositionalDeclaring {
    package let declaration: PositionalDescription
    /// Makes the value from accepted words; `nil` only when a required argument has none.
    let read: @Sendable ([String]) -> Value?

    package init(_ name: String, _ kind: ValueKind<Value>, _ help: String) {
        declaration = PositionalDescription(name: name, value: kind.shape, minimum: 1, isVariadic: false, help: help)
        read = { $0.first.flatMap(kind.read) }
    }

    package init<Element>(optional name: String, _ kind: ValueKind<Element>, _ help: String)
    where Value == Element? {
        declaration = PositionalDescription(name: name, value: kind.shape, minimum: 0, isVariadic: false, help: help)
        read = { .some($0.first.flatMap(kind.read)) }
    }

    package init<Element>(
        variadic name: String,
        atLeast minimum: Int = 0,
        _ kind: ValueKind<Element>,
        _ help: String
    ) where Value == [Element] {
        declaration = PositionalDescription(
            name: name,
            value: kind.shape,
            minimum: minimum,
            isVariadic: true,
            help: help
        )
        read = { $0.compactMap(kind.read) }
    }
}

/// What can stand in a command's list of positionals, whatever the type of its value.
package protocol PositionalDeclaring: Sendable {
    var declaration: PositionalDescription { get }
}

/// A ``Positional`` without the Swift type of its value.
package struct PositionalDescription: PositionalDeclaring {
    /// As help texts show it: `SCENARIO`.
    package var name: String
    package var value: ValueShape
    package var minimum: Int
    package var isVariadic: Bool
    package var help: String

    package var declaration: PositionalDescription { self }

    /// `SCENARIO`, `[PATH]`, `STORY...` or `[PATH...]`.
    var usage: String {
        let text = name + (isVariadic ? "..." : "")
        return minimum == 0 ? "[\(text)]" : text
    }
}
