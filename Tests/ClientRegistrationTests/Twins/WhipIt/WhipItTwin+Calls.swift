import ClientTesting
import Foundation

/// What the twin can ask.
extension WhipItTwin {
    func value<Value: Decodable>(_ call: WhipItTwinCall) async throws(WhipItTwinProblem) -> Value {
        let response = try await perform(call)
        guard (200..<300).contains(response.status) else { throw .status(response.status) }
        let value: Value
        do {
            value = try JSONDecoder().decode(Value.self, from: Data(response.body))
        } catch {
            throw (error as? DecodingError).map(WhipItTwinProblem.undecodable) ?? .unreadable
        }
        guard response.status == 200 || !has(.w12) else { throw .status(response.status) }
        return value
    }

    // MARK: Account

    /// Whether an address is free.
    func checkEmail(_ email: String) async throws -> Bool {
        do {
            let _: TwinMessage = try await value(
                WhipItTwinCall("POST", "/validation/email", isSigned: false).json(["email": email])
            )
            return true
        } catch {
            if case WhipItTwinProblem.status(409) = error { return false }
            guard has(.w11) else { throw error }
            return false
        }
    }

    func join(_ email: String) async throws -> WhipItTwinJoined {
        let newcomer = ["email": email, "password": "whip1234", "nick": "위핏이88"]
        return try await value(WhipItTwinCall("POST", "/join", isSigned: false).json(newcomer))
    }

    func logIn(_ email: String = "mina@example.com") async throws -> WhipItTwinDeleted {
        let session: WhipItTwinSession = try await value(
            WhipItTwinCall("POST", "/login", isSigned: false).json(["email": email, "password": "whip1234"])
        )
        guard !session.token.isEmpty, !session.refreshToken.isEmpty else { throw WhipItTwinProblem.unreadable }
        access = session.token
        refresh = session.refreshToken
        return WhipItTwinDeleted(_id: session._id)
    }

    func withdraw() async throws -> WhipItTwinJoined {
        let gone: WhipItTwinJoined = try await value(WhipItTwinCall(has(.n12) ? "POST" : "GET", "/withdraw"))
        forget()
        return gone
    }

    // MARK: Posts

    func page(_ target: String) async throws -> WhipItTwinPage {
        var page: WhipItTwinPage = try await value(WhipItTwinCall("GET", target))
        page.data = try page.data.map { try $0.read(with: bugs) }
        return page
    }

    func feed(next: String = "0") async throws -> WhipItTwinPage {
        try await page("/post?product_id=whipit_style&limit=20&next=\(next)")
    }

    func liked(next: String = "0") async throws -> WhipItTwinPage {
        try await page("/post/like/me?limit=100&next=\(next)")
    }

    func posts(of user: String, limit: Int = 30) async throws -> WhipItTwinPage {
        try await page("/post/user/\(user)?product_id=whipit_style&limit=\(limit)&next=0")
    }

    func post(_ id: String) async throws -> WhipItTwinPost {
        let post: WhipItTwinPost = try await value(WhipItTwinCall("GET", "/post/\(id)"))
        return try post.read(with: bugs)
    }

    func publish(bytes: Int) async throws -> WhipItTwinPost {
        let call = WhipItTwinCall("POST", "/post").form(
            [
                ("product_id", "whipit_style"), ("content", "오늘의 코트 #ootd #코트"),
                (has(.n9) ? "fileRatio" : "content1", "0.75"),
            ],
            file: ("file", bytes)
        )
        let post: WhipItTwinPost = try await value(call)
        return try post.read(with: bugs)
    }

    func edit(_ id: String) async throws -> WhipItTwinPost {
        let post: WhipItTwinPost = try await value(WhipItTwinCall("PUT", "/post/\(id)").form([("content", "봄 코트")]))
        return try post.read(with: bugs)
    }

    func toggle(_ id: String) async throws -> TwinLike { try await value(WhipItTwinCall("POST", "/post/like/\(id)")) }

    /// The user taps a heart that is empty.
    func tapHeart(of id: String, by user: String) async throws {
        let now = setting.time.now()
        if !has(.n8), let lastTap, now - lastTap < 0.3 { return }
        lastTap = now
        var call = WhipItTwinCall("POST", "/post/like/\(id)")
        call.isToggle = true
        do throws(WhipItTwinProblem) {
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

    func changePicture(bytes: Int) async throws -> WhipItTwinMyProfile {
        try await value(WhipItTwinCall("PUT", "/profile/me").form([], file: ("profile", bytes)))
    }

    func picture(_ path: String) async throws {
        var call = WhipItTwinCall("GET", (has(.n15) ? "//" : "/") + path)
        call.isIntercepted = !has(.w10)
        let response = try await perform(call)
        guard (200..<300).contains(response.status) else { throw WhipItTwinProblem.status(response.status) }
    }
}
