import ClientServices
import ClientTesting
import Foundation
import JSON

extension RunwithUAdapter {
    typealias Operation = ClientOperation<RunwithUClient>

    static let accountOperations: [Operation] = [
        .value(
            "validateEmail",
            answers: [.init(409, "the address is taken, which is what was asked")]
        ) { try await $0.checkEmail("dahan@example.com") },
        Operation("join") { client in
            let account = NewAccount(email: "dahan@example.com", password: "run1234", nickname: "달리는한결")
            return try CallValue(try await client.service.join(account))
        },
        .value(
            "logIn",
            role: .signIn,
            drops: [
                .init("/accessToken", "the store has it"),
                .init("/refreshToken", "the store has it"),
            ]
        ) { try await $0.signIn(email: "dahan@example.com", password: "run1234") },
        .done(
            "refresh",
            role: .refresh,
            drops: [.init("/accessToken", "the store has it")],
            answers: [.init(409, "the stored token is still good")]
        ) { try await $0.refreshSession() },
        .value("withdraw", role: .signOut) { try await $0.withdraw() },
    ]

    static let runnerOperations: [Operation] = [
        .value("getMyProfile") { try await $0.myProfile() },
        Operation("changeMyProfile") { client in
            let changes = RunwithU.ProfileChanges(
                nickname: "새벽에달리는한결",
                phoneNumber: "010-1234-5678",
                birthday: "19950901",
                picture: RunwithUSample.picture
            )
            return try CallValue(try await client.service.changeMyProfile(changes))
        },
        .value("getProfile") { try await $0.profile(of: RunwithUSample.runner) },
        .value("searchRunners", root: JSONPointer(tokens: ["data"])) { try await $0.runners(named: "새벽 러너+&=") },
        .value(
            "follow",
            root: JSONPointer(tokens: ["following_status"]),
            answers: [.init(409, "it is so already")]
        ) { try await $0.follow(RunwithUSample.runner) },
        .value("unfollow", root: JSONPointer(tokens: ["following_status"])) {
            try await $0.unfollow(RunwithUSample.runner)
        },
    ]
}

/// What operations are asked with.
enum RunwithUSample {
    static let runner = "66c1f0a2e4b0a1d2c3f40002"
    static let post = "66d3aa10e4b0a1d2c3f41001"
    static let cursor = "66d39f00e4b0a1d2c3f40ff9"
    /// The beginning of a picture, which is all that anybody looks at.
    static let picture = RunwithU.Attachment(
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        mediaType: "image/png"
    )
}
