import Basics
import Rules
import Testing

/// What B1 to B12 say of small sessions.
@Suite struct `A rule of refreshes` {
    @Test(arguments: [
        """
        GET /notes access-1
        wait 1h
        GET /notes access-1
        POST /refresh refresh-1
        GET /notes access-2
        """,
        // Nothing had died.
        "GET /notes access-1",
        // The refresh token had died, too.
        "wait 31d\nGET /notes access-1\nGET /profile access-1\ntell signedOut",
        // Three at once, one refresh, and each again.
        """
        wait 1h
        a: GET /notes access-1
        b: GET /profile access-1
        end a
        end b
        POST /refresh refresh-1
        GET /notes access-2
        GET /profile access-2
        """,
        // A refresh that was lost is tried again within the grace.
        """
        wait 1h
        GET /notes access-1
        fault lost /refresh
        POST /refresh refresh-1
        POST /refresh refresh-1
        GET /notes access-3
        """,
        // The end of the session, and nothing after it.
        """
        wait 31d
        GET /notes access-1
        POST /refresh refresh-1
        tell signedOut
        """,
        // An outage that passes.
        """
        wait 1h
        GET /notes access-1
        POST /busy refresh-1
        POST /busy refresh-1
        """,
        // A user who signs out with a dead token while the server is down.
        """
        wait 1h
        POST /logout access-1
        POST /busy refresh-1
        tell signedOut
        """,
        // A refused request is not tried for ever.
        """
        GET /skewed access-1
        POST /refresh refresh-1
        GET /skewed access-2
        """,
        "GET /forbidden access-1\nGET /notes access-1",
        // Foresight.
        "GET /notes access-1\nwait 50m\nPOST /refresh refresh-1\nGET /notes access-2",
        // The next launch comes with what the last one had received.
        """
        wait 1h
        GET /notes access-1
        POST /refresh refresh-1
        GET /notes access-2
        launch 2
        GET /notes access-2
        """,
        // It was killed before it could store anything.
        """
        wait 1h
        GET /notes access-1
        POST /refresh refresh-1
        launch 2
        wait 20s
        GET /profile access-1
        """,
        // The same note twice, and both were meant.
        """
        POST /notes access-1 {"text":1}
        pause 3s
        POST /notes access-1 {"text":1}
        """,
    ])
    func `finds nothing wrong with a good client`(_ lines: String) throws {
        let sentences = try Drama(lines).sentences
        #expect(sentences.filter { Self.own.contains(String($0.prefix { $0 != ":" })) } == [])
    }

    private static let own = (1...12).map { "B\($0)" }

