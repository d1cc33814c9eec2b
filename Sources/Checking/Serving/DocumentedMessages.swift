import HTTPCodec
import JSON
import JSONSchema
package import OpenAPI
import Simulation

/// The values that represent what a contract documents, in bodies and header fields: valid examples first, then values
/// that its schemas allow.
struct DocumentedMessages: Sendable {
    let contract: Contract
    /// The way that the messages travel.
    var direction = SchemaDirection.response
    var preference = SchemaSampler.Preference.examples
    /// A Boolean value that indicates whether a schema with errors has the values of its intact parts; it has none by
    /// default, because it cannot validate them.
    var usesBrokenSchemas = false

    /// The examples that a message may hold; all of them where no schema can judge them.
    func validExamples(_ examples: [NamedExample], of reference: SchemaReference?) -> [NamedExample] {
        guard let schema = reference.flatMap(contract.schemas.schema) else { return examples }
        return examples.filter { (try? schema.accepts($0.value, going: direction)) == true }
    }

    /// The example that represents a schema's values.
    func example(_ examples: [NamedExample], of reference: SchemaReference?) -> NamedExample? {
        let valid = validExamples(examples, of: reference)
        guard let schema = reference.flatMap(contract.schemas.schema) else { return valid.first }
        // One that is valid without regard to `writeOnly` is so to every validator.
        return valid.first { (try? schema.accepts($0.value, going: .either)) == true } ?? valid.first
    }

    func sample(_ reference: SchemaReference, _ chance: inout Chance) -> JSONValue? {
        let schemas = contract.schemas
        let schema = usesBrokenSchemas ? schemas.schemaWithErrors(reference) : schemas.schema(reference)
        return schema.flatMap { SchemaSampler(preference: preference).sample($0, going: direction, using: &chance) }
    }

    /// The body of a response.
    ///
    /// A success that was made, in contrast to a documented example, omits the optional members that report an error, and
    /// reports no state such as `failed` and no code of a failure if the schema allows another one.
    func body(_ reference: SchemaReference, status: Int, _ chance: inout Chance) -> JSONValue? {
        guard var value = sample(reference, &chance) else { return nil }
        let isSuccess = 200..<300 ~= status
        // Another draw soon has another value of an enumeration.
        var reported = ReportedErrors(in: value)
        for _ in 0..<16 where isSuccess && !(reported.states + reported.codes).isEmpty {
            value = sample(reference, &chance) ?? value
            reported = ReportedErrors(in: value)
        }
        let errors = isSuccess ? reported.members : []
        guard !errors.isEmpty, let schema = contract.schemas.schema(reference),
            !schema.program.parts(of: schema.id).contains(where: { $0.annotations.values.contains(value) })
        else { return value }
        let plain = errors.reduce(value) { $0.replacing($1, with: nil) }
        return (try? schema.accepts(plain, going: direction)) == true ? plain : value
    }

    /// Returns whether the contract has an example of a header field.
    func shows(_ header: Parameter) -> Bool {
        if !(header.content?.examples ?? header.examples).isEmpty { return true }
        guard let schema = (header.content?.schema ?? header.schema).flatMap(contract.schemas.schema) else {
            return false
        }
        return schema.program.parts(of: schema.id).contains { !$0.annotations.values.isEmpty }
    }

    /// The value of a header field, written as `simple` asks for it (RFC 6570, section 3.2.2).
    func fieldText(of header: Parameter, _ chance: inout Chance) -> String? {
        let content = header.content
        let schema = content?.schema ?? header.schema
        var value = example(content?.examples ?? header.examples, of: schema)?.value
        // A text may have characters that no field may; another draw is soon one that has none.
        for _ in 0..<8 {
            guard let drawn = value ?? schema.flatMap({ sample($0, &chance) }) else { return nil }
            let isJSON = content.map { $0.concreteType.isJSON } ?? false
            let text = isJSON ? drawn.text(.compact) : StyledWriting(header).fieldText(drawn)
            if !text.isEmpty, HTTPFields.isValue(text) { return text }
            value = nil
        }
        return nil
    }
}

extension Operation {
    /// The final responses, each with a status for it, by how likely they are meant: successes by their number, a range of
    /// them, the default, then the rest.
    ///
    /// An informational response is followed by another one, and answers nothing by itself (RFC 9110, section 15.2).
    package var servedResponses: [(response: DocumentedResponse, status: Int)] {
        func rank(_ status: DocumentedResponse.Status) -> Int {
            switch status {
            case .code(let code): 200..<300 ~= code ? code : 2_000 + code
            case .range(let first): first == 2 ? 300 : 2_000 + first * 100 + 99
            case .other: 1_000
            }
        }
        return responses.enumerated()
            .sorted { (rank($0.element.status), $0.offset) < (rank($1.element.status), $1.offset) }
            .compactMap { _, response in
                response.servedStatus(by: self).flatMap { $0 < 200 ? nil : (response, $0) }
            }
    }

    /// The response to a request without a valid token, and a status for it; `nil` when nothing like it is documented.
    var refusal: (response: DocumentedResponse, status: Int)? {
        // 419 and 440 are common for sessions that are over, though they are not registered.
        let refusing = [401, 403, 419, 440]
        if let status = refusing.first(where: { status in responses.contains { $0.status == .code(status) } }),
            let response = response(for: status)
        {
            return (response, status)
        }
        return response(for: 401).map { ($0, 401) }
    }
}

extension DocumentedResponse {
    /// Returns whether the response has a body when it is sent with a status (RFC 9110, section 15).
    func hasBody(with status: Int) -> Bool {
        !content.isEmpty && HTTPStatus(exactly: status)?.forbidsBody != true && status != 205
    }
}

extension [MediaTypeContent] {
    /// JSON before text before anything else, and otherwise in the order of the contract.
    package var byPreference: [MediaTypeContent] {
        enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
    }
}

extension MediaTypeContent {
    fileprivate var rank: Int {
        if mediaType.hasPrefix("application/json") { return 0 }
        if concreteType.isJSON { return 1 }
        return mediaType.hasPrefix("text/") ? 2 : 3
    }

    /// A media type of the key: itself, or one out of its range.
    package var concreteType: (text: String, isJSON: Bool) {
        guard let type = MediaType(parsing: mediaType) else { return ("application/octet-stream", false) }
        guard type.isRange else { return (mediaType, type.isJSON) }
        let text = type.representative
        return (text, MediaType(parsing: text)?.isJSON == true)
    }
}

extension MediaType {
    /// A type that lies in a range.
    var representative: String {
        switch type {
        case "*", "application": "application/json"
        case "text": "text/plain; charset=utf-8"
        case "image": "image/png"
        default: "\(type)/octet-stream"
        }
    }
}
