import HTTPCodec

/// What became of something that the user wanted.
enum Outcome: Sendable {
    case response(HTTPResponse)
    case unreachable(TransportError)
    /// Nobody is signed in, so nothing was sent.
    case signedOut

    var status: Int? {
        if case .response(let response) = self { response.status.code } else { nil }
    }

    var isDone: Bool { status.map { $0 < 400 } ?? false }
}
