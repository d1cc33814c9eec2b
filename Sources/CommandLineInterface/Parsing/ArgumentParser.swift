extension CommandDescription {
    /// Reads a command line, without the program's own name.
    ///
    /// A request for help wins over every mistake, so that `--help` can be added to a line that was refused.
    package func parse(_ words: [String], environment: [String: String] = [:]) throws(UsageError) -> Invocation {
        var parser = ArgumentParser(words: words, environment: environment, path: CommandPath(self))
        do throws(UsageError) {
            return try parser.parse()
        } catch {
            let rest = words.prefix { $0 != "--" }
            guard rest.contains("--help") || rest.contains("-h") else { throw error }
            return .help(HelpText(parser.path).text)
        }
    }
}

/// Walks over the words once, from left to right, and goes down one command at a time.
struct ArgumentParser {
    let words: [String]
    let environment: [String: String]
    private(set) var path: CommandPath
    private var index = 0
    private var options: [String: GivenWords] = [:]
    private var positionals: [(word: String, origin: ArgumentOrigin)] = []
    private var passthrough: GivenWords?

    init(words: [String], environment: [String: String], path: CommandPath) {
        self.words = words
        self.environment = environment
        self.path = path
    }

    mutating func parse() throws(UsageError) -> Invocation {
        while index < words.count {
            let word = words[index]
            if word == "--" {
                readRest()
            } else if word.utf8.starts(with: "--".utf8) {
                try readLong(word)
            } else if looksLikeOption(word) {
                try readCluster(word)
            } else if !path.command.subcommands.isEmpty {
                guard let next = path.subcommand(named: word) else { throw error(.unknownCommand(word, here)) }
                path = next
            } else {
                positionals.append((word, here))
            }
            index += 1
            if options[CommandPath.helpOption.declaration.long] != nil { return .help(HelpText(path).text) }
            if options[CommandPath.versionOption.declaration.long] != nil, let version = path.root.version {
                return .version("\(path.root.name) \(version)\n")
            }
        }
        if path.isHelpCommand { return try .help(topic()) }
        var given = try givenPositionals()
        if !path.command.subcommands.isEmpty, !path.command.runsAlone { throw error(.missingCommand) }
        if path.isVersionCommand, let version = path.root.version { return .version("\(path.root.name) \(version)\n") }
        given.merge(try givenOptions()) { first, _ in first }
        return .command(ParsedArguments(path: path, given: given))
    }

    private var here: ArgumentOrigin { .word(index) }

    private func error(_ reason: ArgumentError) -> UsageError { UsageError(reason, at: path) }
}

// MARK: - Words

extension ArgumentParser {
    /// After `--` nothing is an option any more.
    private mutating func readRest() {
        let rest = words.indices.dropFirst(index + 1)
        if path.command.passthrough != nil {
            passthrough = GivenWords(words: rest.map { words[$0] }, origin: here)
        } else {
            positionals += rest.map { (words[$0], .word($0)) }
        }
        index = words.count
    }

    private mutating func readLong(_ word: String) throws(UsageError) {
        let equals = word.utf8.firstIndex(of: UInt8(ascii: "="))
        let spelling = String(word[..<(equals ?? word.endIndex)])
        let attached = equals.map { String(word[word.utf8.index(after: $0)...]) }
        guard let option = path.options.first(where: { $0.long == spelling }) else {
            throw error(.unknownOption(spelling, here))
        }
        try read(option, spelling, attached)
    }

    /// `-v`, `-vq`, `-p 0`, `-p0` and `-p=0`.
    private mutating func readCluster(_ word: String) throws(UsageError) {
        // A long option with one dash too few would otherwise be read letter by letter, with a puzzling message.
        let spelling = String(word.prefix { $0 != "=" })
        if spelling.count > 2, path.options.contains(where: { $0.long == "-\(spelling)" }) {
            throw error(.unknownOption(spelling, here))
        }
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = path.options.first(where: { $0.short == letter }) else {
                throw error(.unknownOption("-\(letter)", here))
            }
            let spelling = "-\(letter)"
            if option.value != nil, !letters.isEmpty {
                return try read(option, spelling, String(letters.first == "=" ? letters.dropFirst() : letters))
            }
            if letters.first == "=" { return try read(option, spelling, String(letters.dropFirst())) }
            try read(option, spelling, nil)
        }
    }

    private mutating func read(
        _ option: OptionDescription,
        _ spelling: String,
        _ attached: String?
    ) throws(UsageError) {
        let origin = here
        guard let value = option.value else {
            if let attached { throw error(.unwantedValue(flag: spelling, value: attached, origin)) }
            options[option.long] = GivenWords(words: ["true"], origin: origin)
            return
        }
        if let first = options[option.long], !option.isRepeatable {
            throw error(.optionGivenTwice(option.long, first: first.origin, origin))
        }
        let word: String
        if let attached {
            word = attached
        } else {
            let next = index + 1 < words.count ? words[index + 1] : nil
            guard let next, !looksLikeOption(next) else {
                throw error(.missingValue(option: spelling, expected: value.expected, next: next, origin))
            }
            word = next
            index += 1
        }
        try check(word, value, spelling, origin)
        options[option.long, default: GivenWords(words: [], origin: origin)].words.append(word)
    }

    /// Returns whether the word would be read as an option: a single dash and a negative number are not.
    private func looksLikeOption(_ word: String) -> Bool {
        var bytes = word.utf8.makeIterator()
        guard bytes.next() == UInt8(ascii: "-"), let second = bytes.next() else { return false }
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second) else { return true }
        return path.options.contains { $0.short == Character(Unicode.Scalar(second)) }
    }

    private func check(
        _ word: String,
        _ value: ValueShape,
        _ name: String,
        _ origin: ArgumentOrigin
    ) throws(UsageError) {
        guard !value.accepts(word) else { return }
        let choices = if case .choices(let choices) = value.completion { choices() } else { [String]() }
        throw error(.invalidValue(of: name, value: word, expected: value.expected, choices: choices, origin))
    }
}

