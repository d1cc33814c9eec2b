/// A fault in the bytes of a message, in a request or in a response.
package enum HTTPFault: Error, Sendable, Hashable {
    // Request line and status line
    case tlsHandshake
    case malformedRequestLine
    case malformedStatusLine
    case methodTooLong(limit: Int)
    case malformedMethod
    case targetTooLong(limit: Int)
    case malformedTarget
    case fragmentInTarget
    case asteriskWithoutOptions
    case connectNotSupported
    case malformedVersion
    case unsupportedVersion(String)
    case tooManyEmptyLines(limit: Int)

    // Field lines
    case bareCarriageReturn
    case bareLineFeed
    case foldedLine
    case missingColon
    case emptyFieldName
    case spaceBeforeColon
    case malformedFieldName
    case controlCharacterInValue
    case fieldSectionTooLarge(limit: Int)
    case tooManyFields(limit: Int)

    // What the fields say together
    case missingHost
    case repeatedHost
    case malformedHost
    case malformedContentLength
    case repeatedContentLength
    case contentLengthTooBig
    case lengthAndTransferEncoding
    case repeatedTransferEncoding
    case transferEncodingInHTTP10
    case chunkedNotLast
    case malformedTransferEncoding
    case unsupportedTransferEncoding(String)
    case unknownExpectation(String)

    // Body
    case bodyTooLarge(limit: Int)
    /// There is no room for it next to the bodies of other requests that are not complete either.
    case noRoomForBody(limit: Int)
    case malformedChunkSize
    case chunkSizeTooBig
    case malformedChunkExtension
    case chunkExtensionsTooLarge(limit: Int)
    case missingChunkEnd
    case trailerSectionTooLarge(limit: Int)
}

extension HTTPFault {
    /// The status that a server responds with; where the RFC leaves a choice, 400.
    package var status: HTTPStatus {
        switch self {
        case .targetTooLong: .uriTooLong
        case .fieldSectionTooLarge, .tooManyFields, .trailerSectionTooLarge: .fieldsTooLarge
        case .bodyTooLarge: .contentTooLarge
        case .noRoomForBody: .serviceUnavailable
        case .unsupportedVersion: .versionNotSupported
        case .unsupportedTransferEncoding, .connectNotSupported: .notImplemented
        case .unknownExpectation: .expectationFailed
        default: .badRequest
        }
    }

    /// A Boolean value that indicates whether one line of the head is the cause, so that its number helps.
    var isOfOneLine: Bool {
        switch self {
        case .bareCarriageReturn, .bareLineFeed, .foldedLine, .missingColon, .emptyFieldName, .spaceBeforeColon,
            .malformedFieldName, .controlCharacterInValue:
            true
        default: false
        }
    }

    /// The finding and what was expected, without a full stop.
    package var sentence: String {
        switch self {
        case .tlsHandshake:
            "the bytes are the start of a TLS handshake, but this port serves plain HTTP; use http:// instead of"
                + " https://"
        case .malformedRequestLine:
            "the request line does not consist of a method, one space, a target, one space and a version"
        case .malformedStatusLine:
            "the status line does not consist of a version, one space and a status code of three digits"
        case .methodTooLong(let limit):
            "the request does not start with a method of at most \(limit) bytes and a space"
        case .malformedMethod:
            "the method contains a character that is not allowed"
        case .targetTooLong(let limit):
            "the request target is longer than \(limit) bytes"
        case .malformedTarget:
            "the request target is neither a path nor an absolute http URL, or contains bytes that must be percent-encoded"
        case .fragmentInTarget:
            "the request target contains a fragment (#…), which clients must not send"
        case .asteriskWithoutOptions:
            "the request target * is allowed only with OPTIONS"
        case .connectNotSupported:
            "CONNECT requires a proxy, but this server is not a proxy"
        case .malformedVersion:
            "the request line does not end with HTTP/ and a version such as 1.1"
        case .unsupportedVersion(let version):
            "\(version) is not supported; use HTTP/1.1 or HTTP/1.0"
        case .tooManyEmptyLines(let limit):
            "more than \(limit) empty lines precede the request line"
        case .bareCarriageReturn:
            "a carriage return is not followed by a line feed"
        case .bareLineFeed:
            "a line ends with a line feed instead of a carriage return and a line feed"
        case .foldedLine:
            "a header line starts with whitespace; continuation lines are obsolete and not allowed"
        case .missingColon:
            "a header line contains no colon"
        case .emptyFieldName:
            "a header line contains no name before its colon"
        case .spaceBeforeColon:
            "whitespace precedes the colon in a header line"
        case .malformedFieldName:
            "a header name contains a character that is not allowed"
        case .controlCharacterInValue:
            "a header value contains a control character"
        case .fieldSectionTooLarge(let limit):
            "the header fields are larger than \(limit) bytes"
        case .tooManyFields(let limit):
            "the message contains more than \(limit) header or trailer fields"
        case .missingHost:
            "an HTTP/1.1 request requires a Host header"
        case .repeatedHost:
            "the request contains more than one Host header"
        case .malformedHost:
            "the Host header is not a host name or address with an optional port"
        case .malformedContentLength:
            "Content-Length does not consist of digits"
        case .repeatedContentLength:
            "Content-Length occurs more than once"
        case .contentLengthTooBig:
            "Content-Length is too large"
        case .lengthAndTransferEncoding:
            "Content-Length and Transfer-Encoding both occur, so the end of the body is ambiguous"
        case .repeatedTransferEncoding:
            "Transfer-Encoding occurs more than once"
        case .transferEncodingInHTTP10:
            "HTTP/1.0 does not support Transfer-Encoding"
        case .chunkedNotLast:
            "Transfer-Encoding does not end with exactly one \"chunked\", so the end of the body is ambiguous"
        case .malformedTransferEncoding:
            "Transfer-Encoding is not exactly \"chunked\""
        case .unsupportedTransferEncoding(let coding):
            "the transfer coding \(coding) is not supported; use chunked"
        case .unknownExpectation(let expectation):
            "the expectation \(expectation) is not supported; use 100-continue"
        case .noRoomForBody(let limit):
            "the bodies of all unfinished requests exceed \(limit) bytes; send the request again later"
        case .bodyTooLarge(let limit):
            "the body is larger than \(limit) bytes"
        case .malformedChunkSize:
            "a chunk does not start with its size in hexadecimal digits"
        case .chunkSizeTooBig:
            "a chunk size is too large"
        case .malformedChunkExtension:
            "a chunk extension does not have the form ;name or ;name=value"
        case .chunkExtensionsTooLarge(let limit):
            "the chunk extensions are larger than \(limit) bytes"
        case .missingChunkEnd:
            "a chunk is not followed by a line end after its declared size"
        case .trailerSectionTooLarge(let limit):
            "the trailer fields are larger than \(limit) bytes"
        }
    }
}
