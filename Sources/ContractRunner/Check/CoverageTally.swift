import Findings
import OpenAPIContracts
import ProjectFiles
import Reports
import ScenarioFormat

/// Which documented answers some reply of some scenario stands for.
struct CoverageTally {
    private struct Answer: Hashable {
        var operation: String
        var status: DocumentedResponse.Status
    }

    private var contracts: [(path: String, contract: Contract)] = []
    private var covered: [String: Set<Answer>] = [:]

    /// Counts the operations of a contract from now on.
    mutating func begin(_ path: String, _ contract: Contract) {
        guard covered[path] == nil else { return }
        covered[path] = []
        contracts.append((path, contract))
    }

    mutating func cover(_ path: String, _ surveyed: SurveyedReply) {
        guard surveyed.unjudged == nil, !surveyed.isModelled else { return }
        for operation in surveyed.operations {
            guard let response = operation.response(for: surveyed.reply.status) else { continue }
            covered[path]?.insert(Answer(operation: operation.uri, status: response.status))
        }
    }

    var coverage: [Coverage] {
        contracts.flatMap { path, contract in
            let covered = covered[path] ?? []
            return contract.operations.map { operation in
                let answers = operation.responses.map { response in
                    Coverage.Answer(
                        response.status.description,
                        isCovered: covered.contains(Answer(operation: operation.uri, status: response.status))
                    )
                }
                return Coverage(
                    contract: path,
                    operation: operation.label,
                    answers: answers,
                    place: contract.sources.place(of: operation.position)
                )
            }
        }
    }
}
