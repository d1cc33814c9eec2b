#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests with a `URLSession`.
public struct URLSessionTransport: Transport {
    private let session: URLSession

    /// - Parameter session: one without cookies and cache, unless told otherwise: an answer of yesterday would hide
    ///   that a token has expired.
    public init(_ session: URLSession = URLSession(configuration: .ephemeralWithoutCache)) {
        self.session = session
    }

    /// Sends a request; redirects are followed as the session does it.
    public func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportReply {
        var message = URLRequest(url: request.url, timeoutInterval: request.timeout)
        message.httpMethod = request.method.rawValue
        message.httpBody = request.body
        for field in request.fields.all { message.addValue(field.value, forHTTPHeaderField: field.name) }
        let data: Data
        let response: URLResponse
        do {
            (data, response) = try await session.data(for: message)
        } catch {
            throw TransportFailure(error)
        }
        guard let response = response as? HTTPURLResponse else { throw .unreadableReply }
        var fields = HeaderFields()
        for (name, value) in response.allHeaderFields {
            fields.append("\(name)", "\(value)")
        }
        return TransportReply(status: response.statusCode, fields: fields, body: data)
    }
}

extension URLSessionConfiguration {
    /// Keeps nothing between two requests but the connection.
    public static var ephemeralWithoutCache: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        return configuration
    }
}

extension TransportFailure {
    init(_ error: any Error) {
        guard let error = error as? URLError else {
            self = error is CancellationError ? .cancelled : .other("\(error)")
            return
        }
        switch error.code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet: self = .unreachable
        case .networkConnectionLost: self = .connectionLost
        case .timedOut: self = .timedOut
        case .badServerResponse, .cannotParseResponse: self = .unreadableReply
        case .cancelled: self = .cancelled
        default: self = .other("\(error.code.rawValue) \(error.localizedDescription)")
        }
    }
}