// MARK: - What the words amount to

extension ArgumentParser {
    private func givenPositionals() throws(UsageError) -> [String: GivenWords] {
        var given: [String: GivenWords] = [:]
        var rest = positionals[...]
        for positional in path.command.positionals {
            let taken = rest.prefix(positional.isVariadic ? rest.count : 1)
            rest = rest.dropFirst(taken.count)
            for (word, origin) in taken { try check(word, positional.value, positional.name, origin) }
            guard taken.count >= positional.minimum else {
                throw error(.missingPositional(positional.name, expected: positional.value.expected))
            }
            if let first = taken.first {
                given[positional.name] = GivenWords(words: taken.map(\.word), origin: first.origin)
            }
        }
        if let (word, origin) = rest.first { throw error(.surplusPositional(word, origin)) }
        if let expected = path.command.passthrough {
            guard (passthrough?.words.count ?? 0) >= expected.minimum else {
                throw error(.missingPassthrough(expected.usage))
            }
            given[expected.name] = passthrough
        }
        return given
    }

    private func givenOptions() throws(UsageError) -> [String: GivenWords] {
        var given = options
        for option in path.options where given[option.long] == nil {
            if let variable = option.environment, let word = environment[variable], !word.isEmpty {
                given[option.long] = try fallback(for: option, word, .environment(variable))
            } else if option.isRequired, let value = option.value {
                throw error(
                    .missingOption(option.long, expected: value.expected, environment: option.environment)
                )
            }
        }
        return given
    }

    private func fallback(
        for option: OptionDescription,
        _ word: String,
        _ origin: ArgumentOrigin
    ) throws(UsageError) -> GivenWords? {
        if let value = option.value {
            try check(word, value, option.long, origin)
            return GivenWords(words: [word], origin: origin)
        }
        switch word.lowercased() {
        case "1", "true", "yes": return GivenWords(words: ["true"], origin: origin)
        case "0", "false", "no": return nil
        default:
            let expected = "1 or 0"
            throw error(.invalidValue(of: option.long, value: word, expected: expected, choices: [], origin))
        }
    }

    /// The topic of `help clock advance` or `help GUIDE`.
    private func topic() throws(UsageError) -> String {
        var topic = CommandPath(path.root)
        let isGuide = positionals.count == 1
        if isGuide, let guide = path.root.topics.first(where: { $0.name == positionals[0].word }) {
            return guide.text()
        }
        for (word, origin) in positionals {
            guard let next = topic.subcommand(named: word) else {
                throw UsageError(.unknownCommand(word, origin), at: topic)
            }
            topic = next
        }
        return HelpText(topic).text
    }
}

/// The parsed command line, read with the same ``Option`` and ``Positional`` values that declared it.
package struct ParsedArguments: Sendable {
    /// The subcommand that was named, without the outermost command: `["clock", "advance"]`.
    package var command: [String] { path.subcommandNames }

    let path: CommandPath
    /// By the option's long spelling or the positional's name.
    let given: [String: GivenWords]

    package subscript<Value>(option: Option<Value>) -> Value {
        let long = option.declaration.long
        return value(of: long, isDeclared: path.options.contains { $0.long == long }, option.read)
    }

    package subscript<Value>(positional: Positional<Value>) -> Value {
        let name = positional.declaration.name
        let declared = path.command.positionals + [path.command.passthrough].compactMap { $0 }
        return value(of: name, isDeclared: declared.contains { $0.name == name }, positional.read)
    }

    /// Returns the origin of the option's value; `nil` if it is the default.
    package func origin(of option: some OptionDeclaring) -> ArgumentOrigin? {
        given[option.declaration.long]?.origin
    }

    /// Makes an error of something that only the command itself can know, as a sentence without a full stop.
    package func misuse(_ sentence: String) -> UsageError {
        UsageError(.refused(sentence), at: path)
    }

    private func value<Value>(of name: String, isDeclared: Bool, _ read: ([String]) -> Value?) -> Value {
        // A user's command line cannot get here: only code that asks a command for what it never declared.
        guard isDeclared, let value = read(given[name]?.words ?? []) else {
            preconditionFailure("\(name) is not declared by '\(path.name)'")
        }
        return value
    }
}

/// The accepted words of one option or positional.
struct GivenWords: Sendable {
    var words: [String]
    var origin: ArgumentOrigin
}

/// The request of a command line.
package enum Invocation: Sendable {
    case command(ParsedArguments)
    /// The text to print, ending in a line break.
    case help(String)
    /// The text to print, ending in a line break.
    case version(String)
}
