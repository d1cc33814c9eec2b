import Basics
import HTTPCodec
import HTTPServing
import JSON
import OpenAPI
import Reports

/// Turns a server's responses into findings about one operation.
struct VerifiedOperation {
    let operation: Operation
    let credentials: VerificationCredentials
    let judge: ResponseJudge
    let options: VerificationOptions

    /// Notes the result of a request with what is required only, which decides whether the operation was judged.
    func note(_ exchange: LiveExchange, in check: inout Report.Check) {
        let request = exchange.request
        switch exchange.answer {
        case .response(let message):
            let code = message.response.status.code
            if let unavailable = operation.unavailableResponse(for: code) {
                check.findings = protocolErrors(in: message, to: request, at: check.place)
                check.skipped =
                    "not judged: the contract's response for \(code) is not available, because"
                    + " \"\(unavailable.reference.shortened)\" cannot be resolved".printable
                break
            }
            check.findings = violations(in: message, to: request)
            if isRefusal(code, request), operation.response(for: code) == nil { check.findings = [] }
            check.findings += protocolErrors(in: message, to: request, at: check.place)
            let isWrong = check.findings.contains { $0.severity == .error }
            if let error = serverError(code, message, request, at: check.place) {
                check.findings.append(error)
            } else if code >= 400, documentsSuccess || isRefusal(code, request), !isWrong {
                check.findings.append(refused(message, request, at: check.place))
                check.skipped = "not judged: the server responded with \(code)"
            } else if !isWrong, let reason = Self.unread(message) {
                check.skipped = reason
            }
        case .sentAway(let target):
            let message =
                "the server redirects to \(target.printable.shortened) on another server, which receives no requests"
            check.findings = [finding(.error, "verify/redirected-away", message, request, at: check.place)]
        case .sentToWrite(let target):
            check.skipped =
                "the server redirects to \(target.printable.shortened), which the contract marks as changing data"
        case .redirectedTooOften:
            let message = "the server redirected more than five times in a row"
            check.findings = [finding(.error, "verify/redirect-loop", message, request, at: check.place)]
        case .askedToWait(let wait):
            check.skipped =
                "the server requires a pause of \(wait.components.seconds) s,"
                + " but --max-wait allows at most \(options.maximumWait.components.seconds) s"
        case .failed(.bodyTooLarge(let limit), _):
            check.skipped = "not judged: the body is larger than \(limit) bytes"
        case .failed(let failure, let head):
            check.findings = [silence(failure, head, request, at: check.place)]
        case .exhausted:
            check.skipped =
                "\(options.maximumRequests == 1 ? "1 request was" : "\(options.maximumRequests) requests were") sent,"
                + " which is the limit set by --max-requests"
        }
    }

    /// Notes the result of a request with optional parameters: what is wrong with it, unless it was found before.
    ///
    /// A value that was made up may rightly be refused, although few contracts document it.
    func noteOptional(_ exchange: LiveExchange, in check: inout Report.Check) {
        let request = exchange.request
        var findings: [Finding] = []
        switch exchange.answer {
        case .response(let message):
            let code = message.response.status.code
            let isMadeUp = !request.assumed.isEmpty || request.hasMadeUpBody
            if operation.unavailableResponse(for: code) != nil {
                findings = protocolErrors(in: message, to: request, at: check.place)
            } else if 400..<500 ~= code, operation.response(for: code) == nil, isMadeUp || isRefusal(code, request) {
                let names = request.assumed.map(\.parameter).map { "\"\($0)\"" }.joined(lastBy: "and")
                let values = names.isEmpty ? "a generated body" : "generated values for \(names)"
                let text = "the server responded to \(values) with \(code), which the contract does not document"
                findings = [finding(.note, "verify/optional-refused", text, request, message, at: check.place)]
            } else {
                findings = violations(in: message, to: request)
                findings += protocolErrors(in: message, to: request, at: check.place)
                if let error = serverError(code, message, request, at: check.place) { findings.append(error) }
            }
        case .failed(.bodyTooLarge, _): break
        case .failed(let failure, let head): findings = [silence(failure, head, request, at: check.place)]
        case .sentAway, .sentToWrite, .redirectedTooOften, .askedToWait, .exhausted: break
        }
        add(findings, to: &check)
    }

    /// Adds findings that were not made before.
    private func add(_ findings: [Finding], to check: inout Report.Check) {
        for finding in findings
        where !check.findings.contains(where: { $0.id == finding.id && $0.message == finding.message }) {
            check.findings.append(finding)
        }
    }

