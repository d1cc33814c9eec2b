import Foundation

/// What the runtime of a generator has: what a request is, what carries it, and what is put in between.
protocol ClientTransport: Sendable {
    func send(
        _ request: HTTPRequest,
        body: Data?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, Data)
}

protocol ClientMiddleware: Sendable {
    func intercept(
        _ request: HTTPRequest,
        body: Data?,
        baseURL: URL,
        operationID: String,
        next: @Sendable (HTTPRequest, Data?, URL) async throws -> (HTTPResponse, Data)
    ) async throws -> (HTTPResponse, Data)
}

struct HTTPRequest: Sendable {
    var method: String
    var path: String
    var headerFields: [String: String] = [:]
}

struct HTTPResponse: Sendable {
    var status: Int
}

/// An answer that is not the one which was asked for.
struct UnexpectedOutput: Error {
    var output: String

    init(_ output: some Sendable) {
        self.output = "\(output)"
    }
}
