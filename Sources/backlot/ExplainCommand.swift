import Basics
import CommandLineInterface
import JSON
import ProgramInterface

/// `backlot explain`: the meaning of the ids in findings and files.
enum ExplainCommand {
    private static let ids = Positional(
        variadic: "ID",
        atLeast: 1,
        ValueKind<String>(
            expected: "a rule, a finding, a key or an exit code",
            completion: .choices(Explanations.ids)
        ) { $0.isEmpty ? nil : $0 },
        "A rule (B2), a finding (expect/count), a key (requires, route.requires) or an exit code (1)"
    )

    static let description = CommandDescription(
        "explain",
        "Explain a rule, a finding, a key or an exit code",
        discussion: """
            Prints the meaning, the effect on users, a general fix, the source, the stories in this project that play it, \
            and a command that tries it. If an id has several meanings, all are printed.

            Exits with 0 when every id is known, and with 2 otherwise.
            """,
        examples: [
            "backlot explain B2": "Explain a rule",
            "backlot explain expect/count scenario/unknown-key": "Explain findings",
            "backlot explain route.requires": "Explain a key of the scenario format",
        ],
        positionals: [ids],
        otherNames: ["why", "describe", "rule", "rules"],
        result: Explanation.result
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let explanations = Explanations(files: DiskFiles())
        var found: [Explanation] = []
        for id in arguments[ids] {
            let all = explanations.all(of: id)
            guard !all.isEmpty else {
                throw arguments.misuse(
                    "there is no rule, finding, key or exit code \"\(id.printable)\"; \(explanations.advice(for: id))"
                )
            }
            found += all
        }
        Terminal.changeResult { $0.members["explanations"] = .array(found.map(\.json)) }
        return Terminal.output(found.map(\.json.outline).joined(separator: "\n")) ? .success : .misuse
    }
}
