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
    case malformedChunkSize
    case chunkSizeTooBig
    case malformedChunkExtension
    case chunkExtensionsTooLarge(limit: Int)
    case missingChunkEnd
    case trailerSectionTooLarge(limit: Int)
}
