/// Writes the script for zsh: a function for each command, on top of the shell's own `_arguments`.
struct ZshCompletion {
    let name: String
    let paths: [CommandPath]

    var script: String {
        let main = "_\(name.map { $0 == "-" ? "_" : String($0) }.joined())"
        return """
            #compdef \(name)
            # zsh completion for \(name); in ~/.zshrc, after compinit: eval "$(\(name) completions zsh)"
            \(paths.map(function).joined(separator: "\n"))
            if [ "$funcstack[1]" = \(main) ]; then
                \(main) "$@"
            else
                compdef \(main) \(name)
            fi

            """
    }

    private func function(_ path: CommandPath) -> String {
        let isGroup = !path.command.subcommands.isEmpty
        var arguments = path.options.flatMap(specifications)
        var lines = ["\(path.identifier)() {"]
        if isGroup {
            arguments += [shellQuoted("1:command:->command"), shellQuoted("*::argument:->argument")]
            lines += ["    local curcontext=\"$curcontext\" state line ret=1", "    typeset -A opt_args"]
        } else {
            arguments += path.command.positionals.enumerated().map { index, positional in
                let place = positional.isVariadic ? "*" : "\(index + 1)"
                let optional = positional.minimum == 0 && !positional.isVariadic ? ":" : ""
                return shellQuoted("\(place):\(optional)\(positional.name):\(action(positional.value.completion))")
            }
        }
        if path.command.passthrough != nil { lines.append(passthrough) }
        lines.append("    _arguments\(isGroup ? " -C" : "") -s -S \\")
        lines.append(arguments.map { "        \($0)" }.joined(separator: " \\\n") + (isGroup ? " && ret=0" : ""))
        if isGroup { lines.append(descent(path)) }
        return (lines + ["}"]).joined(separator: "\n")
    }

    /// The part of a group that lists its subcommands and forwards the words after the chosen one.
    private func descent(_ path: CommandPath) -> String {
        let names = path.command.subcommands.map { subcommand in
            "            \(shellQuoted("\(subcommand.name):\(subcommand.abstract)"))\n"
        }
        let calls = path.command.subcommands.map { subcommand in
            "        \(subcommand.name)) \(path.appending(subcommand).identifier) && ret=0 ;;\n"
        }
        return """
                case $state in
                command)
                    local -a commands
                    commands=(
            \(names.joined())\
                    )
                    _describe -t commands command commands && ret=0
                    ;;
                argument)
                    case $line[1] in
            \(calls.joined())\
                    esac
                    ;;
                esac
                return ret
            """
    }

    /// After `--` the words are another command's, so the shell completes them as such.
    private var passthrough: String {
        """
            local separator=${words[(i)--]}
            if (( separator < CURRENT )); then
                shift $separator words
                (( CURRENT -= separator ))
                _normal
                return
            fi
        """
    }

    /// One specification for each spelling; the others are not offered once one was given.
    private func specifications(_ option: OptionDescription) -> [String] {
        let exclusions = option.spellings.joined(separator: " ")
        let prefix = option.isRepeatable ? "*" : option.name == "help" ? "(- *)" : "(\(exclusions))"
        return option.spellings.map { spelling in
            var text = prefix + spelling
            if option.value != nil { text += spelling == option.long ? "=" : "+" }
            text += "[\(escaped(option.help, "[]\\"))]"
            if let value = option.value { text += ":\(escaped(option.placeholder, ":\\")):\(action(value.completion))" }
            return shellQuoted(text)
        }
    }

    private func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: " "
        case .choices(let names): "(\(names().joined(separator: " ")))"
        case .files(let endings) where endings.isEmpty: "_files"
        // Alone between parentheses an ending would be read as glob qualifiers.
        case .files(let endings) where endings.count == 1: "_files -g \"*.\(endings[0])\""
        case .files(let endings): "_files -g \"*.(\(endings.joined(separator: "|")))\""
        case .folders: "_files -/"
        }
    }

    private func escaped(_ text: String, _ special: String) -> String {
        text.map { special.contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
