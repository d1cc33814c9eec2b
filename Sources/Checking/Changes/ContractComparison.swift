import Basics
import HTTPCodec
import JSON
import JSONSchema
package import OpenAPI

/// Compares the operations of two revisions of a contract: servers, security, parameters, bodies and responses.
///
/// The requests of webhooks and callbacks come from the server, so what breaks a client in them is what does in responses.
struct ContractComparison {
    private let old: ContractRevision
    private let new: ContractRevision
    private var schemas: SchemaComparison
    /// The uses of each schema: the operation's label and the part of the message.
    private var uses: [(operation: String, part: String, subject: ContractChange.Subject)] = []
    private var changes: [ContractChange] = []
    /// The part that is compared.
    private var subject = ContractChange.Subject.contract
    /// The label of the operation that is compared; `nil` between two of them.
    private var label: String?
    /// The way that the requests of the compared operations travel, as the client sees it.
    private var requests = TravelDirection.request
    private var responses: TravelDirection { requests == .request ? .response : .request }

    init(_ old: ContractRevision, _ new: ContractRevision) {
        self.old = old
        self.new = new
        schemas = SchemaComparison(old, new)
    }

    /// Every change, sorted by its place.
    static func changes(from old: ContractRevision, to new: ContractRevision) -> [ContractChange] {
        var comparison = ContractComparison(old, new)
        comparison.compareServers()
        comparison.compareOperations()
        comparison.compareAsides()
        return comparison.finished()
    }

    private mutating func finished() -> [ContractChange] {
        for (change, numbers) in schemas.changes() {
            guard let first = numbers.first.map({ uses[$0] }) else { continue }
            var change = change
            let others = Set(numbers.map { uses[$0].operation }).count - 1
            let more = others > 0 ? " (and in \(others) other \(others == 1 ? "operation" : "operations"))" : ""
            change.sentence = "\(first.part): \(change.sentence)\(more)"
            change.place.operation = first.operation
            change.operations = Set(numbers.map { uses[$0].operation })
            change.subject = numbers.map { uses[$0].subject }.min() ?? .contract
            changes.append(change)
        }
        if schemas.isCutShort {
            tell("too-large", "the schemas are too large to be compared completely", .depends, at: nil, old: nil)
        }
        let start = TextPosition(line: 0, column: 0)
        return changes.enumerated()
            .sorted { left, right in
                let (one, other) = (left.element.place, right.element.place)
                return (one.file ?? "", one.position ?? start, left.offset)
                    < (other.file ?? "", other.position ?? start, right.offset)
            }
            .map(\.element)
    }

    private mutating func tell(
        _ id: String,
        _ sentence: String,
        _ effect: ChangeEffect,
        in operation: String? = nil,
        at position: JSONPosition?,
        old oldPosition: JSONPosition?
    ) {
        let operation = operation ?? label
        var place = position.map(new.place) ?? Place(file: new.name(new.contract.path))
        place.operation = operation
        changes.append(
            ContractChange(
                id: "changes/" + id,
                sentence: sentence,
                effect: effect,
                place: place,
                old: oldPosition.map(old.place),
                operations: Set([operation].compactMap(\.self)),
                subject: subject
            )
        )
    }

    /// Compares the servers of the contract itself.
    private mutating func compareServers() {
        let pointer = JSONPointer(tokens: ["servers"])
        compareServers(old.contract.value(at: pointer), new.contract.value(at: pointer), at: nil, old: nil)
    }

    /// Compares where operations are, with every value that a server's variables may have.
    private mutating func compareServers(
        _ before: JSONValue?,
        _ after: JSONValue?,
        at position: JSONPosition?,
        old oldPosition: JSONPosition?
    ) {
        let (known, current) = (ServerAddresses(before), ServerAddresses(after))
        for (address, place) in known.all where !current.contains(address) {
            let sentence = "the server \"\(address)\" is gone"
            tell("server-removed", sentence, .breaks, at: after?.position ?? position, old: place ?? oldPosition)
        }
        if known.all.isEmpty, let position, !current.all.isEmpty {
            // Without servers it is "/", wherever the client found the contract (OpenAPI 3.1, section 4.8.1).
            tell("server-removed", "the server \"/\" is gone", .depends, at: position, old: oldPosition)
        }
        for (address, place) in current.all where !known.contains(address) {
            tell("server-added", "the server \"\(address)\" is new", .safe, at: place ?? position, old: nil)
        }
    }

