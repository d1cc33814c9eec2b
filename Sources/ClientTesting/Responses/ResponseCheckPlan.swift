import Checking
import HTTPCodec
import JSON
import JSONSchema
import OpenAPI

/// Every response that each operation is tried with, in the order of the contract.
struct ResponseCheckPlan: Sendable {
    struct Cell: Sendable {
        var operation: Operation
        /// The name of the client's call in reports.
        var name: String
        var role: CallRole
        var answer: ResponseCheckResponse
    }

    private let samples: SampleResponses
    private let roles: ClientRoles
    private let options: ResponseCheckOptions
    private let refresh: Operation?
    private let variants: SchemaVariantCache

    init(_ contract: Contract, _ samples: SampleResponses, _ roles: ClientRoles, _ options: ResponseCheckOptions) {
        self.samples = samples
        self.roles = roles
        self.options = options
        refresh = contract.operations.first { roles.refresh.contains($0.id) }
        variants = SchemaVariantCache(
            contract,
            seed: samples.seed,
            limits: VariantLimits(legal: 60, evolution: 0, illegal: 0)
        )
    }

    /// - Parameters:
    ///   - call: one of the client's calls of the operation.
    ///   - isFirst: whether it is the first operation behind a token, which represents all of them where the refresh
    ///     itself fails.
    func cells<Client>(of operation: Operation, called call: ClientOperation<Client>, isFirst: Bool) -> [Cell] {
        var answers = operation.responses.flatMap { documented($0, of: operation) }
        if call.role == .refresh, let answer = withoutRefreshToken(operation) {
            answers.append(
                ResponseCheckResponse(
                    label: "\(answer.status) without a new refresh token",
                    kind: .success(answer.status),
                    script: script(operation, .response(answer.response)),
                    response: operation.response(for: answer.status)
                )
            )
        }
        answers += ConnectionFault.allCases.compactMap { fault($0, of: operation) }
        if roles.isBehindToken(operation), hasSuccess(operation), let refresh, let expiry = expiry(of: operation) {
            var answer = ResponseCheckResponse(
                label: "\(expiry.status) once",
                kind: .expiredOnce(expiry.status),
                script: ResponsePlan(
                    [operation.id: [expiry.answer, usual(operation)]],
                    requestLimit: options.requestLimit
                ),
                response: operation.response(for: expiry.status)
            )
            answers.append(answer)
            if isFirst, let kept = withoutRefreshToken(refresh) {
                answer.label += ", refresh without a new refresh token"
                answer.kind = .expiredOnce(expiry.status, keepingRefreshToken: true)
                answer.script.answers[refresh.id] = [.response(kept.response)]
                answers.append(answer)
            }
            if isFirst { answers += troubles(of: refresh, expiry.answer, operation) }
        }
        return answers.map { Cell(operation: operation, name: call.name, role: call.role, answer: $0) }
    }

    /// Returns whether there is a response that new tokens could bring.
    private func hasSuccess(_ operation: Operation) -> Bool {
        operation.responses.contains { response in response.servedStatus(by: operation).map { $0 < 300 } ?? false }
    }

    // MARK: What is documented

    private func documented(_ response: DocumentedResponse, of operation: Operation) -> [ResponseCheckResponse] {
        guard let status = response.servedStatus(by: operation), status >= 200 else { return [] }
        let kind: ResponseCheckResponse.Kind =
            switch status {
            case ..<300: .success(status)
            case 304 where isConditional(operation): .notModified
            case ..<400: .other(status)
            default: .refusal(status)
            }
        let variants = samples.variants(of: response, status: status, of: operation)
        guard !variants.isEmpty else {
            var answer = ResponseCheckResponse(label: "\(response.status)", kind: kind, script: ResponsePlan())
            answer.response = response
            answer.skipped = "no value that the contract allows was found"
            return [answer]
        }
        return variants.map { name, sample in
            ResponseCheckResponse(
                label: "\(status)" + (name.map { " \($0)" } ?? ""),
                kind: kind,
                script: script(operation, status, sample.response),
                response: response
            )
        }
    }

    /// Returns whether a client can ask an operation for its response on the condition that it has changed.
    private func isConditional(_ operation: Operation) -> Bool {
        operation.method == .get && hasSuccess(operation) && options.network == .raw
    }

