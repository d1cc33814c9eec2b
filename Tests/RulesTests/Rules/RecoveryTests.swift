import HTTPCodec
import Rules
import ScenarioFormat
import Simulation
import Testing

@Suite struct `B21 account-switched-without-user` {
    /// A client whose session has just ended.
    private func expired() throws -> Traffic {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "40d"}"#)
        let notes = traffic.begin("GET /notes", bearing: "access-1", from: "phone")
        traffic.end(notes)
        let refresh = traffic.begin("POST /refresh", refresh: "refresh-1", from: "phone")
        traffic.end(refresh)
        return traffic
    }

    @Test func `is a sign-in to another account right after the session has ended`() throws {
        var traffic = try expired()
        traffic.send("POST /login?user=ben", from: "phone")
        traffic.send("GET /notes", bearing: "access-2", from: "phone")
        #expect(
            traffic.sentences(of: AccountSwitchedWithoutUser.self) == [
                "exchange 3 POST /login signed in as ben right after exchange 2 for ann had received status 401, "
                    + "and sent exchange 4 GET /notes as that account"
            ]
        )
    }

    @Test func `is no sign-in by a user, nor one to the same account`() throws {
        var slow = try expired()
        slow.wait(.seconds(6))
        slow.send("POST /login?user=ben", from: "phone")
        slow.send("GET /notes", bearing: "access-2", from: "phone")
        #expect(slow.sentences(of: AccountSwitchedWithoutUser.self) == [])

        var telling = try expired()
        telling.tell("signedOut")
        telling.send("POST /login?user=ben", from: "phone")
        telling.send("GET /notes", bearing: "access-2", from: "phone")
        #expect(telling.sentences(of: AccountSwitchedWithoutUser.self) == [])

        var same = try expired()
        same.send("POST /login?user=ann", from: "phone")
        #expect(same.sentences(of: AccountSwitchedWithoutUser.self) == [])

        var other = try expired()
        other.send("POST /login?user=ben", from: "tablet")
        #expect(other.sentences(of: AccountSwitchedWithoutUser.self) == [])
    }
}

@Suite struct `B22 different-request-replayed` {
    /// A client that has met an expired token with some requests and has refreshed.
    private func refreshed(_ lines: [String], body: String? = nil) throws -> Traffic {
        var traffic = try Traffic(given: #"{"signIn": "phone", "ago": "2h"}"#)
        let requests = lines.map { line in
            traffic.begin(line, bearing: "access-1", body: line.hasPrefix("POST") ? body : nil)
        }
        traffic.wait(.milliseconds(5))
        for request in requests { traffic.end(request) }
        let refresh = traffic.begin("POST /refresh", refresh: "refresh-1")
        traffic.wait(.milliseconds(10))
        traffic.end(refresh)
        return traffic
    }

    private func replay(_ line: String, body: String? = nil, _ traffic: inout Traffic) {
        let replay = traffic.begin(line, bearing: "access-2", body: body)
        traffic.wait(.milliseconds(5))
        traffic.end(replay)
    }

    @Test func `is one request twice where two were refused`() throws {
        var traffic = try refreshed(["GET /notes", "GET /profile"])
        replay("GET /profile", &traffic)
        replay("GET /profile", &traffic)
        #expect(
            traffic.sentences(of: DifferentRequestReplayed.self) == [
                "exchange 5 GET /profile, a repetition of exchange 2, was sent in place of exchange 1 GET /notes, "
                    + "which had been refused"
            ]
        )
    }

