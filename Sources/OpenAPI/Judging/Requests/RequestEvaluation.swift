import Basics
import HTTPCodec
import JSON
import JSONSchema

/// Judges one request: its parameters, its credentials and its body, in this order.
struct RequestEvaluation {
    let request: HTTPRequest
    let match: MatchedOperation
    let judge: ContractEvaluator
    var violations: ViolationList

    var operation: Operation { match.operation }

    init(of request: HTTPRequest, for match: MatchedOperation, by judge: ContractEvaluator) {
        self.request = request
        self.match = match
        self.judge = judge
        violations = ViolationList(of: match.operation, by: judge)
    }

    mutating func judgeAll() {
        judgeParameters()
        judgeCredentials()
        judgeBody()
    }

    private mutating func judgeBody() {
        guard let body = operation.requestBody else {
            if !request.body.isEmpty, operation.unavailable == nil {
                let message = "the request has a body, but the contract documents no body for \(operation.label)"
                report("contract/undocumented-body", .warning, .body(JSONPointer()), message, at: operation.position)
            }
            return
        }
        guard !request.body.isEmpty else {
            if body.isRequired {
                let message = "the request has no body, but the contract requires \(types(of: body))"
                report("contract/missing-body", .error, .body(JSONPointer()), message, at: body.position)
            }
            return
        }
        guard let contentType = request.fields["Content-Type"] else {
            if !body.content.isEmpty {
                let message = "the request has a body but no Content-Type; the contract requires \(types(of: body))"
                report("contract/missing-media-type", .error, .mediaType, message, at: body.position)
            }
            return
        }
        guard let content = MediaTypeChoice.content(for: contentType, among: body.content) else {
            let message =
                "the request's Content-Type is \"\(contentType.shortened)\","
                + " but the contract requires \(types(of: body)) for \(operation.label)"
            report("contract/undocumented-media-type", .error, .mediaType, message, at: body.position)
            return
        }
        BodyEvaluation(judge: judge, content: content, side: .request, documentedAt: bodyPlace)
            .judge(request.body, contentType: contentType, into: &violations)
    }

    private var bodyPlace: DocumentedPlace { DocumentedPlace(parent: operation.uri, key: "requestBody") }

    private func types(of body: RequestBody) -> String {
        let types = body.content.map(\.mediaType).joined(lastBy: "or")
        return types.isEmpty ? "one" : types
    }

    private mutating func report(
        _ id: String,
        _ severity: Finding.Severity,
        _ part: ContractViolation.Part,
        _ message: String,
        at position: JSONPosition
    ) {
        let uri = operation.requestBody == nil ? operation.uri : bodyPlace.uri
        violations.add(id, severity, part, message, contract: position, uri: uri)
    }
}

extension RequestEvaluation {
    /// Reports a request that lacks the credentials that the contract asks for.
    ///
    /// A note and no error: what a server does without credentials is just what many tests are about. Whether a
    /// credential is valid is checked by the server.
    mutating func judgeCredentials() {
        guard lacksCredentials, !lacksRequiredParameters else { return }
        let alternatives = operation.security.map { alternative in
            alternative.map { words(for: $0.scheme) }.joined(separator: " and ")
        }
        let sentence =
            partOfCredentials.map { part in
                let (present, missing) = (part.present.map(words), part.missing.map(words))
                return "the request contains \(present.joined(separator: " and ")), but not "
                    + "\(missing.joined(separator: " and ")), which the contract requires as well"
            } ?? "the request contains \(otherScheme), but the contract requires \(alternatives.joined(lastBy: "or"))"
        violations.add(
            "contract/missing-credentials",
            .note,
            .security,
            sentence,
            contract: operation.position,
            uri: operation.uri + "/security"
        )
    }

    /// The scheme of Authorization, which is not one of the contract's, or that there are no credentials.
    private var otherScheme: String {
        guard let value = request.fields["Authorization"] else { return "no credentials" }
        // Without a scheme, the text is a secret.
        let words = value.split(separator: " ", maxSplits: 1)
        return words.count == 2
            ? "Authorization with the scheme \(String(words[0]).printable)" : "Authorization without a scheme"
    }

    /// A Boolean value that indicates whether the operation asks for credentials, and the request has none of them.
    var lacksCredentials: Bool { !operation.security.isEmpty && !operation.security.contains(where: isMet) }