    private mutating func compareOperations() {
        var before: [OperationKey: OpenAPI.Operation] = [:]
        for operation in old.contract.operations { before[OperationKey(operation)] = operation }
        var met: Set<OperationKey> = []
        for operation in new.contract.operations {
            let key = OperationKey(operation)
            met.insert(key)
            if let earlier = before[key] {
                compare(earlier, operation)
            } else {
                tell("operation-added", "\(operation.label) is new", .safe, at: operation.position, old: nil)
            }
        }
        let paths = new.contract.value(at: JSONPointer(tokens: ["paths"]))
        for operation in old.contract.operations where !met.contains(OperationKey(operation)) {
            let position = (paths?[operation.path] ?? paths)?.position
            tell(
                "operation-removed",
                "\(operation.label) is gone",
                .breaks,
                in: operation.label,
                at: position,
                old: operation.position
            )
        }
    }

    /// Compares webhooks and callbacks.
    ///
    /// Callbacks of several operations may have the same name: those at the same place
    /// belong together, and then those in the same order.
    private mutating func compareAsides() {
        requests = .response
        defer { requests = .request }
        var rest = old.contract.requestsOfServer
        var added: [OpenAPI.Operation] = []
        var pairs: [(before: OpenAPI.Operation, after: OpenAPI.Operation)] = []
        for isExact in [true, false] {
            let waiting = isExact ? new.contract.requestsOfServer : added
            added = []
            for operation in waiting {
                let number = rest.firstIndex { earlier in
                    OperationKey(earlier) == OperationKey(operation)
                        && (!isExact || earlier.uri.afterHash.hasSameUTF8(as: operation.uri.afterHash))
                }
                if let number { pairs.append((rest.remove(at: number), operation)) } else { added.append(operation) }
            }
        }
        for pair in pairs { compare(pair.before, pair.after) }
        for operation in added {
            tell("operation-added", "\(operation.label) is new", .safe, at: operation.position, old: nil)
        }
        for operation in rest {
            tell("operation-removed", "\(operation.label) is gone", .breaks, at: nil, old: operation.position)
        }
    }

    private mutating func compare(_ before: OpenAPI.Operation, _ after: OpenAPI.Operation) {
        label = after.label
        defer { label = nil }
        if !before.isDeprecated, after.isDeprecated {
            tell("deprecated", "the operation is deprecated", .safe, at: after.position, old: before.position)
        }
        if let name = before.operationID, name != after.operationID {
            let text = after.operationID.map { "is \"\($0)\"" } ?? "is gone"
            let sentence = "the operationId \(text), and was \"\(name)\""
            // Generated clients name their functions by it.
            tell("operation-id", sentence, .depends, at: after.position, old: before.position)
        }
        let servers = (old: old.ownServers(of: before), new: new.ownServers(of: after))
        if requests == .request, servers.old != nil || servers.new != nil {
            let pointer = JSONPointer(tokens: ["servers"])
            compareServers(
                servers.old ?? old.contract.value(at: pointer),
                servers.new ?? new.contract.value(at: pointer),
                at: after.position,
                old: before.position
            )
        }
        subject = .request
        compareSecurity(before, after)
        compareParameters(before, after)
        compareBodies(before, after)
        subject = .response
        compareResponses(before, after)
        subject = .contract
    }

    private mutating func compare(
        _ before: SchemaReference?,
        _ after: SchemaReference?,
        _ direction: TravelDirection,
        _ part: String,
        named name: String = "",
        at position: JSONPosition
    ) {
        uses.append((label ?? "", part, subject))
        schemas.compare(before, after, direction, named: name, use: uses.count - 1, at: position)
    }
}

extension ContractComparison {
    /// The requirement of an alternative: how a client proves who it is, under any name of the scheme.
    private struct Proof: Hashable {
        var kind: SecurityScheme.Kind?
        var name: String
        var scopes: Set<String>
        /// The origin of tokens.
        var tokenURLs: Set<String?>

        init(_ requirement: SecurityRequirement, in contract: Contract) {
            let scheme = contract.securitySchemes.first { $0.name == requirement.scheme }
            kind = scheme?.kind
            // The names of fields have no case (RFC 9110, section 5.1).
            if case .apiKey(.header, let name) = kind { kind = .apiKey(location: .header, name: name.lowercased()) }
            tokenURLs = Set(scheme?.flows.flatMap { [$0.tokenURL, $0.refreshURL, $0.authorizationURL] } ?? [])
            name = kind == nil ? requirement.scheme : ""
            scopes = Set(requirement.scopes)
        }

