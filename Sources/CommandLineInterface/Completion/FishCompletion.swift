/// Writes the script for fish: one rule for each candidate, on a condition that says which command is being typed.
struct FishCompletion {
    let name: String
    let paths: [CommandPath]

    var script: String {
        """
        # fish completion for \(name); in config.fish: \(name) completions fish | source
        function __\(name)_state
            set -l path \(quoted(name))
            set -l position 0
            set -l skips no
            set -l ended no
            set -l typed (commandline -opc)
            set -e typed[1]
            for word in $typed
                if test $skips = yes
                    set skips no
                    continue
                end
                if test $ended = yes
                    set position (math $position + 1)
                    continue
                end
                switch "$path:$word"
        \(walk.map { "            \($0)\n" }.joined())\
                    case '*:--'
                        set ended yes
                    case '*:-*'
                    case '*'
                        set position (math $position + 1)
                end
            end
            echo $path
            echo $position
        end
        function __\(name)_at
            set -l state (__\(name)_state)
            test "$state[1]" = "$argv[1]" -a $state[2] -ge $argv[2] -a $state[2] -le $argv[3]
        end
        function __\(name)_rest
            set -l typed (commandline -opc)
            while set -q typed[1]; and test "$typed[1]" != --
                set -e typed[1]
            end
            set -e typed[1]
            complete -C (string join ' ' -- (string escape -- $typed) (commandline -ct))
        end
        complete -c \(name) -f
        \(paths.flatMap(rules).joined(separator: "\n"))

        """
    }

    /// The part of the walk that enters subcommands and skips the values of options.
    private var walk: [String] {
        paths.flatMap { path in
            var lines = path.command.subcommands.map { subcommand in
                "case \(quoted("\(path.name):\(subcommand.name)")); set path \(quoted("\(path.name) \(subcommand.name)"))"
            }
            let spellings = path.valueSpellings.map { quoted("\(path.name):\($0)") }
            if !spellings.isEmpty { lines.append("case \(spellings.joined(separator: " ")); set skips yes") }
            if path.command.passthrough != nil {
                let rest = "set path \(quoted("\(path.name) --")); set ended yes"
                lines.append("case \(quoted("\(path.name):--")); \(rest)")
            }
            return lines
        }
    }

    private func rules(_ path: CommandPath) -> [String] {
        var rules = path.command.subcommands.map { subcommand in
            rule(path.name, 0...999, "-a \(subcommand.name) -d \(quoted(subcommand.abstract))")
        }
        rules += path.options.map { option in
            var text = "-l \(option.name)"
            if let short = option.short { text += " -s \(short)" }
            if let value = option.value { text += " -x" + action(value.completion) }
            return rule(path.name, 0...999, "\(text) -d \(quoted(option.help))")
        }
        rules += path.command.positionals.enumerated().compactMap { index, positional in
            let action = action(positional.value.completion)
            guard !action.isEmpty else { return nil }
            return rule(path.name, index...(positional.isVariadic ? 999 : index), String(action.dropFirst()))
        }
        if path.command.passthrough != nil { rules.append(rule("\(path.name) --", 0...999, "-a '(__\(name)_rest)'")) }
        return rules
    }

    private func rule(_ path: String, _ positions: ClosedRange<Int>, _ offer: String) -> String {
        let condition = "__\(name)_at \"\(path)\" \(positions.lowerBound) \(positions.upperBound)"
        return "complete -c \(name) -n \(quoted(condition)) \(offer)"
    }

    private func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: ""
        case .choices(let names): " -a \(quoted(names().joined(separator: " ")))"
        case .files(let endings) where endings.isEmpty: " -a '(__fish_complete_path)'"
        case .files(let endings):
            " -a '(\(endings.map { "__fish_complete_suffix .\($0)" }.joined(separator: "; ")))'"
        case .folders: " -a '(__fish_complete_directories)'"
        }
    }

    private func quoted(_ text: String) -> String {
        "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
