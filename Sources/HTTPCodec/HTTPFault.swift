/// What can be wrong with the bytes of a message, in a request or in a response.
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
    /// There is no room for it beside the bodies of other requests that are not complete either.
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

    /// Whether one line of the head is the cause, so that its number helps.
    var isOfOneLine: Bool {
        switch self {
        case .bareCarriageReturn, .bareLineFeed, .foldedLine, .missingColon, .emptyFieldName, .spaceBeforeColon,
            .malformedFieldName, .controlCharacterInValue:
            true
        default: false
        }
    }

    /// What was found and what would be right, without a full stop.
    package var sentence: String {
        switch self {
        case .tlsHandshake:
            "the bytes are the start of a TLS handshake, but this port speaks clear-text HTTP: use http:// instead of https://"
        case .malformedRequestLine:
            "the request line is not a method, one space, a target, one space and a version"
        case .malformedStatusLine:
            "the status line is not a version, one space and a status code of three digits"
        case .methodTooLong(let limit):
            "the request does not start with a method of at most \(limit) bytes and a space"
        case .malformedMethod:
            "the method has characters that no method may have"
        case .targetTooLong(let limit):
            "the request target is longer than \(limit) bytes"
        case .malformedTarget:
            "the request target is neither a path nor an absolute http URL, or has bytes that must be percent-encoded"
        case .fragmentInTarget:
            "the request target has a fragment (#…), which a client keeps to itself"
        case .asteriskWithoutOptions:
            "the request target * goes only with OPTIONS"
        case .connectNotSupported:
            "CONNECT asks for a proxy, and this is none"
        case .malformedVersion:
            "the request line does not end with HTTP/ and a version such as 1.1"
        case .unsupportedVersion(let version):
            "\(version) is not spoken here, HTTP/1.1 and HTTP/1.0 are"
        case .tooManyEmptyLines(let limit):
            "more than \(limit) empty lines came before the request line"
        case .bareCarriageReturn:
            "a carriage return stands without a line feed"
        case .bareLineFeed:
            "a line ends with a line feed alone, not with carriage return and line feed"
        case .foldedLine:
            "a header line starts with white space, which once continued the line before and is not allowed any more"
        case .missingColon:
            "a header line has no colon"
        case .emptyFieldName:
            "a header line has no name before its colon"
        case .spaceBeforeColon:
            "white space stands between a header name and its colon"
        case .malformedFieldName:
            "a header name has characters that no name may have"
        case .controlCharacterInValue:
            "a header value has a control character"
        case .fieldSectionTooLarge(let limit):
            "the header fields take more than \(limit) bytes"
        case .tooManyFields(let limit):
            "there are more than \(limit) header or trailer fields"
        case .missingHost:
            "an HTTP/1.1 request needs a Host header"
        case .repeatedHost:
            "there is more than one Host header"
        case .malformedHost:
            "the Host header is not a host name or address with an optional port"
        case .malformedContentLength:
            "Content-Length is not a number made of digits alone"
        case .repeatedContentLength:
            "Content-Length is given more than once"
        case .contentLengthTooBig:
            "Content-Length is beyond all numbers that can be counted here"
        case .lengthAndTransferEncoding:
            "Content-Length and Transfer-Encoding are both given, so the end of the body is in doubt"
        case .repeatedTransferEncoding:
            "Transfer-Encoding is given more than once"
        case .transferEncodingInHTTP10:
            "HTTP/1.0 has no Transfer-Encoding"
        case .chunkedNotLast:
            "Transfer-Encoding does not end with chunked, once, so the end of the body is in doubt"
        case .malformedTransferEncoding:
            "Transfer-Encoding is not exactly chunked"
        case .unsupportedTransferEncoding(let coding):
            "the transfer coding \(coding) is not supported, only chunked is"
        case .unknownExpectation(let expectation):
            "the expectation \(expectation) is not known, only 100-continue is"
        case .noRoomForBody(let limit):
            "the bodies of all unfinished requests take more than \(limit) bytes; send it again when others are complete"
        case .bodyTooLarge(let limit):
            "the body is larger than \(limit) bytes"
        case .malformedChunkSize:
            "a chunk does not start with its size in hexadecimal digits alone"
        case .chunkSizeTooBig:
            "a chunk size is beyond all numbers that can be counted here"
        case .malformedChunkExtension:
            "what follows a chunk size is not ;name or ;name=value"
        case .chunkExtensionsTooLarge(let limit):
            "the chunk extensions take more than \(limit) bytes"
        case .missingChunkEnd:
            "a chunk is not followed by a line end where its size says it ends"
        case .trailerSectionTooLarge(let limit):
            "the trailer fields take more than \(limit) bytes"
        }
    }
}