        /// Returns whether a client that does this does what another proof asks for.
        func meets(_ other: Proof) -> Bool {
            kind == other.kind && name == other.name && scopes.isSuperset(of: other.scopes)
                && tokenURLs.isSubset(of: other.tokenURLs)
        }
    }

    private static func alternatives(_ operation: OpenAPI.Operation, in contract: Contract) -> [[Proof]] {
        let alternatives = operation.security.isEmpty ? [[]] : operation.security
        return alternatives.map { $0.map { Proof($0, in: contract) } }
    }

    /// A client that met one of the old alternatives must meet one of the new ones.
    private mutating func compareSecurity(_ before: OpenAPI.Operation, _ after: OpenAPI.Operation) {
        let earlier = Self.alternatives(before, in: old.contract)
        let later = Self.alternatives(after, in: new.contract)
        guard Set(earlier.map { Set($0) }) != Set(later.map { Set($0) }) else { return }
        let refused = earlier.filter { proofs in
            !later.contains { needed in needed.allSatisfy { need in proofs.contains { $0.meets(need) } } }
        }
        let sentence =
            refused.contains([])
            ? "security is required"
            : refused.isEmpty ? "security asks for no more than before" : "security asks for something else"
        let position = after.security.isEmpty ? after.position : securityPosition(after, new.contract)
        tell(
            "security",
            sentence,
            // What a webhook proves itself with need not be looked at.
            refused.isEmpty ? .safe : requests == .request ? .breaks : .depends,
            at: position,
            old: securityPosition(before, old.contract)
        )
    }

    private func securityPosition(_ operation: OpenAPI.Operation, _ contract: Contract) -> JSONPosition {
        let own = contract.schemas.registry.resolve(operation.uri, against: operation.uri)?.value["security"]
        return (own ?? contract.value(at: JSONPointer(tokens: ["security"])))?.position ?? operation.position
    }

    private mutating func compareParameters(_ before: OpenAPI.Operation, _ after: OpenAPI.Operation) {
        // The parameters of the path are known by their place in it.
        let names = Dictionary(
            zip(PathNames(before.path).names, PathNames(after.path).names).map { (ExactText($0), $1) },
            uniquingKeysWith: { first, _ in first }
        )
        var rest = after.parameters
        for parameter in before.parameters {
            let name = parameter.location == .path ? names[ExactText(parameter.name)] ?? parameter.name : parameter.name
            let number = rest.firstIndex { other in
                guard other.location == parameter.location else { return false }
                return other.location == .header
                    ? other.name.lowercased() == name.lowercased() : other.name.hasSameUTF8(as: name)
            }
            let subject = "the \(parameter.location.rawValue) parameter `\(parameter.name)`"
            guard let number else {
                let effect: ChangeEffect = parameter.isRequired && requests == .response ? .breaks : .depends
                tell("parameter-removed", "\(subject) is gone", effect, at: after.position, old: parameter.position)
                continue
            }
            compare(parameter, rest.remove(at: number), requests, subject, part: parameter.location.rawValue)
        }
        for parameter in rest {
            let sentence =
                "the \(parameter.location.rawValue) parameter `\(parameter.name)` is new"
                + (parameter.isRequired ? " and required" : "")
            let effect: ChangeEffect = parameter.isRequired && requests == .request ? .breaks : .safe
            tell("parameter-added", sentence, effect, at: parameter.position, old: before.position)
        }
    }

