import Basics

/// A content coding of a body that can be undone (RFC 9110, section 8.4.1).
package enum ContentCoding: Sendable, Hashable {
    case identity
    /// `gzip` and `x-gzip` (RFC 1952).
    case gzip
    /// `deflate`: the format zlib (RFC 1950), or DEFLATE data without it, as some servers send it.
    case deflate

    /// The value of Accept-Encoding for what can be decoded.
    package static let accepted = "gzip, deflate"
    /// The maximum number of codings of one body: 4.
    ///
    /// Each of them takes the time of a whole body to undo.
    package static let mostCodings = 4

    /// - Returns: `nil` for a coding that is not decoded, such as `br`. Names have no case.
    package init?(_ name: String) {
        switch name.lowercased() {
        case "identity": self = .identity
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        default: return nil
        }
    }

    /// Decodes a body that has all codings of its Content-Encoding fields, which are listed in the order in which they
    /// were applied.
    ///
    /// - Parameter limit: the most bytes of any decoded form.
    /// - Throws: ``ContentCodingError``. A body without bytes has no coding to undo.
    package static func decode(
        _ body: [UInt8],
        codedBy fields: HTTPFields,
        limit: Int
    ) throws(ContentCodingError) -> [UInt8] {
        guard !body.isEmpty else { return body }
        let codings = try fields.elements(of: "Content-Encoding").map { (name) throws(ContentCodingError) in
            guard let coding = ContentCoding(name) else { throw ContentCodingError.unknown(name) }
            return coding
        }
        guard codings.count <= mostCodings else { throw .tooMany(limit: mostCodings) }
        var body = body
        for coding in codings.reversed() { body = try coding.decode(body, limit: limit) }
        return body
    }

    /// Undoes the coding.
    package func decode(_ bytes: [UInt8], limit: Int) throws(ContentCodingError) -> [UInt8] {
        switch self {
        case .identity: bytes
        case .gzip: try GzipFormat.decode(bytes, limit: limit)
        case .deflate: try ZlibFormat.decode(bytes, limit: limit)
        }
    }
}

/// The reason why a body cannot be decoded.
package enum ContentCodingError: Error, Sendable, Hashable {
    /// A coding that is not decoded here.
    case unknown(String)
    case malformed(String)
    /// The data end before the body does.
    case truncated
    /// The decoded body has more bytes than the limit.
    case tooLarge(limit: Int)
    /// The body has more codings than the limit.
    case tooMany(limit: Int)
    /// The decoded body is JSON with more values than the limit.
    case tooManyValues(limit: Int)

    /// The finding, without a full stop.
    package var sentence: String {
        switch self {
        case .unknown(let name): "the coding \"\(PrintableText.of(name.utf8))\" is unknown"
        case .malformed(let sentence): sentence
        case .truncated: "the compressed data ends too early"
        case .tooLarge(let limit): "the decoded body is larger than \(limit) bytes"
        case .tooMany(let limit): "the body has more than \(limit) content codings"
        case .tooManyValues(let limit): "the body contains more than \(limit) JSON values"
        }
    }
}

extension HTTPRequest {
    /// The request with its body as it was before its content codings were applied; its fields stay as they were sent.
    ///
    /// - Parameter limit: the most bytes of any decoded form of the body.
    package func decoded(limit: Int) throws(ContentCodingError) -> HTTPRequest {
        guard !body.isEmpty, fields.contains("Content-Encoding") else { return self }
        var request = self
        request.body = try ContentCoding.decode(body, codedBy: fields, limit: limit)
        return request
    }
}

extension HTTPResponse {
    /// The response as it was before its content codings were applied; a response without a body keeps its fields.
    ///
    /// - Parameter limit: the most bytes of any decoded form of the body.
    package func decoded(limit: Int) throws(ContentCodingError) -> HTTPResponse {
        guard !body.isEmpty, fields.contains("Content-Encoding") else { return self }
        var response = self
        response.body = try ContentCoding.decode(body, codedBy: fields, limit: limit)
        if !response.body.isEmpty { response.fields.remove("Content-Encoding") }
        return response
    }
}
