/// The message of a response: one that was made for its request, or one that was rendered before.
package enum ResponseMessage: Sendable {
    /// Behind one reference, since a message is passed on far more often than it is read.
    indirect case made(HTTPResponse)
    /// A prepared response with the second of its date since 1970.
    case prepared(PreparedResponse, dated: Int64)

    package var status: HTTPStatus {
        switch self {
        case .made(let response): response.status
        case .prepared(let response, _): response.status
        }
    }

    package var body: [UInt8] {
        switch self {
        case .made(let response): response.body
        case .prepared(let response, _): response.body
        }
    }

    /// The whole response; a prepared one is made from its parts.
    package var response: HTTPResponse {
        switch self {
        case .made(let response): response
        case .prepared(let response, let second): response.response(dated: second)
        }
    }

    /// Returns whether there is a field of that name; the date does not count.
    package func contains(_ name: String) -> Bool {
        switch self {
        case .made(let response): response.fields.contains(name)
        case .prepared(let response, _): response.contains(name)
        }
    }
}
