import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Signatures

/// Conditional requests, ranges and encodings (RFC 9110, sections 8.4, 13 and 14), of responses that say so.
extension Session {
    /// Returns the reason why a request may not change anything: it has been changed since (RFC 9110, section 13.2.2).
    mutating func failedPrecondition(of response: StubResponse, in context: inout ExchangeContext) -> Problem? {
        let request = context.request.request
        guard case .found(let name) = response.negotiation.validator, !request.method.isRead,
            200..<300 ~= response.status
        else { return nil }
        let (wanted, unwanted) = (request.fields.tags("If-Match"), request.fields.tags("If-None-Match"))
        guard wanted != nil || unwanted != nil else { return nil }
        let current = tag(ofFound: name, in: &context)
        let holds =
            wanted.map { $0.contains(current, strongly: true) } ?? true
            && unwanted.map { !$0.contains(current, strongly: false) } ?? true
        return holds ? nil : .preconditionFailed(current?.field)
    }

    /// The message as this client asks for it: whole, in part, or not at all because it has it already.
    mutating func delivered(
        _ whole: HTTPResponse,
        of response: StubResponse,
        in context: inout ExchangeContext
    ) -> HTTPResponse {
        let (negotiation, request) = (response.negotiation, context.request.request)
        guard 200..<300 ~= response.status else { return compressed(whole, negotiation, in: &context) }
        var message = whole
        if let validator = negotiation.validator, !message.fields.contains("ETag"),
            let tag = tag(of: message, by: validator, request.method.isRead, in: &context)
        {
            message.fields.append("ETag", tag.field)
        }
        guard request.method.isRead, response.status == 200 else {
            return compressed(message, negotiation, in: &context)
        }
        if negotiation.validator != nil, let problem = message.precondition(of: request.fields) {
            context.isConditional = true
            guard problem else { return message.notModified }
            let tag = message.fields["ETag"]
            return render(.preconditionFailed(tag), at: context.now)
        }
        guard negotiation.allowsRanges else { return compressed(message, negotiation, in: &context) }
        if !message.fields.contains("Accept-Ranges") { message.fields.append("Accept-Ranges", "bytes") }
        guard request.method == .get, let field = request.fields["Range"], message.isCurrent(for: request.fields) else {
            return compressed(message, negotiation, in: &context)
        }
        let length = message.body.count
        switch ByteRange(field: field, of: length) {
        case .whole: return compressed(message, negotiation, in: &context)
        case .unsatisfiable:
            context.isConditional = true
            return render(.unsatisfiableRange(length), at: context.now)
        case .part(let range):
            context.isConditional = true
            message.status = HTTPStatus(exactly: 206) ?? message.status
            message.fields.set("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)")
            message.body = Array(message.body[range])
            return message
        }
    }

    /// Says that the body is to be compressed, where both sides want it; the journal keeps it as it is.
    private func compressed(
        _ message: HTTPResponse,
        _ negotiation: Negotiation,
        in context: inout ExchangeContext
    ) -> HTTPResponse {
        guard negotiation.allowsGzip, !message.body.isEmpty, !message.fields.contains("Content-Encoding") else {
            return message
        }
        var message = message
        if !message.fields.contains("Vary", token: "Accept-Encoding") {
            message.fields.append("Vary", "Accept-Encoding")
        }
        guard AcceptedEncoding.allowsGzip(context.request.request.fields.joinedValue(of: "Accept-Encoding")) else {
            return message
        }
        message.fields.append("Content-Encoding", "gzip")
        // The same version in other bytes (RFC 9110, section 8.8.3.3).
        if var tag = message.fields["ETag"].flatMap({ EntityTag(field: $0) }) {
            tag.isWeak = true
            message.fields.set("ETag", tag.field)
        }
        context.isCompressed = true
        return message
    }

    private mutating func tag(
        of message: HTTPResponse,
        by validator: Negotiation.Validator,
        _ isRead: Bool,
        in context: inout ExchangeContext
    ) -> EntityTag? {
        switch validator {
        case .found(let name): tag(ofFound: name, in: &context)
        // The response to a change is not a version of the changed item.
        case .body: isRead ? Self.tag(of: message.body) : nil
        }
    }

    private mutating func tag(ofFound name: String, in context: inout ExchangeContext) -> EntityTag? {
        guard context.foundNumber(of: name).map({ context.found[$0].items.exists }) ?? false else { return nil }
        return foundValue(name, at: JSONPointer(), in: &context).map { Self.tag(of: $0.utf8(.compact)) }
    }

    private static func tag(of bytes: [UInt8]) -> EntityTag {
        let digits = SHA256.hash(bytes).prefix(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return EntityTag(digits.joined())
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