    /// Compares parameters, or headers of responses.
    private mutating func compare(
        _ before: Parameter,
        _ after: Parameter,
        _ direction: TravelDirection,
        _ subject: String,
        part: String
    ) {
        let positions = (new: after.position, old: before.position)
        compareNeed(before.isRequired, after.isRequired, direction, subject, at: positions)
        let oldKinds = old.view(of: before.schema ?? before.content?.schema).kinds
        let newKinds = new.view(of: after.schema ?? after.content?.schema).kinds
        let isNested = !oldKinds.union(newKinds).isDisjoint(with: [.array, .object])
        let isContent = (before: before.content != nil, after: after.content != nil)
        let isOtherwise =
            if isContent.before != isContent.after {
                // Numbers and truth values are the same texts as JSON.
                !oldKinds.union(newKinds).isSubset(of: [.number, .boolean])
            } else {
                !isContent.after
                    && (before.style != after.style && (isNested || before.isMarked || after.isMarked)
                        || before.explode != after.explode && isNested)
            }
        if isOtherwise {
            let sentence = "\(subject) is written in another way"
            tell("style", sentence, .breaks, at: after.position, old: before.position)
        }
        if before.allowsEmptyValue, !after.allowsEmptyValue, direction == .request {
            tell("empty", "\(subject) may no longer be empty", .breaks, at: after.position, old: before.position)
        }
        if !isContent.before || !isContent.after {
            // The sentence names the parameter instead of its value.
            let (earlier, later) = (before.schema ?? before.content?.schema, after.schema ?? after.content?.schema)
            let isText = direction == .request && !isContent.before && !isContent.after && !isNested
            if isText, !oldKinds.contains(.string), new.view(of: later).allowsEveryText {
                // Any value is written as a text.
                let sentence = "\(part): `\(after.name)` may be any text"
                tell("type", sentence, .safe, at: after.position, old: before.position)
            } else {
                compare(earlier, later, direction, part, named: after.name, at: after.position)
            }
        } else {
            let (old, new) = ([before.content].compactMap(\.self), [after.content].compactMap(\.self))
            compare(old, new, direction, subject, at: positions)
        }
    }

    /// Compares whether a part of a message is required.
    private mutating func compareNeed(
        _ before: Bool,
        _ after: Bool,
        _ direction: TravelDirection,
        _ subject: String,
        at positions: (new: JSONPosition, old: JSONPosition)
    ) {
        guard before != after else { return }
        let shift: ValueShift = after ? .narrows : .widens
        let sentence = "\(subject) is \(after ? "" : "no longer ")required"
        tell("required", sentence, shift.effect(direction), at: positions.new, old: positions.old)
    }

    private mutating func compareBodies(_ before: OpenAPI.Operation, _ after: OpenAPI.Operation) {
        switch (before.requestBody, after.requestBody) {
        case (nil, nil): return
        case (nil, let body?):
            let sentence = body.isRequired ? "a body is new and required" : "a body is new"
            let effect: ChangeEffect = body.isRequired && requests == .request ? .breaks : .safe
            tell("body-added", sentence, effect, at: body.position, old: before.position)
        case (let body?, nil):
            let effect: ChangeEffect = requests == .request ? .depends : .breaks
            tell("body-removed", "the body is gone", effect, at: after.position, old: body.position)
        case (let one?, let other?):
            let positions = (new: other.position, old: one.position)
            compareNeed(one.isRequired, other.isRequired, requests, "the body", at: positions)
            compare(one.content, other.content, requests, "request", at: positions)
        }
    }

    /// Compares what a body may be; what is gone breaks a client in either direction.
    private mutating func compare(
        _ before: [MediaTypeContent],
        _ after: [MediaTypeContent],
        _ direction: TravelDirection,
        _ part: String,
        at positions: (new: JSONPosition, old: JSONPosition)
    ) {
        for content in before {
            let current = after.counterparts(of: content, isSender: direction == .request)
            if current.isEmpty {
                let sentence = "\(part): `\(content.mediaType)` is gone"
                tell("media-type-removed", sentence, .breaks, at: positions.new, old: content.position)
            }
            for other in current {
                compare(content.schema, other.schema, direction, part, at: other.position)
                compareEncodings(content, other, direction, part)
            }
        }
        for content in after where before.counterparts(of: content, isSender: direction == .response).isEmpty {
            // Where there was a choice the client says what it takes, but not of what the server sends unasked; and where
            // there was no body it reads none.
            let isRead = requests == .response && direction == requests && !before.isEmpty
            let sentence = "\(part): `\(content.mediaType)` is new"
            tell("media-type-added", sentence, isRead ? .breaks : .safe, at: content.position, old: positions.old)
        }
    }

