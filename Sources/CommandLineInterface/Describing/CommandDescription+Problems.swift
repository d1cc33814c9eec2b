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
