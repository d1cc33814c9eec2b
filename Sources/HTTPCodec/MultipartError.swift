import Basics

/// The reason why a body is not a valid multipart form.
///
/// Parts are counted from one.
package enum MultipartError: Error, Sendable, Hashable {
    case notMultipart(found: String)
    case missingBoundary
    case malformedBoundary(String)
    case noOpeningBoundary(String)
    case noClosingBoundary(String)
    case textAfterBoundary(part: Int)
    case malformedPartHead(part: Int, HTTPFault)
    case missingDisposition(part: Int)
    case malformedDisposition(part: Int)
    case missingName(part: Int)
    case tooManyParts(limit: Int)

    /// The finding and what was expected, without a full stop.
    package var sentence: String {
        switch self {
        case .notMultipart(let found):
            "Content-Type is \"\(PrintableText.of(found.utf8))\", not multipart/form-data"
        case .missingBoundary:
            "Content-Type contains no boundary parameter"
        case .malformedBoundary(let boundary):
            "the boundary \"\(PrintableText.of(boundary.utf8))\" does not consist of 1 to 70 allowed characters"
        case .noOpeningBoundary(let boundary):
            "the body does not contain the line \"--\(boundary)\""
        case .noClosingBoundary(let boundary):
            "the body does not end with \"--\(boundary)--\""
        case .textAfterBoundary(let part):
            "the boundary before part \(part) is not followed by a line end"
        case .malformedPartHead(let part, let fault):
            "the head of part \(part) is malformed: \(fault.sentence)"
        case .missingDisposition(let part):
            "part \(part) has no Content-Disposition"
        case .malformedDisposition(let part):
            "the Content-Disposition of part \(part) is not form-data with a name"
        case .missingName(let part):
            "the Content-Disposition of part \(part) contains no name"
        case .tooManyParts(let limit):
            "the form contains more than \(limit) parts"
        }
    }
}

extension MultipartError: CustomStringConvertible {
    package var description: String { sentence }
}