    /// Compares how the properties of a form, or the parts of a multipart body, are written.
    private mutating func compareEncodings(
        _ before: MediaTypeContent,
        _ after: MediaTypeContent,
        _ direction: TravelDirection,
        _ part: String
    ) {
        let names = Set(before.encoding.map(\.name)).union(after.encoding.map(\.name)).sorted()
        for name in names {
            let old = before.encoding.first { $0.name == name }?.encoding
            let new = after.encoding.first { $0.name == name }?.encoding
            let isForm = after.mediaType.lowercased().hasPrefix("application/x-www-form-urlencoded")
            if isForm, old.form != new.form {
                let sentence = "\(part): `\(name)` is written in another way"
                tell("style", sentence, .breaks, at: after.position, old: before.position)
            }
            let (known, current) = (old.mediaTypes, new.mediaTypes)
            guard known != current else { continue }
            let isNarrower = known.map { list in current?.isSubset(of: list) ?? false } ?? true
            let isWider = current.map { list in known?.isSubset(of: list) ?? false } ?? true
            let shift: ValueShift = isNarrower ? .narrows : isWider ? .widens : .both
            let sentence = "\(part): the media types of `\(name)` have changed"
            tell("encoding", sentence, shift.effect(direction), at: after.position, old: before.position)
        }
    }

    private mutating func compareResponses(_ before: OpenAPI.Operation, _ after: OpenAPI.Operation) {
        for response in after.responses {
            guard let earlier = before.response(covering: response.status) else {
                let effect: ChangeEffect =
                    responses == .request ? .safe : response.status.isServerError ? .depends : .breaks
                let sentence = "response \(response.status) is new"
                tell("status-added", sentence, effect, at: response.position, old: before.position)
                continue
            }
            compare(earlier, response)
        }
        for response in before.responses where !after.responses.contains(where: { $0.status == response.status }) {
            // Codes that the range held before have been compared with it.
            let isRefined =
                if case .range(let first) = response.status {
                    after.responses.contains {
                        if case .code(let code) = $0.status { code / 100 == first } else { false }
                    }
                } else {
                    false
                }
            let effect: ChangeEffect =
                responses == .request || response.status.isSuccess && !isRefined ? .breaks : .safe
            let sentence = "response \(response.status) is gone"
            tell("status-removed", sentence, effect, at: after.position, old: response.position)
        }
    }

    private mutating func compare(_ before: DocumentedResponse, _ after: DocumentedResponse) {
        let part = "response \(after.status)"
        // A response of these has no content (RFC 9110, sections 15.3.5 and 15.4.5).
        if ![.code(204), .code(304)].contains(after.status) {
            compare(before.content, after.content, responses, part, at: (after.position, before.position))
        }
        subject = .header
        defer { subject = .response }
        for header in before.headers {
            let subject = "\(part): the header `\(header.name)`"
            guard let same = after.headers.first(where: { $0.name.lowercased() == header.name.lowercased() }) else {
                let effect: ChangeEffect = header.isRequired && responses == .response ? .breaks : .depends
                tell("header-removed", "\(subject) is gone", effect, at: after.position, old: header.position)
                continue
            }
            compare(header, same, responses, subject, part: "\(part), header")
        }
        for header in after.headers where header.isRequired && responses == .request {
            guard !before.headers.contains(where: { $0.name.lowercased() == header.name.lowercased() }) else {
                continue
            }
            let sentence = "\(part): the header `\(header.name)` is new and required"
            tell("header-added", sentence, .breaks, at: header.position, old: before.position)
        }
    }
}

/// Operations are the same when method and path are, except for the names of the path's parameters.
package struct OperationKey: Hashable, Sendable {
    private let method: String
    private let path: [ExactText]

    package init(_ operation: OpenAPI.Operation) {
        method = "\(operation.method)"
        path = operation.path.split(separator: "/", omittingEmptySubsequences: false).map {
            ExactText(PathNames(String($0)).form)
        }
    }
}

/// The addresses of a list of servers.
private struct ServerAddresses {
    /// More addresses than these of one server are not listed, and its variables stay as they are.
    private static let limit = 256

    private(set) var all: [(address: String, place: JSONPosition?)] = []

    init(_ list: JSONValue?) {
        for server in list?.array ?? [] {
            guard let url = server["url"]?.string else { continue }
            for address in Self.addresses(url, server["variables"]?.object?.members ?? []) where !contains(address) {
                all.append((address, server.position))
            }
        }
    }

    func contains(_ address: String) -> Bool { all.contains { $0.address.hasSameUTF8(as: address) } }

    private static func addresses(_ url: String, _ variables: [JSONObject.Member]) -> [String] {
        var addresses = [url]
        for variable in variables {
            let listed = variable.value["enum"]?.array?.compactMap(\.string) ?? []
            let values = listed.isEmpty ? [variable.value["default"]?.string].compactMap(\.self) : listed
            guard !values.isEmpty, addresses.count * values.count <= limit else { continue }
            addresses = addresses.flatMap { address in
                values.map {
                    address.split(separator: "{\(variable.name)}", omittingEmptySubsequences: false).joined(
                        separator: $0
                    )
                }
            }
        }
        // A slash at the end makes no difference, since paths begin with one.
        return addresses.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }
}

