/// Everything that is known about a command: parsing, help and completion are all derived from this one value.
///
/// A command either takes arguments or groups subcommands. The options of a group may be given before or after the
/// subcommand's name, so that `clock --url U advance 2h` and `clock advance 2h --url U` are the same. Every level
/// understands `--help`; the outermost one also `help COMMAND` and, when it has a version, `--version` and `version`.
package struct CommandDescription: Sendable {
    package var name: String
    /// One line without a full stop.
    package var abstract: String
    /// Paragraphs between empty lines; a line that begins with a space is kept as it is.
    package var discussion: String
    /// A command line each, and what it is good for.
    package var examples: [(line: String, about: String)]
    package var options: [OptionDescription]
    package var positionals: [PositionalDescription]
    /// The words after `--`, when they are not ours to read.
    package var passthrough: PositionalDescription?
    package var subcommands: [CommandDescription]
    /// Whether a group also does something when no subcommand is named.
    package var runsAlone: Bool
    /// What `--version` and `version` say; on the outermost command only.
    package var version: String?
    /// What `help NAME` explains besides commands; on the outermost command only.
    package var topics: [HelpTopic]

    package init(
        _ name: String,
        _ abstract: String,
        discussion: String = "",
        examples: KeyValuePairs<String, String> = [:],
        options: [any OptionDeclaring] = [],
        positionals: [any PositionalDeclaring] = [],
        passthrough: (any PositionalDeclaring)? = nil,
        subcommands: [CommandDescription] = [],
        runsAlone: Bool = false,
        version: String? = nil,
        topics: [HelpTopic] = []
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.examples = examples.map { (line: $0.key, about: $0.value) }
        self.options = options.map(\.declaration)
        self.positionals = positionals.map(\.declaration)
        self.passthrough = passthrough?.declaration
        self.subcommands = subcommands
        self.runsAlone = runsAlone
        self.version = version
        self.topics = topics
    }
}

/// A text that `help NAME` prints, such as a guide.
package struct HelpTopic: Sendable {
    package var name: String
    /// One line without a full stop.
    package var abstract: String
    /// What is printed, ending in a line break.
    package var text: @Sendable () -> String

    package init(_ name: String, _ abstract: String, text: @escaping @Sendable () -> String) {
        self.name = name
        self.abstract = abstract
        self.text = text
    }
}

extension CommandDescription {
    /// What is wrong with the description itself; a product's tests expect none.
    package var problems: [String] {
        CommandPath(self).all.flatMap { path in path.problems.map { "\(path.name): \($0)" } }
    }
}

extension CommandPath {
    fileprivate var problems: [String] {
        var found: [String] = []
        found += repeated(options.flatMap(\.spellings) + command.subcommands.map(\.name) + positionalNames)
            .map { "\($0) is declared twice" }
        let abstracts = [command.abstract] + command.options.map(\.help) + command.positionals.map(\.help)
        found += abstracts.filter { $0.isEmpty || $0.hasSuffix(".") }.map { "'\($0)' is no line of help" }
        if !command.subcommands.isEmpty, !positionalNames.isEmpty { found.append("a group takes no arguments") }
        if command.subcommands.isEmpty, command.runsAlone { found.append("only a group can run alone") }
        if let index = command.positionals.firstIndex(where: \.isVariadic), index < command.positionals.count - 1 {
            found.append("nothing can follow \(command.positionals[index].name)")
        }
        for (former, latter) in zip(command.positionals, command.positionals.dropFirst())
        where former.minimum == 0 && latter.minimum > 0 {
            found.append("\(latter.name) is required, but follows an optional one")
        }
        return found
    }

    private var positionalNames: [String] {
        (command.positionals + [command.passthrough].compactMap { $0 }).map(\.name)
    }

    private func repeated(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { !seen.insert($0).inserted }
    }
}
