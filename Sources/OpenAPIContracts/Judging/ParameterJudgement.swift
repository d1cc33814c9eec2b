import Findings
import HTTPWire
import JSONSchemaValidation
import JSONText

/// Judges one value outside the body: a parameter of a request, or a header of a reply or of a part.
struct ParameterJudgement {
    let judge: ContractJudge
    let parameter: Parameter
    let part: ContractViolation.Part
    /// How a sentence names it: `the query parameter "limit"`.
    let subject: String
    let direction: SchemaDirection
    /// The object that documents it, for parameters without a schema of their own.
    let fallbackURI: String

    /// Where the contract documents the parameter.
    private var uri: String {
        guard let schema = parameter.schema?.uri, schema.utf8.suffix(7).elementsEqual("/schema".utf8) else {
            return fallbackURI
        }
        return String(schema.utf8.dropLast(7)) ?? fallbackURI
    }

    var shape: ValueShape {
        parameter.schema.map { judge.shapes.shape(of: $0.uri) } ?? .anything
    }

    func reportMissing(_ id: String, in list: inout ViolationList) {
        guard parameter.isRequired else { return }
        let message = "\(subject) is missing, but the contract requires it"
        list.add(id, .error, part, message, contract: parameter.position, uri: uri)
    }

    /// Judges the values that a text may mean; one that is allowed is enough.
    func judge(_ values: [WireValue], as id: String, into list: inout ViolationList) {
        if parameter.allowsEmptyValue, case .text(let text)? = values.first, text.isEmpty { return }
        guard let schema = parameter.schema else { return }
        let shape = shape
        let readings = values.flatMap { $0.readings(as: shape, from: judge.shapes) }
        report(judge.contract.schemas.refusal(of: readings, by: schema, going: direction), shape, id, into: &list)
    }

    /// Judges a text that the contract describes by a media type.
    func judge(content: MediaTypeContent, text: String, as id: String, into list: inout ViolationList) {
        guard MediaType(parsing: content.mediaType)?.isJSON == true else { return }
        do throws(JSONSyntaxError) {
            let value = try JSONParser(duplicateNames: .lastWins).parse(text).root
            guard let schema = content.schema else { return }
            let refusal = judge.contract.schemas.refusal(of: [value], by: schema, going: direction)
            report(refusal, judge.shapes.shape(of: schema.uri), id, into: &list)
        } catch {
            let message = "\(subject) is no JSON, but the contract wants \(content.mediaType): \(error.sentence)"
            list.add(id, .error, part, message, contract: content.position, uri: uri)
        }
    }

    private func report(_ refusal: SchemaRefusal?, _ shape: ValueShape, _ id: String, into list: inout ViolationList) {
        switch refusal {
        case nil: return
        case .undecided(let error):
            let message = "\(subject) cannot be judged: \(error.message)"
            list.add("contract/undecided", .warning, part, message, contract: parameter.position, uri: uri)
        case .unexplained:
            let message = "\(subject) is not what the contract wants"
            list.add(id, .error, part, message, contract: parameter.position, uri: uri)
        case .violations(let violations, let value):
            for violation in violations {
                list.add(
                    id,
                    .error,
                    part,
                    sentence(for: violation, of: value, shape),
                    contract: violation.schemaPosition,
                    uri: violation.schema
                )
            }
        }
    }

    /// A value of the wrong type is shown as the text that it was, not as the JSON string that it became.
    private func sentence(for violation: SchemaViolation, of value: JSONValue, _ shape: ValueShape) -> String {
        guard violation.instance.isRoot, violation.keyword.utf8.elementsEqual("type".utf8), shape.kinds != .any,
            !shape.kinds.isEmpty
        else { return "in \(subject), \(violation.sentence)" }
        return "\(subject) is \(value.description.shortened), but the contract wants \(shape.kinds.words)"
    }
}
