import Basics
import Reports

/// Reports that every format is tried on.
enum SampleReport {
    /// A run in which everything happened, with texts that want escaping everywhere.
    static let full: Report = {
        let fixture = Place(
            file: "Scenarios/pets/fixtures/my pets.json",
            position: TextPosition(line: 12, column: 5),
            pointer: "/pets/0/name"
        )
        let contract = Place(file: "Contracts/pets.json", position: TextPosition(line: 40, column: 9))
        let body = Finding(
            .error,
            id: "contract/response-body",
            "\"name\" is null, but the contract requires a string",
            at: fixture,
            related: [RelatedPlace(contract, "this is the requirement in the contract")]
        )
        let route = Finding(
            .error,
            id: "check/undocumented-route",
            "the contract has no GET /pest/{id} <yet> & 100% of it",
            at: Place(file: "Scenarios/pets/backend.json", position: TextPosition(line: 3, column: 5)),
            advice: "did you mean GET /pets/{id}?"
        )
        let field = Finding(
            .warning,
            id: "contract/header",
            "the field x|y holds a control \u{1B} and\r\ntwo lines",
            at: Place(file: "Scenarios/pets/backend.json", position: TextPosition(line: 9, column: 1))
        )
        let lint = Finding(
            .warning,
            id: "contract/unused-component",
            "nothing refers to the schema `Old_Pet`",
            at: Place(file: "Contracts/pets.json", position: TextPosition(line: 90, column: 3))
        )
        let silent = Finding(.note, id: "check/deliberate", "1 violation is deliberate: \"v2 bug\"")
        var report = Report(
            title: "check",
            checks: [
                Report.Check(
                    group: "Scenarios/pets/backend.json",
                    name: "GET /pets 200",
                    findings: [silent],
                    place: Place(file: "Scenarios/pets/backend.json", position: TextPosition(line: 2, column: 5))
                ),
                Report.Check(
                    group: "Scenarios/pets/backend.json",
                    name: "GET /pets/{id} 200",
                    findings: [field, body]
                ),
                Report.Check(group: "Scenarios/pets/backend.json", name: "GET /pest/{id}", findings: [route]),
                Report.Check(group: "Scenarios/late.json", name: "GET /late 204", skipped: "it has no contract"),
                Report.Check(group: "Pets|app", name: "getPets 204"),
            ],
            findings: [lint],
            summary: ["1 deliberate violation"]
        )
        report.version = "0.1.0"
        report.coverage = [
            Coverage(
                contract: "Contracts/pets.json",
                operation: "GET /pets",
                answers: [.init("200", .response), .init("4XX", .nothing)],
                place: Place(file: "Contracts/pets.json", position: TextPosition(line: 7, column: 7))
            ),
            Coverage(
                contract: "Contracts/pets.json",
                operation: "DELETE /pets/{id}",
                answers: [.init("204", .example), .init("default", .nothing)]
            ),
            Coverage(
                contract: "Contracts/pets.json",
                operation: "POST /pets",
                answers: [.init("201", .response)]
            ),
        ]
        report.clients = [
            ClientCoverage(
                client: "Pets|app",
                contract: "Contracts/pets.json",
                operation: "getPets",
                answers: [
                    .init("200 some", "value", isSound: true), .init("204", "value", isSound: true),
                    .init("401", "status<401>", isSound: true), .init("reset", "value", isSound: false),
                ],
                place: Place(file: "Contracts/pets.json", position: TextPosition(line: 7, column: 7))
            ),
            ClientCoverage(
                client: "Pets|app",
                contract: "Contracts/pets.json",
                operation: "addPet",
                answers: [.init("201", "value", isSound: true)]
            ),
        ]
        return report
    }()

    static let held = Report(title: "check", checks: [Report.Check(group: "a.json", name: "GET /a 200")])
    static let empty = Report(title: "check")

    /// The name of each report's golden files.
    static let named: [(name: String, report: Report)] = [
        ("full", full), ("held", held), ("empty", empty), ("stories", SampleStory.report),
    ]
}
