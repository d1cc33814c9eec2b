import Basics
import HTTPCodec
import JSON

/// Judges a body of `multipart/form-data` as the object whose properties are its parts (OpenAPI 3.1, section 4.8.14.5).
struct MultipartBody {
    let rule: BodyEvaluation

    private var shapes: ValueShapes { rule.judge.shapes }

    func judge(_ bytes: [UInt8], contentType: String, into list: inout ViolationList) {
        do throws(MultipartError) {
            let form = try MultipartForm(parsing: bytes, contentType: contentType)
            for part in form.parts { judgeHead(of: part, into: &list) }
            guard let schema = rule.content.schema else { return }
            let shape = shapes.shape(of: schema)
            rule.judge(value(of: form, shape: shape, into: &list).readings(as: shape, from: shapes), into: &list)
        } catch {
            let message = "\(rule.side.words)'s body is not a valid multipart form: \(error.sentence)"
            rule.report("contract/body-syntax", .error, message, in: &list)
        }
    }

    private func judgeHead(of part: MultipartForm.Part, into list: inout ViolationList) {
        guard let encoding = rule.content.encoding(of: part.name) else { return }
        if let wanted = encoding.contentType, !MediaTypeRange.list(wanted, covers: part.contentType ?? "text/plain") {
            let found = part.contentType.map { "has the Content-Type \"\($0.shortened)\"" } ?? "has no Content-Type"
            list.add(
                "contract/part-media-type",
                .error,
                .body(JSONPointer(tokens: [part.name])),
                "the part \"\(part.name.shortened)\" \(found), but the contract requires \(wanted)",
                contract: rule.content.position,
                uri: rule.documentedAt.uri
            )
        }
        for header in encoding.headers where !FieldName.isSame(header.name, "Content-Type") {
            HeaderEvaluation(
                judge: rule.judge,
                header: header,
                direction: rule.side.direction,
                documentedAt: rule.documentedAt,
                owner: " of the part \"\(part.name.shortened)\""
            )
            .judge(part.fields, into: &list)
        }
    }

    private func value(of form: MultipartForm, shape: ValueShape, into list: inout ViolationList) -> WireValue {
        var fields: [WireValue.Field] = []
        var parts: [[UInt8]: [WireValue]] = [:]
        for part in form.parts {
            let name = Array(part.name.utf8)
            if parts[name] == nil { fields.append(WireValue.Field(name: part.name, value: .list([]))) }
            parts[name, default: []].append(value(of: part, shape: shape, into: &list))
        }
        for number in fields.indices {
            let name = fields[number].name
            let values = parts[Array(name.utf8)] ?? []
            let kinds = shapes.shape(ofAny: shape.schemas(ofProperty: name)).kinds
            // Parts of one name are the elements of an array; a single part may be the array itself, as JSON.
            let mayBeList = values.count > 1 || kinds.contains(.array) && kinds != .all
            let single = values.count == 1 && (!mayBeList || kinds != .array || isJSONArray(values[0]))
            fields[number].value = .anyOf((single ? values : []) + (mayBeList ? [.list(values)] : []))
        }
        return .fields(fields)
    }

    private func value(
        of part: MultipartForm.Part,
        shape: ValueShape,
        into list: inout ViolationList
    ) -> WireValue {
        let kinds = shapes.shape(ofAny: shape.schemas(ofProperty: part.name)).kinds
        let declared = part.contentType ?? rule.content.encoding(of: part.name)?.contentType
        let type = declared.flatMap { MediaType(parsing: $0) }
        let isStructured = kinds.isDisjoint(with: .scalars) && kinds.contains(.object)
        guard type?.isJSON == true || type == nil && isStructured else {
            let isText = part.filename == nil && (type == nil || type?.type == "text")
            return .text(isText ? BodyText.text(part.body) : shapes.octets(part.body))
        }
        do throws(JSONSyntaxError) {
            return .json(try JSONParser(duplicateNames: .lastWins).parse(Array(part.body)).root)
        } catch {
            let message =
                "the part \"\(part.name.shortened)\" is not valid JSON at \(error.position): \(error.sentence)"
            rule.report("contract/body-syntax", .error, message, at: error.position, in: &list)
            return .text(BodyText.text(part.body))
        }
    }

    private func isJSONArray(_ value: WireValue) -> Bool {
        if case .json(let json) = value { json.array != nil } else { false }
    }
}

/// A list of media types and ranges of them, as an encoding's `contentType` has it: `image/png, image/*`.
enum MediaTypeRange {
    static func list(_ list: String, covers contentType: String) -> Bool {
        guard let found = MediaType(parsing: contentType) else { return false }
        return list.utf8.split(separator: UInt8(ascii: ",")).contains { item in
            MediaType(parsing: String(Substring(item))).map(found.lies) ?? false
        }
    }
}
