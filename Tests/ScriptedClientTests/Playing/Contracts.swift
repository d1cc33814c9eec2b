import Basics
import OpenAPI

/// Contracts that have been read, each once for all stories of its backend.
///
/// A class, because tests on several threads share it.
final class Contracts: Sendable {
    private let judges = Lock<[String: ContractEvaluator]>([:])

    func contract(
        _ path: String,
        in project: ProjectRoot,
        files: any FileReading
    ) throws(StoryRun.Unplayable) -> ContractEvaluator {
        if let known = judges.withLock({ $0[path] }) { return known }
        let judge: ContractEvaluator
        do {
            judge = ContractEvaluator(try ContractLoader(files: files, project: project).load(path))
        } catch {
            throw StoryRun.Unplayable(error.findings)
        }
        return judges.withLock { judges in
            let first = judges[path] ?? judge
            judges[path] = first
            return first
        }
    }
}
