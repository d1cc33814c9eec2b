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
