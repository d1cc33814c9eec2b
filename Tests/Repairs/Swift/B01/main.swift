final class Client: Notes {
    override func call(_ method: String, _ path: String) async throws -> Int {
        try await send(method, path, token: tokens["access"]).status
    }
}

let client = Client()
try await client.call("GET", "/me")
try await client.call("GET", "/notes")
