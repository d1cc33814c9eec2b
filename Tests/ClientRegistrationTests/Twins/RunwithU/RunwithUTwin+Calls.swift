import ClientTesting
import Foundation

/// What the twin can ask.
extension RunwithUTwin {
    /// Whether an address is free.
    func checkEmail(_ email: String) async throws(RunwithUTwinProblem) -> Bool {
        let call = try RunwithUTwinCall("POST", "/validation/email", isSigned: false).json(["email": email])
        let response = try await perform(call)
        let isUnknown = [420, 429, 500].contains(response.status)
        guard response.status == 200 || response.status == 409 || (has(.e1) && isUnknown) else {
            throw .status(response.status)
        }
        let _: TwinMessage = try decoded(response)
        return response.status != 409
    }

    func join(_ email: String, _ nick: String) async throws(RunwithUTwinProblem) -> RunwithUTwinJoined {
        do {
            let call = RunwithUTwinCall("POST", "/users/join", isSigned: false)
            return try await value(try call.json(["email": email, "password": "run1234", "nick": nick]))
        } catch {
            guard case .status(402) = error else { throw error }
            throw has(.e4) ? .nicknameInUse : .whitespaceInNickname
        }
    }

    /// The login screen, which opens the tabs when it takes the login for one.
    func enter(_ email: String, _ password: String) async throws(RunwithUTwinProblem) {
        do {
            _ = try await logIn(email, password)
        } catch {
            guard has(.b7), case .status = error else { throw error }
        }
    }

    func profile() async throws(RunwithUTwinProblem) -> RunwithUTwinProfile {
        try await value(RunwithUTwinCall("GET", "/users/me/profile"))
    }

    func page(
        _ namespace: String = "runwithu_community_posts_public",
        limit: Int = 10,
        next: String = ""
    ) async throws(RunwithUTwinProblem) -> RunwithUTwinPage {
        var page: RunwithUTwinPage = try await value(
            RunwithUTwinCall("GET", "/posts?product_id=\(namespace)&limit=\(limit)&next=\(next)")
        )
        var posts: [RunwithUTwinPost] = []
        for post in page.data { posts.append(try post.read(with: bugs)) }
        page.data = posts
        return page
    }

    func post(_ id: String) async throws(RunwithUTwinProblem) -> RunwithUTwinPost {
        let post: RunwithUTwinPost = try await value(RunwithUTwinCall("GET", "/posts/\(id)"))
        return try post.read(with: bugs)
    }

    /// All of these posts, five at a time.
    func posts(_ ids: [String]) async throws -> [RunwithUTwinPost] {
        if has(.e10) {
            return await withTaskGroup(of: RunwithUTwinPost?.self) { group in
                for id in ids { group.addTask { try? await self.post(id) } }
                var posts: [RunwithUTwinPost] = []
                for await post in group { if let post { posts.append(post) } }
                return posts
            }
        }
        var posts: [RunwithUTwinPost] = []
        for start in stride(from: 0, to: ids.count, by: 5) {
            posts += try await withThrowingTaskGroup(of: RunwithUTwinPost.self) { group in
                for id in ids[start..<min(start + 5, ids.count)] { group.addTask { try await self.post(id) } }
                var posts: [RunwithUTwinPost] = []
                for try await post in group { posts.append(post) }
                return posts
            }
        }
        return posts
    }

    func upload(bytes: Int) async throws(RunwithUTwinProblem) -> [String] {
        let uploaded: RunwithUTwinFiles = try await value(
            RunwithUTwinCall("POST", "/posts/files").picture(bytes: bytes)
        )
        return uploaded.files
    }

    /// Writes a post, with a picture of so many bytes.
    @discardableResult
    func publish(_ draft: RunwithUTwinDraft, picture: Int? = nil) async throws(RunwithUTwinProblem) -> RunwithUTwinPost
    {
        var draft = draft
        if let picture {
            do {
                draft.files = try await upload(bytes: picture)
            } catch {
                guard has(.e5) else { throw error }
                draft.files = []
            }
        }
        let post: RunwithUTwinPost = try await value(try RunwithUTwinCall("POST", "/posts").json(draft))
        return try post.read(with: bugs)
    }

    func picture(_ path: String) async throws(RunwithUTwinProblem) {
        var call = RunwithUTwinCall("GET", "/" + path)
        call.isPicture = true
        let response = try await perform(call)
        guard (200..<300).contains(response.status) else { throw .status(response.status) }
    }

    /// Another user's profile.
    func look(at id: String) async throws(RunwithUTwinProblem) {
        let response = try await perform(RunwithUTwinCall("GET", "/users/\(id)/profile"))
        guard response.status == 200 else { throw .status(response.status) }
    }

    /// Follows a user or ends it; 409 says that it is so already.
    func follow(_ id: String, with method: String) async throws(RunwithUTwinProblem) {
        let response = try await perform(RunwithUTwinCall(method, "/follow/\(id)"))
        guard response.status == 200 || response.status == 409 && !has(.fearsFollowed) else {
            throw .status(response.status)
        }
    }

    func like(_ id: String, _ isLiked: Bool) async throws(RunwithUTwinProblem) -> Bool {
        let status: TwinLike = try await value(
            try RunwithUTwinCall("POST", "/posts/\(id)/like").json(TwinLike(like_status: isLiked))
        )
        return status.like_status
    }

    // MARK: Payments

    /// Pays for a race; whether its place is paid.
    func pay(for race: RunwithUTwinPost) async throws -> Bool {
        guard let provider = setting.origins["portone"] else { throw RunwithUTwinProblem.connection }
        let second = Int(setting.time.now())
        let number = has(.e15) ? "ios_\(Self.key)_\(second)" : "ios_\(second)_\(UInt32.random(in: 0...999_999))"
        var call = try RunwithUTwinCall("POST", "", isSigned: false).json([
            "merchant_uid": number, "amount": race.content3 ?? "", "pay_method": "card",
            "name": "\(race.title ?? "") 참가신청",
        ])
        call.target = "/payments"
        let charge: RunwithUTwinCharge = try decoded(try await transmit(call, nil, to: provider))
        if has(.p20) { return charge.success ?? false }
        guard charge.success == true || has(.validatesAnything) else { throw RunwithUTwinProblem.unpaid }
        do {
            _ = try await validate(charge.imp_uid ?? "", race.post_id)
            return true
        } catch {
            switch error {
            case .connection, .status(409):
                return try await receipts().data.contains { $0.merchant_uid == charge.merchant_uid }
            default: throw error
            }
        }
    }

    func validate(_ payment: String, _ race: String) async throws(RunwithUTwinProblem) -> RunwithUTwinReceipt {
        let call = RunwithUTwinCall("POST", "/payments/validation")
        return try await value(try call.json(["imp_uid": payment, "post_id": race]))
    }

    func receipts() async throws(RunwithUTwinProblem) -> RunwithUTwinReceipts {
        try await value(RunwithUTwinCall("GET", "/payments/me"))
    }
}
