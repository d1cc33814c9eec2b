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
        self == .socket ? .patient : URLSession(configuration: .backlot(server))
    }
}

extension URLSession {
    /// A new session whose requests wait for an hour: where every test begins at once, a test's next step may take longer
    /// than URLSession's minute.
    ///
    /// It has no connection to a server of another test that had the same port.
    static var patient: URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 3_600
        return URLSession(configuration: configuration)
    }

    /// What a request of a server's route gets.
    func get(_ path: String, of server: BacklotServer, timeout: Double = 3_600) async throws -> (
        status: Int, text: String
    ) {
        var request = URLRequest(url: server.url.appendingPathComponent(path))
        // On Linux, URLSession ignores the interval that the initializer is given.
        request.timeoutInterval = timeout
        if let token = server.token("access") {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        let (data, response) = try await data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }
}
