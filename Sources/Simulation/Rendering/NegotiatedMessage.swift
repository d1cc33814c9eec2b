import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Signatures

/// The message as one client asks for it: whole, in part, compressed, or not at all because the client has it already.
struct NegotiatedMessage {
    var message: HTTPResponse
    /// A Boolean value that indicates whether the client gets only a part of the response, or 304 or 412.
    var isConditional = false
    /// A Boolean value that indicates whether the body is to be sent as gzip; the journal keeps it as it is.
    var isCompressed = false

    init(_ message: HTTPResponse) { self.message = message }
}

/// Conditional requests, ranges and encodings (RFC 9110, sections 8.4, 13 and 14), of responses that say so.
extension Negotiation {
    /// Returns the reason why a request may not change anything: it has been changed since (RFC 9110, section 13.2.2).
    ///
    /// - Parameters:
    ///   - status: that of the response to the request.
    ///   - tag: the tag of the items that the route found by a name.
    func failedPrecondition(of request: HTTPRequest, _ status: Int, tag: (_ name: String) -> EntityTag?) -> Problem? {
        guard case .found(let name) = validator, !request.method.isRead, 200..<300 ~= status else { return nil }
        let (wanted, unwanted) = (request.fields.tags("If-Match"), request.fields.tags("If-None-Match"))
        guard wanted != nil || unwanted != nil else { return nil }
        let current = tag(name)
        let holds =
            wanted.map { $0.contains(current, strongly: true) } ?? true
            && unwanted.map { !$0.contains(current, strongly: false) } ?? true
        return holds ? nil : .preconditionFailed(current?.field)
    }

    /// The message as this client asks for it.
    ///
    /// - Parameters:
    ///   - status: that of the response.
    ///   - tag: the tag of the items that the route found by a name.
    ///   - made: the message of the tool's own response.
    func negotiated(
        _ whole: HTTPResponse,
        _ status: Int,
        for request: HTTPRequest,
        tag: (_ name: String) -> EntityTag?,
        made: (Problem) -> HTTPResponse
    ) -> NegotiatedMessage {
        guard 200..<300 ~= status else { return compressed(whole, for: request) }
        var message = whole
        if let validator, !message.fields.contains("ETag"),
            let tag = self.tag(of: message, by: validator, request.method.isRead, found: tag)
        {
            message.fields.append("ETag", tag.field)
        }
        guard request.method.isRead, status == 200 else { return compressed(message, for: request) }
        if validator != nil, let problem = message.precondition(of: request.fields) {
            return .conditional(problem ? made(.preconditionFailed(message.fields["ETag"])) : message.notModified)
        }
        guard allowsRanges else { return compressed(message, for: request) }
        if !message.fields.contains("Accept-Ranges") { message.fields.append("Accept-Ranges", "bytes") }
        guard request.method == .get, let field = request.fields["Range"], message.isCurrent(for: request.fields) else {
            return compressed(message, for: request)
        }
        let length = message.body.count
        switch ByteRange(field: field, of: length) {
        case .whole: return compressed(message, for: request)
        case .unsatisfiable: return .conditional(made(.unsatisfiableRange(length)))
        case .part(let range):
            message.status = HTTPStatus(exactly: 206) ?? message.status
            message.fields.set("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)")
            message.body = Array(message.body[range])
            return .conditional(message)
        }
    }

    /// Says that the body is to be compressed, where both sides want it.
    private func compressed(_ whole: HTTPResponse, for request: HTTPRequest) -> NegotiatedMessage {
        var result = NegotiatedMessage(whole)
        guard allowsGzip, !whole.body.isEmpty, !whole.fields.contains("Content-Encoding") else { return result }
        if !whole.fields.contains("Vary", token: "Accept-Encoding") {
            result.message.fields.append("Vary", "Accept-Encoding")
        }
        guard AcceptedEncoding.allowsGzip(request.fields.joinedValue(of: "Accept-Encoding")) else { return result }
        result.message.fields.append("Content-Encoding", "gzip")
        // The same version in other bytes (RFC 9110, section 8.8.3.3).
        if var tag = whole.fields["ETag"].flatMap({ EntityTag(field: $0) }) {
            tag.isWeak = true
            result.message.fields.set("ETag", tag.field)
        }
        result.isCompressed = true
        return result
    }

