import CommandLineInterface
import Testing

struct HelpTests {
    private func help(_ line: String) throws -> String {
        guard case .help(let text) = try Sample.backlot.parse(Sample.words(line)) else { throw Sample.NoCommand() }
        return text
    }

    @Test func `A guide is printed by its name, listed, and suggested for a typing error`() throws {
        let guide = HelpTopic("recipes", "What to do when") { "Do this.\n" }
        let tool = CommandDescription("tool", "A tool", subcommands: [Sample.serve], topics: [guide])
        func help(_ words: String...) throws -> String {
            guard case .help(let text) = try tool.parse(words) else { throw Sample.NoCommand() }
            return text
        }
        #expect(try help("help", "recipes") == "Do this.\n")
        #expect(try help("help", "serve").hasPrefix("Play a scenario over HTTP\n"))
        let list = try help("help")
        #expect(list.contains("\nguides:\n  recipes  What to do when\n"))
        #expect(list.hasSuffix("\nsee 'tool COMMAND --help' for one command, 'tool help GUIDE' for a guide\n"))
        let error = #expect(throws: UsageError.self) { try tool.parse(["help", "recipe"]) }
        #expect(error?.sentence == "unknown command 'recipe'; did you mean 'tool help recipes'?")
    }

    @Test func `The help of a command shows arguments, options and examples`() throws {
        let text = try help("serve --help")
        #expect(
            text == """
                Play a scenario over HTTP

                usage: backlot serve [options] SCENARIO

                A file is played; a folder serves its backend and lists its stories. What is
                printed on standard output is the base URL and nothing else.

                  http://127.0.0.1:4010

                arguments:
                  SCENARIO  The scenario to play

                options:
                  -p, --port PORT      Listen on this port; 0 takes any free one (0 to 65535;
                                       default 4010; or set BACKLOT_PORT)
                      --story ID       Play this story in the folder
                      --journal WHICH  What to keep of the traffic (all, some or none; default
                                       all; or set BACKLOT_JOURNAL)
                      --no-watch       Do not reload when a file changes [it's costly] (or set
                                       BACKLOT_NO_WATCH)
                  -v, --verbose        Say more: why a route was not taken, for example
                  -h, --help           Show this help

                examples:
                  backlot serve Scenarios/smeem
                      Serve the backend on the usual port
                  backlot serve Scenarios/smeem --story SM-03
                      Play one story of it

                """
        )
    }

    @Test func `The help of the whole shows its commands`() throws {
        #expect(try help("--help") == Sample.backlot.help)
        #expect(
            Sample.backlot.help == """
                A mock backend with real token lifecycles

                usage: backlot [options] COMMAND

                commands:
                  serve        Play a scenario over HTTP
                  clock        Show or move the virtual clock
                  run          Judge a client by its traffic
                  validate     Hold documents against a schema
                  completions  Print a completion script
                  help         Explain a command
                  version      Show the version

                options:
                  -h, --help     Show this help
                      --version  Show the version

                see 'backlot COMMAND --help' for one command

                """
        )
    }

    @Test func `The help of a subcommand shows the options that it inherits`() throws {
        let text = try help("help clock advance")
        #expect(
            text == """
                Advance the clock forward

                usage: backlot clock advance [options] DURATION

                arguments:
                  DURATION  How far, such as 15d or 2h30m

                options:
                      --url URL  The server to steer (or set BACKLOT_URL)
                  -h, --help     Show this help

                """
        )
    }

    @Test(arguments: ["serve", "clock", "clock advance", "clock rate", "run", "validate", "completions", "help", ""])
    func `Help fits eighty columns`(command: String) throws {
        let wide = try help("\(command) --help").split(separator: "\n").filter { $0.count > 80 }
        #expect(wide == [])
        #expect(try !help("\(command) --help").contains(" \n"))
    }
}
