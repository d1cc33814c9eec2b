import ContractRunner
import Foundation

/// What the twin can ask.
extension WhipItTwin {
    func value<Value: Decodable>(_ call: TwinCall) async throws(TwinProblem) -> Value {
        let reply = try await perform(call)
        guard (200..<300).contains(reply.status) else { throw .status(reply.status) }
        let value: Value
        do {
            value = try JSONDecoder().decode(Value.self, from: Data(reply.body))
        } catch {
            throw (error as? DecodingError).map(TwinProblem.undecodable) ?? .unreadable
        }
        guard reply.status == 200 || !has(.w12) else { throw .status(reply.status) }
        return value
    }

    // MARK: Account

    /// Whether an address is free.
    func checkEmail(_ email: String) async throws -> Bool {
        do {
            let _: TwinMessage = try await value(
                TwinCall("POST", "/validation/email", isSigned: false).json(["email": email])
            )
            return true
        } catch {
            if case TwinProblem.status(409) = error { return false }
            guard has(.w11) else { throw error }
            return false
        }
    }

    func join(_ email: String) async throws -> TwinJoined {
        let newcomer = ["email": email, "password": "whip1234", "nick": "위핏이88"]
        return try await value(TwinCall("POST", "/join", isSigned: false).json(newcomer))
    }

    func logIn(_ email: String = "mina@example.com") async throws -> TwinDeleted {
        let session: TwinSession = try await value(
            TwinCall("POST", "/login", isSigned: false).json(["email": email, "password": "whip1234"])
        )
        guard !session.token.isEmpty, !session.refreshToken.isEmpty else { throw TwinProblem.unreadable }
        access = session.token
        refresh = session.refreshToken
        return TwinDeleted(_id: session._id)
    }

    func withdraw() async throws -> TwinJoined {
        let gone: TwinJoined = try await value(TwinCall(has(.n12) ? "POST" : "GET", "/withdraw"))
        forget()
        return gone
    }

    // MARK: Posts

    func page(_ target: String) async throws -> TwinPage {
        var page: TwinPage = try await value(TwinCall("GET", target))
        page.data = try page.data.map { try $0.read(with: bugs) }
        return page
    }

    func feed(next: String = "0") async throws -> TwinPage {
        try await page("/post?product_id=whipit_style&limit=20&next=\(next)")
    }

    func liked(next: String = "0") async throws -> TwinPage {
        try await page("/post/like/me?limit=100&next=\(next)")
    }

    func posts(of user: String, limit: Int = 30) async throws -> TwinPage {
        try await page("/post/user/\(user)?product_id=whipit_style&limit=\(limit)&next=0")
    }

    func post(_ id: String) async throws -> TwinPost {
        let post: TwinPost = try await value(TwinCall("GET", "/post/\(id)"))
        return try post.read(with: bugs)
    }

    func publish(bytes: Int) async throws -> TwinPost {
        let call = TwinCall("POST", "/post").form(
            [
                ("product_id", "whipit_style"), ("content", "오늘의 코트 #ootd #코트"),
                (has(.n9) ? "fileRatio" : "content1", "0.75"),
            ],
            file: ("file", bytes)
        )
        let post: TwinPost = try await value(call)
        return try post.read(with: bugs)
    }

    func edit(_ id: String) async throws -> TwinPost {
        let post: TwinPost = try await value(TwinCall("PUT", "/post/\(id)").form([("content", "봄 코트")]))
        return try post.read(with: bugs)
    }

    func toggle(_ id: String) async throws -> TwinLike { try await value(TwinCall("POST", "/post/like/\(id)")) }

    /// The user taps a heart that is empty.
    func tapHeart(of id: String, by user: String) async throws {
        let now = setting.time.now()
        if !has(.n8), let lastTap, now - lastTap < 0.3 { return }
        lastTap = now
        var call = TwinCall("POST", "/post/like/\(id)")
        call.isToggle = true
        do throws(TwinProblem) {
            let _: TwinLike = try await value(call)
            return
        } catch {
            switch error {
            case .connection, .status(419): break
            default: throw error
            }
        }
        if !has(.n8), try await post(id).likes.contains(user) { return }
        _ = try await toggle(id)
    }

    // MARK: Profiles and pictures

    func changePicture(bytes: Int) async throws -> TwinMyProfile {
        try await value(TwinCall("PUT", "/profile/me").form([], file: ("profile", bytes)))
    }

    func picture(_ path: String) async throws {
        var call = TwinCall("GET", (has(.n15) ? "//" : "/") + path)
        call.isIntercepted = !has(.w10)
        let reply = try await perform(call)
        guard (200..<300).contains(reply.status) else { throw TwinProblem.status(reply.status) }
    }
}
