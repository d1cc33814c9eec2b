package import JSON

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
    /// A command line each, and what it does.
    package var examples: [(line: String, about: String)]
    package var options: [OptionDescription]
    package var positionals: [PositionalDescription]
    /// The words after `--`, when they are not ours to read.
    package var passthrough: PositionalDescription?
    package var subcommands: [CommandDescription]
    /// A Boolean value that indicates whether a group also does something when no subcommand is named.
    package var runsAlone: Bool
    /// The output of `--version` and `version`; on the outermost command only.
    package var version: String?
    /// The topics of `help NAME` in addition to commands; on the outermost command only.
    package var topics: [HelpTopic]
    /// Words that other tools have for it, such as `start` for `serve`.
    ///
    /// They are not accepted: an error names the command.
    package var otherNames: [String] = []
    /// The schemas of the members that its result with `--json` has in addition to those of every result.
    package var result: JSONObject = [:]
    /// A Boolean value that indicates whether its result may have members that ``result`` does not list, as the documents
    /// of a server do.
    package var isResultOpen = false
    /// A Boolean value that indicates whether all commands accept `--json`; on the outermost command only.
    package var printsResults = false

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
        topics: [HelpTopic] = [],
        otherNames: [String] = [],
        result: JSONObject = [:],
        isResultOpen: Bool = false,
        printsResults: Bool = false
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
        self.otherNames = otherNames
        (self.result, self.isResultOpen, self.printsResults) = (result, isResultOpen, printsResults)
    }
}

/// A text that `help NAME` prints, such as a guide.
package struct HelpTopic: Sendable {
    package var name: String
    /// One line without a full stop.
    package var abstract: String
    /// Search words from its title, in addition to those of its name.
    package var keywords: [String]
    /// The printed text, ending in a line break.
    package var text: @Sendable () -> String

    package init(
        _ name: String,
        _ abstract: String,
        keywords: [String] = [],
        text: @escaping @Sendable () -> String
    ) {
        self.name = name
        self.abstract = abstract
        self.keywords = keywords
        self.text = text
    }

    /// Returns whether the word is one of its keywords or a part of its name between hyphens, in any letter case.
    func isAbout(_ word: String) -> Bool {
        let word = word.lowercased()
        return !word.isEmpty && (keywords.contains(word) || "-\(name)-".contains("-\(word)-"))
    }
}

extension CommandDescription {
    /// The mistakes in the description itself; a product's tests expect none.
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
        found += abstracts.filter { $0.isEmpty || $0.hasSuffix(".") }.map { "'\($0)' is not a line of help" }
        if !command.subcommands.isEmpty, !positionalNames.isEmpty { found.append("a group does not accept arguments") }
        if command.subcommands.isEmpty, command.runsAlone { found.append("only a group can run alone") }
        if let index = command.positionals.firstIndex(where: \.isVariadic), index < command.positionals.count - 1 {
            found.append("nothing can follow \(command.positionals[index].name)")
        }
        for (former, latter) in zip(command.positionals, command.positionals.dropFirst())
        where former.minimum == 0 && latter.minimum > 0 {
            found.append("\(latter.name) is required, but follows an optional argument")
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

/// A command together with the groups that lead to it.
package struct CommandPath: Sendable {
    private(set) var ancestors: [CommandDescription] = []
    package private(set) var command: CommandDescription

    /// The outermost command; its subcommands `help` and `version` are added here, so that no program declares them.
    package init(_ root: CommandDescription) {
        command = root
        let names = root.subcommands.map(\.name)
        guard !names.isEmpty else { return }
        if !names.contains("help") { command.subcommands.append(Self.help(for: names, root.topics)) }
        if root.version != nil, !names.contains("version") { command.subcommands.append(Self.version) }
    }

    /// The path as it is typed: `backlot clock advance`.
    var name: String { (ancestors + [command]).map(\.name).joined(separator: " ") }

    var root: CommandDescription { ancestors.first ?? command }

    /// The names after the outermost command's own.
    var subcommandNames: [String] { (ancestors + [command]).dropFirst().map(\.name) }

    /// Own options first, then those of the groups around it, then the ones that every command has.
    var options: [OptionDescription] {
        command.options + ancestors.reversed().flatMap(\.options) + standardOptions
    }

    /// The command's own declarations; unlike ``options``, without inherited ones.
    var ownOptions: [OptionDescription] { command.options + standardOptions }

    /// This path and every path that leads on from it, depth first.
    var all: [CommandPath] { [self] + command.subcommands.flatMap { appending($0).all } }

    func appending(_ subcommand: CommandDescription) -> CommandPath {
        var path = self
        path.ancestors.append(command)
        path.command = subcommand
        return path
    }

    /// The path to the subcommand of this name.
    func subcommand(named name: String) -> CommandPath? {
        command.subcommands.first { $0.name == name }.map(appending)
    }

    private var standardOptions: [OptionDescription] {
        let isRoot = ancestors.isEmpty
        return [Self.helpOption.declaration] + (isRoot && root.version != nil ? [Self.versionOption.declaration] : [])
            + (root.printsResults && !isRoot ? [CommandResult.option, CommandResult.detail].map(\.declaration) : [])
    }

    static let helpOption = Option(flag: "help", short: "h", "Show this help")
    static let versionOption = Option(flag: "version", "Show the version")
    static let helpTopic = Positional(
        variadic: "COMMAND",
        .text("a command's name"),
        "The command and, if applicable, its subcommand"
    )

    private static func help(for names: [String], _ topics: [HelpTopic]) -> CommandDescription {
        let abstract = topics.isEmpty ? "Explain a command" : "Explain a command, or print a guide"
        var help = CommandDescription("help", abstract, positionals: [helpTopic])
        help.positionals[0].value.completion = .choices(names + topics.map(\.name))
        if !topics.isEmpty { help.positionals[0].help += "; or a guide's name" }
        return help
    }

    private static let version = CommandDescription("version", "Show the version")

    /// A Boolean value that indicates whether this is the added `version` command, which the parser handles itself.
    var isVersionCommand: Bool { subcommandNames == ["version"] && command.abstract == Self.version.abstract }

    /// A Boolean value that indicates whether this is the added `help` command, which the parser handles itself.
    var isHelpCommand: Bool { subcommandNames == ["help"] && command.positionals.map(\.name) == ["COMMAND"] }
}

/// An argument known by its place, and the key that reads its value from ``ParsedArguments``.
///
/// The value's type says how often it may be given: `Positional<String>` is required, `Positional<String?>` may be
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

/// A positional of a command, with a value of any type.
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
