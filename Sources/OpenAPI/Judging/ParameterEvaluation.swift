import Basics
import HTTPCodec
import JSON
import JSONSchema

/// Judges one value outside the body: a parameter of a request, or a header of a response or of a part.
struct ParameterEvaluation {
    let judge: ContractEvaluator
    let parameter: Parameter
    let part: ContractViolation.Part
    let direction: SchemaDirection
    /// The object that documents it, for parameters without a schema.
    let documentedAt: DocumentedPlace
    /// Names a header's bearer in sentences, such as ` of the part "file"`.
    var owner = ""

    /// Its name in sentences: `the query parameter "limit"`.
    private var subject: String {
        if case .header = part { return "the header \"\(parameter.name)\"\(owner)" }
        return "the \(parameter.location.rawValue) parameter \"\(parameter.name)\""
    }

    /// The URI at which the contract documents the parameter.
    private var uri: String {
        guard let schema = parameter.schema?.uri, schema.utf8.suffix(7).elementsEqual("/schema".utf8) else {
            return documentedAt.uri
        }
        return String(schema.utf8.dropLast(7)) ?? documentedAt.uri
    }

    var shape: ValueShape {
        parameter.schema.map { judge.shapes.shape(of: $0) } ?? .anything
    }

    func reportMissing(_ id: String, in list: inout ViolationList) {
        guard parameter.isRequired else { return }
        let message = "\(subject) is missing, but the contract requires it"
        list.add(id, .error, part, message, contract: parameter.position, uri: uri)
    }

    /// Reports a list whose elements are written as separate pairs, although the contract wants one pair.
    func reportRepetition(_ count: Int, as id: String, in list: inout ViolationList) {
        let isOnePair = [.form, .spaceDelimited, .pipeDelimited].contains(parameter.style) && !parameter.explode
        guard isOnePair, count > 1, shape.kinds != .all, shape.kinds.contains(.array) else { return }
        let message =
            "\(subject) is written \(count) times, but the contract requires one pair with all elements (explode: false)"
        list.add(id, .error, part, message, contract: parameter.position, uri: uri)
    }

    /// Judges the values that a text may mean; one that is allowed is enough.
    func judge(_ values: [WireValue], as id: String, into list: inout ViolationList) {
        if parameter.allowsEmptyValue, case .text(let text)? = values.first, text.isEmpty { return }
        guard let schema = parameter.schema else { return }
        let shape = shape
        let readings = values.flatMap { $0.readings(as: shape, from: judge.shapes) }
        report(judge.contract.schemas.refusal(of: readings, by: schema, going: direction), id, into: &list)
    }

    /// Judges a value by a schema that is not the parameter's own.
    func judge(_ value: WireValue, by schema: SchemaReference, as id: String, into list: inout ViolationList) {
        let readings = value.readings(as: judge.shapes.shape(of: schema), from: judge.shapes)
        report(judge.contract.schemas.refusal(of: readings, by: schema, going: direction), id, into: &list)
    }

    /// Judges a text that the contract describes by a media type.
    func judge(content: MediaTypeContent, text: String, as id: String, into list: inout ViolationList) {
        guard MediaType(parsing: content.mediaType)?.isJSON == true else { return }
        do throws(JSONSyntaxError) {
            let value = try JSONParser(duplicateNames: .lastWins).parse(text).root
            guard let schema = content.schema else { return }
            let refusal = judge.contract.schemas.refusal(of: [value], by: schema, going: direction)
            report(refusal, id, into: &list)
        } catch {
            let message =
                "\(subject) is not valid JSON, but the contract requires \(content.mediaType): \(error.sentence)"
            list.add(id, .error, part, message, contract: content.position, uri: uri)
        }
    }

    private func report(_ refusal: SchemaRefusal?, _ id: String, into list: inout ViolationList) {
        switch refusal {
        case nil: return
        case .undecided(let error):
            let message = "\(subject) could not be validated: \(error.message)"
            list.add("contract/undecided", .warning, part, message, contract: parameter.position, uri: uri)
        case .unexplained:
            let message = "\(subject) does not match the contract"
            list.add(id, .error, part, message, contract: parameter.position, uri: uri)
        case .violations(let violations):
            for violation in violations {
                list.add(
                    id,
                    .error,
                    part,
                    violation.sentence(inside: subject),
                    contract: violation.schemaPosition,
                    uri: violation.schema
                )
            }
        }
    }
}

/// The reason why a schema does not accept a value.
enum SchemaRefusal {
    /// The messages for a reader; never empty.
    case violations([SchemaViolation])
    /// The schema refuses it, without a particular reason.
    case unexplained
    case undecided(SchemaEvaluationError)
}

extension ContractSchemas {
    /// Judges the possible readings of a value; one that the schema accepts is enough.
    ///
    /// - Returns: `nil` when a reading is accepted, and when the schema itself is broken, which the lint reports.
    func refusal(
        of readings: [JSONValue],
        by reference: SchemaReference,
        going direction: SchemaDirection
    ) -> SchemaRefusal? {
        guard let first = readings.first, let schema = schema(reference) else { return nil }
        do throws(SchemaEvaluationError) {
            for reading in readings where try schema.accepts(reading, going: direction) { return nil }
            let leaves = try schema.evaluate(first, going: direction).leaves
            return leaves.isEmpty ? .unexplained : .violations(leaves)
        } catch {
            return .undecided(error)
        }
    }
}

/// Judges one documented header of a request, a response or a part of a form.
struct HeaderEvaluation {
    let judge: ContractEvaluator
    let header: Parameter
    let direction: SchemaDirection
    /// The object that documents it.
    let documentedAt: DocumentedPlace
    /// Names the header's bearer in sentences, such as ` of the part "file"`.
    var owner = ""

    func judge(_ fields: HTTPFields, into list: inout ViolationList) {
        let rule = ParameterEvaluation(
            judge: judge,
            parameter: header,
            part: .header(header.name),
            direction: direction,
            documentedAt: documentedAt,
            owner: owner
        )
        let values = fields.values(of: header.name)
        guard !values.isEmpty else {
            rule.reportMissing("contract/missing-header", in: &list)
            return
        }
        if let content = header.content {
            rule.judge(content: content, text: values[0], as: "contract/invalid-header", into: &list)
            return
        }
        rule.judge(read(values, shape: rule.shape), as: "contract/invalid-header", into: &list)
    }

    private func read(_ values: [String], shape: ValueShape) -> [WireValue] {
        // Repeated Set-Cookie fields are not a list, and their values have commas (RFC 9110, section 5.3).
        if FieldName.isSame(header.name, "Set-Cookie") {
            let texts = values.map(WireValue.text)
            return shape.kinds.isDisjoint(with: .scalars) ? [.list(texts)] : [texts[0]]
        }
        return StyledText(text: values.joined(separator: ", "), isPercentEncoded: false)
            .values(style: .simple, explode: header.explode, name: header.name, kinds: shape.kinds)
    }
}