    /// Notes the result of a request that the contract does not allow, which a documented 4xx refuses.
    ///
    /// A server may be more generous than its contract, so a success is a warning. A 404 for a path parameter is not
    /// judged: frameworks that find routes by the types of path parameters respond before the operation is reached.
    func noteInvalid(
        _ exchange: LiveExchange,
        _ invalid: RequestPlanner.InvalidRequest,
        in check: inout Report.Check
    ) {
        let request = exchange.request
        switch exchange.answer {
        case .response(let message):
            let code = message.response.status.code
            var findings = protocolErrors(in: message, to: request, at: check.place)
            let text = "the server responded with \(code) to \(invalid.words)"
            let isDocumented = operation.response(for: code) != nil
            let isOfOperation = invalid.location != .path || code != 404
            if code >= 500 {
                findings.append(finding(.error, "verify/invalid-failed", text, request, message, at: check.place))
            } else if code < 400 {
                findings.append(finding(.warning, "verify/invalid-accepted", text, request, at: check.place))
            } else if isOfOperation, operation.unavailableResponse(for: code) == nil,
                isDocumented || !isRefusal(code, request)
            {
                findings += violations(in: message, to: request)
            }
            add(findings, to: &check)
        case .failed(.bodyTooLarge, _): break
        case .failed(let failure, let head):
            add([silence(failure, head, request, at: check.place)], to: &check)
        case .sentAway, .sentToWrite, .redirectedTooOften, .askedToWait, .exhausted: break
        }
    }

    /// Notes the result of a request without credentials, which has to be refused.
    func noteUnauthorized(_ exchange: LiveExchange, in check: inout Report.Check) {
        guard case .response(let message) = exchange.answer else { return }
        let status = message.response.status
        let schemes = operation.security.map { $0.map(\.scheme).joined(separator: " with ") }.joined(lastBy: "or")
        if status.isSuccessful {
            let text =
                "the server responded with \(status) to a request without credentials, although the contract requires \(schemes)"
            check.findings.append(finding(.error, "verify/unprotected", text, exchange.request, at: check.place))
        } else if status.code >= 500 {
            let text = "the server responded with \(status) to a request without credentials"
            check.findings.append(
                finding(.error, "verify/server-error", text, exchange.request, message, at: check.place)
            )
        }
    }

    /// Returns whether a response to the first request makes it worth to send others.
    static func isAccepted(_ answer: LiveResponse) -> Bool {
        answer.response.map { $0.status.code < 400 } ?? false
    }

    /// Returns whether a response says that a request is not valid.
    static func isInvalid(_ answer: LiveResponse) -> Bool {
        answer.response.map { $0.status == .badRequest || $0.status.code == 422 } ?? false
    }

    /// Returns whether a response refuses a request as a whole, so that its parts may be tried one by one.
    static func isRejected(_ answer: LiveResponse) -> Bool {
        answer.response.map { 400..<500 ~= $0.status.code && $0.status != .tooManyRequests } ?? false
    }

    /// The violations of the contract; where the body was not decoded, those outside of it.
    private func violations(in message: LiveMessage, to request: PlannedRequest) -> [Finding] {
        var violations = judge.violations(of: message.response, to: operation)
        if message.codingError != nil {
            violations.removeAll { if case .body = $0.part { true } else { false } }
        }
        let advice = answered(message, request)
        return violations.map { violation in
            var finding = violation.finding()
            finding.advice = advice
            return finding
        }
    }

    /// The request and the status of its response, for a failure with the response's body.
    private func answered(_ message: LiveMessage, _ request: PlannedRequest) -> String {
        let code = message.response.status.code
        let words = code >= 400 ? ServerWords.quote(message.response, without: request.secrets) : nil
        return "\(request.shown) received the response \(code)" + (words.map { "; \($0)" } ?? "")
    }

    private func protocolErrors(in message: LiveMessage, to request: PlannedRequest, at place: Place?) -> [Finding] {
        var findings: [Finding] = []
        if let text = forbidden(message) {
            findings.append(finding(.error, "verify/forbidden-bytes", text, request, at: place))
        }
        switch message.codingError {
        case .malformed, .truncated:
            let coding = message.response.fields.joinedValue(of: "Content-Encoding") ?? ""
            let reason = message.codingError?.sentence ?? ""
            let text =
                "the body is not valid \(coding.printable.shortened), although Content-Encoding declares this coding: "
                + reason
            findings.append(finding(.error, "verify/content-coding", text, request, at: place))
        case .unknown, .tooLarge, .tooMany, .tooManyValues, nil: break
        }
        return findings
    }

    /// The reason why a body could not be read, although nothing is known to be wrong with it.
    private static func unread(_ message: LiveMessage) -> String? {
        switch message.codingError {
        case .unknown(let name):
            "not judged: the body has the content coding \(name.printable.shortened), which is not decoded"
        case .tooLarge(let limit): "not judged: the decoded body is larger than \(limit) bytes"
        case .tooMany(let limit): "not judged: the body has more than \(limit) content codings"
        case .tooManyValues(let limit): "not judged: the body contains more than \(limit) JSON values"
        case .malformed, .truncated, nil: nil
        }
    }

