import Basics
import HTTPCodec
import JSON
import OpenAPI
import Reports

/// Judges a server's responses by the contract, and by what it says without requiring it.
struct ResponseJudge {
    let contract: Contract
    private let evaluator: ContractEvaluator
    /// By the same contract with formats that are asserted; `nil` where they are anyway.
    private let formats: ContractEvaluator?
    private let writeOnly: ContractEvaluator

    init(_ contract: Contract, _ options: VerificationOptions) {
        self.contract = contract
        let judged = options.assertsFormats ? contract.assertingFormats() : contract
        evaluator = ContractEvaluator(judged)
        formats = options.assertsFormats ? nil : ContractEvaluator(contract.assertingFormats())
        writeOnly = ContractEvaluator(judged.refusingWriteOnly())
    }

    /// The violations of the contract in a response; a note for a value that is not of its format, and a warning
    /// for one that is write-only.
    func violations(of response: HTTPResponse, to operation: Operation) -> [ContractViolation] {
        let violations = evaluator.violations(of: response, to: operation)
        // What is wrong anyway may be explained otherwise by the other judges.
        guard !response.body.isEmpty, !violations.contains(where: { $0.severity == .error }) else { return violations }
        func further(_ judge: ContractEvaluator, _ severity: Finding.Severity, _ id: String) -> [ContractViolation] {
            judge.violations(of: response, to: operation).filter { $0.severity == .error }.map { violation in
                var violation = violation
                violation.severity = severity
                violation.id = id
                return violation
            }
        }
        return violations + further(writeOnly, .warning, "verify/write-only")
            + (formats.map { further($0, .note, "verify/format") } ?? [])
    }
}
