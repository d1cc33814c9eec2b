import ClientServices
package import ClientTesting
import Foundation
import JSON

/// Puts RunwithU's service under test.
package struct RunwithUAdapter: AppAdapter {
    package let name = "RunwithU"
    package let contract = "Contracts/runwithu/openapi.json"
    package let stories: String? = "Scenarios/runwithu"

    package init() {}

    package func makeClient(_ setting: ClientSetting) async throws -> RunwithUClient {
        guard let url = URL(string: setting.url) else { throw URLError(.badURL) }
        let store = MemoryTokenStore(setting)
        let service = RunwithUService(
            baseURL: url,
            appKey: "runwithu-key",
            store: store,
            transport: setting.transport,
            clock: BridgedClock(time: setting.time)
        )
        return RunwithUClient(
            service: service,
            store: store,
            clock: BridgedClock(time: setting.time),
            provider: setting.origins["portone"].map { RunwithUProvider(url: $0, transport: setting.transport) }
        )
    }

    package var operations: [ClientOperation<RunwithUClient>] {
        Self.accountOperations + Self.runnerOperations + Self.listOperations + Self.postOperations
            + Self.paymentOperations
    }

    package var flows: [String: StoryFlow<RunwithUClient>] {
        Self.tokenStories.merging(Self.accountStories) { first, _ in first }
            .merging(Self.feedStories) { first, _ in first }
            .merging(Self.groupStories) { first, _ in first }
            .merging(Self.paymentStories) { first, _ in first }
    }
}

/// RunwithU as it runs in a test: the service, and what its app has next to it.
package struct RunwithUClient: AppClient {
    let service: RunwithUService
    let store: MemoryTokenStore
    let clock: BridgedClock
    /// The payment provider's SDK, in stories that have the provider.
    let provider: RunwithUProvider?
}

extension RunwithUAdapter {
    static let listOperations: [Operation] = [
        .value("getPosts") { try await $0.page(in: .community, after: RunwithUSample.cursor, size: 10) },
        .value("getPostsByHashtag") { try await $0.page(taggedWith: "한강", in: .community) },
        .value("getPostsILike") { try await $0.pageOfLikedPosts() },
        .value("getPostsOf") { try await $0.page(by: RunwithUSample.runner, size: 20) },
    ]

    static let postOperations: [Operation] = [
        Operation("uploadFiles", root: JSONPointer(tokens: ["files"])) { client in
            let jpeg = RunwithU.Attachment(Data([0xFF, 0xD8, 0xFF, 0xE0]), mediaType: "image/jpeg")
            return try CallValue(try await client.service.upload([RunwithUSample.picture, jpeg]))
        },
        Operation("createPost") { client in
            var draft = RunwithU.PostDraft.epilogue(
                title: "한강 10K 완주",
                content: "바람이 좋았어요 #한강 #10K",
                run: RunwithU.RunningInfo(
                    start: client.clock.now,
                    course: "여의도-반포",
                    minutes: 60,
                    difficulty: .moderate
                ),
                of: RunwithUSample.post
            )
            draft.files = ["uploads/posts/postImage_1725170012345.png"]
            return try CallValue(try await client.service.publish(draft))
        },
        .value("getPost") { try await $0.post(RunwithUSample.post) },
        Operation("editPost") { client in
            let changes = RunwithU.PostChanges(title: "한강 10K 완주!")
            return try CallValue(try await client.service.edit(RunwithUSample.post, changes))
        },
        .done("deletePost") { try await $0.deletePost(RunwithUSample.post) },
        .value("comment") { try await $0.comment("저도 갈게요", on: RunwithUSample.post) },
        .value("like", root: JSONPointer(tokens: ["like_status"])) {
            try await $0.setLike(true, of: RunwithUSample.post)
        },
        .value("like2", root: JSONPointer(tokens: ["like_status"])) {
            try await $0.setSecondLike(false, of: RunwithUSample.post)
        },
        .done("getFile") { _ = try await $0.file(at: "uploads/posts/postImage_1725170012345.png") },
    ]

    static let paymentOperations: [Operation] = [
        Operation("validatePayment") { client in
            let payment = RunwithU.Payment(
                id: "imp_123456789012",
                race: "66d40000e4b0a1d2c3f44001",
                orderNumber: "ios_1725690000"
            )
            return try CallValue(try await client.service.validate(payment))
        },
        .value("getMyPayments", root: JSONPointer(tokens: ["data"])) { try await $0.myReceipts() },
    ]
}

extension RunwithUAdapter {
    typealias Operation = ClientOperation<RunwithUClient>

    static let accountOperations: [Operation] = [
        .value(
            "validateEmail",
            answers: [.init(409, "an expected result: the address is taken")]
        ) { try await $0.checkEmail("dahan@example.com") },
        Operation("join") { client in
            let account = NewAccount(email: "dahan@example.com", password: "run1234", nickname: "달리는한결")
            return try CallValue(try await client.service.join(account))
        },
        .value(
            "logIn",
            role: .signIn,
            drops: [
                .init("/accessToken", "the store contains the token"),
                .init("/refreshToken", "the store contains the token"),
            ]
        ) { try await $0.signIn(email: "dahan@example.com", password: "run1234") },
        .done(
            "refresh",
            role: .refresh,
            drops: [.init("/accessToken", "the store contains the token")],
            answers: [.init(409, "the stored token is still valid, so no refresh is necessary")]
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
            answers: [.init(409, "the user is already followed")]
        ) { try await $0.follow(RunwithUSample.runner) },
        .value("unfollow", root: JSONPointer(tokens: ["following_status"])) {
            try await $0.unfollow(RunwithUSample.runner)
        },
    ]
}

