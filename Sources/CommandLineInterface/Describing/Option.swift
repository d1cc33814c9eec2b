import Basics

/// An option as a command declares it, and the key that reads its value from ``ParsedArguments``.
///
/// The value's type says how often the option may be given: `Option<Bool>` is a flag, `Option<Int?>` may be left out,
/// `Option<Int>` has a default or is required, `Option<[Int]>` may be repeated. A value is looked for on the command
/// line, then in the environment, then in the default. An empty environment variable counts as unset.
package struct Option<Value: Sendable>: OptionDeclaring {
    package let declaration: OptionDescription
    /// Makes the value from accepted words; `nil` only when a required option has none.
    let read: @Sendable ([String]) -> Value?
}

/// An option of a command, with a value of any type.
package protocol OptionDeclaring: Sendable {
    var declaration: OptionDescription { get }
}

/// An ``Option`` without the Swift type of its value.
package struct OptionDescription: OptionDeclaring {
    /// Without the dashes.
    package var name: String
    package var short: Character?
    /// The placeholder of the value in help texts, such as `PORT`; empty for a flag.
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

    /// A required option.
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

/// The type of an option's or positional's value, which converts a word to a Swift value.
package struct ValueKind<Value: Sendable>: Sendable {
    private(set) var shape: ValueShape
    let read: @Sendable (String) -> Value?
    let write: @Sendable (Value) -> String

    /// A custom type.
    ///
    /// - Parameters:
    ///   - expected: What would be right, as it follows "requires": `a duration such as 15d`.
    ///   - note: The same in a few words for the help, when the option's own line does not say it.
    ///   - write: How a default is shown in the help.
    ///   - read: Returns `nil` for a word that is not valid.
    package init(
        expected: String,
        note: String? = nil,
        completion: ValueCompletion = .nothing,
        write: @escaping @Sendable (Value) -> String = { "\($0)" },
        read: @escaping @Sendable (String) -> Value?
    ) {
        shape = ValueShape(expected: expected, note: note, completion: completion) { read($0) != nil }
        self.read = read
        self.write = write
    }
}

/// The completions of a value in a shell.
package enum ValueCompletion: Sendable {
    case nothing
    /// Words, which are made when they are needed; a list may take longer than a whole command.
    case choices(@autoclosure @Sendable () -> [String])
    /// Files with one of these endings, and folders on the way to them; any file without such an ending.
    case files(endings: [String])
    case folders
}

/// A ``ValueKind`` without its Swift type: all that parsing, help and completion need.
package struct ValueShape: Sendable {
    package var expected: String
    package var note: String?
    package var completion: ValueCompletion
    /// The range of a whole number; `nil` for other values.
    package var integers: ClosedRange<Int>?
    package var accepts: @Sendable (String) -> Bool
}

extension ValueKind where Value == String {
    /// Any text but the empty one.
    package static func text(_ expected: String = "text") -> ValueKind {
        ValueKind(expected: expected) { $0.isEmpty ? nil : $0 }
    }

    /// A path; whether something is there is not checked.
    package static func file(endings: [String] = [], orFolder: Bool = false) -> ValueKind {
        let patterns = endings.isEmpty ? "" : " (" + endings.map { "*.\($0)" }.joined(separator: ", ") + ")"
        let expected = "a file\(patterns)" + (orFolder ? " or a folder" : "")
        return ValueKind(expected: expected, completion: .files(endings: endings)) { $0.isEmpty ? nil : $0 }
    }

    package static var folder: ValueKind {
        ValueKind(expected: "a folder", completion: .folders) { $0.isEmpty ? nil : $0 }
    }

    package static func choice(of names: [String]) -> ValueKind {
        let list = names.joined(lastBy: "or")
        return ValueKind(expected: list, note: list, completion: .choices(names)) { names.contains($0) ? $0 : nil }
    }
}

extension ValueKind where Value == Int {
    /// A decimal number without a plus sign.
    package static func integer(in range: ClosedRange<Int> = .min ... .max) -> ValueKind {
        let note: String? =
            switch (range.lowerBound, range.upperBound) {
            case (.min, .max): nil
            case (let lower, .max): "\(lower) or more"
            case (.min, let upper): "\(upper) or less"
            case (let lower, let upper): "\(lower) to \(upper)"
            }
        var kind = ValueKind(expected: "a whole number" + (note.map { ", \($0)" } ?? ""), note: note) { word in
            guard word.utf8.first != UInt8(ascii: "+"), let number = Int(word) else { return nil }
            return range.contains(number) ? number : nil
        }
        kind.shape.integers = range
        return kind
    }
}

extension ValueKind where Value: RawRepresentable<String> & CaseIterable {
    /// One of the enumeration's raw values.
    package static var choice: ValueKind {
        let names = Value.allCases.map(\.rawValue)
        let list = names.joined(lastBy: "or")
        return ValueKind(expected: list, note: list, completion: .choices(names), write: \.rawValue) {
            Value(rawValue: $0)
        }
    }
}
