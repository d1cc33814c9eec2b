/// An option as a command declares it, and the key that reads its value from ``ParsedArguments``.
///
/// The value's type tells how often the option may be given: `Option<Bool>` is a flag, `Option<Int?>` may be left out,
/// `Option<Int>` has a default or is required, `Option<[Int]>` may be repeated. A value is looked for on the command
/// line, then in the environment, then in the default. An empty environment variable counts as unset.
package struct Option<Value: Sendable>: OptionDeclaring {
    package let declaration: OptionDescription
    /// Makes the value from accepted words; `nil` only when a required option has none.
    let read: @Sendable ([String]) -> Value?
}

/// What can stand in a command's list of options, whatever the type of its value.
package protocol OptionDeclaring: Sendable {
    var declaration: OptionDescription { get }
}

/// An ``Option`` without the Swift type of its value.
package struct OptionDescription: OptionDeclaring {
    /// Without the dashes.
    package var name: String
    package var short: Character?
    /// What stands for the value in help texts, such as `PORT`; empty for a flag.
    package var placeholder: String
    /// `nil` for a flag.
    package var value: ValueShape?
    package var isRepeatable = false
    package var isRequired = false
    package var environment: String?
    package var defaultText: String?
    package var help: String

    fileprivate init(
        _ name: String,
        _ short: Character?,
        _ placeholder: String,
        _ value: ValueShape?,
        _ environment: String?,
        _ help: String
    ) {
        (self.name, self.short, self.placeholder) = (name, short, placeholder)
        (self.value, self.environment, self.help) = (value, environment, help)
    }

    package var declaration: OptionDescription { self }

    /// `--port`.
    var long: String { "--\(name)" }

    /// All ways to write the option, the short one first.
    var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [long] }
}

extension Option {
    /// A flag; in the environment 1, true and yes set it, 0, false and no do not.
    package init(flag name: String, short: Character? = nil, environment: String? = nil, _ help: String)
    where Value == Bool {
        declaration = OptionDescription(name, short, "", nil, environment, help)
        read = { !$0.isEmpty }
    }

    /// An option that may be left out.
    package init<Element>(
        _ name: String,
        short: Character? = nil,
        _ placeholder: String,
        _ kind: ValueKind<Element>,
        environment: String? = nil,
        _ help: String
    ) where Value == Element? {
        declaration = OptionDescription(name, short, placeholder, kind.shape, environment, help)
        read = { .some($0.last.flatMap(kind.read)) }
    }

    /// An option with a default.
    package init(
        _ name: String,
        short: Character? = nil,
        _ placeholder: String,
        _ kind: ValueKind<Value>,
        default defaultValue: Value,
        environment: String? = nil,
        _ help: String
    ) {
        var declaration = OptionDescription(name, short, placeholder, kind.shape, environment, help)
        declaration.defaultText = kind.write(defaultValue)
        self.declaration = declaration
        read = { $0.last.flatMap(kind.read) ?? defaultValue }
    }

    /// An option without which the command means nothing.
    package init(
        required name: String,
        short: Character? = nil,
        _ placeholder: String,
        _ kind: ValueKind<Value>,
        environment: String? = nil,
        _ help: String
    ) {
        var declaration = OptionDescription(name, short, placeholder, kind.shape, environment, help)
        declaration.isRequired = true
        self.declaration = declaration
        read = { $0.last.flatMap(kind.read) }
    }

    /// An option that may be given any number of times.
    package init<Element>(
        repeated name: String,
        short: Character? = nil,
        _ placeholder: String,
        _ kind: ValueKind<Element>,
        environment: String? = nil,
        _ help: String
    ) where Value == [Element] {
        var declaration = OptionDescription(name, short, placeholder, kind.shape, environment, help)
        declaration.isRepeatable = true
        self.declaration = declaration
        read = { $0.compactMap(kind.read) }
    }
}