    @Test func `is what the screen had already`() throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "ago": "30m"}"#)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.advance(.seconds(3_600))
        replay("GET /profile", &traffic)
        _ = traffic.begin("GET /profile", bearing: "access-1")
        traffic.end(3)
        let refresh = traffic.begin("POST /refresh", refresh: "refresh-1")
        traffic.end(refresh)
        replay("GET /notes", &traffic)
        #expect(
            traffic.sentences(of: DifferentRequestReplayed.self) == [
                "exchange 5 GET /notes, a repetition of exchange 1, was sent in place of exchange 3 GET /profile, "
                    + "which had been refused"
            ]
        )
    }

    @Test func `is the same thing asked for without its query`() throws {
        var traffic = try refreshed(["GET /notes?page=2"])
        replay("GET /notes", &traffic)
        #expect(traffic.sentences(of: DifferentRequestReplayed.self).count == 1)
    }

    @Test func `is no replay, whatever the order of its names and of the requests`() throws {
        var traffic = try refreshed(["POST /notes", "GET /profile"], body: #"{"a": 1, "b": 2}"#)
        replay("GET /profile", &traffic)
        replay("POST /notes", body: #"{"b": 2, "a": 1}"#, &traffic)
        replay("GET /profile", &traffic)
        #expect(traffic.sentences(of: DifferentRequestReplayed.self) == [])
    }

    @Test func `is no request that comes for another reason where one is given up`() throws {
        var later = try refreshed(["GET /notes?page=2"])
        later.wait(.seconds(1))
        replay("GET /notes", &later)
        #expect(later.sentences(of: DifferentRequestReplayed.self) == [])

        var next = try refreshed(["GET /notes?page=2"])
        replay("GET /notes?page=3", &next)
        replay("GET /profile", &next)
        #expect(next.sentences(of: DifferentRequestReplayed.self) == [])
    }
}

@Suite struct `B23 logout-though-fresh` {
    /// Two refreshes with one token, of which the second is refused after the first has brought new tokens.
    private func race() throws -> Traffic {
        var traffic = try Traffic(given: #"{"signIn": "phone", "ago": "2h"}"#)
        let first = traffic.begin("POST /refresh", refresh: "refresh-1")
        let second = traffic.begin("POST /refresh", refresh: "refresh-1")
        traffic.wait(.milliseconds(5))
        traffic.end(first)
        traffic.wait(.milliseconds(5))
        traffic.end(second)
        return traffic
    }

    @Test func `is a client that tells that it is signed out`() throws {
        var traffic = try race()
        traffic.tell("signedOut")
        #expect(
            traffic.sentences(of: LogoutThoughFresh.self) == [
                "exchange 2 POST /refresh failed with status 401, and the client reported that it had signed out, although "
                    + "access-2, which exchange 1 had returned, was still valid"
            ]
        )
    }

    @Test func `is a client that signs out or in again`() throws {
        var out = try race()
        out.send("POST /logout", bearing: "access-2")
        #expect(
            out.sentences(of: LogoutThoughFresh.self) == [
                "exchange 2 POST /refresh failed with status 401, and the client signed out in exchange 3, although "
                    + "access-2, which exchange 1 had returned, was still valid"
            ]
        )
        var anew = try race()
        anew.send("POST /login", from: "phone")
        #expect(anew.sentences(of: LogoutThoughFresh.self).count == 1)
    }

    @Test func `is also a conflict taken for the end while the access token is good`() throws {
        var traffic = try Traffic()
        traffic.send("POST /login")
        let refresh = traffic.send("POST /refresh", bearing: "access-1", refresh: "refresh-1")
        traffic.change(refresh) { exchange in
            exchange.response.status = HTTPStatus(409)
            exchange.granted = []
        }
        traffic.tell("signedOut")
        #expect(
            traffic.sentences(of: LogoutThoughFresh.self) == [
                "exchange 2 POST /refresh failed with status 409, and the client reported that it had signed out, although "
                    + "access-1, which exchange 1 had returned, was still valid"
            ]
        )
    }

    @Test func `is no client that goes on, nor one whose session has ended`() throws {
        var survivor = try race()
        survivor.wait(.milliseconds(100))
        survivor.send("GET /notes", bearing: "access-2")
        survivor.send("POST /logout", bearing: "access-2")
        #expect(survivor.sentences(of: LogoutThoughFresh.self) == [])

        var ended = try Traffic(given: #"{"signIn": "phone", "ago": "40d"}"#)
        ended.send("POST /refresh", refresh: "refresh-1")
        ended.tell("signedOut")
        ended.send("POST /login")
        #expect(ended.sentences(of: LogoutThoughFresh.self) == [])

        var revoked = try race()
        revoked.enact(.revoke(.every, .every))
        revoked.tell("signedOut")
        #expect(revoked.sentences(of: LogoutThoughFresh.self) == [])
    }
}
