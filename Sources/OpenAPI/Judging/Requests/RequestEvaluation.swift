import Basics
import HTTPCodec
import JSON

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
            if !request.body.isEmpty {
                let message = "the request has a body, but the contract documents none for \(operation.label)"
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
                let message = "the request has a body but no Content-Type; the contract wants \(types(of: body))"
                report("contract/missing-media-type", .error, .mediaType, message, at: body.position)
            }
            return
        }
        guard let content = MediaTypeChoice.content(for: contentType, among: body.content) else {
            let message =
                "the request's Content-Type is \"\(contentType.shortened)\","
                + " but the contract wants \(types(of: body)) for \(operation.label)"
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
