import ClientServices
import Foundation
import Testing

typealias KiwITBench = Bench<KiwITService>

/// A backend of kiwIT's kind: it takes one access token and one refresh token, and exchanges both.
extension Bench<KiwITService> {
    init(_ tokens: Tokens? = .first) throws {
        try self.init(tokens) { taken in
            StubServer { request, _ in
                switch request.line {
                case "POST /api/v1/user/sign-in", "POST /api/v1/user/sign-up":
                    return .response(200, taken.good.pair)
                case "PATCH /api/v1/user/refresh":
                    guard request.text == #"{"refreshToken":"\#(taken.good.refresh)"}"# else { return .response(401) }
                    return .response(
                        200,
                        taken.renew { number, _ in Tokens(access: "A\(number)", refresh: "R\(number)") }.pair
                    )
                default:
                    return request.access == "Bearer \(taken.good.access)" ? .response(200, "[]") : .response(401)
                }
            }
        } service: { server, store, clock in
            KiwITService(
                baseURL: try #require(URL(string: "https://kiwit.example/api/v1")),
                store: store,
                transport: server,
                clock: clock
            )
        }
    }
}

extension KiwITService: BenchedService {
    func signInAgain() async throws { _ = try await signIn(with: "from-kakao", from: .kakao) }
}

extension Tokens {
    /// A refresh token that says of itself when its time is over.
    static func expiring(at moment: Date) -> Tokens {
        let claims = Data(#"{"exp":\#(Int(moment.timeIntervalSince1970)),"sub":"42"}"#.utf8).base64EncodedString()
        let payload = claims.replacingOccurrences(of: "=", with: "")
        return Tokens(access: "A1", refresh: "eyJhbGciOiJIUzI1NiJ9.\(payload).c2lnbmF0dXJl")
    }

    /// Both tokens as kiwIT's server gives them.
    fileprivate var pair: String { #"{"accessToken":"\#(access)","refreshToken":"\#(refresh)"}"# }
}
