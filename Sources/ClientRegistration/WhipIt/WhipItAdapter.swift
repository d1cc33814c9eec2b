import ClientServices
package import ClientTesting
import Foundation

/// WhipIt's service under test.
package struct WhipItAdapter: AppAdapter {
    package init() {}

    package let name = "WhipIt"
    package let contract = "Contracts/whipit/openapi.json"
    package let stories: String? = "Scenarios/whipit"
    package let refusals = SessionRefusals(expired: [419], ending: [401, 418, 419], endingRefresh: [401, 403, 418])

    package var operations: [ClientOperation<WhipItClient>] {
        Self.accountOperations + Self.listOperations + Self.postOperations + Self.commentOperations
            + Self.profileOperations + Self.pictureOperations
    }

    package var flows: [String: StoryFlow<WhipItClient>] {
        Self.launchFlows.merging(Self.refreshFlows) { $1 }.merging(Self.feedFlows) { $1 }
            .merging(Self.postFlows) { $1 }.merging(Self.accountFlows) { $1 }
    }

    package func makeClient(_ setting: ClientSetting) async throws -> WhipItClient {
        guard let url = URL(string: setting.url + "/") else { throw WhipItError.unsendable(setting.url) }
        let store = MemoryTokenStore(setting)
        let service = WhipItService(
            baseURL: url,
            appKey: "whipit-key",
            store: store,
            transport: setting.transport,
            clock: BridgedClock(time: setting.time)
        )
        return WhipItClient(service: service, store: store)
    }
}

extension WhipIt.Reason: NamedReason {
    var name: String {
        switch self {
        case .status(let status, _): "\(status)(\(status.rawValue))"
        case .unknownStatus(let status, _): "unknownStatus(\(status))"
        }
    }
}

/// WhipIt as one launch of the app has it: the service, and the keychain.
package struct WhipItClient: AppClient {
    let service: WhipItService
    let store: MemoryTokenStore
}

extension WhipItAdapter {
    static let mina = "656f1c0ac91bb39798f0a001"
    private static let jun = "656f1c0ac91bb39798f0a002"
    private static let post = "6574a979c91bb39798f0f1c1"
    private static let comment = "6574ab20c91bb39798f0f1d2"

    static let accountOperations: [ClientOperation<WhipItClient>] = [
        .done(
            "checkEmail",
            drops: [.init("/message", "the app needs only the status, because the app localizes its own messages")],
            answers: [.init(409, "an expected result: the address is taken")]
        ) { _ = try await $0.canJoin(email: "newcomer@example.com") },
        ClientOperation("join") { client in
            let newcomer = NewAccount(
                email: "newcomer@example.com",
                password: "whip1234",
                nickname: "위핏이88",
                phoneNumber: "010-1234-5678"
            )
            return try CallValue(await client.service.join(newcomer))
        },
        .value(
            "login",
            role: .signIn,
            drops: [
                .init("/token", "the session keeps the token internally"),
                .init("/refreshToken", "the session keeps the token internally"),
            ]
        ) { try await $0.signIn(email: "mina@example.com", password: "whip1234") },
        .done(
            "refresh",
            role: .refresh,
            drops: [.init("/token", "the session keeps the token internally")],
            answers: [.init(409, "the stored token is still valid, so no refresh is necessary")]
        ) { try await $0.refreshSession() },
        .value("withdraw", role: .signOut) { try await $0.withdraw() },
    ]

    static let listOperations: [ClientOperation<WhipItClient>] = [
        .value("getPosts") { try await $0.page(of: .feed) },
        .value("getPostsOfUser") { try await $0.page(of: .user(jun), after: post) },
        .value("getLikedPosts") { try await $0.page(of: .liked) },
        .value("searchByHashtag") { try await $0.page(of: .hashtag("코트")) },
    ]

    static let postOperations: [ClientOperation<WhipItClient>] = [
        .value("createPost") { try await $0.publish(.coat(bytes: 2000)) },
        .value("getPost") { try await $0.post(post) },
        .value("editPost") { try await $0.edit(post, to: WhipIt.PostDraft(text: "봄 코트 #ootd")) },
        ClientOperation("deletePost") { client in try CallValue(["_id": await client.service.deletePost(post)]) },
        ClientOperation("toggleLike") { client in
            try CallValue(["like_status": await client.service.toggleLike(of: post)])
        },
    ]

    static let commentOperations: [ClientOperation<WhipItClient>] = [
        .value("addComment") { try await $0.comment("정보 부탁드려요", on: post) },
        .value("deleteComment") { try await $0.deleteComment(comment, on: post) },
    ]

    static let profileOperations: [ClientOperation<WhipItClient>] = [
        .value("getMyProfile") { try await $0.myProfile() },
        .value("editMyProfile") { try await $0.changeMyProfile(.picture(WhipIt.Picture(.bytes(500)))) },
        .value("getProfile") { try await $0.profile(of: jun) },
        .value("follow") { try await $0.follow(jun) },
        .value("unfollow") { try await $0.unfollow(jun) },
    ]

    static let pictureOperations: [ClientOperation<WhipItClient>] = [
        .done("getPostPicture") { _ = try await $0.picture(at: "uploads/posts/1702144377001.jpeg") },
        .done("getProfilePicture") { _ = try await $0.picture(at: "uploads/profiles/1702712363107.jpg") },
    ]
}

extension Data {
    /// A placeholder for a photograph: only its size matters.
    static func bytes(_ count: Int) -> Data { Data(repeating: 0xFF, count: count) }
}

extension WhipIt.PostDraft {
    /// A post with a picture of this number of bytes.
    static func coat(bytes: Int) -> WhipIt.PostDraft {
        WhipIt.PostDraft(
            pictures: [WhipIt.Picture(.bytes(bytes))],
            text: "오늘의 코트 #ootd #코트",
            pictureRatio: 3 / 4
        )
    }
}