    private func serverError(_ code: Int, _ message: LiveMessage, _ request: PlannedRequest, at place: Place?)
        -> Finding?
    {
        guard code >= 500, !operation.names(code), operation.response(for: code) != nil else { return nil }
        let text = "the server responded with \(code), which the contract documents only as default"
        return finding(.error, "verify/server-error", text, request, message, at: place)
    }

    private func silence(
        _ failure: HTTPClientFailure,
        _ head: HTTPResponse?,
        _ request: PlannedRequest,
        at place: Place?
    ) -> Finding {
        switch failure {
        case .malformed(let sentence):
            return finding(.error, "verify/malformed-response", sentence, request, at: place)
        case .truncated:
            let text = "the response is incomplete: \(failure)"
            return finding(.error, "verify/malformed-response", text, request, at: place)
        default:
            let text =
                head.map {
                    "the server sent the head of a response with status \($0.status), but did not send the complete body in time"
                }
                ?? "the server sent no response: \(failure)"
            return finding(.error, "verify/no-response", text, request, at: place)
        }
    }

    /// Returns whether a status is about who asks, how often, or for what assumed id, and not about the operation.
    ///
    /// Frameworks answer so before the operation is reached, and few contracts document it.
    private func isRefusal(_ code: Int, _ request: PlannedRequest) -> Bool {
        switch code {
        case 401, 403:
            operation.security.contains { !$0.isEmpty } || request.isAuthorized
                || options.fields.contains("Authorization") || options.fields.contains("Cookie")
        case 404: !request.assumed.isEmpty
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
    private func forbidden(_ message: LiveMessage) -> String? {
        let (response, excess) = (message.response, message.excess)
        let code = response.status.code
        let hasNoBody = code == 204 || code == 304
        // A response to nothing, such as 408 before the connection is closed, does not count; empty lines are harmless.
        let isBody = !excess.starts(with: "HTTP/1.".utf8) && excess.contains { $0 != 0x0D && $0 != 0x0A }
        if isBody {
            let bytes = excess.count == 1 ? "1 byte follows" : "\(excess.count) bytes follow"
            return hasNoBody || operation.method == .head
                ? "\(bytes) the response head, but a response to \(operation.method) with status \(code) never"
                    + " has a body"
                : "\(bytes) the end of the response, although no further request was sent"
        }
        guard code == 204, let length = response.fields["Content-Length"], Int(length) ?? 0 > 0 else { return nil }
        return "Content-Length announces a body of \(length.printable.shortened) bytes, but a response with status 204"
            + " cannot have a body"
    }

    /// A refusal does not check the response to a success.
    private func refused(_ message: LiveMessage, _ request: PlannedRequest, at place: Place?) -> Finding {
        let code = message.response.status.code
        let isDocumented = operation.response(for: code) != nil
        let text =
            "the server responded with \(code)\(isDocumented ? "" : ", which the contract does not document"),"
            + " so no successful response was judged"
        var finding = finding(.warning, "verify/refused", text, request, message, at: place)
        let missing = credentials.missingVariables(for: operation, schemes: judge.contract.securitySchemes)
        if code == 401 || code == 403, !missing.isEmpty {
            finding.advice = "set \(missing.joined(separator: " and ")), or sign in with --sign-in"
        } else if let origin = Self.origin(of: request.assumed) {
            finding.advice =
                origin + (ServerWords.quote(message.response, without: request.secrets).map { "; \($0)" } ?? "")
        }
        return finding
    }

    /// The origin of the values that may not exist, and the remedy.
    private static func origin(of assumed: [AssumedValue]) -> String? {
        let made = assumed.filter { $0.source == nil }.map(\.parameter)
        if let first = made.first {
            let names = made.map { "\"\($0)\"" }.joined(lastBy: "and")
            return made.count == 1
                ? "the value for \(names) was generated; specify one with --parameter \(first)=VALUE"
                : "the values for \(names) were generated; specify values with --parameter \(first)=VALUE and so on"
        }
        guard let first = assumed.first, let source = first.source else { return nil }
        return "the value of \"\(first.parameter)\" comes from the response to \(source);"
            + " specify another value with --parameter \(first.parameter)=VALUE"
    }

    private func finding(
        _ severity: Finding.Severity,
        _ id: String,
        _ text: String,
        _ request: PlannedRequest,
        _ message: LiveMessage? = nil,
        at place: Place?
    ) -> Finding {
        let words = message.flatMap { ServerWords.quote($0.response, without: request.secrets) }
        let advice = "the request was \(request.shown)" + (words.map { "; \($0)" } ?? "")
        return Finding(severity, id: id, text, at: place, advice: advice)
    }
}
