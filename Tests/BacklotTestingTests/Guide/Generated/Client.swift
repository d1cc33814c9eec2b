import Foundation

/// The operations over a transport, as a generator writes them.
struct Client: APIProtocol {
    var serverURL: URL
    var transport: any ClientTransport
    var middlewares: [any ClientMiddleware] = []

    func signIn(_ input: Operations.signIn.Input) async throws -> Operations.signIn.Output {
        let (status, data) = try await send("signIn", "POST", "/login", JSONEncoder().encode(input.body))
        switch status {
        case 200: return .ok(try decode(data))
        case 403: return .forbidden(try decode(data))
        default: return .undocumented(statusCode: status)
        }
    }

    func refresh(_ input: Operations.refresh.Input) async throws -> Operations.refresh.Output {
        let (status, data) = try await send("refresh", "POST", "/refresh", JSONEncoder().encode(input.body))
        switch status {
        case 200: return .ok(try decode(data))
        case 401: return .unauthorized(try decode(data))
        default: return .undocumented(statusCode: status)
        }
    }

    func listPets() async throws -> Operations.listPets.Output {
        let (status, data) = try await send("listPets", "GET", "/pets")
        switch status {
        case 200: return .ok(try decode(data))
        case 401: return .unauthorized(try decode(data))
        case 503: return .serviceUnavailable
        default: return .undocumented(statusCode: status)
        }
    }

    func getPet(_ input: Operations.getPet.Input) async throws -> Operations.getPet.Output {
        let (status, data) = try await send("getPet", "GET", "/pets/\(input.id)")
        switch status {
        case 200: return .ok(try decode(data))
        case 401: return .unauthorized(try decode(data))
        case 404: return .notFound(try decode(data))
        default: return .undocumented(statusCode: status)
        }
    }

    func addPet(_ input: Operations.addPet.Input) async throws -> Operations.addPet.Output {
        let (status, data) = try await send("addPet", "POST", "/pets", JSONEncoder().encode(input.body))
        switch status {
        case 201: return .created(try decode(data))
        case 401: return .unauthorized(try decode(data))
        case 422: return .unprocessableContent(try decode(data))
        default: return .undocumented(statusCode: status)
        }
    }

    func removePet(_ input: Operations.removePet.Input) async throws -> Operations.removePet.Output {
        let (status, data) = try await send("removePet", "DELETE", "/pets/\(input.id)")
        switch status {
        case 204: return .noContent
        case 401: return .unauthorized(try decode(data))
        case 404: return .notFound(try decode(data))
        default: return .undocumented(statusCode: status)
        }
    }

    private func send(_ id: String, _ method: String, _ path: String, _ body: Data? = nil) async throws -> (Int, Data) {
        var request = HTTPRequest(method: method, path: path)
        if body != nil { request.headerFields["Content-Type"] = "application/json" }
        var next: @Sendable (HTTPRequest, Data?, URL) async throws -> (HTTPResponse, Data) = { [transport] in
            try await transport.send($0, body: $1, baseURL: $2, operationID: id)
        }
        for middleware in middlewares.reversed() {
            next = { [next] in
                try await middleware.intercept($0, body: $1, baseURL: $2, operationID: id, next: next)
            }
        }
        let (response, data) = try await next(request, body, serverURL)
        return (response.status, data)
    }

    private func decode<Value: Decodable>(_ data: Data) throws -> Value {
        try JSONDecoder().decode(Value.self, from: data)
    }
}
