#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A transport that sends requests with a `URLSession`.
///
/// On Linux, Foundation uses libcurl, which causes three differences. Timeouts are rounded up to whole seconds, because
/// Foundation truncates the fraction. If a reused connection breaks, the request may be sent twice. Redirects to other
/// servers are followed, because Foundation does not call the delegate.
public struct URLSessionTransport: Transport {
    private let session: URLSession

    /// - Parameter session: The session to use. The default session uses neither cookies nor a cache, because a cached
    ///   response could hide that a token has expired.
    public init(_ session: URLSession = URLSession(configuration: .ephemeralWithoutCache)) {
        self.session = session
    }

    /// Sends a request.
    ///
    /// A redirect within the same origin is followed; a redirect to another origin is returned as the response.
    public func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        var message = URLRequest(url: request.url)
        // On Linux, URLSession ignores the interval that the initializer is given.
        message.timeoutInterval = Self.timeout(request.timeout)
        message.httpMethod = request.method.rawValue
        message.httpBody = request.body
        for field in request.fields.all { message.addValue(field.value, forHTTPHeaderField: field.name) }
        let data: Data
        let response: URLResponse
        do {
            (data, response) = try await session.data(for: message, delegate: SameOriginRedirects())
        } catch {
            throw TransportFailure(error)
        }
        guard let response = response as? HTTPURLResponse else { throw .unreadableResponse }
        var fields = HeaderFields()
        for (name, value) in response.allHeaderFields {
            fields.append("\(name)", "\(value)")
        }
        return TransportResponse(status: response.statusCode, fields: fields, body: data)
    }
}

extension URLSessionTransport {
    private static func timeout(_ seconds: TimeInterval) -> TimeInterval {
        #if canImport(FoundationNetworking)
            max(1, seconds.rounded(.up))
        #else
            seconds
        #endif
    }
}

/// Keeps tokens from other servers: a redirect carries the fields of its request along.
private final class SameOriginRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let origin = task.originalRequest?.url.map(Origin.init)
        completionHandler(request.url.map(Origin.init) == origin ? request : nil)
    }

    /// Scheme, host and port of a URL (RFC 6454, section 4).
    private struct Origin: Equatable {
        var scheme: String?
        var host: String?
        var port: Int?

        init(_ url: URL) {
            scheme = url.scheme?.lowercased()
            host = url.host?.lowercased()
            port = url.port ?? (scheme == "https" ? 443 : 80)
        }
    }
}

extension URLSessionConfiguration {
    /// A configuration without cookies or a cache; between requests, only open connections are kept.
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
        case .badServerResponse, .cannotParseResponse: self = .unreadableResponse
        case .cancelled: self = .cancelled
        default: self = .other("\(error.code.rawValue) \(error.localizedDescription)")
        }
    }
}
