final class Client: Notes {
    override func refresh() async throws -> Bool {
        let answer = try await send("POST", "/refresh", body: ["refreshToken": tokens["refresh"] ?? ""])
        guard answer.status == 200 else { return false }
        tokens["access"] = Self.strings(in: answer.data)["access"]
        return true
    }
}

let client = Client()
try await client.call("GET", "/me")
try await client.passTime("2h")
try await client.call("GET", "/me")
