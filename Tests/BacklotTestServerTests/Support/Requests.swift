import BacklotTestServer
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The ways of requests to a server that a test is run for.
enum Way: String, CaseIterable, Sendable {
    case socket
    case inProcess

    var transport: BacklotServer.Transport { self == .socket ? .socket : .inProcess }

    func session(to server: BacklotServer) -> URLSession {
        self == .socket ? URLSession(configuration: .ephemeral) : URLSession(configuration: .backlot(server))
    }
}

extension URLSession {
    /// What a request of a server's route gets.
    ///
    /// It waits for an hour: where every test begins at once, a test's next step may take longer than URLSession's minute.
    func get(_ path: String, of server: BacklotServer, timeout: Double = 3_600) async throws -> (
        status: Int, text: String
    ) {
        var request = URLRequest(url: server.url.appendingPathComponent(path), timeoutInterval: timeout)
        if let token = server.token("access") {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        let (data, response) = try await data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }
}