    /// The response each time; but a success with a validator before 304, and the result after 202.
    private func script(_ operation: Operation, _ status: Int, _ answer: HTTPResponse) -> ResponsePlan {
        if status == 202, operation.hasResultLater {
            return ResponsePlan(
                [operation.id: [.response(answer), usual(operation)]],
                requestLimit: options.requestLimit
            )
        }
        guard status == 304, isConditional(operation) else { return script(operation, .response(answer)) }
        var success = body(of: usual(operation))
        if success.fields["ETag"] == nil, success.fields["Last-Modified"] == nil {
            success.fields.append("ETag", #""7f2a""#)
        }
        return ResponsePlan(
            [operation.id: [.response(success), .response(answer)]],
            requestLimit: options.requestLimit
        )
    }

    /// The success of a refresh without a refresh token, where the contract requires the access token alone: the former
    /// refresh token stays valid (RFC 6749, section 6).
    private func withoutRefreshToken(_ refresh: Operation) -> SampleResponse? {
        guard let usual = samples.usual(of: refresh), let body = usual.json,
            let schema = refresh.response(for: usual.status).flatMap(variants.schema)
        else { return nil }
        func rest(without kind: String) -> JSONValue? {
            let place = roles.grants(of: refresh)?.first { $0.kind == kind }?.place
            return place.flatMap { $0.value(in: body) == nil ? nil : body.replacing($0, with: nil) }
        }
        func isAllowed(_ body: JSONValue) -> Bool { (try? schema.accepts(body, going: .response)) == true }
        // A contract that requires nothing does not say that the refresh token may be missing.
        guard let shorter = rest(without: roles.kinds.refresh), isAllowed(shorter),
            rest(without: roles.kinds.access).map({ !isAllowed($0) }) == true
        else { return nil }
        var answer = usual
        answer.body = .json(shorter)
        return answer
    }

    // MARK: What is not

    private func fault(_ fault: ConnectionFault, of operation: Operation) -> ResponseCheckResponse? {
        guard case .response(let usual) = usual(operation) else { return nil }
        // What has no body cannot be cut.
        if fault == .cut, usual.body.count < 2 { return nil }
        var answer = ResponseCheckResponse(
            label: fault.rawValue,
            kind: .fault(fault),
            script: script(operation, .fault(fault, usual))
        )
        if fault == .never, options.network == .urlSession {
            answer.skipped = "URLSession would wait for its timeout in real time"
        }
        return answer
    }

    /// The ways in which new tokens are not to be had while a call waits for them.
    private func troubles(of refresh: Operation, _ expiry: PlannedResponse, _ operation: Operation)
        -> [ResponseCheckResponse]
    {
        func trouble(_ label: String, _ answer: PlannedResponse, _ words: String, _ response: DocumentedResponse?)
            -> ResponseCheckResponse
        {
            ResponseCheckResponse(
                label: "expired, refresh \(label)",
                kind: .refreshTrouble(words),
                script: ResponsePlan(
                    [operation.id: [expiry], refresh.id: [answer]],
                    requestLimit: options.requestLimit
                ),
                response: response
            )
        }
        var troubles: [ResponseCheckResponse] = []
        for response in refresh.responses {
            guard let status = response.servedStatus(by: refresh), status >= 400,
                let refusal = refusal(response, status, of: refresh, saying: ["invalid_grant", "expir"])
            else { continue }
            troubles.append(trouble("\(status)", .response(refusal), "answered with \(status)", response))
        }
        // Every server may be overloaded, whether the contract says so or not.
        if !troubles.contains(where: { $0.label.hasSuffix("503") }) {
            let response = HTTPResponse(status: .serviceUnavailable)
            troubles.append(trouble("503", .response(response), "answered with 503", nil))
        }
        for fault in ConnectionFault.allCases where fault != .refused {
            guard let answer = self.fault(fault, of: refresh) else { continue }
            var found = trouble(fault.rawValue, .fault(fault, body(of: usual(refresh))), answer.words, nil)
            found.skipped = answer.skipped
            if options.network == .urlSession, fault == .reset || fault == .empty {
                found.skipped = "URLSession would resend the refresh without its body"
            }
            troubles.append(found)
        }
        return troubles
    }

    private func expiry(of operation: Operation) -> (status: Int, answer: PlannedResponse)? {
        guard let status = roles.expiry(of: operation), let response = operation.response(for: status) else {
            return nil
        }
        return refusal(response, status, of: operation, saying: ["expir"]).map { (status, .response($0)) }
    }

    /// A refusal whose body says why, where the contract has one that does: a client may act upon no other.
    ///
    /// - Parameter words: in lower case, the best first.
    private func refusal(
        _ response: DocumentedResponse,
        _ status: Int,
        of operation: Operation,
        saying words: [String]
    ) -> HTTPResponse? {
        guard let usual = samples.answer(response, status: status, of: operation)?.response else { return nil }
        let shown = samples.variants(of: response, status: status, of: operation).lazy.map(\.answer.response)
        let varied = variants.variants(of: response, status: status).lazy.map { variant in
            var varied = usual
            varied.body = variant.body
            return varied
        }
        for word in words {
            if let telling = shown.first(where: { $0.says(word) }) ?? varied.first(where: { $0.says(word) }) {
                return telling
            }
        }
        return usual
    }

    private func usual(_ operation: Operation) -> PlannedResponse {
        .response(samples.usual(of: operation)?.response ?? HTTPResponse(status: .noContent))
    }

    private func body(of answer: PlannedResponse) -> HTTPResponse {
        switch answer {
        case .response(let response), .fault(_, let response): response
        }
    }

    private func script(_ operation: Operation, _ answer: PlannedResponse) -> ResponsePlan {
        ResponsePlan([operation.id: [answer]], requestLimit: options.requestLimit)
    }
}

extension HTTPResponse {
    /// Returns whether a word is in the body or a field, in lower case or upper case.
    fileprivate func says(_ word: String) -> Bool {
        let texts = [String(decoding: body, as: UTF8.self)] + fields.map(\.value)
        return texts.contains { $0.lowercased().contains(word) }
    }
}
