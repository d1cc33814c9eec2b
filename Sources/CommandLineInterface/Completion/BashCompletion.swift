/// Writes the script for bash, 3.2 included, because that is what macOS has.
///
/// The script walks over the words before the cursor to learn which command they name, whether an option waits for its
/// value, and how many positionals there are. Bash splits words at `=` and `:` too; the walk joins them again.
struct BashCompletion {
    let name: String
    let paths: [CommandPath]

    var script: String {
        """
        # bash completion for \(name); in ~/.bashrc: eval "$(\(name) completions bash)"
        _\(function)_words() {
            COMPREPLY=($(compgen -W "$1" -- "$current"))
            if [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
        }
        _\(function)_files() {
            local IFS=$'\\n' pattern
            COMPREPLY=($(compgen -d -- "$current"))
            for pattern in "$@"; do
                COMPREPLY+=($(compgen -f -X "!$pattern" -- "$current"))
            done
            compopt -o filenames 2>/dev/null
        }
        _\(function)() {
            local current="${COMP_WORDS[COMP_CWORD]}" before="" path='\(name)' option="" word
            local index=1 position=0 ended=""
            COMPREPLY=()
            while ((index < COMP_CWORD)); do
                word="${COMP_WORDS[index]}"
                index=$((index + 1))
                if [[ $word == [=:]* ]]; then
                    before="$word"
                    continue
                fi
                if [[ -n $before || -n $option ]]; then
                    before=""
                    option=""
                    continue
                fi
                if [[ -n $ended ]]; then
                    position=$((position + 1))
                    continue
                fi
                case "$path:$word" in
        \(walk.map { "        \($0)\n" }.joined())\
                *:--) ended=yes ;;
                *:-*) ;;
                *) position=$((position + 1)) ;;
                esac
            done
            if [[ $current == [=:]* ]]; then
                before="$current"
                current=""
            fi
            if [[ -n $before && -z $option ]]; then
                _\(function)_files '*'
                return
            fi
            if [[ -n $option ]]; then
                case "$path:$option" in
        \(values.map { "        \($0)\n" }.joined())\
                esac
                return
            fi
            if [[ $current == -* && -z $ended ]]; then
                case "$path" in
        \(options.map { "        \($0)\n" }.joined())\
                esac
                return
            fi
            case "$path:$position" in
        \(positionals.map { "    \($0)\n" }.joined())\
            esac
        }
        complete -F _\(function) \(name)

        """
    }

    private var function: String { name.map { $0 == "-" ? "_" : String($0) }.joined() }

    /// The part of the walk that enters subcommands and detects options with a value.
    private var walk: [String] {
        paths.flatMap { path in
            var lines = path.command.subcommands.map { subcommand in
                "\(shellQuoted("\(path.name):\(subcommand.name)"))) path=\(shellQuoted("\(path.name) \(subcommand.name)")) ;;"
            }
            let spellings = path.valueSpellings.map { shellQuoted("\(path.name):\($0)") }
            if !spellings.isEmpty { lines.append("\(spellings.joined(separator: " | "))) option=\"$word\" ;;") }
            if path.command.passthrough != nil {
                lines.append("\(shellQuoted("\(path.name):--"))) path=\(shellQuoted("\(path.name) --")) ended=yes ;;")
            }
            return lines
        }
    }

    private var values: [String] {
        paths.flatMap { path in
            path.options.compactMap { option in
                guard let command = option.value.flatMap({ action($0.completion) }) else { return nil }
                let patterns = option.spellings.map { shellQuoted("\(path.name):\($0)") }
                return "\(patterns.joined(separator: " | "))) \(command) ;;"
            }
        }
    }

    private var options: [String] {
        paths.map { path in
            let spellings = path.options.flatMap(\.spellings).joined(separator: " ")
            return "\(shellQuoted(path.name))) _\(function)_words \(shellQuoted(spellings)) ;;"
        }
    }

    private var positionals: [String] {
        paths.flatMap { path in
            var lines: [String] = []
            if !path.command.subcommands.isEmpty {
                let names = path.command.subcommands.map(\.name).joined(separator: " ")
                lines.append("\(shellQuoted("\(path.name):"))*) _\(function)_words \(shellQuoted(names)) ;;")
            }
            for (index, positional) in path.command.positionals.enumerated() {
                guard let command = action(positional.value.completion) else { continue }
                let pattern = positional.isVariadic ? "'\(path.name):'*" : "'\(path.name):\(index)'"
                lines.append("\(pattern)) \(command) ;;")
            }
            if path.command.passthrough != nil {
                lines.append("'\(path.name) --:0') COMPREPLY=($(compgen -c -- \"$current\")) ;;")
                lines.append("'\(path.name) --:'*) _\(function)_files '*' ;;")
            }
            return lines
        }
    }

    private func action(_ completion: ValueCompletion) -> String? {
        switch completion {
        case .nothing: nil
        case .choices(let names): "_\(function)_words \(shellQuoted(names().joined(separator: " ")))"
        case .files(let endings) where endings.isEmpty: "_\(function)_files '*'"
        case .files(let endings): "_\(function)_files \(endings.map { "'*.\($0)'" }.joined(separator: " "))"
        case .folders: "_\(function)_files"
        }
    }
}

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