    /// A Boolean value that indicates whether the missing credentials of an alternative are required parameters, too,
    /// whose absence is an error and has been reported.
    private var lacksRequiredParameters: Bool {
        operation.security.contains { alternative in
            alternative.filter { !isMet($0) }.allSatisfy { requirement in
                guard case .apiKey(let location, let name)? = scheme(named: requirement.scheme)?.kind else {
                    return false
                }
                return operation.parameters.contains { parameter in
                    let isSame =
                        location == .header
                        ? FieldName.isSame(parameter.name, name) : parameter.name.exact == name.exact
                    return parameter.isRequired && parameter.location == location && isSame
                }
            }
        }
    }

    private func isMet(_ alternative: [SecurityRequirement]) -> Bool { alternative.allSatisfy(isMet) }

    private func isMet(_ requirement: SecurityRequirement) -> Bool {
        scheme(named: requirement.scheme).map { isPresent($0.kind) } ?? true
    }

    /// The schemes of the first alternative that the request meets in part; `nil` if it meets no part of any.
    private var partOfCredentials: (present: [String], missing: [String])? {
        for alternative in operation.security {
            let shown = alternative.filter { scheme(named: $0.scheme).map { $0.kind != .mutualTLS } ?? false }
            let present = shown.filter(isMet)
            if !present.isEmpty {
                return (present.map(\.scheme), alternative.filter { !isMet($0) }.map(\.scheme))
            }
        }
        return nil
    }

    private func scheme(named name: String) -> SecurityScheme? {
        judge.contract.securitySchemes.first { $0.name.exact == name.exact }
    }

    private func isPresent(_ kind: SecurityScheme.Kind) -> Bool {
        switch kind {
        case .apiKey(.header, let name): request.fields.contains(name)
        case .apiKey(.query, let name): !(request.query.map { WirePairs(query: $0) } ?? .none).indices(of: name).isEmpty
        case .apiKey(.cookie, let name):
            !WirePairs(cookies: request.fields.values(of: "Cookie")).indices(of: name).isEmpty
        case .apiKey(.path, _): true
        case .http(let scheme): hasAuthorization(scheme)
        case .oauth2, .openIDConnect: hasAuthorization("bearer")
        // The transport knows it, and it is not seen here.
        case .mutualTLS: true
        }
    }

    /// Returns whether Authorization begins with that scheme, in either case (RFC 9110, section 11.1).
    private func hasAuthorization(_ scheme: String) -> Bool {
        guard let value = request.fields.bytes(of: "Authorization") else { return false }
        if FieldName.isSame(value.prefix { $0 != 0x20 }, scheme.utf8) { return true }
        return request.fields.values(of: "Authorization").dropFirst().contains { value in
            FieldName.isSame(value.utf8.prefix { $0 != 0x20 }, scheme.utf8)
        }
    }

    private func words(for name: String) -> String {
        switch scheme(named: name)?.kind {
        case .apiKey(let location, let key)?: "\(Self.place(location)) \"\(key)\""
        case .http(let scheme)?: "Authorization with the scheme \(scheme)"
        case .oauth2?, .openIDConnect?: "Authorization with the scheme bearer"
        case .mutualTLS?: "a client certificate"
        case nil: "the security scheme \"\(name)\""
        }
    }

    private static func place(_ location: Parameter.Location) -> String {
        location == .query ? "the query parameter" : "the \(location.rawValue)"
    }
}

extension RequestEvaluation {
    mutating func judgeParameters() {
        let query = request.query.map { WirePairs(query: $0) } ?? .none
        let cookies = request.fields.values(of: "Cookie")
        let jar = cookies.isEmpty ? .none : WirePairs(cookies: cookies)
        var isClaimed = [Bool](repeating: false, count: query.pairs.count)
        for parameter in operation.parameters {
            switch parameter.location {
            case .path: judgePath(parameter)
            case .header: judgeHeader(parameter)
            case .cookie: _ = judgePaired(parameter, in: jar, .cookie(parameter.name))
            case .query:
                for number in judgePaired(parameter, in: query, .query(parameter.name)) { isClaimed[number] = true }
            }
        }
        if let whole = operation.querystring {
            judgeWhole(whole)
        } else if operation.unavailable == nil {
            reportUndocumented(query, isClaimed)
        }
    }

