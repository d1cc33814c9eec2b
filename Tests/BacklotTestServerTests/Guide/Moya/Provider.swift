import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What Moya has, as far as the example needs it.
protocol TargetType: Sendable {
    var baseURL: URL { get }
    var path: String { get }
    var method: String { get }
    var headers: [String: String] { get }
    var body: Data? { get }
    var sampleData: Data { get }
}

enum StubBehavior: Sendable {
    case never
    case immediate
}

final class Provider<Target: TargetType>: Sendable {
    private let stubClosure: @Sendable (Target) -> StubBehavior

    init(stubClosure: @escaping @Sendable (Target) -> StubBehavior = { _ in .never }) {
        self.stubClosure = stubClosure
    }

    func request(_ target: Target) async throws -> (status: Int, data: Data) {
        if stubClosure(target) == .immediate { return (200, target.sampleData) }
        var request = URLRequest(url: target.baseURL.appendingPathComponent(target.path))
        request.httpMethod = target.method
        request.allHTTPHeaderFields = target.headers
        request.httpBody = target.body
        let (data, response) = try await URLSession.patient.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
    }
}
