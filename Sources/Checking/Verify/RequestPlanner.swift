import Basics
import HTTPCodec
import JSON
import OpenAPI

/// Makes the requests that are sent for an operation.
struct RequestPlanner {
    private static let bodyTries = 20
    /// The most requests with one optional parameter each.
    private static let optionalLimit = 12
    /// The most requests that are not valid.
    private static let invalidLimit = 12

    private let contract: Contract
    private let options: VerificationOptions
    /// The beginning of all paths.
    private let basePath: String
    private var values: DocumentedValues
    private var optionalValues: DocumentedValues
    /// The values of the responses so far.
    var seen: ResponseValues

    /// The requests of an operation, or the reason why there are none.
    enum Plan {
        case requests(PlannedRequests)
        case skipped(String)
    }

    /// The requests of an operation.
    struct PlannedRequests {
        /// With required parameters only.
        var first: PlannedRequest
        /// The same with what its body must have only, where the body was made up.
        var reduced: PlannedRequest?
        /// The same with every optional parameter, for an operation that changes nothing.
        var full: PlannedRequest?
        /// The same with one optional parameter each, where there are several.
        var single: [PlannedRequest] = []
        /// Requests that the contract does not allow, for an operation that changes nothing.
        var invalid: [InvalidRequest] = []
    }

    /// A request that is valid but for one parameter.
    struct InvalidRequest {
        var request: PlannedRequest
        var location: Parameter.Location
        /// The reason why it is not valid: "the value "x" for the query parameter "limit"".
        var words: String
    }

    init(_ contract: Contract, _ options: VerificationOptions, basePath: String) {
        self.contract = contract
        self.options = options
        self.basePath = basePath
        values = DocumentedValues(contract, given: options.parameters, seed: options.seed)
        optionalValues = DocumentedValues(contract, given: options.parameters, seed: options.seed, stream: 1)
        seen = ResponseValues(contract)
    }

    /// - Parameter resource: the values of path parameters that lead to a resource that this run has created.
    mutating func plan(_ operation: Operation, to resource: [(name: String, value: String)] = []) -> Plan {
        if let reference = operation.unavailable {
            return .skipped(
                "part of the request is not available, because \"\(reference.shortened)\" cannot be resolved".printable
            )
        }
        if operation.querystring?.isRequired == true {
            return .skipped("a value for the whole query cannot be generated")
        }
        var request = PlannedRequest(method: operation.method, path: operation.path)
        request.isRepeatable = contract.effect(of: operation) == .read
        request.fields = options.fields
        let bare = request
        var chosen: [(parameter: Parameter, value: DocumentedValues.Value)] = []
        let isFirst = { (parameter: Parameter, values: DocumentedValues) in
            parameter.isRequired || parameter.location == .path || values.isGiven(parameter, of: operation)
        }
        for parameter in operation.parameters where isFirst(parameter, values) {
            let created = resource.first { parameter.location == .path && $0.name.exact == parameter.name.exact }
            let known = created.map { DocumentedValues.Value(json: .string($0.value), origin: .known) }
            guard let value = known ?? values.value(of: parameter, in: operation, seen: seen) else {
                return .skipped(
                    "found no value for the \(parameter.location.rawValue) parameter \"\(parameter.name)\";"
                        + " specify one with --parameter \(parameter.name)=VALUE"
                )
            }
            chosen.append((parameter, value))
            write(value, as: parameter, into: &request)
        }
        if let name = fillUndocumented(&request, of: operation) {
            return .skipped(
                "the contract documents no parameter for {\(name)} in the path; specify a value with --parameter \(name)=VALUE"
            )
        }
        var reducedBody: [UInt8]?
        switch addBody(of: operation, to: &request) {
        case .written(let reduced): reducedBody = reduced
        case .missing(let reason): return .skipped(reason)
        }
        complete(&request, for: operation)
        var planned = PlannedRequests(first: request)
        if let reducedBody {
            request.body = reducedBody
            planned.reduced = request
        }
        if request.isRepeatable, options.sendsInvalid, request.body.isEmpty {
            planned.invalid = invalidRequests(for: operation, chosen, bare)
        }
        guard request.isRepeatable, options.sendsOptional else { return .requests(planned) }
        let optional = operation.parameters.filter { !isFirst($0, values) && Self.maySend($0) }
        addOptional(optional, of: operation, to: &planned)
        return .requests(planned)
    }

    /// Adds what no parameter decides.
    private func complete(_ request: inout PlannedRequest, for operation: Operation) {
        request.path = basePath + request.path
        if !request.fields.contains("Accept") { request.fields.append("Accept", Self.accepted(by: operation)) }
        if !request.fields.contains("Accept-Encoding") {
            request.fields.append("Accept-Encoding", ContentCoding.accepted)
        }
    }

