import Basics
import HTTPCodec
import HTTPServing
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

/// Turns a server's responses into findings about one operation.
struct VerifiedOperation {
    let operation: Operation
    let request: PlannedRequest
    let credentials: VerificationCredentials
    let judge: ResponseJudge

    func note(_ answer: LiveResponse, in check: inout Report.Check, _ options: VerificationOptions) {
        switch answer {
        case .response(let response, let excess):
            let code = response.status.code
            if let unavailable = operation.unavailableResponse(for: code) {
                check.skipped =
                    "not judged: the contract's response for \(code) is not available, because"
                    + " \"\(unavailable.reference.shortened)\" cannot be resolved".printable
                return
            }
            check.findings = judge.violations(of: response, to: operation).map { violation in
                var finding = violation.finding()
                finding.advice = "\(request.shown) was answered \(code)"
                return finding
            }
            if isRefusal(code, options), operation.response(for: code) == nil { check.findings = [] }
            if let message = forbidden(response, excess) {
                check.findings.append(finding(.error, "verify/forbidden-bytes", message, at: check.place))
            }
            if code >= 500, !operation.names(code), operation.response(for: code) != nil {
                let message = "the server answered \(code), which the contract documents as default only"
                check.findings.append(finding(.error, "verify/server-error", message, at: check.place))
            } else if code >= 400, documentsSuccess || isRefusal(code, options),
                !check.findings.contains(where: { $0.severity == .error })
            {
                check.findings.append(refused(code, at: check.place))
                check.skipped = "not judged: the server answered \(code)"
            }
        case .sentAway(let target):
            let message =
                "the server redirects to \(target.printable.shortened), which is another server and is not asked"
            check.findings = [finding(.error, "verify/redirected-away", message, at: check.place)]
        case .sentToWrite(let target):
            check.skipped =
                "the server redirects to \(target.printable.shortened), which the contract marks as changing something"
        case .redirectedTooOften:
            let message = "the server redirects more than five times in a row"
            check.findings = [finding(.error, "verify/redirect-loop", message, at: check.place)]
        case .askedToWait(let wait):
            check.skipped =
                "the server requires a pause of \(wait.components.seconds) s,"
                + " more than the \(options.maximumWait.components.seconds) s of --max-wait"
        case .failed(let failure):
            let message = "the server gave no response: \(failure)"
            check.findings = [finding(.error, "verify/no-response", message, at: check.place)]
        case .exhausted:
            check.skipped = "\(options.maximumRequests) requests were sent, the limit of --max-requests"
        }
    }

    /// Returns whether a status is about who asks, how often, or for what made-up id, and not about the operation.
    ///
    /// Frameworks answer so before the operation is reached, and few contracts document it.
    private func isRefusal(_ code: Int, _ options: VerificationOptions) -> Bool {
        switch code {
        case 401, 403:
            operation.security.contains { !$0.isEmpty } || !request.credentials.isEmpty
                || options.fields.contains("Authorization") || options.fields.contains("Cookie")
        case 404: !request.invented.isEmpty
        case 429: true
        default: false
        }
    }

    /// A Boolean value that indicates whether the contract documents more than refusals, without which there is no
    /// success to wait for.
    private var documentsSuccess: Bool {
        operation.responses.contains { response in
            switch response.status {
            case .code(let code): code < 400
            case .range(let hundreds): hundreds < 4
            case .other: true
            }
        }
    }

    /// The bytes that the server sent although HTTP does not allow it: a body with 204 or 304, or bytes behind the
    /// body.
    private func forbidden(_ response: HTTPResponse, _ excess: [UInt8]) -> String? {
        let code = response.status.code
        let hasNoBody = code == 204 || code == 304
        // A response to nothing, such as 408 before the connection is closed, is no body; empty lines are harmless.
        let isBody = !excess.starts(with: "HTTP/1.".utf8) && excess.contains { $0 != 0x0D && $0 != 0x0A }
        if isBody {
            let bytes = excess.count == 1 ? "1 byte follows" : "\(excess.count) bytes follow"
            return hasNoBody || operation.method == .head
                ? "\(bytes) the head of the response, but a response to \(operation.method) with status \(code) never"
                    + " has a body"
                : "\(bytes) the end of the response, although nothing more was asked for"
        }
        guard code == 204, let length = response.fields["Content-Length"], Int(length) ?? 0 > 0 else { return nil }
        return "Content-Length announces a body of \(length.printable.shortened) bytes, but a response with status 204"
            + " never has one"
    }

    /// A refusal does not check the response to a success.
    private func refused(_ code: Int, at place: Place?) -> Finding {
        let isDocumented = operation.response(for: code) != nil
        let message =
            "the server answered \(code)\(isDocumented ? "" : ", which the contract does not document"),"
            + " so no successful response was judged"
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
}

extension LiveResponse {
    /// A Boolean value that indicates whether the server did not accept the request's credentials.
    var isRefused: Bool {
        if case .response(let response, _) = self { response.status.code == 401 } else { false }
    }
}
