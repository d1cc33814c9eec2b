import ClientServices
import Foundation
import Testing

typealias SmeemBench = Bench<SmeemService>

extension Bench<SmeemService> {
    /// - Parameters:
    ///   - tokens: those in the store.
    ///   - access: the access token that is good; every other one is refused.
    ///   - answer: what a request gets; `nil` for what a server in good health answers.
    init(
        _ tokens: Tokens? = .first,
        taking access: String = "A1",
        _ answer: @escaping StubServer.Answering = { _, _ in nil }
    ) throws {
        try self.init(tokens, taken: Tokens(access: access, refresh: "R1")) { taken in
            StubServer { request, count in
                await answer(request, count) ?? .success(Self.usual(request, taken))
            }
        } service: { server, store, clock in
            SmeemService(
                baseURL: try #require(URL(string: "http://smeem.example")),
                store: store,
                transport: server,
                clock: clock
            )
        }
    }

    private static func usual(_ request: TransportRequest, _ taken: ServerTokens) -> TransportResponse {
        switch request.line {
        case "POST /api/v2/auth/token":
            guard request.access == "Bearer \(taken.good.refresh)" else { return .smeemUnauthorized }
            let renewed = taken.renew { number, old in Tokens(access: "A\(number)", refresh: old.refresh) }
            return .smeem(#"{"accessToken": "\#(renewed.access)", "refreshToken": "\#(renewed.refresh)"}"#)
        case "POST /api/v2/auth":
            let data = #"{"accessToken": "A1", "refreshToken": "R1", "isRegistered": true, "hasPlan": true}"#
            return .smeem(data, status: 201)
        case "GET /api/v2/members/performance/summary":
            guard request.access == "Bearer \(taken.good.access)" else { return .smeemUnauthorized }
            return .smeem(#"{"visitDays": 1, "diaryCount": 2, "diaryComboCount": 3, "badgeCount": 4}"#)
        case "POST /api/v2/diaries":
            return .smeem(#"{"diaryId": 345, "badges": []}"#, status: 201)
        default:
            return .smeem("null")
        }
    }

    /// What a call threw; `nil` when it went well.
    func error(of call: () async throws(SmeemError) -> Void) async -> SmeemError? {
        do throws(SmeemError) {
            try await call()
            return nil
        } catch {
            return error
        }
    }

    /// What a call with a token threw; `nil` when it went well.
    func errorOfCall() async -> SmeemError? {
        await error { () async throws(SmeemError) in _ = try await service.performance() }
    }

    /// The JSON that the first request brought.
    var firstBody: String? {
        get async { await server.requests.first?.text }
    }
}

extension SmeemService: BenchedService {
    func signInAgain() async throws { try await signInAsBefore() }

    /// Signs in with any token of Kakao's.
    func signInAsBefore() async throws(SmeemError) { _ = try await signIn(with: .kakao("kakao-1")) }
}

extension TransportResponse {
    /// An answer with data in Smeem's envelope.
    static func smeem(_ data: String, status: Int = 200) -> TransportResponse {
        TransportResponse(status: status, body: Data(#"{"success": true, "message": "성공", "data": \#(data)}"#.utf8))
    }

    /// A refusal of Smeem's with words.
    static func smeemRefusal(_ status: Int, _ message: String) -> TransportResponse {
        TransportResponse(status: status, body: Data(#"{"success": false, "message": "\#(message)"}"#.utf8))
    }

    /// The refusal of a token: an answer inside an answer.
    static var smeemUnauthorized: TransportResponse {
        let body = #"{"headers": {}, "body": {"success": false, "message": "유효하지 않은 토큰 "}, "statusCodeValue": 401}"#
        return TransportResponse(status: 401, body: Data(body.utf8))
    }
}
