import HTTPCodec
import HTTPServing

/// What came of a request to a live server.
enum LiveResponse {
    case response(HTTPResponse)
    /// The server sends its clients to another one, which is not asked.
    case sentAway(to: String)
    /// The server redirects without an end.
    case redirectedTooOften
    /// The server wants a longer wait than is allowed.
    case askedToWait(Duration)
    case failed(HTTPClientFailure)
    /// The limit of requests is reached.
    case exhausted
}
