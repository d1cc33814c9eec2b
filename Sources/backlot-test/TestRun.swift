import ClientRegistration
import CommandLineArguments
import Console
import ContractRunner
import Findings
import Reports

/// One run of `backlot test`.
struct TestRun {
    private let arguments: ParsedArguments
    private let output: ReportOutput
    private let clients: [any ClientAdapter]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = arguments
        output = try ReportOutput(arguments)
        clients = try Self.clients(named: arguments)
    }

    private static func clients(named arguments: ParsedArguments) throws(UsageError) -> [any ClientAdapter] {
        let all = RegisteredClients.all
        let names = arguments[TestOptions.apps]
        guard !names.isEmpty else { return all }
        for name in names where !all.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            let known = all.map { $0.name.lowercased() }
            let advice = Suggestion.nearest(to: name.lowercased(), among: known).map { "; did you mean \($0)?" } ?? ""
            throw arguments.misuse(
                "no client is called \"\(name)\"; there are \(known.joined(separator: ", "))\(advice)"
            )
        }
        return all.filter { client in names.contains { $0.lowercased() == client.name.lowercased() } }
    }

    func run() async -> ExitCode {
        output.write(Report(title: "backlot test"))
    }
}
