import Basics

/// A response with what only its reader needs to know.
package struct HTTPReceivedResponse: Sendable, Hashable {
    package var response: HTTPResponse
    package var version: HTTPVersion
    package var reasonPhrase: String
    package var trailers: HTTPFields
    package var framing: HTTPBodyFraming

    /// A Boolean value that indicates whether the connection may carry another request.
    package var keepsAlive: Bool

    package var status: HTTPStatus { response.status }
    package var fields: HTTPFields { response.fields }
    package var body: [UInt8] { response.body }
}
