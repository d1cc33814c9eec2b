import HTTPCodec
import Rules
import Testing

@Suite struct `B14 token-of-another-owner` {
    @Test func `is a device that uses what another device was given`() throws {
        var traffic = try Traffic()
        traffic.send("POST /login", from: "phone")
        traffic.send("POST /login?user=ben", from: "tablet")
        traffic.send("GET /notes", bearing: "access-1", from: "tablet")
        #expect(
            traffic.sentences(of: TokenOfAnotherOwner.self) == [
                "exchange 3 GET /notes from tablet sent access-1, which had been issued to phone"
            ]
        )
    }

    @Test func `is a device that goes on with the tokens of the former account`() throws {
        var traffic = try Traffic()
        traffic.send("POST /login", from: "phone")
        traffic.send("POST /login?user=ben", from: "phone")
        traffic.send("GET /notes", bearing: "access-1", from: "phone")
        traffic.send("GET /profile", bearing: "access-1", from: "phone")
        #expect(
            traffic.sentences(of: TokenOfAnotherOwner.self) == [
                "exchange 3 GET /notes sent access-1, which had been issued to ann, although phone had signed in as ben in exchange 2; "
                    + "so did exchange 4"
            ]
        )
    }

    @Test func `is a device that goes on with them at once after it has signed out`() throws {
        var traffic = try Traffic()
        traffic.send("POST /login", from: "phone")
        traffic.send("POST /logout", bearing: "access-1", from: "phone")
        let signIn = traffic.begin("POST /login?user=ben", from: "phone")
        traffic.end(signIn)
        traffic.wait(.milliseconds(2))
        traffic.send("GET /notes", bearing: "access-1", from: "phone")
        #expect(traffic.sentences(of: TokenOfAnotherOwner.self).count == 1)
    }

    @Test func `is a client without a device name that signs out and in as somebody else`() throws {
        var traffic = try Traffic()
        traffic.send("POST /login")
        traffic.send("POST /logout", bearing: "access-1")
        traffic.send("POST /login?user=ben")
        traffic.send("GET /notes", bearing: "access-1")
        #expect(
            traffic.sentences(of: TokenOfAnotherOwner.self) == [
                "exchange 4 GET /notes sent access-1, which had been issued to ann, although the client had signed in as "
                    + "ben in exchange 3"
            ]
        )
    }

    @Test func `is no token that looks the same as the device's own`() throws {
        let twins = Traffic.backend.replacing("\"jti\": true", with: "\"jti\": false")
        var traffic = try Traffic(twins)
        traffic.send("POST /login", from: "phone")
        traffic.send("POST /login?user=ben", from: "tablet")
        traffic.send("GET /notes", bearing: "access-1", from: "phone")
        #expect(traffic.sentences(of: TokenOfAnotherOwner.self) == [])
    }

    @Test func `is no client that keeps tokens apart`() throws {
        var traffic = try Traffic()
        traffic.send("POST /login", from: "phone")
        traffic.send("POST /login?user=ben", from: "tablet")
        traffic.send("GET /notes", bearing: "access-1", from: "phone")
        traffic.send("GET /notes", bearing: "access-2", from: "tablet")
        // Under way while the other account signs in.
        let late = traffic.begin("POST /login?user=ben", from: "phone")
        let underWay = traffic.begin("GET /notes", bearing: "access-1", from: "phone")
        traffic.wait(.milliseconds(5))
        traffic.end(late)
        traffic.end(underWay)
        traffic.wait(.milliseconds(500))
        traffic.send("GET /notes", bearing: "access-3", from: "phone")
        // Its own name for itself, which no sign-in has ever used.
        traffic.send("GET /notes", bearing: "access-3", from: "watch")
        #expect(traffic.sentences(of: TokenOfAnotherOwner.self) == [])
    }
}

