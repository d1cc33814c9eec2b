import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Testing

@testable import Simulation

/// Single conditions by which a rule excuses a client, each with traffic that the rule would report without it.
@Suite struct `An exemption of a rule` {
    private static let justNow = #"{"signIn": "phone", "account": "ann", "ago": "5m"}"#
    private static let hoursAgo = #"{"signIn": "phone", "account": "ann", "ago": "2h"}"#

    @Test(arguments: [true, false]) func `is for a refresh that an earlier refusal demands, in B8`(isDemanded: Bool)
        throws
    {
        let forbidden = #""GET /forbidden": {"requires": "access", "status": 403, "json": {}}, "GET /profile": {"#
        let backend = Traffic.backend.replacing(#""GET /profile": {"#, with: forbidden)
        var traffic = try Traffic(backend, given: isDemanded ? Self.hoursAgo : Self.justNow)
        var number = 1
        if isDemanded {
            traffic.send("GET /notes", bearing: "access-1")
            traffic.send("POST /refresh", refresh: "refresh-1")
            number = 2
        }
        traffic.send("GET /forbidden", bearing: "access-\(number)")
        traffic.send("POST /refresh", refresh: "refresh-\(number)")
        #expect(traffic.sentences(of: RefreshOnOtherError.self).isEmpty == isDemanded, "\(traffic.allSentences)")
    }

    @Test(arguments: [true, false]) func `is for a refresh after a sign-in, in B2`(signsIn: Bool) throws {
        var traffic = try Traffic(given: Self.hoursAgo)
        let first = traffic.begin("POST /refresh", refresh: "refresh-1")
        if signsIn { traffic.send("POST /login", from: "phone") }
        let second = traffic.begin("POST /refresh", refresh: "refresh-1")
        traffic.wait(.milliseconds(50))
        for refresh in [first, second] { traffic.end(refresh) }
        #expect(traffic.sentences(of: RefreshStorm.self).isEmpty == signsIn, "\(traffic.allSentences)")
    }

    @Test func `is for a token where none is required, in B20`() throws {
        var traffic = try Traffic(given: Self.justNow)
        traffic.send("GET /moved", bearing: "refresh-1")
        #expect(traffic.sentences(of: TokenOfWrongKind.self) == [])
        traffic.send("GET /notes", bearing: "refresh-1")
        #expect(traffic.sentences(of: TokenOfWrongKind.self).count == 1)
    }

    @Test func `is for a token before the server has looked at it, in B20`() throws {
        var traffic = try Traffic(given: Self.justNow)
        let open = traffic.send("GET /notes", bearing: "refresh-1")
        traffic.change(open) { $0.changeDetails { $0.offered[0].isAccepted = nil } }
        #expect(traffic.sentences(of: TokenOfWrongKind.self) == [])
    }

    @Test(arguments: [1, 31]) func `is for a session that ends while the store is locked, in B26`(days: Int) throws {
        var traffic = try Traffic(given: Self.justNow)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.launch(2)
        traffic.tell("storeFault", "locked")
        traffic.send("GET /busy")
        traffic.advance(.seconds(86_400 * days))
        traffic.send("POST /login", from: "phone")
        #expect(traffic.sentences(of: SignedOutByUnreadableStore.self).isEmpty == (days == 31))
    }

    @Test(arguments: [true, false]) func `is for a client whose clock is wrong, in B27`(isWrong: Bool) throws {
        var traffic = try Traffic(given: Self.justNow)
        if isWrong { traffic.enact(.skew(.seconds(7_200))) }
        for number in 1...5 {
            traffic.send("POST /refresh", refresh: "refresh-\(number)")
            traffic.send("GET /notes", bearing: "access-\(number + 1)")
        }
        #expect(traffic.sentences(of: RefreshWithoutNeed.self).isEmpty == isWrong, "\(traffic.allSentences)")
    }

    /// Schemes have no letter case (RFC 9110, section 11.1).
    @Test(arguments: ["Bearer", "bearer", "BEARER"]) func `is for no scheme in other letters, in B29`(scheme: String)
        throws
    {
        var traffic = try Traffic(given: Self.justNow)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("GET /notes", fields: ["Authorization": "\(scheme) undefined"])
        #expect(traffic.sentences(of: MalformedToken.self).count == 1, "\(traffic.allSentences)")
    }
}
