import Basics
import HTTPCodec
import JSON
import JSONSchema

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
        reportUndocumented(query, isClaimed)
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

    /// What a contract describes elsewhere than among the parameters (OpenAPI 3.1, section 4.8.12.2).
    private static let headersElsewhere = ["Accept", "Content-Type", "Authorization"]

    private mutating func judgeHeader(_ parameter: Parameter) {
        guard !Self.headersElsewhere.contains(where: { FieldName.isSame($0, parameter.name) }) else { return }
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
            rule.judge(found.values, as: "contract/invalid-parameter", into: &violations)
        }
        return found.claimed
    }

    /// Each name once, so that a list in brackets is told in one line.
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

    /// Whether the name is that of a key that the contract wants in the query.
    private func isCredential(_ name: String) -> Bool {
        judge.contract.securitySchemes.contains { scheme in
            if case .apiKey(.query, let key) = scheme.kind { key.hasSameUTF8(as: name) } else { false }
        }
    }
}
