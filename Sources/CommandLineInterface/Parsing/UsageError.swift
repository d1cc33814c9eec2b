import Basics

/// A command line that cannot be understood, with all that is needed to say so helpfully.
///
/// Every sentence about arguments is made in this file.
package struct UsageError: Error, Sendable {
    package let reason: ArgumentError
    let path: CommandPath

    init(_ reason: ArgumentError, at path: CommandPath) {
        self.reason = reason
        self.path = path
    }

    package var exitCode: ExitCode { .misuse }

    /// The command that was being read, without the program's name; empty for the outermost command.
    package var command: String { path.subcommandNames.joined(separator: " ") }

    /// The printed text: the error, the usage and where to read more, on separate lines.
    package var text: String {
        "error: \(sentence)\n\(HelpText(path).usage)\nsee '\(path.name) --help'\n"
    }

    /// The mistake and what was expected, without a full stop.
    package var sentence: String {
        switch reason {
        case .unknownOption(let option, _):
            unknownOption(option)
        case .missingValue(let option, let expected, nil, _):
            "\(option) requires a value: \(expected)"
        case .missingValue(let option, let expected, let next?, _):
            "\(option) requires a value, \(expected), but \(Wording.quoted(next)) follows"
        case .unwantedValue(let flag, let value, _):
            "\(flag) takes no value, but \(Wording.quoted(value)) was given"
        case .invalidValue(let name, let value, let expected, let choices, let origin):
            "\(subject(name, origin)) requires \(expected), not \(Wording.quoted(value))"
                + suggestion(for: value, among: choices)
        case .optionGivenTwice(let option, _, _):
            "\(option) is given twice, but accepts one value"
        case .missingOption(let option, let expected, let environment):
            "\(option) is missing: \(expected)" + (environment.map { "; or set \($0)" } ?? "")
        case .missingPositional(let name, let expected):
            "\(name) is missing: \(expected)"
        case .missingPassthrough(let usage):
            "\(usage) is missing after --\(passthroughExample)"
        case .surplusPositional(let word, _):
            surplusPositional(word)
        case .unknownCommand(let word, _):
            unknownCommand(word)
        case .missingCommand:
            "a command is missing: \(path.command.subcommands.map(\.name).joined(lastBy: "or"))"
        case .refused(let sentence):
            sentence
        }
    }

    private func unknownOption(_ option: String) -> String {
        let owners = CommandPath(path.root).all.filter { other in
            other.ownOptions.contains { $0.spellings.contains(option) }
        }
        if !owners.isEmpty {
            let names = owners.prefix(3).map { "'\($0.name)'" }
            return "'\(path.name)' has no option \(option); it belongs to \(names.joined(lastBy: "and"))"
        }
        let letter = option.utf8.count == 2 ? "--\(option.dropFirst())" : nil
        let long = letter.map { letter in path.options.map(\.long).filter { $0.hasPrefix(letter) } } ?? []
        let near =
            long.count == 1
            ? "; did you mean \(long[0])?" : suggestion(for: option, among: path.options.map(\.long))
        return "unknown option \(Wording.escaped(option))\(near)"
    }

    private func unknownCommand(_ word: String) -> String {
        let names = path.command.subcommands.map(\.name)
        var sentence = "unknown command \(Wording.quoted(word))"
        if !path.ancestors.isEmpty { sentence += " of '\(path.name)'" }
        if let elsewhere = CommandPath(path.root).all.first(where: { $0.command.name == word }) {
            return sentence + "; did you mean '\(elsewhere.name)'?"
        }
        if let line = lineMeant(by: word, among: names) { return sentence + "; did you mean '\(line)'?" }
        let near = suggestion(for: word, among: names)
        return sentence + (near.isEmpty ? "; available: \(names.joined(lastBy: "and"))" : near)
    }

    /// A command line that the word means: the name of another tool, a guide, or a subcommand's argument alone.
    private func lineMeant(by word: String, among names: [String]) -> String? {
        if let command = path.command.subcommands.first(where: { $0.otherNames.contains(word.lowercased()) }) {
            return "\(path.name) \(command.name)"
        }
        if "0"..."9" ~= word.first ?? " " {
            let command = path.command.subcommands.first { command in
                command.positionals.count == 1 && command.positionals[0].value.accepts(word)
            }
            if let command { return "\(path.name) \(command.name) \(Wording.escaped(word))" }
        }
        let topics = path.command.topics
        let isCommand = Suggestion.nearest(to: word, among: names) != nil
        let meant = Suggestion.nearest(to: word, among: topics.map(\.name))
        let topic = topics.first { $0.isAbout(word) }?.name ?? (isCommand ? nil : meant)
        return topic.map { "\(path.name) help \($0)" }
    }

    /// The first example that has words after `--`.
    private var passthroughExample: String {
        let example = path.command.examples.first { $0.line.contains(" -- ") }
        return example.map { ", as in '\($0.line)'" } ?? ""
    }

    private func surplusPositional(_ word: String) -> String {
        let usages = path.command.positionals.map(\.usage)
        let taken = usages.isEmpty ? "no argument" : "only \(usages.joined(separator: " "))"
        return "unexpected argument \(Wording.quoted(word)); '\(path.name)' takes \(taken)"
    }

    private func suggestion(for word: String, among candidates: [String]) -> String {
        Suggestion.nearest(to: word, among: candidates).map { "; did you mean \($0)?" } ?? ""
    }

    private func subject(_ name: String, _ origin: ArgumentOrigin) -> String {
        switch origin {
        case .word: name
        case .environment(let variable): "\(variable), used as \(name),"
        }
    }
}

/// The origin of a value.
package enum ArgumentOrigin: Sendable, Hashable {
    /// The word's index on the command line, counted from zero after the program's name.
    case word(Int)
    /// An environment variable.
    case environment(String)
}

/// A mistake in a command line; ``UsageError`` makes its sentence.
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

/// The messages of a command.
package struct ExitCode: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Everything asked for was done, and all that was checked holds.
    package static let success = ExitCode(rawValue: 0)
    /// A check failed.
    package static let failed = ExitCode(rawValue: 1)
    /// The command line, a scenario or a contract cannot be used.
    package static let misuse = ExitCode(rawValue: 2)
    /// Stopped by an interrupt, as shells count it: 128 and the signal's number.
    package static let interrupted = ExitCode(rawValue: 130)
}
