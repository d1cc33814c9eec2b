import Basics
import HTTPCodec
import OpenAPI
import Reports

/// Turns what a server answered into findings about one operation.
struct VerifiedOperation {
    private let operation: Operation
    private let request: PlannedRequest
    private let credentials: VerificationCredentials
    private let judge: ContractEvaluator

    init(
        _ operation: Operation,
        _ request: PlannedRequest,
        _ credentials: VerificationCredentials,
        _ judge: ContractEvaluator
    ) {
        self.operation = operation
        self.request = request
        self.credentials = credentials
        self.judge = judge
    }

    func note(_ answer: LiveResponse, in check: inout Report.Check, _ options: VerificationOptions) {
        switch answer {
        case .response(let response):
            let code = response.status.code
            check.findings = judge.violations(of: response, to: operation).map { violation in
                var finding = violation.finding()
                finding.advice = asked(code)
                return finding
            }
            if code >= 500, !operation.names(code), operation.response(for: code) != nil {
                let message = "the server answered \(code), which the contract documents as default only"
                check.findings.append(finding(.error, "verify/server-error", message, at: check.place))
            } else if code >= 400, !check.findings.contains(where: { $0.severity == .error }) {
                check.findings.append(refused(code, at: check.place))
            }
        case .sentAway(let target):
            let message =
                "the server redirects to \(target.printable.shortened), which is another server and is not asked"
            check.findings = [finding(.error, "verify/redirected-away", message, at: check.place)]
        case .redirectedTooOften:
            let message = "the server redirects more than five times in a row"
            check.findings = [finding(.error, "verify/redirect-loop", message, at: check.place)]
        case .askedToWait(let wait):
            check.skipped =
                "the server asks to wait \(wait.components.seconds) s,"
                + " more than the \(options.maximumWait.components.seconds) s of --max-wait"
        case .failed(let failure):
            let message = "the server gave no response: \(failure)"
            check.findings = [finding(.error, "verify/no-response", message, at: check.place)]
        case .exhausted:
            check.skipped = "\(options.maximumRequests) requests were sent, the limit of --max-requests"
        }
    }

    /// A documented refusal holds, yet it says nothing of the answer that people want.
    private func refused(_ code: Int, at place: Place?) -> Finding {
        let message = "the server answered \(code), so no successful response was judged"
        var finding = finding(.warning, "verify/refused", message, at: place)
        let missing = credentials.missingVariables(for: operation, schemes: judge.contract.securitySchemes)
        if code == 401 || code == 403, !missing.isEmpty {
            finding.advice = "set \(missing.joined(separator: " and ")), or sign in with --sign-in"
        } else if let name = request.invented.first {
            finding.advice = "the value of \"\(name)\" was made up; give one with --parameter \(name)=VALUE"
        }
        return finding
    }

    private func finding(_ severity: Finding.Severity, _ id: String, _ message: String, at place: Place?) -> Finding {
        Finding(severity, id: id, message, at: place, advice: "the request was \(request.shown)")
    }

    private func asked(_ code: Int) -> String {
        "\(request.shown) was answered \(code)"
    }
}
