/// A shell for which a completion script can be written.
package enum Shell: String, Sendable, CaseIterable {
    case bash
    case zsh
    case fish
}

extension CommandDescription {
    /// A script that teaches a shell the command's subcommands, options, and the values that they can have.
    package func completionScript(for shell: Shell) -> String {
        let paths = CommandPath(self).all
        switch shell {
        case .bash: return BashCompletion(name: name, paths: paths).script
        case .zsh: return ZshCompletion(name: name, paths: paths).script
        case .fish: return FishCompletion(name: name, paths: paths).script
        }
    }
}

extension CommandPath {
    /// The path as part of a shell function's name.
    var identifier: String { "_" + name.map { $0 == " " || $0 == "-" ? "_" : String($0) }.joined() }

    /// The spellings of all options that take a value.
    var valueSpellings: [String] { options.filter { $0.value != nil }.flatMap(\.spellings) }
}

/// Quotes text for a POSIX-like shell.
func shellQuoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}
