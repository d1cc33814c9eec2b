import Basics
import HTTPCodec
import JSON
import TestSupport
import Testing

@testable import ScenarioFormat
@testable import Simulation

/// A response that is the same for every request is rendered once, and is the message that would be made each time.
struct PreparedMessageTests {
    private static let scenario = """
        "cors": { "origins": ["http://localhost:3000"] },
        "tokens": { "kinds": { "access": { "lifetime": "1h" } } },
        "given": [{ "signIn": "phone" }],
        "routes": {
            "GET /fixture": { "fixture": "a.json" },
            "GET /json": { "json": { "a": [1, 2] }, "headers": { "X-A": "b" }, "status": 203 },
            "GET /text": { "text": "hello" },
            "GET /none": { "status": 204 },
            "GET /items/{id}": { "json": { "same": true } },
            "GET /behind": { "requires": "access", "json": {} },
            "GET /slow": { "json": {}, "latency": "1s" },
            "GET /templated": { "json": { "at": "{{clock}}" } },
            "GET /named": { "json": {}, "headers": { "X-Path": "{{request.path}}" } },
            "GET /tagged": { "json": {}, "etag": true }
        }
        """

    private static func client() throws -> SessionClient {
        try SessionClient(scenario, files: ["a.json": "{\"b\": 1}"])
    }

    private static func isPrepared(_ message: ResponseMessage) -> Bool {
        if case .prepared = message { true } else { false }
    }

    @Test(arguments: ["/fixture", "/json", "/text", "/none", "/items/7", "/fixture?x=1", "/behind", "/slow"])
    func `A prepared response is the one that is made for another origin`(_ target: String) throws {
        var (client, other) = (try Self.client(), try Self.client())
        var fields: HTTPFields = ["Authorization": "Bearer \(try client.token("access").value)"]
        let plain = HTTPRequest(target: target, fields: fields)
        fields.append("Origin", "http://localhost:3000")
        let shared = HTTPRequest(target: target, fields: fields)
        for turn in 1...3 as ClosedRange<UInt64> {
            let now = MonotonicTime(nanoseconds: client.now.nanoseconds + turn * 1_500_000_000)
            let prepared = client.session.decide(IncomingRequest(plain), at: now)
            let made = other.session.decide(IncomingRequest(shared), at: now)
            #expect(Self.isPrepared(prepared.message) && !Self.isPrepared(made.message))
            var response = made.response
            #expect(response.fields["Access-Control-Allow-Origin"] != nil)
            response.fields.remove("Access-Control-Allow-Origin")
            response.fields.remove("Vary")
            #expect(prepared.response == response)
            #expect(client.session.journal.last?.response == response)
        }
    }

    @Test(arguments: ["/templated", "/named", "/tagged", "/missing"])
    func `What depends on the request is made`(_ target: String) throws {
        var client = try Self.client()
        let decision = client.session.decide(IncomingRequest(HTTPRequest(target: target)), at: client.now)
        #expect(!Self.isPrepared(decision.message))
    }

    @Test func `A fault breaks a prepared response`() throws {
        var client = try Self.client()
        _ = client.session.chooser.armedFaults.arm(
            ArmedFault(
                route: "GET /fixture",
                remaining: 1,
                fault: Fault(kind: .truncated, probability: 1, keep: 0.5, commits: false)
            )
        )
        let request = HTTPRequest(target: "/fixture")
        let broken = client.session.decide(IncomingRequest(request), at: client.now)
        #expect(broken.fault == .truncated(bodyBytes: broken.response.body.count / 2))
        #expect(client.session.decide(IncomingRequest(request), at: client.now).fault == nil)
    }

    @Test func `Exchanges with and without details are read as they were written`() throws {
        var client = try Self.client()
        for target in ["/behind", "/missing", "/templated", "/fixture", "/slow"] {
            _ = client.session.decide(IncomingRequest(HTTPRequest(target: target)), at: client.now)
        }
        let exchanges = client.session.journal.exchanges
        #expect(exchanges.map(\.response.status.code) == [401, 404, 200, 200, 200])
        for exchange in exchanges {
            #expect(try Exchange(RecordedValue(exchange.json())).json() == exchange.json())
        }
    }

    @Test func `The weight of a known request with a prepared response is that of its entry`() throws {
        var client = try Self.client()
        let request = HTTPRequest(target: "/fixture")
        for isKnown in [false, true] {
            _ = client.session.decide(IncomingRequest(request, isKnown: isKnown), at: client.now)
        }
        let weights = client.session.journal.exchanges.map(\.weight)
        #expect(weights[1] == MemoryLayout<Exchange?>.stride && weights[0] > weights[1])
    }
}
