import ClientTesting
import Foundation
import JSON

/// The twin under test, with bugs or without.
struct RunwithUTwinAdapter: ClientAdapter {
    var bugs: Set<RunwithUBug> = []
    /// Other bugs for some stories, so that one run shows many of them.
    var storyBugs: [String: Set<RunwithUBug>] = [:]

    let name = "runwithu-twin"
    let contract = "Contracts/runwithu/openapi.json"
    let stories: String? = "Scenarios/runwithu"

    func makeClient(_ setting: ClientSetting) async throws -> RunwithUTwin { RunwithUTwin(setting, bugs: bugs) }

    func session(of client: RunwithUTwin) async -> ClientSession {
        var tokens: [String: String] = [:]
        tokens["access"] = await client.access
        tokens["refresh"] = await client.refresh
        return ClientSession(isSignedIn: await client.isSignedIn, tokens: tokens)
    }

    func decodingError(in error: any Error) -> DecodingError? {
        if case RunwithUTwinProblem.undecodable(let error) = error { error } else { error as? DecodingError }
    }

    func name(of error: any Error) -> String {
        if case RunwithUTwinProblem.undecodable = error { "undecodable" } else { "\(error)" }
    }

    private typealias Operation = ClientOperation<RunwithUTwin>
    private static let post = "66d3aa10e4b0a1d2c3f41001"
    private static let kept = "The twin keeps it to itself."

    var operations: [ClientOperation<RunwithUTwin>] {
        [
            Operation("validateEmail", answers: [.init(409, "It is taken.")]) {
                _ = try await $0.checkEmail("new@example.com")
                return .nothing
            },
            Operation("join") { try .encoding(await $0.join("new@example.com", "새내기")) },
            Operation("logIn", role: .signIn) {
                try await $0.enter("dahan@example.com", "run1234")
                return .nothing
            },
            Operation("refresh", role: .refresh, answers: [.init(409, "The token is good.")]) {
                try await $0.renewTogether()
                return .nothing
            },
            Operation("getMyProfile") { try .encoding(await $0.profile()) },
            Operation("getPosts") { try .encoding(await $0.page()) },
            Operation("getPost") { try .encoding(await $0.post(Self.post)) },
            Operation("createPost") { try .encoding(await $0.publish(.group("66d3b000e4b0a1d2c3f43001", $0))) },
            Operation("uploadFiles", root: JSONPointer(tokens: ["files"])) {
                try .encoding(await $0.upload(bytes: 8))
            },
            Operation("getFile") {
                try await $0.picture("uploads/posts/postImage_1725170012345.png")
                return .nothing
            },
            Operation("like", root: JSONPointer(tokens: ["like_status"])) {
                try .encoding(await $0.like(Self.post, true))
            },
            Operation("validatePayment") {
                try .encoding(await $0.validate("imp_123456789012", "66d40000e4b0a1d2c3f44001"))
            },
            Operation("getMyPayments") { try .encoding(await $0.receipts()) },
        ]
    }

    var omissions: [String: String] {
        let ids = [
            "withdraw", "changeMyProfile", "getProfile", "searchRunners", "follow", "unfollow", "getPostsByHashtag",
            "getPostsILike", "getPostsOf", "editPost", "deletePost", "comment", "like2",
        ]
        return Dictionary(
            uniqueKeysWithValues: ids.map { ($0, "The twin has it in no other way than its neighbours.") }
        )
    }

    var flows: [String: StoryFlow<RunwithUTwin>] {
        let right = Self.tokenFlows.merging(Self.postFlows) { first, _ in first }
        var flows = right
        for (story, bugs) in storyBugs {
            guard let flow = right[String(story.prefix { $0 != "/" })] else { continue }
            flows[story] = { twin, context in try await flow(RunwithUTwin(twin.setting, bugs: bugs), context) }
        }
        return flows
    }
}

extension CallValue {
    fileprivate static func encoding(_ value: some Encodable) throws -> CallValue {
        .json(Array(try JSONEncoder().encode(value)))
    }
}

extension RunwithUTwinDraft {
    /// A question to the members of a group.
    static func group(_ id: String, _ twin: RunwithUTwin) -> RunwithUTwinDraft {
        RunwithUTwinDraft(
            product_id: "runwithu_community_posts_group" + (twin.has(.e3) ? "" : "_\(id)"),
            title: "오늘 몇 시에 모이나요?",
            content: "늦을 것 같아요",
            content1: "qnas",
            content2: "러닝 일반"
        )
    }
}
