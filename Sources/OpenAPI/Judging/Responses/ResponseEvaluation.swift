import Basics
import HTTPCodec
import JSON
import JSONSchema

/// A response's body, as far as it is read already.
enum ResponseBody {
    case bytes([UInt8])
    case parsed(JSONValue)

    var isEmpty: Bool {
        if case .bytes(let bytes) = self { bytes.isEmpty } else { false }
    }
}

/// Judges one response: status, header fields, media type and body, in this order.
struct ResponseEvaluation {
    private let operation: Operation
    private let judge: ContractEvaluator
    private(set) var violations: ViolationList

    init(of operation: Operation, by judge: ContractEvaluator) {
        self.operation = operation
        self.judge = judge
        violations = ViolationList(of: operation, by: judge)
    }

    mutating func judge(status: Int, fields: HTTPFields, body: ResponseBody) {
        guard let response = operation.response(for: status) else {
            if let unavailable = operation.unavailableResponse(for: status) {
                return report(unavailable, for: status)
            }
            reportUndocumented(status)
            return
        }
        judgeHeaders(fields, of: response)
        if status < 200 || status == 204 || status == 304 || operation.method == .head {
            reportForbiddenBody(body, status: status, of: response)
        } else if body.isEmpty {
            reportMissingBody(status: status, of: response)
        } else if response.content.isEmpty {
            reportUndocumentedBody(status: status, of: response)
        } else {
            judge(body, contentType: fields["Content-Type"], status: status, of: response)
        }
    }

    /// Nothing can be said about a response whose documentation could not be read.
    private mutating func report(_ unavailable: UnavailableResponse, for status: Int) {
        violations.add(
            "contract/unavailable",
            .note,
            .status,
            "the contract's response for \(status) is not available, because \"\(unavailable.reference.shortened)\" cannot"
                + " be resolved; the response was not checked",
            contract: operation.position,
            uri: operation.uri + "/responses"
        )
    }

    private mutating func reportUndocumented(_ status: Int) {
        let documented = operation.responses.map(\.status.description).joined(lastBy: "and")
        let known = documented.isEmpty ? "no status" : "only \(documented)"
        violations.add(
            "contract/undocumented-status",
            .error,
            .status,
            "the status is \(status), but the contract documents \(known) for \(operation.label)",
            contract: operation.position,
            uri: operation.uri + "/responses"
        )
    }

    /// Content-Type is left to the body, as the specification requires (OpenAPI 3.1, section 4.8.17).
    private mutating func judgeHeaders(_ fields: HTTPFields, of response: DocumentedResponse) {
        let place = DocumentedPlace(parent: response.uri)
        for header in response.headers where !FieldName.isSame(header.name, "Content-Type") {
            HeaderEvaluation(judge: judge, header: header, direction: .response, documentedAt: place)
                .judge(fields, into: &violations)
        }
    }

    private mutating func reportForbiddenBody(_ body: ResponseBody, status: Int, of response: DocumentedResponse) {
        guard !body.isEmpty, operation.method != .head else { return }
        let message = "the response has a body, but a response with status \(status) cannot have a body"
        report("contract/undocumented-body", .warning, .body(JSONPointer()), message, of: response)
    }

    private mutating func reportUndocumentedBody(status: Int, of response: DocumentedResponse) {
        let message = "the response has a body, but the contract documents no body for status \(status)"
        report("contract/undocumented-body", .warning, .body(JSONPointer()), message, of: response)
    }

    /// Other media types may be empty texts; an empty JSON text is not valid.
    private mutating func reportMissingBody(status: Int, of response: DocumentedResponse) {
        guard !response.content.isEmpty, response.content.allSatisfy(\.isJSON) else { return }
        let types = Self.types(of: response)
        let message = "the response has no body, but the contract requires \(types) for status \(status)"
        report("contract/missing-body", .error, .body(JSONPointer()), message, of: response)
    }

    private static func types(of response: DocumentedResponse) -> String {
        response.content.map(\.mediaType).joined(lastBy: "or")
    }

    private mutating func judge(
        _ body: ResponseBody,
        contentType: String?,
        status: Int,
        of response: DocumentedResponse
    ) {
        guard let contentType else {
            if case .bytes = body {
                let types = Self.types(of: response)
                let message = "the response has a body but no Content-Type; the contract requires \(types)"
                report("contract/missing-media-type", .error, .mediaType, message, of: response)
            }
            guard let content = response.content.first(where: \.isJSON) else { return }
            judge(body, as: content, contentType: content.mediaType, of: response)
            return
        }
        guard let content = MediaTypeChoice.content(for: contentType, among: response.content) else {
            let message =
                "the response's Content-Type is \"\(contentType.shortened)\","
                + " but the contract requires \(Self.types(of: response)) for status \(status)"
            report("contract/undocumented-media-type", .error, .mediaType, message, of: response)
            return
        }
        judge(body, as: content, contentType: contentType, of: response)
    }

    private mutating func judge(
        _ body: ResponseBody,
        as content: MediaTypeContent,
        contentType: String,
        of response: DocumentedResponse
    ) {
        let place = DocumentedPlace(parent: response.uri)
        let rule = BodyEvaluation(judge: judge, content: content, side: .response, documentedAt: place)
        switch body {
        case .bytes(let bytes): rule.judge(bytes, contentType: contentType, into: &violations)
        case .parsed(let value): rule.judge([value], into: &violations)
        }
    }

    private mutating func report(
        _ id: String,
        _ severity: Finding.Severity,
        _ part: ContractViolation.Part,
        _ message: String,
        of response: DocumentedResponse
    ) {
        violations.add(id, severity, part, message, contract: response.position, uri: response.uri)
    }
}

extension MediaTypeContent {
    var isJSON: Bool { MediaType(parsing: mediaType)?.isJSON == true }
}