extension ContractRevision {
    /// The servers of an operation or of its path item, which replace those of the contract.
    fileprivate func ownServers(of operation: OpenAPI.Operation) -> JSONValue? {
        let registry = contract.schemas.registry
        guard let (value, uri) = registry.resolve(operation.uri, against: operation.uri) else { return nil }
        if let own = value["servers"] { return own }
        guard let slash = uri.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return registry.resolve(String(uri[..<slash]), against: uri)?.value["servers"]
    }

    /// The meaning of a schema.
    fileprivate func view(of reference: SchemaReference?) -> SchemaView {
        SchemaView([reference.flatMap(place)].compactMap(\.self), in: self)
    }
}

extension Parameter {
    /// A Boolean value that indicates whether even a single value is written with something before it.
    fileprivate var isMarked: Bool { style == .label || style == .matrix }
}

extension Encoding? {
    /// The serialization of a property of a form (OpenAPI 3.1, section 4.8.15.1).
    fileprivate var form: [String] {
        let style = self?.style ?? .form
        return [style.rawValue, "\(self?.explode ?? (style == .form))"]
    }

    /// The media types that a part may have; `nil` where nothing is said.
    fileprivate var mediaTypes: Set<String>? {
        self?.contentType.map { list in
            Set(list.split(separator: ",").map { MediaType(parsing: String($0))?.normalized ?? String($0) })
        }
    }
}

extension MediaType {
    /// The type as text, with its parameters in order.
    fileprivate var normalized: String {
        ([essence] + parameters.map { "\($0.name)=\($0.name == "charset" ? $0.value.lowercased() : $0.value)" }.sorted())
            .joined(separator: ";")
    }
}

extension [MediaTypeContent] {
    /// Those that a body of another revision's media type is compared with: the same one, or else the range that it lies
    /// in, or else, seen from the receiver, the types that lie in it.
    fileprivate func counterparts(of content: MediaTypeContent, isSender: Bool) -> [MediaTypeContent] {
        guard let type = MediaType(parsing: content.mediaType) else {
            return filter { $0.mediaType.lowercased() == content.mediaType.lowercased() }
        }
        let types = compactMap { other in MediaType(parsing: other.mediaType).map { (content: other, type: $0) } }
        let same = types.filter { $0.type.normalized == type.normalized }
        if !same.isEmpty { return same.map(\.content) }
        guard isSender else { return types.filter { $0.type.lies(in: type) && type.isRange }.map(\.content) }
        // The narrowest range is the one that counts (RFC 9110, section 12.5.1).
        let ranges = types.filter { $0.type.isRange && type.lies(in: $0.type) }
        return (ranges.first { $0.type.type != "*" } ?? ranges.first).map { [$0.content] } ?? []
    }
}

extension Contract {
    /// The operations of webhooks and callbacks.
    ///
    /// A path item among the components is compared where it is used.
    fileprivate var requestsOfServer: [OpenAPI.Operation] {
        asides.filter { $0.path.hasPrefix("webhook ") || $0.path.hasPrefix("callback ") }
    }
}

extension String {
    /// The fragment of a URI.
    fileprivate var afterHash: String {
        String(Substring(utf8.drop { $0 != UInt8(ascii: "#") }))
    }
}

extension OpenAPI.Operation {
    /// The response that an older client takes a status for.
    fileprivate func response(covering status: DocumentedResponse.Status) -> DocumentedResponse? {
        if case .code(let code) = status { return response(for: code) }
        return responses.first { $0.status == status } ?? responses.first { $0.status == .other }
    }
}

extension DocumentedResponse.Status {
    fileprivate var isServerError: Bool {
        switch self {
        case .code(let code): code >= 500
        case .range(let first): first == 5
        case .other: true
        }
    }
}

/// The names in a path template, and the template without them.
private struct PathNames {
    private(set) var names: [String] = []
    private(set) var form = ""

    init(_ path: String) {
        var rest = path.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "{")),
            let end = rest[start...].firstIndex(of: UInt8(ascii: "}"))
        {
            names.append(String(Substring(rest[rest.index(after: start)..<end])))
            form += String(Substring(rest[..<start])) + "{}"
            rest = rest[rest.index(after: end)...]
        }
        form += String(Substring(rest))
    }
}
