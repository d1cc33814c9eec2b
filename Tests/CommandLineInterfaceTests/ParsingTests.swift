import CommandLineInterface
import Testing

struct ParsingTests {
    @Test(arguments: [
        "serve a.json --port 0", "serve a.json --port=0", "serve a.json -p 0", "serve a.json -p0", "serve -p=0 a.json",
        "serve --port 0 -- a.json", "serve -vp0 a.json", "serve -vp 0 a.json",
    ])
    func `An option's value may be attached or follow, before or after the positionals`(line: String) throws {
        let arguments = try Sample.arguments(line)
        #expect(arguments.command == ["serve"])
        #expect(arguments[Sample.port] == 0)
        #expect(arguments[Sample.scenario] == "a.json")
    }

    @Test func `What was not given has its default, or nothing`() throws {
        let arguments = try Sample.arguments("serve a.json")
        #expect(arguments[Sample.port] == 4010)
        #expect(arguments[Sample.story] == nil)
        #expect(arguments[Sample.journal] == .all)
        #expect(!arguments[Sample.noWatch])
        #expect(arguments.origin(of: Sample.port) == nil)
        #expect(try Sample.arguments("completions")[Sample.shell] == nil)
        #expect(try Sample.arguments("validate --schema s.json")[Sample.documents] == [])
    }

    @Test func `Enumerated values arrive as cases`() throws {
        #expect(try Sample.arguments("serve a --journal none")[Sample.journal] == .none)
        #expect(try Sample.arguments("completions zsh")[Sample.shell] == .zsh)
    }

    @Test func `A repeated option keeps every value in order`() throws {
        let arguments = try Sample.arguments("run a b --report json=x -r junit=y=z -- true")
        #expect(arguments[Sample.report] == [["json", "x"], ["junit", "y=z"]])
        #expect(arguments[Sample.stories] == ["a", "b"])
    }

    @Test func `A flag given twice is still set`() throws {
        #expect(try Sample.arguments("serve a -vv --verbose")[Sample.verbose])
    }

    @Test func `The words after two dashes belong to the client`() throws {
        let arguments = try Sample.arguments("run a -- xcodebuild test -v --report -- x")
        #expect(arguments[Sample.client] == ["xcodebuild", "test", "-v", "--report", "--", "x"])
        #expect(arguments[Sample.report] == [])
    }

    @Test func `After two dashes a positional may begin with a dash`() throws {
        #expect(try Sample.arguments("serve -- --port")[Sample.scenario] == "--port")
        #expect(try Sample.arguments("serve -")[Sample.scenario] == "-")
    }

    @Test(arguments: [
        "clock --url http://h advance 15d", "clock advance --url=http://h 15d", "clock advance 15d --url http://h",
    ])
    func `A group's option may be given on either side of its subcommand`(line: String) throws {
        let arguments = try Sample.arguments(line)
        #expect(arguments.command == ["clock", "advance"])
        #expect(arguments[Sample.url] == "http://h")
        #expect(arguments[Sample.by] == 15)
    }

    @Test func `A group that runs alone needs no subcommand`() throws {
        #expect(try Sample.arguments("clock").command == ["clock"])
    }

    @Test func `The command line goes before the environment, and that before the default`() throws {
        let environment = ["BACKLOT_PORT": "8080", "BACKLOT_JOURNAL": "", "BACKLOT_NO_WATCH": "1"]
        let fallback = try Sample.arguments("serve a", environment: environment)
        #expect(fallback[Sample.port] == 8080)
        #expect(fallback[Sample.journal] == .all)
        #expect(fallback[Sample.noWatch])
        #expect(fallback.origin(of: Sample.port) == .environment("BACKLOT_PORT"))
        let given = try Sample.arguments("serve a -p 1", environment: environment)
        #expect(given[Sample.port] == 1)
        #expect(given.origin(of: Sample.port) == .word(2))
        #expect(try !Sample.arguments("serve a", environment: ["BACKLOT_NO_WATCH": "no"])[Sample.noWatch])
    }

    @Test(arguments: [
        ("--help", "backlot"), ("-h", "backlot"), ("help", "backlot"), ("serve --help", "backlot serve"),
        ("serve --prot -h", "backlot serve"), ("serve a b c --help", "backlot serve"), ("help serve", "backlot serve"),
        ("clock -h advance", "backlot clock"), ("help version", "backlot version"),
        ("clock advance soon -h", "backlot clock advance"),
        ("help clock advance", "backlot clock advance"), ("clock --url --help", "backlot clock"),
    ])
    func `Help is there on every level and wins over mistakes`(line: String, command: String) throws {
        guard case .help(let text) = try Sample.backlot.parse(Sample.words(line)) else {
            Issue.record("no help for \(line)")
            return
        }
        #expect(text.contains("\nusage: \(command) "))
    }

    @Test func `The client's own help is left to the client`() throws {
        #expect(try Sample.arguments("run a -- client --help")[Sample.client] == ["client", "--help"])
    }

    @Test(arguments: ["--version", "version"])
    func `The version is the outermost command's`(word: String) throws {
        guard case .version(let text) = try Sample.backlot.parse([word]) else {
            Issue.record("no version")
            return
        }
        #expect(text == "backlot 0.1\n")
    }

    @Test func `The sample has no problems, and a muddled command has all of them`() {
        #expect(Sample.backlot.problems == [])
        let files = Positional(variadic: "FILE", .file(), "Files")
        let muddle = CommandDescription(
            "muddle",
            "It ends in a full stop.",
            options: [Sample.port, Sample.port],
            positionals: [files, Sample.shell, Sample.scenario, Sample.scenario]
        )
        #expect(
            muddle.problems == [
                "muddle: -p is declared twice",
                "muddle: --port is declared twice",
                "muddle: SCENARIO is declared twice",
                "muddle: 'It ends in a full stop.' is not a line of help",
                "muddle: nothing can follow FILE",
                "muddle: SCENARIO is required, but follows an optional argument",
            ]
        )
        let freeze = CommandDescription("freeze", "Stop the clock", options: [Sample.url], runsAlone: true)
        let group = CommandDescription(
            "group",
            "A group",
            options: [Sample.url],
            positionals: [Sample.by],
            subcommands: [freeze, freeze]
        )
        #expect(
            group.problems.prefix(4) == [
                "group: freeze is declared twice",
                "group: a group does not accept arguments",
                "group freeze: --url is declared twice",
                "group freeze: only a group can run alone",
            ]
        )
    }

    @Test func `Exit codes are those of the product`() {
        let codes: [ExitCode] = [.success, .failed, .misuse, .interrupted]
        #expect(codes.map(\.rawValue) == [0, 1, 2, 130])
    }
}