    /// Judges the query as one value (OpenAPI 3.2, section 4.12.1).
    private mutating func judgeWhole(_ parameter: Parameter) {
        let rule = rule(of: parameter, .query(parameter.name))
        guard let query = request.query, !query.isEmpty else {
            return rule.reportMissing("contract/missing-parameter", in: &violations)
        }
        guard let content = parameter.content else { return }
        guard content.mediaType == "application/x-www-form-urlencoded" else {
            let text = PercentEncoding.decode(query) ?? query
            return rule.judge(content: content, text: text, as: "contract/invalid-parameter", into: &violations)
        }
        guard let schema = content.schema else { return }
        let body = BodyEvaluation(judge: judge, content: content, side: .request, documentedAt: bodyPlace)
        let value = FormBody(rule: body).value(of: query, by: schema)
        rule.judge(value, by: schema, as: "contract/invalid-parameter", into: &violations)
    }

    private func rule(of parameter: Parameter, _ part: ContractViolation.Part) -> ParameterEvaluation {
        ParameterEvaluation(
            judge: judge,
            parameter: parameter,
            part: part,
            direction: .request,
            documentedAt: DocumentedPlace(parent: operation.uri, key: "parameters")
        )
    }

    private mutating func judgePath(_ parameter: Parameter) {
        guard let raw = match.pathValues[parameter.name] else { return }
        let rule = rule(of: parameter, .path(parameter.name))
        if let content = parameter.content {
            let text = PercentEncoding.decode(raw) ?? raw
            rule.judge(content: content, text: text, as: "contract/invalid-parameter", into: &violations)
            return
        }
        let values = StyledText(text: raw, isPercentEncoded: true).values(
            style: parameter.style,
            explode: parameter.explode,
            name: parameter.name,
            kinds: rule.shape.kinds
        )
        rule.judge(values, as: "contract/invalid-parameter", into: &violations)
    }

    private mutating func judgeHeader(_ parameter: Parameter) {
        guard !parameter.isDescribedElsewhere else { return }
        HeaderEvaluation(
            judge: judge,
            header: parameter,
            direction: .request,
            documentedAt: DocumentedPlace(parent: operation.uri, key: "parameters")
        )
        .judge(request.fields, into: &violations)
    }

    /// - Returns: the numbers of the pairs that the parameter is made of.
    private mutating func judgePaired(
        _ parameter: Parameter,
        in pairs: WirePairs,
        _ part: ContractViolation.Part
    ) -> [Int] {
        let rule = rule(of: parameter, part)
        guard !pairs.pairs.isEmpty else {
            rule.reportMissing("contract/missing-parameter", in: &violations)
            return []
        }
        if let content = parameter.content {
            let own = pairs.indices(of: parameter.name)
            if let first = own.first {
                let text = pairs.decoded(pairs.pairs[first].value)
                rule.judge(content: content, text: text, as: "contract/invalid-parameter", into: &violations)
            } else {
                rule.reportMissing("contract/missing-parameter", in: &violations)
            }
            return own
        }
        let found = PairedValue(pairs: pairs, style: parameter.style, explode: parameter.explode)
            .find(parameter.name, shape: rule.shape)
        if found.values.isEmpty {
            rule.reportMissing("contract/missing-parameter", in: &violations)
        } else {
            let before = violations.count
            rule.judge(found.values, as: "contract/invalid-parameter", into: &violations)
            if let slip = pairs.slip(at: found.claimed, of: parameter) { violations.explain(slip, after: before) }
            rule.reportRepetition(found.claimed.count, as: "contract/invalid-parameter", in: &violations)
        }
        return found.claimed
    }

    /// Each name once, so that a list in brackets is reported in one line.
    private mutating func reportUndocumented(_ query: WirePairs, _ isClaimed: [Bool]) {
        var told: Set<[UInt8]> = []
        for (number, pair) in query.pairs.enumerated() where !isClaimed[number] {
            guard !isCredential(pair.name), told.insert(Array(pair.name.utf8)).inserted else { continue }
            violations.add(
                "contract/undocumented-parameter",
                .warning,
                .query(pair.name),
                "the contract documents no query parameter \"\(pair.name.shortened)\" for \(operation.label)",
                contract: operation.position,
                uri: operation.uri
            )
        }
    }

    /// Returns whether the name is that of a key that the contract requires in the query.
    private func isCredential(_ name: String) -> Bool {
        judge.contract.securitySchemes.contains { scheme in
            if case .apiKey(.query, let key) = scheme.kind { key.exact == name.exact } else { false }
        }
    }
}
