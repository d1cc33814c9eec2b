import ClientServices
import Foundation
import Testing

typealias RunwithUBench = Bench<RunwithUService>

extension Bench<RunwithUService> {
    /// - Parameters:
    ///   - tokens: those in the store.
    ///   - answer: what a request gets; `nil` for what a login gets when it goes well.
    init(_ tokens: Tokens? = .first, _ answer: @escaping StubServer.Answering) throws {
        try self.init(tokens) { _ in
            StubServer { request, count in
                if let answer = await answer(request, count) { return answer }
                let account = #"{"user_id":"u1","email":"e","nick":"n","accessToken":"A9","refreshToken":"R9"}"#
                return request.line == "POST /v1/users/login" ? .response(200, account) : nil
            }
        } service: { server, store, clock in
            RunwithUService(
                baseURL: try #require(URL(string: "https://runwithu.test")),
                appKey: "key",
                store: store,
                transport: server,
                clock: clock
            )
        }
    }

    /// A post with this id, as JSON.
    static func post(
        _ id: String,
        namespace: RunwithU.Namespace = .community,
        content1: String = "epilogues",
        content3: String? = nil,
        likes: [String] = []
    ) -> String {
        let third = content3.map { #","content3":"\#($0)""# } ?? ""
        let liked = likes.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"post_id":"\#(id)","product_id":"\#(namespace.rawValue)","content1":"\#(content1)"\#(third),"#
            + #""createdAt":"2024-09-01T05:12:33.418Z","creator":{"user_id":"u2","nick":"새벽러너"},"files":[],"#
            + #""likes":[\#(liked)],"likes2":[],"buyers":[],"hashTags":[],"comments":[]}"#
    }

    static func page(_ ids: [String], next: String) -> StubServer.Answer {
        .response(200, #"{"data":[\#(ids.map { post($0) }.joined(separator: ","))],"next_cursor":"\#(next)"}"#)
    }
}

extension RunwithUService: BenchedService {
    func signInAgain() async throws { try await signIn(email: "e", password: "run1234") }
}
