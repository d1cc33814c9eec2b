import Basics
package import HTTPCodec
import JSON
import JSONSchema
import OpenAPI
import Simulation

/// Makes the request that is sent for an operation.
struct RequestPlanner {
    private static let bodyTries = 20

    let contract: Contract
    let options: VerificationOptions
    var credentials: VerificationCredentials
    /// The beginning of all paths.
    let basePath: String
    var values: DocumentedValues

    /// A request, or the reason why there is no request.
    enum Plan {
        case request(PlannedRequest)
        case skipped(String)
    }

    init(_ contract: Contract, _ options: VerificationOptions, _ credentials: VerificationCredentials, basePath: String)
    {
        self.contract = contract
        self.options = options
        self.credentials = credentials
        self.basePath = basePath
        values = DocumentedValues(contract, given: options.parameters, seed: options.seed)
    }

    /// - Parameter resource: the values of path parameters that lead to a resource that this run has created.
    mutating func plan(_ operation: Operation, to resource: [(name: String, value: String)] = []) -> Plan {
        if let reference = operation.unavailable {
            return .skipped(
                "not all of the request is available, because \"\(reference.shortened)\" cannot be resolved".printable
            )
        }
        if operation.querystring?.isRequired == true { return .skipped("queries as a whole are not made") }
        var request = PlannedRequest(method: operation.method, path: operation.path)
        request.isRepeatable = contract.effect(of: operation) == .read
        request.fields = options.fields
        for parameter in operation.parameters {
            guard parameter.isRequired || parameter.location == .path || values.isGiven(parameter) else { continue }
            let created = resource.first {
                parameter.location == .path && $0.name.utf8.elementsEqual(parameter.name.utf8)
            }
            let known = created.map { DocumentedValues.Value(json: .string($0.value), isInvented: false) }
            guard let value = known ?? values.value(of: parameter) else {
                return .skipped(
                    "there is no value for the \(parameter.location.rawValue) parameter \"\(parameter.name)\";"
                        + " give one with --parameter \(parameter.name)=VALUE"
                )
            }
            if value.isInvented { request.invented.append(parameter.name) }
            write(value.json, as: parameter, into: &request)
        }
        if let reason = addBody(of: operation, to: &request) { return .skipped(reason) }
        request.path = basePath + request.path
        if !request.fields.contains("Accept") { request.fields.append("Accept", Self.accepted(by: operation)) }
        credentials.add(to: &request, for: operation, schemes: contract.securitySchemes)
        return .request(request)
    }

    private func write(_ value: JSONValue, as parameter: Parameter, into request: inout PlannedRequest) {
        let value = parameter.content == nil || value.string != nil ? value : .string(value.description)
        let writing = StyledWriting(parameter)
        switch parameter.location {
        case .path: request.path = Self.replace(parameter.name, in: request.path, by: writing.pathText(value))
        case .query: request.query += writing.pairs(value)
        case .cookie: request.cookies += writing.pairs(value)
        case .header:
            if !request.fields.contains(parameter.name) {
                request.fields.append(parameter.name, writing.fieldText(value))
            }
        }
    }

    /// - Returns: why the request cannot be sent, when it cannot.
    private mutating func addBody(of operation: Operation, to request: inout PlannedRequest) -> String? {
        guard let body = operation.requestBody else { return nil }
        guard let content = body.content.first(where: { RequestBodyText.canWrite($0.mediaType) }) else {
            let types = body.content.map(\.mediaType).joined(separator: ", ")
            return body.isRequired ? "bodies of \(types) are not made" : nil
        }
        guard let bytes = writtenBody(content) else {
            return body.isRequired ? "the contract has no example for the body, and none could be made" : nil
        }
        request.body = bytes
        if !request.fields.contains("Content-Type") { request.fields.append("Content-Type", content.mediaType) }
        return nil
    }

    /// A value that was made up may have no form, and then the next one is tried.
    private mutating func writtenBody(_ content: MediaTypeContent) -> [UInt8]? {
        for _ in 0..<Self.bodyTries {
            guard let value = values.body(of: content) else { return nil }
            if let bytes = RequestBodyText.bytes(of: value.json, as: content) { return bytes }
            guard value.isInvented else { return nil }
        }
        return nil
    }

    /// The media types of documented successes, and anything else where they lack.
    private static func accepted(by operation: Operation) -> String {
        var types: [String] = []
        for content in operation.responses.filter(\.status.isSuccess).flatMap(\.content)
        where !types.contains(content.mediaType) {
            types.append(content.mediaType)
        }
        return types.isEmpty ? "*/*" : types.joined(separator: ", ") + ", */*;q=0.1"
    }