    /// Requests with a value for one parameter that its schema does not allow, or without one that is required.
    ///
    /// Only parameters whose valid value is a text, a number or a Boolean have one: of a list or an object, a wrong text
    /// may be read as another parameter. The user's own header fields stay as they are.
    private mutating func invalidRequests(
        for operation: Operation,
        _ chosen: [(parameter: Parameter, value: DocumentedValues.Value)],
        _ bare: PlannedRequest
    ) -> [InvalidRequest] {
        var requests: [InvalidRequest] = []
        for parameter in operation.parameters where requests.count < Self.invalidLimit {
            guard parameter.location != .cookie, Self.maySend(parameter),
                parameter.location != .header || !options.fields.contains(parameter.name)
            else { continue }
            func isOwn(_ other: Parameter) -> Bool {
                other.location == parameter.location && other.name.exact == parameter.name.exact
            }
            func request(_ text: String?) -> PlannedRequest {
                var request = bare
                for (other, value) in chosen where !isOwn(other) { write(value, as: other, into: &request) }
                if let text {
                    let value = DocumentedValues.Value(json: .string(text), origin: .known)
                    write(value, as: parameter, into: &request)
                }
                _ = fillUndocumented(&request, of: operation)
                complete(&request, for: operation)
                return request
            }
            let name = "the \(parameter.location.rawValue) parameter \"\(parameter.name.printable.shortened)\""
            let valid =
                chosen.first { isOwn($0.parameter) }?.value
                ?? optionalValues.value(of: parameter, in: operation, seen: seen)
            if let valid, valid.json.array == nil, valid.json.object == nil,
                let text = optionalValues.invalidText(for: parameter)
            {
                let words = "the invalid value \"\(text.shortened)\" for \(name)"
                requests.append(
                    InvalidRequest(request: request(text), location: parameter.location, words: words)
                )
            }
            if parameter.isRequired, parameter.location != .path {
                let words = "a request without \(name), which is required"
                requests.append(
                    InvalidRequest(request: request(nil), location: parameter.location, words: words)
                )
            }
        }
        return requests
    }

    /// Fills the parts of the path that the contract has no parameters for with what the user gives.
    ///
    /// - Returns: the name of one without a value.
    private func fillUndocumented(_ request: inout PlannedRequest, of operation: Operation) -> String? {
        for name in ResourceTemplate.parameters(in: request.path) {
            guard let value = options.parameters.value(named: name, in: operation) else { return name }
            request.path = Self.replace(name, in: request.path, by: PercentEncoding.encode(value))
            request.pathValues.append((name, .string(value)))
        }
        return nil
    }

    /// Returns whether an optional parameter may be sent: fields that say something about the connection or the
    /// credentials are not parameters (OpenAPI 3.1, section 4.8.12.1), and a made-up condition only hides the response.
    private static func maySend(_ parameter: Parameter) -> Bool {
        guard parameter.location == .header || parameter.location == .cookie else { return true }
        let kept: Set = [
            "accept", "accept-encoding", "authorization", "connection", "content-encoding", "content-length",
            "content-type", "cookie", "expect", "host", "if-match", "if-modified-since", "if-none-match", "if-range",
            "if-unmodified-since", "origin", "range", "te", "trailer", "transfer-encoding", "upgrade",
        ]
        return !kept.contains(parameter.name.lowercased())
    }

    private mutating func addOptional(
        _ parameters: [Parameter],
        of operation: Operation,
        to planned: inout PlannedRequests
    ) {
        var full = planned.first
        var single: [PlannedRequest] = []
        for parameter in parameters {
            guard let value = optionalValues.value(of: parameter, in: operation, seen: seen) else { continue }
            var own = planned.first
            write(value, as: parameter, into: &own)
            write(value, as: parameter, into: &full)
            single.append(own)
        }
        guard !single.isEmpty else { return }
        planned.full = full
        if single.count > 1 { planned.single = Array(single.prefix(Self.optionalLimit)) }
    }

    private func write(_ value: DocumentedValues.Value, as parameter: Parameter, into request: inout PlannedRequest) {
        switch value.origin {
        case .known: break
        case .response(let label): request.assumed.append(AssumedValue(parameter: parameter.name, source: label))
        case .madeUp: request.assumed.append(AssumedValue(parameter: parameter.name))
        }
        let json =
            parameter.content == nil || value.json.string != nil ? value.json : .string(value.json.description)
        let writing = StyledWriting(parameter)
        switch parameter.location {
        case .path:
            request.path = Self.replace(parameter.name, in: request.path, by: writing.pathText(json))
            request.pathValues.append((parameter.name, json))
        case .query: request.query += writing.pairs(json)
        case .cookie: request.cookies += writing.pairs(json)
        case .header:
            if !request.fields.contains(parameter.name) {
                request.fields.append(parameter.name, writing.fieldText(json))
            }
        }
    }

    private enum Body {
        /// The request has its body, or needs none. The reduced body is sent if the server refuses a generated one.
        case written(reduced: [UInt8]?)
        /// The reason why the request cannot be sent.
        case missing(String)
    }

    private mutating func addBody(of operation: Operation, to request: inout PlannedRequest) -> Body {
        guard let body = operation.requestBody else { return .written(reduced: nil) }
        guard let content = body.content.first(where: { MadeBody.canWrite($0.mediaType) }) else {
            let types = body.content.map(\.mediaType).joined(separator: ", ")
            return body.isRequired
                ? .missing("bodies with the type \(types) cannot be generated") : .written(reduced: nil)
        }
        let writing = MadeBody(content, in: contract)
        guard let (value, bytes) = madeBody(of: content, by: writing) else {
            return body.isRequired
                ? .missing("the contract contains no example for the body, and no body could be generated")
                : .written(reduced: nil)
        }
        request.body = bytes
        request.hasMadeUpBody = value.isMadeUp
        if !request.fields.contains("Content-Type") {
            request.fields.append("Content-Type", BodyKind(content.mediaType).contentType(content.mediaType))
        }
        return .written(reduced: values.reduced(value, of: content).flatMap { writing.bytes(of: $0.json) })
    }

    /// A value that was made up may have no form, and then the next one is tried.
    private mutating func madeBody(of content: MediaTypeContent, by writing: MadeBody)
        -> (value: DocumentedValues.Value, bytes: [UInt8])?
    {
        for _ in 0..<Self.bodyTries {
            guard let value = values.body(of: content) else { return nil }
            if let bytes = writing.bytes(of: value.json) { return (value, bytes) }
            guard value.isMadeUp else { return nil }
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
