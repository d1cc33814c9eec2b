import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What libraries with interceptors have: an object that adapts requests, and decides whether they are sent again.
protocol RequestInterceptor: Sendable {
    func adapt(_ request: URLRequest, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void)
    func retry(
        _ request: URLRequest,
        retryCount: Int,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    )
}

enum RetryResult: Sendable {
    case retry
    case doNotRetry
    case doNotRetryWithError(any Error)
}

/// Sends requests by way of an interceptor.
struct Session: Sendable {
    typealias Load = @Sendable (URLRequest) async throws -> (Data, HTTPURLResponse)

    /// What carries the requests: `URLSession` in the app, the setting in a test.
    let load: Load
    var interceptor: (any RequestInterceptor)?

    func data(for request: URLRequest, retryCount: Int = 0) async throws -> Data {
        guard let interceptor else { return try await validData(for: request) }
        let adapted = try await withCheckedThrowingContinuation { continuation in
            interceptor.adapt(request) { continuation.resume(with: $0) }
        }
        do {
            return try await validData(for: adapted)
        } catch {
            let result = await withCheckedContinuation { continuation in
                interceptor.retry(adapted, retryCount: retryCount, dueTo: error) { continuation.resume(returning: $0) }
            }
            switch result {
            case .retry: return try await data(for: request, retryCount: retryCount + 1)
            case .doNotRetry: throw error
            case .doNotRetryWithError(let other): throw other
            }
        }
    }

    private func validData(for request: URLRequest) async throws -> Data {
        let (data, response) = try await load(request)
        guard 200..<300 ~= response.statusCode else { throw PetsError.refused(response.statusCode) }
        return data
    }
}
