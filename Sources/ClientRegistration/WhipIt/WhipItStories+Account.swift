import ClientServices
import ClientTesting

extension WhipItAdapter {
    /// What newcomers do.
    static let accountFlows: [String: StoryFlow<WhipItClient>] = [
        "WI-17": { client, scene in
            // "Cannot be checked now": the user taps once more, until the app knows.
            for _ in 1...3 {
                do {
                    guard try await client.service.canJoin(email: newcomer.email) else { return }
                    _ = try await client.service.join(newcomer)
                    return
                } catch let error as WhipItError where error.isTemporary {
                    try await scene.wait(seconds: 2)
                }
            }
        },
        "WI-19": { client, scene in
            if scene.variant == "post" {
                _ = try await client.service.publish(.coat(bytes: 48_213))
            } else {
                _ = try await client.service.join(newcomer)
                try await client.service.signIn(email: newcomer.email, password: newcomer.password)
            }
        },
    ]

    private static let newcomer = NewAccount(
        email: "newcomer@example.com",
        password: "whip1234",
        nickname: "위핏이88"
    )
}
