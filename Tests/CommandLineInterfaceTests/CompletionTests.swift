import CommandLineInterface
import TestSupport
import Testing

struct CompletionTests {
    @Test(arguments: Shell.allCases)
    func `Every command, option and enumerated value is in the script and in the help`(shell: Shell) throws {
        try check(Sample.backlot, [], Sample.backlot.completionScript(for: shell), shell)
    }

    private func check(_ command: CommandDescription, _ path: [String], _ script: String, _ shell: Shell) throws {
        guard case .help(let help) = try Sample.backlot.parse(path + ["--help"]) else { throw Sample.NoCommand() }
        for option in command.options {
            #expect(help.contains("--\(option.name)"))
            #expect(script.contains(shell == .fish ? "-l \(option.name)" : "--\(option.name)"))
            if let short = option.short {
                #expect(help.contains("-\(short), "))
                #expect(script.contains(shell == .fish ? "-s \(short)" : "-\(short)"))
            }
            if let variable = option.environment { #expect(help.contains(variable)) }
            guard case .choices(let choices) = option.value?.completion else { continue }
            #expect(script.contains(choices().joined(separator: " ")))
        }
        for positional in command.positionals { #expect(help.contains(positional.name)) }
        for subcommand in command.subcommands {
            #expect(help.contains("  \(subcommand.name) "))
            #expect(script.contains(subcommand.name))
            try check(subcommand, path + [subcommand.name], script, shell)
        }
    }

    @Test(.installed(.bash)) func `Bash finds no mistake in its script`() async throws { try await checkSyntax(.bash) }

    @Test(.installed(.zsh)) func `Zsh finds no mistake in its script`() async throws { try await checkSyntax(.zsh) }

    @Test(.installed(.fish)) func `Fish finds no mistake in its script`() async throws { try await checkSyntax(.fish) }

    private func checkSyntax(_ shell: Shell) async throws {
        let result = try await ShellProgram(shell).run(["-n"], input: Sample.backlot.completionScript(for: shell))
        #expect(result == .init(output: "", status: 0))
    }

    /// What is typed up to the cursor, and what is offered for the last word.
    static let lines: [(String, [String])] = [
        ("backlot ", ["clock", "completions", "help", "run", "serve", "validate", "version"]),
        ("backlot s", ["serve"]),
        ("backlot --v", ["--version"]),
        ("backlot help c", ["clock", "completions"]),
        ("backlot clock ", ["advance", "freeze", "rate"]),
        ("backlot clock --url http://localhost:1 a", ["advance"]),
        ("backlot clock advance --u", ["--url"]),
        ("backlot serve x.json --no", ["--no-watch"]),
        ("backlot serve --journal ", ["all", "none", "some"]),
        ("backlot serve -v --port 0 --journal n", ["none"]),
        ("backlot serve ./stories/s", ["./stories/sm.json"]),
        ("backlot serve x.json ", []),
        ("backlot serve --port ", []),
        ("backlot run x.json ./stories/s", ["./stories/sm.json"]),
        ("backlot run x.json --report j", ["json=", "junit="]),
        ("backlot run x.json -- true ./stories/n", ["./stories/notes.txt"]),
        ("backlot validate --schema ./stories/s", ["./stories/sm.json"]),
        ("backlot validate --into ./st", ["./stories/"]),
        ("backlot completions z", ["zsh"]),
    ]

    @Test(.installed(.bash), arguments: lines)
    func `Bash offers what fits`(line: String, candidates: [String]) async throws {
        let folder = try ShellFolder()
        let harness = """
            \(Sample.backlot.completionScript(for: .bash))
            cd \(shellQuoted(folder.path))
            COMP_LINE=\(shellQuoted(line))
            # Readline splits at these characters as well, which is what makes bash's words awkward.
            COMP_WORDS=($(sed -E 's/(:|=)/ \\1 /g' <<<"$COMP_LINE"))
            [[ $COMP_LINE == *' ' ]] && COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _backlot
            for word in "${COMPREPLY[@]}"; do [[ -d $word ]] && word="$word/"; echo "$word"; done | sort -u
            """
        let result = try await ShellProgram(.bash).run(["--norc"], input: harness)
        #expect(result.output.split(separator: "\n").map(String.init) == candidates)
    }

    @Test(.installed(.fish), arguments: lines)
    func `Fish offers what fits`(line: String, candidates: [String]) async throws {
        let folder = try ShellFolder()
        let harness = """
            \(Sample.backlot.completionScript(for: .fish))
            cd \(shellQuoted(folder.path))
            complete -C \(shellQuoted(line))
            """
        let result = try await ShellProgram(.fish).run(["--no-config"], input: harness)
        let offered = result.output.split(separator: "\n").compactMap {
            $0.split(separator: "\t").first.map(String.init)
        }
        #expect(offered.sorted() == candidates)
    }

    @Test(
        .installed(.bash),
        arguments: [
            ("backlot serve --journal=n", ["none"]),
            ("backlot serve --journal=", ["all", "none", "some"]),
            ("backlot run x.json --report json=./stories/n", ["./stories/notes.txt"]),
            ("backlot serve -p=0 ./stories/s", ["./stories/sm.json"]),
        ]
    )
    func `Bash completes the value behind an equals sign, where it splits the word`(
        line: String,
        candidates: [String]
    ) async throws {
        try await `Bash offers what fits`(line: line, candidates: candidates)
    }

    private static let small = CommandDescription(
        "lot",
        "Small",
        subcommands: [CommandDescription("go", "Go", options: [Sample.port], positionals: [Sample.scenario])]
    )

    @Test func `The zsh script of a small command`() {
        #expect(
            Self.small.completionScript(for: .zsh) == #"""
                #compdef lot
                # zsh completion for lot; in ~/.zshrc, after compinit: eval "$(lot completions zsh)"
                _lot() {
                    local curcontext="$curcontext" state line ret=1
                    typeset -A opt_args
                    _arguments -C -s -S \
                        '(- *)-h[Show this help]' \
                        '(- *)--help[Show this help]' \
                        '1:command:->command' \
                        '*::argument:->argument' && ret=0
                    case $state in
                    command)
                        local -a commands
                        commands=(
                            'go:Go'
                            'help:Explain a command'
                        )
                        _describe -t commands command commands && ret=0
                        ;;
                    argument)
                        case $line[1] in
                        go) _lot_go && ret=0 ;;
                        help) _lot_help && ret=0 ;;
                        esac
                        ;;
                    esac
                    return ret
                }
                _lot_go() {
                    _arguments -s -S \
                        '(-p --port)-p+[Listen on this port; 0 takes any free one]:PORT: ' \
                        '(-p --port)--port=[Listen on this port; 0 takes any free one]:PORT: ' \
                        '(- *)-h[Show this help]' \
                        '(- *)--help[Show this help]' \
                        '1:SCENARIO:_files -g "*.json"'
                }
                _lot_help() {
                    _arguments -s -S \
                        '(- *)-h[Show this help]' \
                        '(- *)--help[Show this help]' \
                        '*:COMMAND:(go)'
                }
                if [ "$funcstack[1]" = _lot ]; then
                    _lot "$@"
                else
                    compdef _lot lot
                fi

                """#
        )
    }

    @Test func `The fish rules of a small command`() {
        let script = Self.small.completionScript(for: .fish)
        let rules = script.split(separator: "\n").filter { $0.hasPrefix("complete ") }.joined(separator: "\n")
        #expect(
            rules == #"""
                complete -c lot -f
                complete -c lot -n '__lot_at "lot" 0 999' -a go -d 'Go'
                complete -c lot -n '__lot_at "lot" 0 999' -a help -d 'Explain a command'
                complete -c lot -n '__lot_at "lot" 0 999' -l help -s h -d 'Show this help'
                complete -c lot -n '__lot_at "lot go" 0 999' -l port -s p -x -d 'Listen on this port; 0 takes any free one'
                complete -c lot -n '__lot_at "lot go" 0 999' -l help -s h -d 'Show this help'
                complete -c lot -n '__lot_at "lot go" 0 0' -a '(__fish_complete_suffix .json)'
                complete -c lot -n '__lot_at "lot help" 0 999' -l help -s h -d 'Show this help'
                complete -c lot -n '__lot_at "lot help" 0 999' -a 'go'
                """#
        )
    }
}
