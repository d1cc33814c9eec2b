final class Client: Notes {
    override func refresh() async throws -> Bool {
        let body = ["refreshToken": tokens["refresh"] ?? ""]
        let answer = try await send("POST", "/refresh", body: body, token: tokens["access"])
        guard answer.status == 200 else { return false }
        tokens = Self.strings(in: answer.data)
        return true
    }
}

let client = Client()
try await client.call("GET", "/me")
try await client.call("GET", "/notes")
