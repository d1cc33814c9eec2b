/// A command together with the groups that lead to it.
struct CommandPath: Sendable {
    private(set) var ancestors: [CommandDescription] = []
    private(set) var command: CommandDescription

    /// The outermost command; its subcommands `help` and `version` are added here, so that no program declares them.
    init(_ root: CommandDescription) {
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

    /// What the command itself declares; unlike ``options`` without what it inherits.
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
    }

    static let helpOption = Option(flag: "help", short: "h", "Show this help")
    static let versionOption = Option(flag: "version", "Show the version")
    static let helpTopic = Positional(
        variadic: "COMMAND",
        .text("a command's name"),
        "The command, and its subcommand when it has one"
    )

    private static func help(for names: [String], _ topics: [HelpTopic]) -> CommandDescription {
        let abstract = topics.isEmpty ? "Explain a command" : "Explain a command, or print a guide"
        var help = CommandDescription("help", abstract, positionals: [helpTopic])
        help.positionals[0].value.completion = .choices(names + topics.map(\.name))
        if !topics.isEmpty { help.positionals[0].help += "; or a guide's name" }
        return help
    }

    private static let version = CommandDescription("version", "Show the version")

    /// Whether this is the added `version` command, which the parser answers by itself.
    var isVersionCommand: Bool { subcommandNames == ["version"] && command.abstract == Self.version.abstract }

    /// Whether this is the added `help` command, which the parser answers by itself.
    var isHelpCommand: Bool { subcommandNames == ["help"] && command.positionals.map(\.name) == ["COMMAND"] }
}