    private static func replace(_ name: String, in path: String, by text: String) -> String {
        let wanted = Array("{\(name)}".utf8)
        var bytes = Array(path.utf8)
        guard bytes.count >= wanted.count else { return path }
        for start in 0...(bytes.count - wanted.count) where bytes[start...].starts(with: wanted) {
            bytes.replaceSubrange(start..<start + wanted.count, with: text.utf8)
            break
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Writes bodies of requests: JSON, forms and texts.
enum RequestBodyText {
    private static let form = "application/x-www-form-urlencoded"

    static func canWrite(_ mediaType: String) -> Bool {
        guard let type = MediaType(parsing: mediaType) else { return false }
        return type.isJSON || type.essence == form || type.type == "text" && type.subtype != "*"
    }

    /// - Returns: `nil` when a value of this kind has no such form.
    static func bytes(of value: JSONValue, as content: MediaTypeContent) -> [UInt8]? {
        guard let type = MediaType(parsing: content.mediaType) else { return nil }
        if type.isJSON { return Array(value.description.utf8) }
        if type.essence == form {
            guard let object = value.object, !object.members.contains(where: { hasEmptyPart($0.value) }) else {
                return nil
            }
            return Array(pairs(of: object, as: content).utf8)
        }
        return Array(StyledWriting.text(value).utf8)
    }

    /// An empty array or object leaves nothing in a form, so that its reader would miss it.
    private static func hasEmptyPart(_ value: JSONValue) -> Bool {
        switch value.content {
        case .array(let elements): elements.isEmpty || elements.contains(where: hasEmptyPart)
        case .object(let object): object.isEmpty || object.members.contains { hasEmptyPart($0.value) }
        default: false
        }
    }

    private static func pairs(of object: JSONObject, as content: MediaTypeContent) -> String {
        object.members.flatMap { member in
            let encoding = content.encoding.first { $0.name.utf8.elementsEqual(member.name.utf8) }?.encoding
            let style = encoding?.style ?? .form
            // An object without a style is one text of JSON (OpenAPI 3.1, section 4.8.14.4).
            let isText = member.value.object != nil && encoding?.style == nil
            let value = isText ? JSONValue.string(member.value.description) : member.value
            return StyledWriting(name: member.name, style: style, explode: encoding?.explode ?? (style == .form))
                .pairs(value)
        }
        .joined(separator: "&")
    }
}

/// Values for requests: what the user says, else the contract's examples, else values made from schemas.
struct DocumentedValues {
    let contract: Contract
    let given: [(name: String, value: String)]
    private var chance: Chance

    init(_ contract: Contract, given: [(name: String, value: String)], seed: UInt64) {
        self.contract = contract
        self.given = given
        chance = Chance(seed: seed, stream: 0)
    }

    struct Value {
        var json: JSONValue
        /// A Boolean value that indicates whether it was made up.
        var isInvented: Bool
    }

    func isGiven(_ parameter: Parameter) -> Bool {
        given.contains { $0.name.utf8.elementsEqual(parameter.name.utf8) }
    }

    mutating func value(of parameter: Parameter) -> Value? {
        if let own = given.last(where: { $0.name.utf8.elementsEqual(parameter.name.utf8) }) {
            return Value(json: .string(own.value), isInvented: false)
        }
        if let example = parameter.examples.first ?? parameter.content?.examples.first {
            return Value(json: example.value, isInvented: false)
        }
        return (parameter.schema ?? parameter.content?.schema).flatMap { sample($0) }
    }

    mutating func body(of content: MediaTypeContent) -> Value? {
        if let example = content.examples.first { return Value(json: example.value, isInvented: false) }
        return content.schema.flatMap { sample($0) }
    }

    private mutating func sample(_ reference: SchemaReference) -> Value? {
        guard let schema = contract.schemas.schema(reference) else { return nil }
        return SchemaSampler().sample(schema, going: .request, using: &chance)
            .map { Value(json: $0, isInvented: true) }
    }
}

/// A request that is ready to be sent but for its secrets, so that it can be shown.
struct PlannedRequest {
    var method: HTTPMethod
    /// Percent-encoded, with the server's base path.
    var path: String
    /// `name=value` each, percent-encoded.
    var query: [String] = []
    var fields = HTTPFields()
    var cookies: [String] = []
    var body: [UInt8] = []
    var credentials: [Credential] = []
    /// A Boolean value that indicates whether the request changes nothing, so that it may be sent again and be
    /// redirected.
    var isRepeatable = false
    /// Parameters whose values were made up, because the contract has no example and the user said nothing.
    var invented: [String] = []

    /// Without secrets: `GET /pets/7?limit=1`.
    var shown: String { "\(method) \(target(query))" }

    var request: HTTPRequest {
        var query = query
        var fields = fields
        var cookies = cookies
        for credential in credentials {
            switch credential.location {
            case .query:
                query.append("\(PercentEncoding.encode(credential.name))=\(PercentEncoding.encode(credential.value))")
            case .cookie: cookies.append("\(credential.name)=\(credential.value)")
            // What the user gave for every request comes before what the contract asks for.
            case .header where fields.contains(credential.name): break
            case .header, .path: fields.append(credential.name, credential.value)
            }
        }
        if !cookies.isEmpty { fields.append("Cookie", cookies.joined(separator: "; ")) }
        return HTTPRequest(method: method, target: target(query), fields: fields, body: body)
    }

    private func target(_ query: [String]) -> String {
        query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }
}

/// A name and a value as a command line has them.
package struct NamedValue: Sendable, Hashable {
    package var name: String
    package var value: String

    /// Reads `limit=5`; only the first equals sign separates.
    package init?(parameter text: String) {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals > text.startIndex else { return nil }
        name = String(text[..<equals])
        value = String(Substring(text.utf8[equals...].dropFirst()))
    }

    /// Reads `X-Key: value` as it could be in a request.
    package init?(field text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let value = text.utf8[colon...].dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        self.name = String(text[..<colon])
        self.value = String(Substring(value))
        guard HTTPFields.isName(name), HTTPFields.isValue(self.value) else { return nil }
    }
}

/// A method and a path as a command line has them: `POST /auth`.
package struct NamedRequest: Sendable, Hashable {
    package var method: HTTPMethod
    package var path: String

    package init?(_ text: String) {
        let words = text.utf8.split(separator: 0x20).map { String(Substring($0)) }
        guard words.count == 2, words[1].utf8.first == UInt8(ascii: "/") else { return nil }
        method = HTTPMethod(rawValue: words[0])
        path = words[1]
        guard method.isWellFormed, path.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") }) else {
            return nil
        }
    }
}

/// Writes values as the styles of parameters require (OpenAPI 3.1, section 4.8.12.4).
struct StyledWriting {
    let name: String
    let style: Parameter.Style
    let explode: Bool
    var allowsReserved = false

    /// For a path: percent-encoded, with what the styles label and matrix put in front.
    func pathText(_ value: JSONValue) -> String {
        switch (style, value.content) {
        case (.label, .array), (.label, .object):
            return "." + list(value, separator: explode ? "." : ",", encode)
        case (.label, _): return "." + encode(Self.text(value))
        case (.matrix, .array(let elements)) where explode:
            return elements.map { ";\(encode(name))=\(encode(Self.text($0)))" }.joined()
        case (.matrix, .object) where explode:
            return fields(of: value).map { ";\(encode($0.name))=\(encode($0.text))" }.joined()
        case (.matrix, _): return ";\(encode(name))=" + list(value, separator: ",", encode)
        default: return list(value, separator: ",", encode)
        }
    }

    /// For a header field: unchanged.
    func fieldText(_ value: JSONValue) -> String {
        list(value, separator: ",") { $0 }
    }

    /// For a query or a form: `name=value` each, percent-encoded.
    func pairs(_ value: JSONValue) -> [String] {
        if style == .deepObject { return bracketed(encode(name), value) }
        switch value.content {
        case .array(let elements) where explode: return elements.map { pair(name, encode(Self.text($0))) }
        case .object where explode: return fields(of: value).map { pair($0.name, encode($0.text)) }
        default:
            let separator =
                switch style {
                case .spaceDelimited: "%20"
                case .pipeDelimited: "%7C"
                default: ","
                }
            return [pair(name, list(value, separator: separator, encode))]
        }
    }

    /// The text of a value; a value that is not simple is written as JSON.
    static func text(_ value: JSONValue) -> String {
        value.string ?? value.description
    }

    private func pair(_ name: String, _ encodedValue: String) -> String { "\(encode(name))=\(encodedValue)" }

    private func bracketed(_ prefix: String, _ value: JSONValue) -> [String] {
        switch value.content {
        case .object(let object): object.members.flatMap { bracketed("\(prefix)%5B\(encode($0.name))%5D", $0.value) }
        case .array(let elements):
            elements.enumerated().flatMap { bracketed("\(prefix)%5B\($0.offset)%5D", $0.element) }
        default: ["\(prefix)=\(encode(Self.text(value)))"]
        }
    }

    private func fields(of value: JSONValue) -> [(name: String, text: String)] {
        (value.object?.members ?? []).map { ($0.name, Self.text($0.value)) }
    }

    private func list(_ value: JSONValue, separator: String, _ written: (String) -> String) -> String {
        let fields = fields(of: value).map { (name: written($0.name), text: written($0.text)) }
        return switch value.content {
        case .array(let elements): elements.map { written(Self.text($0)) }.joined(separator: separator)
        case .object where explode: fields.map { "\($0.name)=\($0.text)" }.joined(separator: separator)
        case .object: fields.flatMap { [$0.name, $0.text] }.joined(separator: separator)
        default: written(Self.text(value))
        }
    }

    private func encode(_ text: String) -> String {
        PercentEncoding.encode(text, allowing: allowsReserved ? ":/?@!$'()*,;" : "")
    }
}

extension StyledWriting {
    init(_ parameter: Parameter) {
        self.init(name: parameter.name, style: parameter.style, explode: parameter.explode)
        allowsReserved = parameter.allowsReserved
    }
}
