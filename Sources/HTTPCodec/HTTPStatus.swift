/// A status code from 100 to 999, registered or not: backends use 419, 420 and 444 too.
package struct HTTPStatus: Sendable, Hashable {
    package let code: Int

    /// - Precondition: 100...999; check remote or scenario input with `init(exactly:)`.
    package init(_ code: Int) {
        precondition(Self.codes.contains(code), "A status code has three digits and does not start with zero")
        self.code = code
    }

    package init?(exactly code: Int) {
        guard Self.codes.contains(code) else { return nil }
        self.code = code
    }

    package static let codes = 100...999

    /// 1xx: not the final response (RFC 9110, section 15.2).
    package var isInformational: Bool { code < 200 }

    package var isSuccessful: Bool { 200..<300 ~= code }

    /// A Boolean value that indicates whether a response with this status never has a body, regardless of its fields
    /// (RFC 9112, section 6.3).
    package var forbidsBody: Bool { code < 200 || code == 204 || code == 304 }

    /// The registered phrase, or an empty one: clients must not rely on it (RFC 9112, section 4).
    package var reasonPhrase: String { Self.reasonPhrase(of: code) }
}

extension HTTPStatus: Comparable {
    package static func < (left: HTTPStatus, right: HTTPStatus) -> Bool { left.code < right.code }
}

extension HTTPStatus: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) { self.init(value) }
}

extension HTTPStatus: CustomStringConvertible {
    package var description: String { "\(code)" }
}

extension HTTPStatus {
    package static let `continue`: HTTPStatus = 100
    package static let ok: HTTPStatus = 200
    package static let created: HTTPStatus = 201
    package static let noContent: HTTPStatus = 204
    package static let notModified: HTTPStatus = 304
    package static let badRequest: HTTPStatus = 400
    package static let unauthorized: HTTPStatus = 401
    package static let forbidden: HTTPStatus = 403
    package static let notFound: HTTPStatus = 404
    package static let methodNotAllowed: HTTPStatus = 405
    package static let requestTimeout: HTTPStatus = 408
    package static let conflict: HTTPStatus = 409
    package static let contentTooLarge: HTTPStatus = 413
    package static let uriTooLong: HTTPStatus = 414
    package static let expectationFailed: HTTPStatus = 417
    package static let tooManyRequests: HTTPStatus = 429
    package static let fieldsTooLarge: HTTPStatus = 431
    package static let internalServerError: HTTPStatus = 500
    package static let notImplemented: HTTPStatus = 501
    package static let serviceUnavailable: HTTPStatus = 503
    package static let versionNotSupported: HTTPStatus = 505

    /// The IANA registry of status codes, as of RFC 9110 and the later additions in use.
    private static func reasonPhrase(of code: Int) -> String {
        switch code {
        case 100: "Continue"
        case 101: "Switching Protocols"
        case 102: "Processing"
        case 103: "Early Hints"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 203: "Non-Authoritative Information"
        case 204: "No Content"
        case 205: "Reset Content"
        case 206: "Partial Content"
        case 207: "Multi-Status"
        case 208: "Already Reported"
        case 226: "IM Used"
        case 300: "Multiple Choices"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 305: "Use Proxy"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 402: "Payment Required"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 407: "Proxy Authentication Required"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 423: "Locked"
        case 424: "Failed Dependency"
        case 425: "Too Early"
        case 426: "Upgrade Required"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 451: "Unavailable For Legal Reasons"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 506: "Variant Also Negotiates"
        case 507: "Insufficient Storage"
        case 508: "Loop Detected"
        case 510: "Not Extended"
        case 511: "Network Authentication Required"
        default: ""
        }
    }
}
