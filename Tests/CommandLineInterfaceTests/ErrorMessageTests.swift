import CommandLineInterface
import Testing

struct ErrorMessageTests {
    struct ErrorCase: Sendable, CustomTestStringConvertible {
        var line: String
        var environment: [String: String] = [:]
        var sentence: String

        init(_ line: String, environment: [String: String] = [:], _ sentence: String) {
            (self.line, self.environment, self.sentence) = (line, environment, sentence)
        }

        var testDescription: String { "backlot \(line)" }
    }

    @Test(arguments: [
        ErrorCase("serve a --prot 0", "unknown option --prot; did you mean --port?"),
        ErrorCase("serve a -port 0", "unknown option -port; did you mean --port?"),
        ErrorCase("serve a --zebra", "unknown option --zebra"),
        ErrorCase("serve a -x", "unknown option -x"),
        ErrorCase("serve a -j", "unknown option -j; did you mean --journal?"),
        ErrorCase("clock --story S", "'backlot clock' has no option --story; it belongs to 'backlot serve'"),
        ErrorCase("serve a --version", "'backlot serve' has no option --version; it belongs to 'backlot'"),
        ErrorCase("--url=x serve", "'backlot' has no option --url; it belongs to 'backlot clock'"),
        ErrorCase("serve a --port", "--port requires a value: a whole number, 0 to 65535"),
        ErrorCase("serve a -p", "-p requires a value: a whole number, 0 to 65535"),
        ErrorCase("serve a --story --no-watch", "--story requires a value, a story's id, but '--no-watch' follows"),
        ErrorCase("serve a --port=", "--port requires a whole number, 0 to 65535, not an empty value"),
        ErrorCase("serve a --port abc", "--port requires a whole number, 0 to 65535, not 'abc'"),
        ErrorCase("serve a --port 65536", "--port requires a whole number, 0 to 65535, not '65536'"),
        ErrorCase("serve a --port -1", "--port requires a whole number, 0 to 65535, not '-1'"),
        ErrorCase("serve a --port +1", "--port requires a whole number, 0 to 65535, not '+1'"),
        ErrorCase(
            "serve a -p99999999999999999999",
            "-p requires a whole number, 0 to 65535, not '99999999999999999999'"
        ),
        ErrorCase(
            "serve a",
            environment: ["BACKLOT_PORT": "http"],
            "BACKLOT_PORT, used as --port, requires a whole number, 0 to 65535, not 'http'"
        ),
        ErrorCase(
            "serve a",
            environment: ["BACKLOT_NO_WATCH": "maybe"],
            "BACKLOT_NO_WATCH, used as --no-watch, requires 1 or 0, not 'maybe'"
        ),
        ErrorCase("serve a --journal sone", "--journal requires all, some or none, not 'sone'; did you mean some?"),
        ErrorCase("completions zhs", "SHELL requires bash, zsh or fish, not 'zhs'; did you mean zsh?"),
        ErrorCase("clock advance soon", "DURATION requires a duration such as 15d, not 'soon'"),
        ErrorCase("clock advance -5d", "DURATION requires a duration such as 15d, not '-5d'"),
        ErrorCase("serve a --no-watch=yes", "--no-watch takes no value, but 'yes' was given"),
        ErrorCase("serve a -v=yes", "-v takes no value, but 'yes' was given"),
        ErrorCase("serve a -p 1 --port=2", "--port is given twice, but accepts one value"),
        ErrorCase("serve", "SCENARIO is missing: a file (*.json) or a folder"),
        ErrorCase("serve a b", "unexpected argument 'b'; 'backlot serve' takes only SCENARIO"),
        ErrorCase("clock freeze now", "unexpected argument 'now'; 'backlot clock freeze' takes no argument"),
        ErrorCase("run -- true", "STORY is missing: a file (*.json)"),
        ErrorCase("run a", "COMMAND... is missing after --"),
        ErrorCase("run a --", "COMMAND... is missing after --"),
        ErrorCase("validate a", "--schema is missing: a file (*.json, *.schema)"),
        ErrorCase("sevre a", "unknown command 'sevre'; did you mean serve?"),
        ErrorCase("advance 2h", "unknown command 'advance'; did you mean 'backlot clock advance'?"),
        ErrorCase("help clock advnace", "unknown command 'advnace' of 'backlot clock'; did you mean advance?"),
        ErrorCase("clock stop", "unknown command 'stop' of 'backlot clock'; available: advance, freeze and rate"),
        ErrorCase("clock 2d", "unknown command '2d' of 'backlot clock'; did you mean 'backlot clock advance 2d'?"),
        ErrorCase("clock 60", "unknown command '60' of 'backlot clock'; did you mean 'backlot clock rate 60'?"),
        ErrorCase("version 1", "unexpected argument '1'; 'backlot version' takes no argument"),
        ErrorCase("", "a command is missing: serve, clock, run, validate, completions, help or version"),
        ErrorCase("serve a \u{1B}[31m", "unexpected argument '\\u{1B}[31m'; 'backlot serve' takes only SCENARIO"),
    ])
    func `A mistake gets a sentence that says what was found and what would be right`(example: ErrorCase) {
        let error = #expect(throws: UsageError.self) {
            try Sample.backlot.parse(Sample.words(example.line), environment: example.environment)
        }
        #expect(error?.sentence == example.sentence)
        #expect(error?.exitCode == .misuse)
    }

    @Test(arguments: [
        ("start", "unknown command 'start'; did you mean 'backlot serve'?"),
        ("help Postman", "unknown command 'Postman'; did you mean 'backlot help coming-from-wiremock'?"),
        ("help wiremock", "unknown command 'wiremock'; did you mean 'backlot help coming-from-wiremock'?"),
        (
            "coming-from-wiremok",
            "unknown command 'coming-from-wiremok'; did you mean 'backlot help coming-from-wiremock'?"
        ),
        ("help sevre", "unknown command 'sevre'; did you mean serve?"),
        ("run a", "COMMAND... is missing after --, as in 'backlot run a -- ./client'"),
    ])
    func `A word of another tool or of a guide names the line that was meant`(line: String, sentence: String) {
        var tool = Sample.backlot
        tool.topics = [HelpTopic("coming-from-wiremock", "Another tool", keywords: ["postman"]) { "" }]
        for index in tool.subcommands.indices {
            if tool.subcommands[index].name == "serve" { tool.subcommands[index].otherNames = ["start", "mock"] }
            if tool.subcommands[index].name == "run" {
                tool.subcommands[index].examples = [(line: "backlot run a -- ./client", about: "Judge a client")]
            }
        }
        let error = #expect(throws: UsageError.self) { try tool.parse(Sample.words(line)) }
        #expect(error?.sentence == sentence)
    }

    @Test func `The printed error names the mistake, the usage and the way to more`() {
        let error = #expect(throws: UsageError.self) { try Sample.backlot.parse(["serve", "--prot", "0"]) }
        #expect(
            error?.text == """
                error: unknown option --prot; did you mean --port?
                usage: backlot serve [options] SCENARIO
                see 'backlot serve --help'

                """
        )
    }

    @Test func `A command's own objection is printed like any other`() throws {
        let arguments = try Sample.arguments("clock rate 60")
        let error = arguments.misuse("--host beyond loopback requires --admin-token")
        #expect(
            error.text.hasPrefix("error: --host beyond loopback requires --admin-token\nusage: backlot clock rate ")
        )
    }

    @Test func `An error knows which word it is about`() {
        let error = #expect(throws: UsageError.self) {
            try Sample.backlot.parse(["serve", "a", "b", "--port=0", "-p1"])
        }
        #expect(error?.reason == .optionGivenTwice("--port", first: .word(3), .word(4)))
    }

    @Test func `No words of a hostile command line crash the parser`() {
        let pieces = [
            "", "-", "--", "---", "--=", "-=", "-p", "--port", "=", "-0", "\u{301}", "-\u{301}", "serve", "clock",
        ]
        for first in pieces {
            for second in pieces {
                for third in pieces { _ = try? Sample.backlot.parse([first, second, third]) }
            }
        }
    }
}
