import Foundation

extension SmeemService {
    /// Asks whether the server is there, for those who work on it.
    ///
    /// - Returns: what it says: `server connect`.
    public func testConnection() async throws(SmeemError) -> String {
        try await ask(.connectionTest)
    }

    /// Has a push message sent to the member, for those who work on the server.
    public func testPushMessage() async throws(SmeemError) {
        try await ask(.smeemDone(.get, "test", "alarm"))
    }
}

extension Endpoint<String> {
    /// The one answer that is no JSON.
    static var connectionTest: Endpoint {
        smeem(.get, ["test"], 2, [], .none, .none) { response throws(ServiceProblem) in
            guard response.isSuccess else { throw .status(response) }
            // A proxy's page in the server's place is no server.
            guard let text = String(data: response.body, encoding: .utf8), text == "server connect" else {
                let context = DecodingError.Context(codingPath: [], debugDescription: "the server says something else")
                throw .undecodable(
                    UndecodableResponse(status: response.status, body: response.body, reason: .dataCorrupted(context))
                )
            }
            return text
        }
    }
}
