import Basics
import HTTPCodec
import JSON
import JSONSchema

/// Judges a body by the documented content that its media type chose.
struct BodyEvaluation {
    let judge: ContractEvaluator
    let content: MediaTypeContent
    let side: MessageSide
    /// The request body or the response that documents it.
    let documentedAt: DocumentedPlace

    func judge(_ bytes: [UInt8], contentType: String, into list: inout ViolationList) {
        // What nearly all bodies are need not be parsed.
        if contentType.exact == "application/json" { return judgeJSON(bytes, into: &list) }
        guard let type = MediaType(parsing: contentType) else { return }
        if type.isJSON {
            judgeJSON(bytes, into: &list)
        } else if type.isForm {
            FormBody(rule: self).judge(bytes, into: &list)
        } else if type.type == "multipart", type.subtype == "form-data" {
            MultipartBody(rule: self).judge(bytes, contentType: contentType, into: &list)
        } else if let form = SequenceForm(type) {
            guard content.itemSchema != nil || judge.contract.version == .v32 else { return }
            StreamBody(rule: self, form: form).judge(bytes, into: &list)
        } else if type.essence != "multipart/mixed" {
            judgeText(bytes, type: type, into: &list)
        }
    }

    /// Judges the possible readings of a body; one that is allowed is enough.
    func judge(_ readings: [JSONValue], into list: inout ViolationList) {
        guard let schema = content.schema else { return }
        judge(readings, by: schema, into: &list)
    }

    /// Judges the body, or an item of it.
    ///
    /// - Parameter item: the item's number, from one.
    func judge(
        _ readings: [JSONValue],
        by schema: SchemaReference,
        item: Int? = nil,
        into list: inout ViolationList
    ) {
        let subject = item.map { "item \($0) of the body" } ?? "the body"
        switch judge.contract.schemas.refusal(of: readings, by: schema, going: side.direction) {
        case nil: return
        case .undecided(let error):
            report("contract/undecided", .warning, "\(subject) could not be validated: \(error.message)", in: &list)
        case .unexplained:
            report(side.bodyID, .error, "\(subject) does not match the contract", in: &list)
        case .violations(let violations):
            for violation in violations {
                list.add(
                    side.bodyID,
                    .error,
                    .body(violation.instance),
                    item == nil
                        ? violation.sentence(about: subject)
                        : violation.sentence(inside: subject),
                    at: violation.instancePosition,
                    contract: violation.schemaPosition,
                    uri: violation.schema,
                    subject: Finding.Subject(violation.statement)
                )
            }
        }
    }

    /// Reports something about the body as a whole.
    func report(
        _ id: String,
        _ severity: Finding.Severity,
        _ message: String,
        at position: JSONPosition = .unknown,
        in list: inout ViolationList
    ) {
        let place = JSONPointer()
        list.add(id, severity, .body(place), message, at: position, contract: content.position, uri: documentedAt.uri)
    }

    private func judgeJSON(_ bytes: [UInt8], into list: inout ViolationList) {
        do throws(JSONSyntaxError) {
            let document = try JSONParser(duplicateNames: .lastWins).parse(bytes)
            for duplicate in document.duplicates {
                report("contract/duplicate-name", .warning, duplicate.sentence, at: duplicate.position, in: &list)
            }
            judge([document.root], into: &list)
        } catch {
            let message = "\(side.words)'s body is not valid JSON at \(error.position): \(error.sentence)"
            report("contract/body-syntax", .error, message, at: error.position, in: &list)
        }
    }

    /// Texts and bytes are strings to a schema; what requires an object, such as XML, has a form that is not read.
    private func judgeText(_ bytes: [UInt8], type: MediaType, into list: inout ViolationList) {
        guard let schema = content.schema else { return }
        let shape = judge.shapes.shape(of: schema)
        guard !shape.kinds.isDisjoint(with: .scalars) else { return }
        let text = type.type == "text" ? BodyText.text(bytes[...]) : BodyText.octets(bytes[...])
        judge(WireValue.text(text).readings(as: shape, from: judge.shapes), into: &list)
    }
}

/// The half of an exchange that is evaluated, with the words for it.
enum MessageSide: Sendable {
    case request
    case response

    var direction: SchemaDirection { self == .request ? .request : .response }
    var words: String { self == .request ? "the request" : "the response" }
    /// The id of violations of the body's schema.
    var bodyID: String { self == .request ? "contract/request-body" : "contract/response-body" }
}