/// The arguments of operations.
enum RunwithUSample {
    static let runner = "66c1f0a2e4b0a1d2c3f40002"
    static let post = "66d3aa10e4b0a1d2c3f41001"
    static let cursor = "66d39f00e4b0a1d2c3f40ff9"
    /// The beginning of a picture, which is all that a reader looks at.
    static let picture = RunwithU.Attachment(
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        mediaType: "image/png"
    )
}

extension RunwithU.Reason: NamedReason {
    var name: String {
        switch self {
        case .server(let status, _), .unexpectedStatus(let status, _): "\(caseName)(\(status))"
        default: caseName
        }
    }
}

extension RunwithUAdapter {
    /// Stories about groups and invitations, which are liked by those who come along.
    static let groupStories: [String: Flow] = [
        "W13": { client, context in
            let me = context.variant == "fourth" ? "66c1f0a2e4b0a1d2c3f40003" : "66c1f0a2e4b0a1d2c3f40001"
            var group = try await client.service.group("66d3b000e4b0a1d2c3f43001")
            if !group.hasMember(me) {
                await context.report("full", .bool(group.isFull))
                // A user who is not a member taps the button anyway.
                let current = group
                _ = await context.outcome { try await client.service.join(current) }
                return
            }
            group = try await client.service.group(group.id)
            await context.report("member", .bool(group.hasMember(me)))
        },
        "W15": { client, context in
            let me = "66c1f0a2e4b0a1d2c3f40001"
            let invitation = try await client.service.invitation("66d3c000e4b0a1d2c3f45001")
            let shown = invitation.isAccepted(by: me)
            let outcome = await context.outcome {
                try await client.service.answer(invitation.id, accepting: false)
            }
            await context.report("accepted", .bool(outcome == nil ? false : shown))
            await context.report("showsError", .bool(outcome != nil))
            if outcome != nil { try await client.service.answer(invitation.id, accepting: false) }
            let now = try await client.service.invitation(invitation.id)
            await context.report("accepted", .bool(now.isAccepted(by: me)))
        },
        "W23": { client, context in
            let invitations = try await client.service.invitations(for: "66c1f0a2e4b0a1d2c3f40001")
            await context.report("shown", .number(JSONNumber(invitations.count)))
            for invitation in invitations { try await client.service.answer(invitation.id, accepting: true) }
        },
    ]
}

/// The payment provider's SDK, as the app sees it: it takes an order, and says how it went.
struct RunwithUProvider: RunwithU.PaymentProvider {
    let url: String
    let transport: any Transport

    func pay(_ order: RunwithU.Order) async throws -> RunwithU.ProviderResponse {
        guard let url = URL(string: url + "/payments") else { throw URLError(.badURL) }
        let form = Form(merchantUID: order.number, amount: String(order.amount), name: order.name)
        let request = TransportRequest(
            .post,
            url,
            fields: ["Content-Type": "application/json"],
            body: try JSONEncoder().encode(form)
        )
        let answer = try JSONDecoder().decode(Answer.self, from: try await transport.send(request).body)
        return RunwithU.ProviderResponse(
            isSuccess: answer.success,
            paymentID: answer.imp_uid,
            orderNumber: answer.merchant_uid,
            message: answer.error_msg
        )
    }

    private struct Form: Encodable {
        var merchantUID: String
        var amount: String
        var method = "card"
        var name: String

        enum CodingKeys: String, CodingKey {
            case merchantUID = "merchant_uid"
            case amount
            case method = "pay_method"
            case name
        }
    }

    /// The members bear the SDK's own names.
    private struct Answer: Decodable {
        var success: Bool?
        var imp_uid: String?
        var merchant_uid: String?
        var error_msg: String?
    }
}

extension RunwithUAdapter {
    /// Stories about reading and writing posts.
    static let feedStories: [String: Flow] = [
        "W11": { client, context in
            let draft = RunwithU.PostDraft.review(
                title: "새 러닝화",
                content: "가벼워요",
                brand: "아식스",
                product: "러닝화",
                rating: 5
            )
            let picture = RunwithU.Attachment(
                RunwithUSample.picture.content + Data(count: 6_000_000),
                mediaType: "image/png"
            )
            let outcome = await context.outcome { try await client.service.publish(draft, with: [picture]) }
            await context.report("draftKept", .bool(outcome != nil))
            await context.report("showsError", .bool(outcome != nil))
        },
        "W12": { client, _ in
            let feed = RunwithU.Namespace.group("66d3b000e4b0a1d2c3f43001")
            _ = try await client.service.page(in: feed, size: 20)
            let draft = RunwithU.PostDraft.question(
                title: "오늘 몇 시에 모이나요?",
                content: "늦을 것 같아요",
                about: "러닝 일반",
                in: feed
            )
            try await client.service.publish(draft)
            _ = try await client.service.page(in: feed, size: 20)
        },
        "W14": { client, context in
            let profile = try await client.service.myProfile()
            let posts = try await client.service.posts(withIDs: profile.profile.posts)
            await context.report("shown", .number(JSONNumber(posts.count)))
        },
        "W16": { client, context in
            let list = PagedList(client.service.posts(in: .community))
            let outcome = await context.outcome { try await list.loadMore() }
            await context.report("shown", .number(JSONNumber(await list.items.count)))
            await context.report("showsError", .bool(outcome != nil))
            // A person reads first, and scrolls then.
            try await context.wait(seconds: 2)
            try await list.loadMore()
        },
        "W19": { client, context in
            let list = PagedList(client.service.posts(in: .community))
            while !(await list.isComplete) {
                // Two scroll events come for each page.
                async let first: Void = list.loadMore()
                async let second: Void = list.loadMore()
                _ = try await (first, second)
            }
            await context.report("shown", .number(JSONNumber(await list.items.count)))
        },
    ]
}
