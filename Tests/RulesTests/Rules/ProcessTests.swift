import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import Testing

/// What B24 to B28 say, B4 inside a grace window, and B10 of many refreshes.
@Suite struct `A rule of processes and stores` {
    // MARK: B24, B25

    @Test func `names two processes that redeem one refresh token`() throws {
        var traffic = try Self.afterConflict()
        traffic.send("GET /notes", bearing: "access-2", by: "app")
        #expect(
            traffic.sentences(of: RefreshAcrossProcesses.self) == [
                "exchange 4 of the process extension sent refresh-1, which the process app had redeemed in exchange 3"
            ]
        )
    }

    @Test func `names them when both refresh at once`() throws {
        var traffic = try Traffic(given: Self.hoursAgo)
        let refreshes = ["app", "extension"].map {
            traffic.begin("POST /refresh", refresh: "refresh-1", by: $0)
        }
        traffic.wait(.milliseconds(5))
        for refresh in refreshes { traffic.end(refresh) }
        #expect(
            traffic.sentences(of: RefreshAcrossProcesses.self) == [
                "exchange 2 of the process extension sent refresh-1, which the process app had redeemed in exchange 1"
                    + " at the same time"
            ]
        )
    }

    @Test func `does not blame a process for one that could not store anything`() throws {
        // It was killed.
        var traffic = try Self.afterConflict()
        traffic.processExits = ["app": [137], "extension": [0]]
        #expect(traffic.sentences(of: RefreshAcrossProcesses.self) == [])
        // Its response was lost.
        traffic = try Self.afterConflict(ending: .clientGone)
        #expect(traffic.sentences(of: RefreshAcrossProcesses.self) == [])
        // Its store could not be written.
        traffic = try Self.afterConflict(telling: "readOnly")
        traffic.send("GET /notes", bearing: "access-2", by: "app")
        #expect(traffic.sentences(of: RefreshAcrossProcesses.self) == [])
    }

    @Test func `lets processes use what another one has stored`() throws {
        var traffic = try Traffic(given: Self.hoursAgo)
        traffic.send("GET /notes", bearing: "access-1", by: "app")
        traffic.send("GET /profile", bearing: "access-1", by: "extension")
        traffic.send("POST /refresh", refresh: "refresh-1", by: "app")
        traffic.send("GET /notes", bearing: "access-2", by: "app")
        traffic.send("GET /profile", bearing: "access-2", by: "extension")
        #expect(traffic.allSentences == [])
    }

    @Test(arguments: [
        (nil, "it reported that it had signed out"), ("app", "the process app sent exchange 5 without a token"),
    ])
    func `names the loser that takes the session away`(_ next: String?, _ words: String) throws {
        var traffic = try Self.afterConflict()
        if let next {
            traffic.send("GET /notes", by: next)
        } else {
            traffic.tell("signedOut", by: "extension")
        }
        let device = traffic.sentences(of: WinnerErased.self)
        #expect(
            device == [
                "exchange 4 refused refresh-1 of the process extension, and \(words), although the process app had "
                    + "received refresh-2 in exchange 3"
            ]
        )
    }

    @Test func `lets the loser adopt what the winner stored, and the user sign out later`() throws {
        var traffic = try Self.afterConflict()
        traffic.send("GET /notes", bearing: "access-2", by: "extension")
        traffic.wait(.seconds(3))
        traffic.send("POST /logout", bearing: "access-2", by: "extension")
        traffic.tell("signedOut", by: "extension")
        #expect(traffic.sentences(of: WinnerErased.self) == [])
    }

    /// An app has refreshed, and its extension comes with the old refresh token.
    private static func afterConflict(
        ending outcome: ExchangeOutcome = .sent,
        telling fault: String? = nil
    ) throws -> Traffic {
        var traffic = try Traffic(given: hoursAgo)
        if let fault { traffic.tell("storeFault", .string(fault), by: "app") }
        traffic.send("GET /notes", bearing: "access-1", by: "app")
        traffic.send("GET /profile", bearing: "access-1", by: "extension")
        traffic.send("POST /refresh", refresh: "refresh-1", by: "app", ending: outcome)
        traffic.send("POST /refresh", refresh: "refresh-1", by: "extension")
        return traffic
    }

    // MARK: B26

    @Test(arguments: [
        ("tell", "the client reported that it had signed out"), ("in", "the client signed in again"),
        ("delete", "launch 3 sent a request without a token"),
    ])
    func `names the client that takes an unreadable store for an empty one`(_ way: String, _ words: String) throws {
        var traffic = try Traffic(given: Self.hoursAgo)
        traffic.send("POST /refresh", refresh: "refresh-1")
        traffic.send("GET /notes", bearing: "access-2")
        traffic.launch(2)
        traffic.tell("storeFault", "locked")
        switch way {
        case "tell": traffic.tell("signedOut")
        case "in": traffic.send("POST /login", from: "phone")
        default:
            traffic.launch(3)
            traffic.tell("storeFault", "none")
            traffic.send("GET /notes")
        }
        #expect(
            traffic.sentences(of: SignedOutByUnreadableStore.self) == [
                "the store could not be read in launch 2, and \(words), although refresh-2 was still valid"
            ]
        )
    }

    @Test(arguments: ["waits", "empty", "over", "user"])
    func `lets a client wait for its store`(_ way: String) throws {
        var traffic = try Traffic(given: Self.hoursAgo)
        traffic.send("POST /refresh", refresh: "refresh-1")
        traffic.send("GET /notes", bearing: "access-2")
        // The session was over anyway, so that there is nothing to lose.
        if way == "over" { traffic.advance(.seconds(86_400 * 31)) }
        traffic.launch(2)
        traffic.tell("storeFault", way == "empty" ? "empty" : "locked")
        traffic.send("GET /busy")
        switch way {
        case "waits":
            traffic.tell("storeFault", "none")
            traffic.send("GET /notes", bearing: "access-2")
            traffic.launch(3)
            traffic.send("GET /notes", bearing: "access-2")
        case "user":
            // It had the token in its memory.
            traffic.send("GET /notes", bearing: "access-2")
            traffic.send("POST /logout", bearing: "access-2")
            traffic.tell("signedOut")
        default: traffic.tell("signedOut")
        }
        #expect(traffic.sentences(of: SignedOutByUnreadableStore.self) == [])
    }

    // MARK: B27, B28

    @Test func `names a refresh before every call`() throws {
        var traffic = try Traffic(given: Self.hoursAgo)
        for number in 1...5 {
            traffic.send("POST /refresh", refresh: "refresh-\(number)")
            traffic.send("GET /notes", bearing: "access-\(number + 1)")
        }
        #expect(
            traffic.sentences(of: RefreshWithoutNeed.self) == [
                "exchanges 3, 5, 7 and 9 refreshed before each call although nothing had been refused; at the first"
                    + " refresh, access-2 was still valid for another 1h"
            ]
        )
        #expect(traffic.allSentences.count == 1)
    }

    /// A client that does not share its refreshes: the refreshes of calls that were refused together follow one another,
    /// on a busy machine, and each call is sent again when its own refresh is over, or when all are.
    @Test(arguments: ["GET /notes", "GET /notes?page="], ["at once", "at the end"])
    func `refreshes of calls that were refused together are B2 alone`(call: String, isRepeated: String) throws {
        for skew in [Duration.zero, .seconds(7_200)] {
            var traffic = try Traffic(Traffic.withoutRotation, given: Self.hoursAgo)
            traffic.enact(.skew(skew))
            let calls = (1...5).map { call.hasSuffix("=") ? "\(call)\($0)" : call }
            let refused = calls.map { traffic.begin($0, bearing: "access-1") }
            traffic.wait(.milliseconds(50))
            for call in refused { traffic.end(call) }
            for (number, call) in zip(2..., calls) {
                traffic.send("POST /refresh", refresh: "refresh-1")
                traffic.advance(.seconds(1))
                if isRepeated == "at once" { traffic.send(call, bearing: "access-\(number)") }
            }
            if isRepeated == "at the end" { for call in calls { traffic.send(call, bearing: "access-6") } }
            // Where no call shows the new token, the device's clock may have caused the next refresh.
            let isKnown = skew == .zero || isRepeated == "at once"
            #expect(traffic.allSentences.map { $0.prefix(3) } == (isKnown ? ["B2:"] : []), "\(traffic.allSentences)")
        }
    }

    @Test(arguments: [1, 4])
    func `names it although a token was refused in between`(_ refused: Int) throws {
        var traffic = try Traffic(given: Self.hoursAgo)
        if refused == 1 {
            for route in ["GET /notes", "GET /profile"] { traffic.send(route, bearing: "access-1") }
        }
        for number in 1...5 {
            traffic.send("POST /refresh", refresh: "refresh-\(number)")
            if number == 1, refused == 1 { traffic.send("GET /profile", bearing: "access-2") }
            traffic.advance(.seconds(1))
            if number == refused, number > 1 { traffic.enact(.expire(.kind("access"), .every)) }
            traffic.send("GET /notes", bearing: "access-\(number + 1)")
        }
        #expect(traffic.sentences(of: RefreshWithoutNeed.self).count == 1)
    }

    @Test(arguments: ["list and detail", "expired"])
    func `names it although one token was used twice, or ended early`(_ way: String) throws {
        var traffic = try Traffic(given: Self.hoursAgo)
        for number in 1...8 {
            traffic.send("POST /refresh", refresh: "refresh-\(number)")
            traffic.send("GET /notes", bearing: "access-\(number + 1)")
            traffic.advance(.seconds(1))
            guard number == 5 else { continue }
            if way == "expired" {
                traffic.enact(.expire(.kind("access"), .every))
            } else {
                traffic.send("GET /profile", bearing: "access-6")
            }
        }
        let sentences = traffic.sentences(of: RefreshWithoutNeed.self)
        #expect(sentences.count == 1, "\(sentences)")
    }

    @Test(arguments: [(0, 1), (1, 1), (1_000, 0)])
    func `names a refresh before each screen of two calls on one connection`(_ pause: Int, _ findings: Int) throws {
        var traffic = try Traffic(given: Self.hoursAgo)
        for number in 1...5 {
            traffic.end(traffic.begin("POST /refresh", refresh: "refresh-\(number)", on: 1))
            for route in ["GET /notes", "GET /profile"] {
                let call = traffic.begin(route, bearing: "access-\(number + 1)", on: 1)
                traffic.wait(.milliseconds(40))
                traffic.end(call)
                traffic.wait(.milliseconds(pause))
            }
            traffic.wait(.seconds(1))
        }
        let sentences = traffic.sentences(of: RefreshWithoutNeed.self)
        #expect(sentences.count == findings)
        #expect(sentences.allSatisfy { $0.contains("refreshed before each group of calls although") })
    }

    @Test(arguments: ["seldom", "twice", "old"])
    func `lets a client refresh ahead`(_ way: String) throws {
        var traffic = try Traffic(given: Self.hoursAgo)
        for number in 1...(way == "seldom" ? 3 : 5) {
            traffic.send("POST /refresh", refresh: "refresh-\(number)")
            traffic.send("GET /notes", bearing: "access-\(number + 1)")
            if way == "twice" { traffic.send("GET /notes", bearing: "access-\(number + 1)") }
            if way == "old" { traffic.advance(.seconds(55 * 60)) }
        }
        #expect(traffic.sentences(of: RefreshWithoutNeed.self) == [])
    }

    @Test(arguments: [nil, "early", "again", "twice", "told", "unknown"])
    func `names a client that never tries again`(_ way: String?) throws {
        let down = """
            "POST /down": {"requires": "refresh", "status": 503, "json": {}, "cases": [
              {"when": {"query": {"really": "no"}}, "grants": {"access": "new"}, "json": {}}]},
            "GET /busy"
            """
        var traffic = try Traffic(Traffic.backend.replacing("\"GET /busy\"", with: down), given: Self.hoursAgo)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /down", refresh: "refresh-1")
        for _ in 1...(way == "twice" ? 2 : 3) {
            switch way {
            // The story's time passes and no real one: only a client that tells of it can know.
            case "told", "unknown": traffic.advance(.seconds(301))
            default: traffic.wait(.seconds(way == "early" ? 90 : 301))
            }
            if way == "told" { traffic.tell("now", .string(traffic.time.description)) }
            traffic.send("GET /notes", bearing: "access-1")
        }
        if way == "again" { traffic.send("POST /down", refresh: "refresh-1") }
        let sentence =
            "the refresh in exchange 2 failed temporarily, and the client never retried, so exchanges 3, 4 and 5 were "
            + "refused, although refresh-1 was still valid"
        #expect(traffic.sentences(of: RefreshGivenUp.self) == (way == nil || way == "told" ? [sentence] : []))
    }

    // MARK: B4, B10

    @Test func `names an old refresh token inside the grace, once the new access token is in use`() throws {
        var traffic = try Traffic(
            Traffic.backend.replacing("\"grace\": \"0s\"", with: "\"grace\": \"60s\""),
            given: Self.hoursAgo
        )
        traffic.send("POST /refresh", refresh: "refresh-1")
        var early = traffic
        early.send("POST /refresh", refresh: "refresh-1")
        #expect(early.sentences(of: RotatedTokenReused.self) == [])
        traffic.send("GET /notes", bearing: "access-2")
        traffic.send("POST /refresh", refresh: "refresh-1")
        #expect(
            traffic.sentences(of: RotatedTokenReused.self) == [
                "exchange 3 sent refresh-1 again within the grace period, although exchange 1 had replaced the token"
                    + " with refresh-2"
            ]
        )
    }

    @Test(arguments: [#""grace": "10s""#, #""grace": "2h""#, #""reuse": "accept""#])
    func `knows for how long a server accepts a token that was exchanged`(rotation: String) throws {
        var traffic = try Traffic(
            Traffic.backend.replacing("\"grace\": \"0s\"", with: rotation),
            given: Self.hoursAgo
        )
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /refresh", refresh: "refresh-1", ending: .faulted)
        traffic.advance(.seconds(3_600))
        var client = traffic
        client.tell("signedOut")
        let sentences =
            client.sentences(of: LogoutThoughFresh.self) + client.sentences(of: LostResponseSignedOut.self)
        // The server is asked, too.
        let number = traffic.send("POST /refresh", refresh: "refresh-1")
        let isRefused = traffic.session.journal.exchange(number)?.response.status.code == 401
        #expect(sentences.isEmpty == isRefused, "\(sentences)")
        #expect(isRefused == rotation.contains("10s"))
    }

    @Test func `tells how often a dead refresh token is offered`() throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "31d"}"#)
        for _ in 1...6 {
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.rewind(.milliseconds(380))
        }
        let sentences = traffic.sentences(of: CallsAfterInvalidRefresh.self)
        #expect(sentences.count == 1)
        #expect(sentences.first?.hasSuffix("with refresh-1, about 8 refreshes a second") == true)
    }

    private static let hoursAgo = #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#
}
