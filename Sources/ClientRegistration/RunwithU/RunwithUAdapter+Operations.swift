import ClientServices
import ContractRunner
import Foundation
import JSONText

extension RunwithUAdapter {
    typealias Operation = ClientOperation<RunwithUClient>

    static let accountOperations: [Operation] = [
        Operation(
            "validateEmail",
            answers: [.init(409, "the address is taken, which is what was asked")]
        ) { client in
            try CallValue(try await client.service.checkEmail("dahan@example.com"))
        },
        Operation("join") { client in
            let account = NewAccount(email: "dahan@example.com", password: "run1234", nickname: "달리는한결")
            return try CallValue(try await client.service.join(account))
        },
        Operation(
            "logIn",
            role: .signIn,
            drops: [
                .init("/accessToken", "the store has it"),
                .init("/refreshToken", "the store has it"),
            ]
        ) { client in
            try CallValue(try await client.service.signIn(email: "dahan@example.com", password: "run1234"))
        },
        Operation(
            "refresh",
            role: .refresh,
            drops: [.init("/accessToken", "the store has it")],
            answers: [.init(409, "the stored token is still good")]
        ) { client in
            try await client.service.refreshSession()
            return .nothing
        },
        Operation("withdraw", role: .signOut) { client in
            try CallValue(try await client.service.withdraw())
        },
    ]

    static let runnerOperations: [Operation] = [
        Operation("getMyProfile") { client in
            try CallValue(try await client.service.myProfile())
        },
        Operation("changeMyProfile") { client in
            let changes = RunwithU.ProfileChanges(
                nickname: "새벽에달리는한결",
                phoneNumber: "010-1234-5678",
                birthday: "19950901",
                picture: RunwithUSample.picture
            )
            return try CallValue(try await client.service.changeMyProfile(changes))
        },
        Operation("getProfile") { client in
            try CallValue(try await client.service.profile(of: RunwithUSample.runner))
        },
        Operation("searchRunners", root: JSONPointer(tokens: ["data"])) { client in
            try CallValue(try await client.service.runners(named: "새벽 러너+&="))
        },
        Operation(
            "follow",
            root: JSONPointer(tokens: ["following_status"]),
            answers: [.init(409, "it is so already")]
        ) { client in
            try CallValue(try await client.service.follow(RunwithUSample.runner))
        },
        Operation("unfollow", root: JSONPointer(tokens: ["following_status"])) { client in
            try CallValue(try await client.service.unfollow(RunwithUSample.runner))
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
