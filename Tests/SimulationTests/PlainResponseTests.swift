import Basics
import HTTPCodec
import JSON
import TestSupport
import Testing

@testable import ScenarioFormat
@testable import Simulation

/// What is answered at once is the same as what is decided, in the message and in the journal.
struct PlainResponseTests {
    private static let scenario = """
        "tokens": { "kinds": {
            "access": { "lifetime": "1h", "in": [{ "header": "Authorization", "scheme": "Bearer" }, { "query": "key" }] },
            "refresh": { "lifetime": "14d", "in": { "header": "Authorization", "scheme": "Bearer" } }
        } },
        "given": [{ "signIn": "phone" }],
        "devices": { "header": "X-Device" },
        "routes": {
            "GET /fixture": { "fixture": "a.json" },
            "GET /json": { "json": { "a": [1, 2] }, "headers": { "X-A": "b" }, "status": 203 },
            "GET /text": { "text": "hello" },
            "GET /none": { "status": 204 },
            "GET /items/{id}": { "json": { "same": true } },
            "GET /templated": { "json": { "at": "{{clock}}" } },
            "GET /refused": { "status": 401 },
            "GET /slow": { "json": {}, "latency": "1s" },
            "GET /behind": { "requires": "access", "json": {} },
            "GET /listed": { "responses": [{ "json": 1 }, { "json": 2 }] }
        }
        """

    private static func client() throws -> SessionClient {
        try SessionClient(scenario, files: ["a.json": "{\"b\": 1}"])
    }

    /// A request with the token of a kind; `nil` for none.
    private static func request(_ target: String, _ kind: String?) throws -> HTTPRequest {
        var fields: HTTPFields = ["Host": "a", "X-Other": "1"]
        if let kind { fields.append("Authorization", "Bearer \(try client().token(kind).value)") }
        return HTTPRequest(target: target, fields: fields)
    }

    @Test(arguments: [
        ("/fixture", nil), ("/json", nil), ("/text", nil), ("/none", nil), ("/items/7", nil), ("/fixture?x=1", nil),
        ("/fixture", "access"), ("/fixture", "refresh"), ("/behind", "access"), ("/none", "access"),
    ])
    func `A plain response is what a decision gives`(_ target: String, _ kind: String?) throws {
        var (decided, atOnce) = (try Self.client(), try Self.client())
        let request = try Self.request(target, kind)
        for turn in 1...3 as ClosedRange<UInt64> {
            let now = MonotonicTime(nanoseconds: decided.now.nanoseconds + turn * 1_500_000_000)
            let decision = decided.session.decide(IncomingRequest(request, connection: 4), at: now)
            decided.session.end(decision.exchange, .sent, at: now)

            let route = atOnce.session.played.route(request)
            let plain = try #require(route.plain)
            let answered = atOnce.session.answerAtOnce(
                request,
                with: plain,
                sharesRequest: true,
                details: .constant([], to: plain),
                at: now,
                end: now,
                lag: .zero,
                connection: 4
            )
            let answer = try #require(answered)
            #expect(answer.number == decision.exchange)
            #expect(plain.message.response(dated: answer.second) == decision.response)
        }
        let (first, second) = (decided.session.journal.exchanges, atOnce.session.journal.exchanges)
        #expect(first.map { $0.json() } == second.map { $0.json() })
        #expect(second.count == 3)
    }

    @Test(arguments: [
        HTTPRequest(target: "/templated"), HTTPRequest(target: "/refused"), HTTPRequest(target: "/slow"),
        HTTPRequest(target: "/behind"), HTTPRequest(target: "/listed"), HTTPRequest(target: "/missing"),
        HTTPRequest(method: .head, target: "/fixture"), HTTPRequest(method: .post, target: "/fixture"),
        HTTPRequest(target: "/fixture", fields: ["Authorization": "Basic x"]),
        HTTPRequest(target: "/fixture", fields: ["X-Device": "phone"]),
        HTTPRequest(target: "/fixture", fields: ["If-None-Match": "*"]),
        HTTPRequest(target: "/fixture", fields: ["Origin": "http://localhost:3000"]),
        HTTPRequest(target: "/fixture", body: [0x7B, 0x7D]),
    ])
    func `What the session or the request has a say in is decided`(_ request: HTTPRequest) throws {
        #expect(try Self.client().session.played.route(request).plain == nil)
    }

    @Test(arguments: [
        ("/fixture", "access", 3_600), ("/behind", "access", 3_600), ("/behind", "refresh", 0), ("/behind", "other", 0),
        ("/fixture", "other", 0),
    ])
    func `A token that is not valid for the route is left to the decision`(
        _ target: String,
        _ kind: String,
        _ age: Int
    ) throws {
        var client = try Self.client()
        let request =
            kind == "other"
            ? HTTPRequest(target: target, fields: ["Authorization": "Bearer x"]) : try Self.request(target, kind)
        let plain = try #require(client.session.played.route(request).plain)
        client.advance(.seconds(age))
        #expect(client.answerAtOnce(request, with: plain) == nil)
        #expect(client.session.journal.exchanges.isEmpty)
        let status = client.session.decide(IncomingRequest(request), at: client.now).response.status.code
        #expect(status == (target == "/behind" ? 401 : 200))
    }

    @Test func `Two tokens are left to the decision`() throws {
        let client = try Self.client()
        let access = try client.token("access").value
        let refresh = try client.token("refresh").value
        let fields: HTTPFields = ["Authorization": "Bearer \(refresh)"]
        for target in ["/fixture", "/behind"] {
            let both = HTTPRequest(target: "\(target)?key=\(access)", fields: fields)
            #expect(client.session.played.route(both).plain == nil)
            let one = HTTPRequest(target: "\(target)?key=\(access)")
            #expect(client.session.played.route(one).plain != nil)
        }
    }

    @Test func `A fault that is armed is not passed over`() throws {
        var client = try Self.client()
        let request = HTTPRequest(target: "/fixture")
        let plain = try #require(client.session.played.route(request).plain)
        client.session.armedFaults.append(
            Session.ArmedFault(
                route: "GET /fixture",
                remaining: 1,
                fault: Fault(kind: .reset, probability: 1, keep: 0.5, commits: false)
            )
        )
        #expect(client.answerAtOnce(request, with: plain) == nil)
        #expect(client.session.decide(IncomingRequest(request), at: client.now).fault == .reset)
        #expect(client.answerAtOnce(request, with: plain) == 2)
    }

    @Test func `Exchanges with and without details are read as they were written`() throws {
        var client = try Self.client()
        for target in ["/behind", "/missing", "/templated", "/listed", "/slow"] {
            _ = client.session.decide(IncomingRequest(HTTPRequest(target: target)), at: client.now)
        }
        let exchanges = client.session.journal.exchanges
        #expect(exchanges.map(\.response.status.code) == [401, 404, 200, 200, 200])
        for exchange in exchanges {
            #expect(try Exchange(RecordedValue(exchange.json())).json() == exchange.json())
        }
    }
}

extension SessionClient {
    /// The number of the exchange that a plain response makes; `nil` where the session decides.
    fileprivate mutating func answerAtOnce(_ request: HTTPRequest, with plain: PlainResponse) -> UInt64? {
        session.answerAtOnce(
            request,
            with: plain,
            sharesRequest: false,
            details: nil,
            at: now,
            end: now,
            lag: .zero,
            connection: 1
        )?.number
    }
}