@Suite struct `B15 stale-token-from-queue` {
    @Test func `is a token that was replaced long before the request`() throws {
        var traffic = try Traffic()
        traffic.send("POST /login")
        traffic.advance(.seconds(3_601))
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /refresh", refresh: "refresh-1")
        traffic.send("GET /notes", bearing: "access-2")
        traffic.send("GET /profile", bearing: "access-1")
        #expect(
            traffic.sentences(of: StaleTokenFromQueue.self) == [
                "exchange 5 GET /profile sent access-1, which had expired, although exchange 3 had returned access-2"
            ]
        )
    }

    @Test func `is a refused request that comes at once with the refused token, and only then with the new one`() throws
    {
        var traffic = try Traffic()
        traffic.send("POST /login")
        // A client that sends several requests at once.
        let screen = (1...2).map { _ in traffic.begin("GET /profile", bearing: "access-1") }
        traffic.wait(.milliseconds(5))
        for request in screen { traffic.end(request) }
        traffic.advance(.seconds(3_601))
        traffic.wait(.milliseconds(500))
        traffic.send("GET /notes", bearing: "access-1")
        let refresh = traffic.begin("POST /refresh", refresh: "refresh-1")
        traffic.end(refresh)
        traffic.wait(.milliseconds(2))
        let stale = traffic.begin("GET /notes", bearing: "access-1")
        traffic.end(stale)
        traffic.send("GET /notes", bearing: "access-2")
        #expect(traffic.sentences(of: StaleTokenFromQueue.self).count == 1)
        // Each of two that were sent at once is sent again.
        traffic.send("GET /notes", bearing: "access-2")
        #expect(traffic.sentences(of: StaleTokenFromQueue.self) == [])
    }

    @Test func `is no request that left before the new token came`() throws {
        var traffic = try Traffic()
        traffic.send("POST /login")
        traffic.advance(.seconds(3_601))
        traffic.send("GET /notes", bearing: "access-1")
        let refresh = traffic.begin("POST /refresh", refresh: "refresh-1")
        traffic.send("GET /profile", bearing: "access-1")
        traffic.end(refresh)
        traffic.wait(.milliseconds(10))
        traffic.send("GET /profile?tab=2", bearing: "access-1")
        #expect(traffic.sentences(of: StaleTokenFromQueue.self) == [])
    }

    @Test func `is no old token that is still good, and none in another launch`() throws {
        var traffic = try Traffic()
        traffic.send("POST /login")
        traffic.send("POST /refresh", refresh: "refresh-1")
        traffic.send("GET /notes", bearing: "access-1")
        traffic.launch(2)
        traffic.advance(.seconds(3_601))
        traffic.send("GET /notes", bearing: "access-1")
        #expect(traffic.sentences(of: StaleTokenFromQueue.self) == [])
    }
}

@Suite struct `B16 refresh-with-expired-bearer` {
    @Test func `is a refresh that also carries the dead access token`() throws {
        var traffic = try Traffic()
        traffic.send("POST /login")
        traffic.advance(.seconds(3_601))
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /refresh", bearing: "access-1", refresh: "refresh-1")
        #expect(
            traffic.sentences(of: RefreshWithExpiredBearer.self) == [
                "exchange 3 POST /refresh sent access-1, which had expired, together with refresh-1"
            ]
        )
    }

    @Test func `is no refresh with a living access token, and none whose route requires the dead one`() throws {
        var traffic = try Traffic()
        traffic.send("POST /login")
        traffic.send("POST /refresh", bearing: "access-1", refresh: "refresh-1")
        traffic.send("POST /refresh", refresh: "refresh-2")
        #expect(traffic.sentences(of: RefreshWithExpiredBearer.self) == [])

        let both = Traffic.backend.replacing(
            "\"requires\": \"refresh\"",
            with: "\"requires\": {\"refresh\": \"valid\", \"access\": \"expired\"}"
        )
        var strict = try Traffic(both)
        strict.send("POST /login")
        strict.advance(.seconds(3_601))
        strict.send("POST /refresh", bearing: "access-1", refresh: "refresh-1")
        #expect(strict.sentences(of: RefreshWithExpiredBearer.self) == [])
        // The refresh token is looked at first, and the access token then no more.
        strict.advance(.seconds(365 * 86_400))
        strict.send("POST /refresh", bearing: "access-1", refresh: "refresh-1")
        #expect(strict.sentences(of: RefreshWithExpiredBearer.self) == [])
    }
}

@Suite struct `B20 token-of-wrong-kind` {
    private static let alike = """
        "clock": {"frozen": true},
        "tokens": {"interchangeable": true, "kinds": {"access": {"lifetime": "2h"}, "refresh": {"lifetime": "14d"}}},
        "routes": {
          "POST /login": {"grants": {"access": "new", "refresh": "new"}, "json": {}},
          "POST /refresh": {"requires": "refresh", "grants": {"access": "new", "refresh": "stored"}, "json": {}},
          "GET /notes": {"requires": "access", "json": []}}
        """

    @Test func `is an access token where a refresh token belongs, even if the server takes it`() throws {
        var traffic = try Traffic(Self.alike)
        traffic.send("POST /login")
        traffic.send("POST /refresh", bearing: "access-1")
        traffic.send("POST /refresh", bearing: "access-2")
        #expect(
            traffic.sentences(of: TokenOfWrongKind.self) == [
                "exchange 2 POST /refresh sent access-1, which exchange 1 had returned, where a refresh token is required; "
                    + "so did exchange 3"
            ]
        )
    }

    @Test func `is one mistake, whatever the route`() throws {
        var traffic = try Traffic()
        traffic.send("POST /login")
        for route in ["GET /notes", "GET /profile", "GET /notes"] { traffic.send(route, bearing: "refresh-1") }
        #expect(
            traffic.sentences(of: TokenOfWrongKind.self) == [
                "exchange 2 GET /notes sent refresh-1, which exchange 1 had returned, where an access token is required; "
                    + "so did exchanges 3 and 4"
            ]
        )
    }

    @Test func `is no token in its place`() throws {
        var traffic = try Traffic(Self.alike, given: #"{"signIn": "phone", "ago": "3h"}"#)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /refresh", bearing: "refresh-1")
        traffic.send("GET /notes", bearing: "access-2")
        traffic.send("GET /notes", bearing: "somebody else's")
        #expect(traffic.sentences(of: TokenOfWrongKind.self) == [])
    }
}
