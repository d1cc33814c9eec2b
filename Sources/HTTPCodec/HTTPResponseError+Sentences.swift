import Basics

extension HTTPResponseError {
    /// What was found, without a full stop.
    package var sentence: String {
        switch self {
        case .notHTTP(let found): "the response is not HTTP: it starts with \"\(PrintableText.of(found))\""
        case .malformed(let fault): "the response is malformed: \(fault.sentence)"
        case .truncatedHead(let received): "the connection ended \(received) bytes into the head of the response"
        case .truncatedBody(let received, let announced?):
            "the connection ended after \(received) of \(announced) bytes of the body"
        case .truncatedBody(let received, nil):
            "the connection ended after \(received) bytes of a chunked body, before its last chunk"
        case .closedWithoutResponse: "the connection was closed without a response"
        case .unexpectedBytes(let found):
            "bytes came that belong to no response: \"\(PrintableText.of(found))\""
        }
    }
}

extension HTTPResponseError: CustomStringConvertible {
    package var description: String { sentence }
}
