/// Where a value came from.
package enum ArgumentOrigin: Sendable, Hashable {
    /// The word's index on the command line, counted from zero after the program's name.
    case word(Int)
    /// An environment variable.
    case environment(String)
}

/// What is wrong with a command line; its sentence is made by ``UsageError``.
///
/// Options are named as they were typed, dashes included.
package enum ArgumentError: Error, Sendable, Hashable {
    case unknownOption(String, ArgumentOrigin)
    /// `next` is the word found in the value's place, which looks like an option itself.
    case missingValue(option: String, expected: String, next: String?, ArgumentOrigin)
    case unwantedValue(flag: String, value: String, ArgumentOrigin)
    case invalidValue(of: String, value: String, expected: String, choices: [String], ArgumentOrigin)
    case optionGivenTwice(String, first: ArgumentOrigin, ArgumentOrigin)
    case missingOption(String, expected: String, environment: String?)
    case missingPositional(String, expected: String)
    /// The words after `--` are missing.
    case missingPassthrough(String)
    case surplusPositional(String, ArgumentOrigin)
    case unknownCommand(String, ArgumentOrigin)
    case missingCommand
    /// Something only the command itself can know, as a sentence without a full stop.
    case refused(String)
}
