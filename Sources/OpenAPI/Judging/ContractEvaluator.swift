import Basics
package import HTTPCodec
package import JSON
import JSONSchema

/// Checks requests and responses against a contract.
///
/// Violations are in the order in which a reader would look: the head first, then the body; a message has at most
/// twenty, and a last one that counts the rest.
package struct ContractEvaluator: Sendable {
    private let knowledge: Knowledge

    package var contract: Contract { knowledge.contract }
    var shapes: ValueShapes { knowledge.shapes }

    package init(_ contract: Contract) {
        knowledge = Knowledge(contract)
    }

    /// A class, because every rule holds its judge, and copying a contract each time would cost more than judging.
    private final class Knowledge: Sendable {
        let contract: Contract
        let shapes: ValueShapes

        init(_ contract: Contract) {
            self.contract = contract
            shapes = ValueShapes(contract.schemas)
        }
    }

    /// Judges a request against the operation that it is for.
    package func violations(of request: HTTPRequest, for match: MatchedOperation) -> [ContractViolation] {
        var rule = RequestEvaluation(of: request, for: match, by: self)
        rule.judgeAll()
        return rule.violations.all
    }

    /// Returns whether a request has none of the credentials that its operation asks for.
    package func lacksCredentials(_ request: HTTPRequest, for match: MatchedOperation) -> Bool {
        RequestEvaluation(of: request, for: match, by: self).lacksCredentials
    }

    /// Judges a response to a request for an operation.
    package func violations(of response: HTTPResponse, to operation: Operation) -> [ContractViolation] {
        violations(ofStatus: response.status.code, fields: response.fields, body: .bytes(response.body), to: operation)
    }

    /// Judges a response whose body is already parsed; the position of each value is kept in the violations.
    ///
    /// Without a Content-Type the body is taken for the JSON that the contract documents.
    package func violations(
        ofStatus status: Int,
        fields: HTTPFields,
        body: JSONValue?,
        to operation: Operation
    ) -> [ContractViolation] {
        violations(ofStatus: status, fields: fields, body: body.map(ResponseBody.parsed) ?? .bytes([]), to: operation)
    }

    /// Returns whether the contract allows a response; warnings and notes do not matter.
    package func allows(_ response: HTTPResponse, to operation: Operation) -> Bool {
        !violations(of: response, to: operation).contains { $0.severity == .error }
    }

    /// Returns whether the contract allows a response whose body is already parsed; warnings and notes do not matter.
    package func allows(status: Int, fields: HTTPFields, body: JSONValue?, to operation: Operation) -> Bool {
        !violations(ofStatus: status, fields: fields, body: body, to: operation).contains { $0.severity == .error }
    }

    private func violations(
        ofStatus status: Int,
        fields: HTTPFields,
        body: ResponseBody,
        to operation: Operation
    ) -> [ContractViolation] {
        var rule = ResponseEvaluation(of: operation, by: self)
        rule.judge(status: status, fields: fields, body: body)
        return rule.violations.all
    }
}

extension SchemaViolation {
    /// The violation of a contract in words.
    ///
    /// - Parameter subject: what the value is: `the body`, `the query parameter "limit"`.
    func sentence(about subject: String) -> String {
        sentence(in: SchemaWords(value: subject, schema: "the contract"))
    }

    /// The same for a value that is not the message itself: the sentence names what the part lies in.
    func sentence(inside subject: String) -> String {
        let sentence = sentence(about: subject)
        return namesWholeValue ? sentence : "in \(subject), \(sentence)"
    }
}

/// The object of the contract that documents the evaluated part; its URI is made only when there is something to say.
struct DocumentedPlace {
    /// The absolute URI of an object of the contract.
    var parent: String
    /// The member of that object, where it is one.
    var key: String?

    var uri: String { key.map { "\(parent)/\($0)" } ?? parent }
}

/// Chooses the documented content that a Content-Type means: the most specific key wins (OpenAPI 3.1, section 4.8.13).
enum MediaTypeChoice {
    /// - Returns: `nil` when no key covers the type.
    static func content(for contentType: String, among contents: [MediaTypeContent]) -> MediaTypeContent? {
        // Most responses repeat their only key to the letter, and then nothing needs to be taken apart.
        if let same = contents.first(where: { $0.mediaType.exact == contentType.exact }) { return same }
        guard let found = MediaType(parsing: contentType) else { return nil }
        var best: (content: MediaTypeContent, rank: Int)?
        for content in contents {
            guard let key = MediaType(parsing: content.mediaType), let rank = rank(of: key, for: found) else {
                continue
            }
            if rank > best?.rank ?? -1 { best = (content, rank) }
        }
        return best?.content
    }

    /// The precision with which a key covers a type: ranges least, parameters that the key demands most.
    private static func rank(of key: MediaType, for found: MediaType) -> Int? {
        guard found.lies(in: key), key.parameters.allSatisfy({ isSame($0, found.parameter($0.name)) }) else {
            return nil
        }
        return key.parameters.count + (key.type == "*" ? 0 : key.subtype == "*" ? 1_000 : 2_000)
    }

    /// Values are compared without regard to case: the usual ones, such as charsets, have none (RFC 9110, section 8.3.1).
    private static func isSame(_ wanted: MediaType.Parameter, _ value: String?) -> Bool {
        guard let value else { return false }
        return wanted.value.lowercased().exact == value.lowercased().exact
    }
}
