import ClientTesting
import Foundation

/// The twin under test, with bugs or without.
struct WhipItTwinAdapter: ClientAdapter {
    var bugs: Set<WhipItBug> = []

    let name = "whipit-twin"
    let contract = "Contracts/whipit/openapi.json"
    /// One of the files is enough for a story of its own.
    var stories: String? = "Scenarios/whipit"
    let refusals = SessionRefusals(expired: [419], ending: [401, 418, 419], endingRefresh: [401, 403, 418])

    func makeClient(_ setting: ClientSetting) async throws -> WhipItTwin { WhipItTwin(setting, bugs: bugs) }

    func session(of client: WhipItTwin) async -> ClientSession {
        var tokens: [String: String] = [:]
        tokens["access"] = await client.access
        tokens["refresh"] = await client.refresh
        return ClientSession(isSignedIn: tokens["access"] != nil, tokens: tokens)
    }

    func decodingError(in error: any Error) -> DecodingError? {
        if case WhipItTwinProblem.undecodable(let error) = error { error } else { error as? DecodingError }
    }

    func name(of error: any Error) -> String {
        if case WhipItTwinProblem.undecodable = error { "undecodable" } else { "\(error)" }
    }

    static let mina = "656f1c0ac91bb39798f0a001"
    private static let jun = "656f1c0ac91bb39798f0a002"
    private static let post = "6574a979c91bb39798f0f1c1"
    private static let comment = "6574ab20c91bb39798f0f1d2"
    private typealias Operation = ClientOperation<WhipItTwin>
    private static let kept = "The twin keeps it to itself."

    var operations: [ClientOperation<WhipItTwin>] {
        [
            Operation("checkEmail", drops: [.init("/message", Self.kept)], answers: [.init(409, "It is taken.")]) {
                _ = try await $0.checkEmail("newcomer@example.com")
                return .nothing
            },
            Operation("join") { try .of(await $0.join("newcomer@example.com")) },
            Operation(
                "login",
                role: .signIn,
                drops: [.init("/token", Self.kept), .init("/refreshToken", Self.kept)]
            ) { try .of(await $0.logIn()) },
            Operation(
                "refresh",
                role: .refresh,
                drops: [.init("/token", Self.kept)],
                answers: [.init(409, "The token is good.")]
            ) {
                try await $0.refreshNow()
                return .nothing
            },
            Operation("withdraw", role: .signOut) { try .of(await $0.withdraw()) },
            Operation("createPost") { try .of(await $0.publish(bytes: 2000)) },
            Operation("getPosts") { try .of(await $0.feed()) },
            Operation("getPost") { try .of(await $0.post(Self.post)) },
            Operation("editPost") { try .of(await $0.edit(Self.post)) },
            Operation("deletePost") {
                try .of(await $0.value(WhipItTwinCall("DELETE", "/post/\(Self.post)")) as WhipItTwinDeleted)
            },
            Operation("getPostsOfUser") { try .of(await $0.posts(of: Self.jun)) },
            Operation("toggleLike") { try .of(await $0.toggle(Self.post)) },
            Operation("getLikedPosts") { try .of(await $0.liked()) },
            Operation("searchByHashtag") { try .of(await $0.page("/post/hashtag?hashTag=ootd&limit=50&next=0")) },
            Operation("addComment") {
                let call = try WhipItTwinCall("POST", "/post/\(Self.post)/comment").json(["content": "정보 부탁드려요"])
                return try .of(await $0.value(call) as WhipItTwinComment)
            },
            Operation("deleteComment") {
                let call = WhipItTwinCall("DELETE", "/post/\(Self.post)/comment/\(Self.comment)")
                return try .of(await $0.value(call) as WhipItTwinDeletedComment)
            },
            Operation("getMyProfile") {
                try .of(await $0.value(WhipItTwinCall("GET", "/profile/me")) as WhipItTwinMyProfile)
            },
            Operation("editMyProfile") { try .of(await $0.changePicture(bytes: 500)) },
            Operation("getProfile") {
                try .of(await $0.value(WhipItTwinCall("GET", "/profile/\(Self.jun)")) as WhipItTwinProfile)
            },
            Operation("follow") {
                try .of(await $0.value(WhipItTwinCall("POST", "/follow/\(Self.jun)")) as WhipItTwinFollowing)
            },
            Operation("unfollow") {
                try .of(await $0.value(WhipItTwinCall("DELETE", "/follow/\(Self.jun)")) as WhipItTwinFollowing)
            },
            Operation("getPostPicture") {
                try await $0.picture("uploads/posts/1702144377001.jpeg")
                return .nothing
            },
            Operation("getProfilePicture") {
                try await $0.picture("uploads/profiles/1702712363107.jpg")
                return .nothing
            },
        ]
    }
}

extension CallValue {
    /// A value of the twin, as it is encoded again.
    fileprivate static func of(_ value: some Encodable) throws -> CallValue {
        .json(Array(try JSONEncoder().encode(value)))
    }
}