    private func tag(
        of message: HTTPResponse,
        by validator: Validator,
        _ isRead: Bool,
        found: (_ name: String) -> EntityTag?
    ) -> EntityTag? {
        switch validator {
        case .found(let name): found(name)
        // The response to a change is not a version of the changed item.
        case .body: isRead ? EntityTag(of: message.body) : nil
        }
    }
}

extension NegotiatedMessage {
    fileprivate static func conditional(_ message: HTTPResponse) -> NegotiatedMessage {
        var result = NegotiatedMessage(message)
        result.isConditional = true
        return result
    }
}

extension StubResponse {
    /// Returns the reason why a request may not change anything; `nil` if it may.
    func failedPrecondition(in context: inout ExchangeContext, _ backend: inout MockBackend) -> Problem? {
        negotiation.failedPrecondition(of: context.request.request, status) { context.tag(ofFound: $0, &backend) }
    }
}

extension ExchangeContext {
    /// The tag of the items that the route found by a name.
    mutating func tag(ofFound name: String, _ backend: inout MockBackend) -> EntityTag? {
        guard foundNumber(of: name).map({ found[$0].items.exists }) ?? false else { return nil }
        return backend.foundValue(name, at: JSONPointer(), in: &self).map { EntityTag(of: $0.utf8(.compact)) }
    }
}

extension EntityTag {
    /// The tag of a version with these bytes.
    fileprivate init(of bytes: [UInt8]) {
        let digits = SHA256.hash(bytes).prefix(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        self.init(digits.joined())
    }
}

extension HTTPMethod {
    /// A Boolean value that indicates whether what it gets is a version of the resource.
    fileprivate var isRead: Bool { self == .get || self == .head }
}

extension HTTPFields {
    fileprivate func tags(_ name: String) -> EntityTagList? {
        joinedValue(of: name).map { EntityTagList(field: $0) }
    }
}

extension HTTPResponse {
    /// Returns whether the request asks for something else than this version (RFC 9110, section 13.2.2): false where
    /// the client has it already, true where it asks for another one only; `nil` where it is to be sent.
    fileprivate func precondition(of request: HTTPFields) -> Bool? {
        let tag = fields["ETag"].flatMap { EntityTag(field: $0) }
        let modified = fields["Last-Modified"].flatMap { HTTPDate.parse($0) }
        if let wanted = request.tags("If-Match") {
            if !wanted.contains(tag, strongly: true) { return true }
        } else if let date = request["If-Unmodified-Since"].flatMap({ HTTPDate.parse($0) }), let modified,
            modified > date
        {
            return true
        }
        if let known = request.tags("If-None-Match") { return known.contains(tag, strongly: false) ? false : nil }
        if let date = request["If-Modified-Since"].flatMap({ HTTPDate.parse($0) }), let modified, modified <= date {
            return false
        }
        return nil
    }

    /// Returns whether a range of this version is what the client wants (RFC 9110, section 13.1.5).
    fileprivate func isCurrent(for request: HTTPFields) -> Bool {
        guard let condition = request["If-Range"] else { return true }
        if let wanted = EntityTag(field: condition) {
            return fields["ETag"].flatMap { EntityTag(field: $0) }.map { wanted.matches($0, strongly: true) } ?? false
        }
        return fields["Last-Modified"].map { $0.exact == condition.exact } ?? false
    }

    /// The response that says that the client has this version already (RFC 9110, section 15.4.5).
    fileprivate var notModified: HTTPResponse {
        let kept = fields.filter { name in
            let name = name.lowercased()
            return !name.hasPrefix("content-") || name == "content-location"
        }
        return HTTPResponse(status: HTTPStatus(exactly: 304) ?? status, fields: kept)
    }
}