    @Test(arguments: [true, false])
    func `tells of rotation only where refresh tokens rotate`(rotates: Bool) throws {
        let backend = rotates ? Traffic.backend : Traffic.withoutRotation
        var traffic = try Traffic(backend, given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        traffic.send("GET /notes", bearing: "access-1")
        let refreshes = (1...2).map { _ in traffic.begin("POST /refresh", refresh: "refresh-1") }
        traffic.wait(.milliseconds(50))
        for refresh in refreshes { traffic.end(refresh) }
        let result = try #require(traffic.recording.verdict.rules.first { $0.number == "B2" })
        #expect(result.status == .failed)
        #expect(result.why?.contains("rotate") == rotates)
    }

    @Test(arguments: [
        (
            "wait 1h\nGET /notes access-1",
            "B1: exchange 1 refused access-1 (expired), and the client never refreshed with refresh-1, which was still valid"
        ),
        (
            "wait 1h\nGET /notes access-1\nGET /profile access-1",
            "B1: exchange 1 refused access-1 (expired), and the client continued with exchange 2 instead of refreshing with "
                + "refresh-1, which was still valid"
        ),
        (
            "wait 1h\nGET /notes access-1\ntell signedOut",
            "B1: exchange 1 refused access-1 (expired), and the client reported that it had signed out instead of "
                + "refreshing with refresh-1, which was still valid"
        ),
        (
            """
            wait 1h
            a: GET /notes access-1
            b: GET /profile access-1
            end a
            end b
            c: POST /refresh refresh-1
            d: POST /refresh refresh-1
            end c
            end d
            GET /notes access-2
            GET /profile access-3
            """,
            "B2: exchanges 3 and 4 refreshed at the same time with refresh-1, because exchanges 1 and 2 "
                + "had refused access-1; one refresh would have been enough"
        ),
        (
            """
            wait 1h
            a: GET /notes access-1
            b: GET /profile access-1
            end a
            end b
            POST /refresh refresh-1
            POST /refresh refresh-2
            GET /notes access-3
            GET /profile access-3
            """,
            "B2: exchanges 3 and 4 refreshed one after the other with refresh-1 and refresh-2, because "
                + "exchanges 1 and 2 had refused access-1; one refresh would have been enough"
        ),
        (
            """
            GET /skewed access-1
            POST /refresh refresh-1
            GET /skewed access-2
            POST /refresh refresh-2
            GET /skewed access-3
            """,
            "B3: exchanges 1, 3 and 5 all sent GET /skewed, and each request was refused, although the client refreshed in "
                + "between (exchanges 2 and 4)"
        ),
        (
            """
            wait 1h
            GET /notes access-1
            POST /refresh refresh-1
            GET /notes access-2
            wait 1h
            GET /notes access-2
            POST /refresh refresh-1
            """,
            "B4: exchange 5 sent refresh-1 again, although exchange 2 had replaced the token with refresh-2"
        ),
        (
            """
            wait 1h
            GET /notes access-1
            POST /refresh refresh-1
            GET /notes access-2
            launch 2
            POST /refresh refresh-1
            """,
            "B5: launch 2 sent refresh-1 in exchange 4, although launch 1 had received refresh-2 in exchange 2"
        ),
        (
            """
            wait 1h
            GET /notes access-1
            fault lost /refresh
            POST /refresh refresh-1
            tell signedOut
            """,
            "B6: exchange 2 renewed the tokens, its response was lost, and the client reported that it had signed out, "
                + "although refresh-1 was still valid"
        ),
        (
            "wait 1h\nGET /notes access-1\nPOST /refresh refresh-1",
            "B7: exchange 1 GET /notes was refused, exchange 2 refreshed, and the request was never sent again"
        ),
        (
            """
            wait 1h
            POST /notes access-1 {"text":1}
            POST /refresh refresh-1
            POST /notes access-2
            """,
            "B7: exchange 1 POST /notes was refused, exchange 2 refreshed, and exchange 3 sent the request again "
                + "without its body"
        ),
        (
            """
            wait 1h
            POST /notes access-1 {"text":1}
            POST /refresh refresh-1
            POST /notes access-2 {"text":2}
            """,
            "B7: exchange 1 POST /notes was refused, exchange 2 refreshed, and exchange 3 sent the request again "
                + "with another body"
        ),
        (
            """
            wait 1h
            POST /notes access-1 {"text":1}
            POST /refresh refresh-1
            POST /notes access-2 {"text":1}
            POST /notes access-2 {"text":1}
            """,
            "B7: exchange 1 POST /notes was refused, exchange 2 refreshed, and exchanges 3 and 4 sent the request again twice,"
                + " although the first repetition had succeeded"
        ),
        (
            "GET /forbidden access-1\nPOST /refresh refresh-1\nGET /forbidden access-2",
            "B8: exchange 2 refreshed because exchange 1 received status 403, although access-1 was still valid and had been accepted"
        ),
        (
            "wait 1h\nGET /notes access-1\nPOST /busy refresh-1\ntell signedOut",
            "B9: exchange 2 failed with status 503, which is temporary, and the client reported that it had signed out, although refresh-1 "
                + "was still valid"
        ),
        (
            "wait 1h\nGET /notes access-1\nfault reset /refresh\nPOST /refresh refresh-1\nPOST /login",
            "B9: exchange 2 received no response, which is temporary, and the client signed in again in exchange 3,"
                + " although refresh-1 "
                + "was still valid"
        ),
        (
            """
            wait 31d
            GET /notes access-1
            POST /refresh refresh-1
            GET /profile access-1
            POST /refresh refresh-1
            """,
            "B10: exchange 2 permanently refused refresh-1 with status 401, and the client still sent exchanges 3 and 4 with access-1 "
                + "and refresh-1"
        ),
        (
            """
            skew 2h
            POST /refresh refresh-1
            GET /notes access-2
            POST /refresh refresh-2
            GET /notes access-3
            POST /refresh refresh-3
            GET /notes access-4
            """,
            "B11: exchanges 3 and 5 refreshed although nothing had been refused; at the first refresh, access-2 was"
                + " still valid for another 1h"
        ),
        (
            """
            skew 2h
            POST /refresh refresh-1
            GET /notes access-2
            POST /refresh refresh-2
            GET /notes access-3
            POST /refresh refresh-3
            GET /notes access-4
            skew 0s
            """,
            "B11: exchanges 3 and 5 refreshed although nothing had been refused; at the first refresh, access-2 was"
                + " still valid for another 1h"
        ),
        (
            """
            POST /refresh refresh-1
            GET /notes access-2
            POST /refresh refresh-2
            GET /notes access-3
            POST /refresh refresh-3
            GET /notes access-4
            POST /refresh refresh-4
            GET /notes access-5
            skew 2h
            skew 0s
            """,
            "B27: exchanges 3, 5 and 7 refreshed before each call although nothing had been refused; at the first"
                + " refresh, access-2 was still valid for another 1h"
        ),
        (
            """
            GET /notes access-1
            wait 54m
            POST /slow refresh-1
            wait 3605s
            GET /notes access-2
            """,
            "B12: exchange 3 sent access-2 5s after it had expired, as if its lifetime had begun with the response in"
                + " exchange 2, "
                + "which took 10s"
        ),
    ])
    func `says what a bad client did`(_ lines: String, _ sentence: String) throws {
        let sentences = try Drama(lines).sentences
        #expect(sentences.contains(sentence), "\(sentences)")
    }
}
