import HTTPCodec
import ScenarioFormat
import Simulation
import Testing

/// What clients do that is right, however odd it may look.
@Suite struct `A client that does nothing wrong` {
    @Test(arguments: rightThings)
    func `is not judged`(_ trafficCase: TrafficCase) throws {
        #expect(try trafficCase.sentences() == [])
    }

    @Test func `is two devices, each with tokens of its own`() throws {
        var traffic = try Traffic()
        for device in ["phone", "tablet"] { traffic.send("POST /login", from: device) }
        traffic.advance(.seconds(3_601))
        func both(_ line: String, access: Int? = nil, refresh: Bool = false) {
            let exchanges = [(1, "phone"), (2, "tablet")].map { number, device in
                traffic.begin(
                    line,
                    bearing: access.map { "access-\($0 + number)" },
                    refresh: refresh ? "refresh-\(number)" : nil,
                    from: device
                )
            }
            traffic.wait(.milliseconds(5))
            for exchange in exchanges { traffic.end(exchange) }
            traffic.wait(.milliseconds(500))
        }
        both("GET /notes", access: 0)
        both("POST /refresh", refresh: true)
        both("GET /notes", access: 2)
        #expect(traffic.allSentences == [])
    }

    /// A sign-out may require the refresh token, which is a refresh token all the same.
    @Test(arguments: [#""refresh""#, #"["access", "refresh"]"#], ["", #", "then": [{"signOut": "caller"}]"#])
    func `refreshes where the sign-out requires the refresh token`(_ kinds: String, _ then: String) throws {
        let logout = #""POST /logout": {"requires": "access", "then": [{"signOut": "caller"}], "status": 204"#
        let own = #""POST /logout": {"requires": \#(kinds)\#(then), "status": 204"#
        let trafficCase = TrafficCase("refreshes", on: Traffic.backend.replacing(logout, with: own)) {
            for round in 1...3 {
                $0.send("GET /notes", bearing: "access-\(round)")
                $0.send("POST /refresh", refresh: "refresh-\(round)")
                $0.send("GET /notes", bearing: "access-\(round + 1)")
                $0.advance(.seconds(3_601))
            }
        }
        #expect(Traffic.backend.contains(logout))
        #expect(try trafficCase.sentences() == [])
    }

    /// The platform sends each cookie with every request.
    @Test(arguments: [true, false]) func `refreshes with an expired access token in a cookie`(isCookie: Bool) throws {
        let kinds = #""access": {"lifetime": "1h""#
        let backend = Traffic.backend.replacing(
            kinds,
            with: isCookie ? kinds + #", "in": {"cookie": "access"}"# : kinds
        )
        var traffic = try Traffic(backend, given: Self.justNow)
        for round in 1...3 {
            traffic.advance(.seconds(3_601))
            let token = traffic.value(of: "access-\(round)")
            let fields: HTTPFields =
                isCookie ? ["Cookie": "a=b; access=\(token)"] : ["Authorization": "Bearer \(token)"]
            traffic.send("POST /refresh", refresh: "refresh-\(round)", fields: fields)
        }
        #expect(traffic.allSentences.contains { $0.hasPrefix("B16") } == !isCookie, "\(traffic.allSentences)")
    }

    /// One refresh token may be good for access tokens of several servers (RFC 8707, section 2.2).
    @Test(arguments: ["audience=b", "resource=https%3A%2F%2Fb.example", "scope=b"], [false, true])
    func `has an access token for each audience`(_ audience: String, isTogether: Bool) throws {
        var traffic = try Traffic(given: Self.justNow)
        var tokens = ["access-1", "access-1"]
        var count = 1
        func refresh(_ number: Int) {
            let target = number == 0 ? "/refresh" : "/refresh?\(audience)"
            traffic.send("POST \(target)", refresh: "refresh-\(count)")
            count += 1
            tokens[number] = "access-\(count)"
        }
        refresh(1)
        for _ in 1...5 {
            for number in isTogether ? [0, 1, 0, 1] : [0, 0, 1, 1] {
                let call = traffic.send("GET /notes", bearing: tokens[number])
                guard traffic.status(of: call) == 401 else { continue }
                refresh(number)
                traffic.send("GET /notes", bearing: tokens[number])
            }
            traffic.advance(.seconds(3_601))
        }
        #expect(count == 10)
        #expect(traffic.allSentences == [])
    }

    @Test func `may still be about to refresh while somebody looks`() throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "ago": "2h"}"#)
        let refused = traffic.begin("GET /notes", bearing: "access-1")
        traffic.end(refused)
        traffic.wait(.milliseconds(100))
        traffic.isProvisional = true
        #expect(traffic.allSentences == [])
        traffic.wait(.milliseconds(200))
        #expect(traffic.allSentences.count == 1)
    }

    private static let json: HTTPFields = ["Content-Type": "application/json"]

    static let rightThings: [TrafficCase] = [
        TrafficCase("signs out when the refresh token is refused for good", given: Self.monthAgo) {
            $0.send("GET /notes", bearing: "access-1")
            $0.send("POST /refresh", refresh: "refresh-1")
            $0.tell("signedOut")
        },
        TrafficCase("lets its user sign out", given: Self.justNow) {
            $0.send("GET /notes", bearing: "access-1")
            $0.send("POST /logout", bearing: "access-1")
            $0.tell("signedOut")
        },
        TrafficCase("lets its user sign out and another one in", given: Self.justNow) {
            $0.send("GET /notes", bearing: "access-1")
            $0.send("POST /logout", bearing: "access-1")
            $0.tell("signedOut")
            $0.wait(.seconds(5))
            $0.send("POST /login?user=ben", from: "phone")
            $0.send("GET /notes", bearing: "access-2", from: "phone")
        },
        TrafficCase("lets its user sign out while a request is being refused, and another one in") { traffic in
            let refused = traffic.begin("GET /notes", bearing: "access-1")
            traffic.wait(.milliseconds(20))
            traffic.tell("signedOut")
            traffic.wait(.milliseconds(31))
            traffic.end(refused)
            traffic.send("POST /login?user=ben", from: "tablet")
            traffic.send("GET /notes", bearing: "access-2", from: "tablet")
        },
        TrafficCase("gives up when the fresh token is refused, too") {
            $0.send("GET /notes", bearing: "access-1")
            $0.send("POST /refresh", refresh: "refresh-1")
            $0.enact(.revoke(.kind("access"), .every))
            $0.send("GET /notes", bearing: "access-2")
        },
        TrafficCase("waits longer each time while the server is busy", given: Self.justNow) {
            for pause in [30, 60, 120] {
                $0.send("GET /busy")
                $0.advance(.seconds(pause))
            }
        },
        TrafficCase("asks every second", given: Self.justNow) { traffic in
            for _ in 1...20 {
                traffic.send("GET /notes", bearing: "access-1")
                traffic.wait(.milliseconds(500))
            }
        },
        TrafficCase("asks every second, also when the token dies", given: Self.justNow) { traffic in
            for hour in 1...4 {
                for _ in 1...5 { traffic.send("GET /notes", bearing: "access-\(hour)") }
                traffic.advance(.seconds(3_600))
                traffic.send("GET /notes", bearing: "access-\(hour)")
                traffic.send("POST /refresh", refresh: "refresh-\(hour)")
            }
            traffic.send("GET /notes", bearing: "access-5")
        },
        TrafficCase("asks for the same on two screens at once") { traffic in
            let screens = (1...2).map { _ in traffic.begin("GET /notes", bearing: "access-1") }
            traffic.wait(.milliseconds(5))
            for screen in screens { traffic.end(screen) }
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.send("GET /notes", bearing: "access-2")
            traffic.send("GET /notes", bearing: "access-2")
        },
        TrafficCase("sends a note again with its key when the answer was lost") {
            let key: HTTPFields = ["Idempotency-Key": "7"]
            $0.send("POST /notes", bearing: "access-1", fields: key, body: #"{"a": 1}"#)
            $0.send("POST /refresh", refresh: "refresh-1")
            $0.send("POST /notes", bearing: "access-2", fields: key, body: #"{"a": 1}"#, ending: .faulted)
            $0.send("POST /notes", bearing: "access-2", fields: key, body: #"{"a": 1}"#)
        },
        TrafficCase("sends the same note an hour later") {
            for hour in 1...3 {
                $0.send("POST /notes", bearing: "access-\(hour)", body: #"{"a": 1}"#)
                $0.send("POST /refresh", refresh: "refresh-\(hour)")
                $0.send("POST /notes", bearing: "access-\(hour + 1)", body: #"{"a": 1}"#)
                $0.advance(.seconds(3_600))
            }
        },
        TrafficCase("renews a token when four fifths of its life are over", given: Self.justNow) {
            for round in 1...4 {
                $0.send("GET /notes", bearing: "access-\(round)")
                $0.advance(.seconds(2_880))
                $0.send("POST /refresh", refresh: "refresh-\(round)")
            }
        },
        TrafficCase("refreshes at every launch", given: Self.justNow) {
            for launch in 1...4 {
                $0.launch(launch)
                $0.send("POST /refresh", refresh: "refresh-\(launch)")
                $0.send("GET /notes", bearing: "access-\(launch + 1)")
                $0.wait(.seconds(1))
            }
        },
        TrafficCase("refreshes when it starts, though its token is fresh", given: Self.justNow) {
            $0.send("GET /moved")
            $0.send("POST /refresh", refresh: "refresh-1")
            $0.send("GET /notes", bearing: "access-2")
        },
        TrafficCase("lives with tokens of one second", on: Self.lifetime("1s"), given: Self.justNow) {
            for round in 1...5 {
                $0.send("GET /notes", bearing: "access-\(round)")
                $0.send("POST /refresh", refresh: "refresh-\(round)")
                $0.send("GET /notes", bearing: "access-\(round + 1)")
                $0.advance(.seconds(1))
            }
        },
        TrafficCase("gives up where tokens are dead when they come", on: Self.lifetime("0s"), given: Self.justNow) {
            for round in 1...2 {
                $0.send("GET /notes", bearing: "access-\(round)")
                $0.send("POST /refresh", refresh: "refresh-\(round)")
                $0.send("GET /notes", bearing: "access-\(round + 1)")
                $0.wait(.seconds(5))
            }
        },
        TrafficCase("is played at 3,600 times the speed") {
            for round in 1...3 {
                $0.send("GET /notes", bearing: "access-\(round)")
                $0.advance(.seconds(1_818))
                $0.send("POST /refresh", refresh: "refresh-\(round)")
                $0.advance(.seconds(1_818))
                $0.send("GET /notes", bearing: "access-\(round + 1)")
                $0.advance(.seconds(1_818))
            }
        },
        TrafficCase("drops a request that its user has left") {
            $0.send("GET /notes", bearing: "access-1", ending: .clientGone)
            $0.send("GET /profile", bearing: "access-1")
            $0.send("POST /refresh", refresh: "refresh-1")
            $0.send("GET /profile", bearing: "access-2")
        },
        TrafficCase("is killed before it can send the request again") {
            $0.send("GET /notes", bearing: "access-1")
            $0.send("POST /refresh", refresh: "refresh-1")
            $0.launch(2)
            $0.send("GET /profile", bearing: "access-2")
        },
        TrafficCase("is killed before it can store what it was given") {
            $0.send("GET /notes", bearing: "access-1")
            $0.send("POST /refresh", refresh: "refresh-1")
            $0.launch(2)
            $0.send("GET /profile", bearing: "access-1")
            $0.send("POST /refresh", refresh: "refresh-1")
            $0.tell("signedOut")
        },
        TrafficCase("learns of a refusal when others have refreshed already") { traffic in
            let first = traffic.begin("GET /notes", bearing: "access-1")
            let second = traffic.begin("GET /profile", bearing: "access-1")
            traffic.end(first)
            let refresh = traffic.begin("POST /refresh", refresh: "refresh-1")
            traffic.wait(.milliseconds(5))
            traffic.end(refresh)
            traffic.wait(.milliseconds(5))
            traffic.end(second)
            traffic.send("GET /notes", bearing: "access-2")
            traffic.send("GET /profile", bearing: "access-2")
        },
        TrafficCase("sends its dead token where none is wanted") {
            for _ in 1...6 { $0.send("GET /moved", bearing: "access-1") }
        },
        TrafficCase("writes the members of its body in another order") {
            $0.send("POST /notes", bearing: "access-1", fields: Self.json, body: #"{"a": 1, "b": 2}"#)
            $0.send("POST /refresh", refresh: "refresh-1")
            $0.send("POST /notes", bearing: "access-2", fields: Self.json, body: #"{"b": 2, "a": 1}"#)
        },
        TrafficCase("writes something new before what was refused comes again") {
            $0.send("POST /notes", bearing: "access-1", body: "one")
            $0.send("POST /refresh", refresh: "refresh-1")
            $0.send("POST /notes", bearing: "access-2", body: "two")
            $0.send("POST /notes", bearing: "access-2", body: "one")
        },
        TrafficCase("asks with HEAD and OPTIONS") {
            $0.send("OPTIONS /notes")
            $0.send("HEAD /notes", bearing: "access-1")
            $0.send("POST /refresh", refresh: "refresh-1")
            $0.send("HEAD /notes", bearing: "access-2")
        },
        TrafficCase("asks for what is not there", given: Self.justNow) {
            for _ in 1...6 { $0.send("GET /nowhere", bearing: "access-1") }
        },
        TrafficCase("has one kind of token, which is extended", on: Self.sliding, given: Self.justNow) {
            $0.send("GET /notes", bearing: "session-1")
            $0.advance(.seconds(3_500))
            $0.send("POST /extend", bearing: "session-1")
            $0.send("GET /notes", bearing: "session-2")
            $0.advance(.seconds(7_200))
            $0.send("GET /notes", bearing: "session-2")
            $0.tell("signedOut")
        },
        TrafficCase("signs in anew where nothing can be refreshed", on: Self.withoutRefresh) {
            $0.send("GET /notes", bearing: "access-1")
            $0.send("POST /login")
            $0.send("GET /notes", bearing: "access-2")
        },
        TrafficCase("shows an error where nothing can be refreshed", on: Self.withoutRefresh) {
            $0.send("GET /notes", bearing: "access-1")
        },
        TrafficCase("tries a refresh that meets an outage again later", on: Self.busyRefresh) {
            $0.send("GET /notes", bearing: "access-1")
            $0.send("POST /refresh", bearing: "refresh-1")
            $0.advance(.seconds(2))
            $0.send("POST /refresh", bearing: "refresh-1")
            $0.send("GET /notes", bearing: "access-2")
        },
        TrafficCase(
            "takes an outage for the end where the refresh token is dead",
            on: Self.busyRefresh,
            given: Self.monthAgo
        ) {
            $0.send("GET /notes", bearing: "access-1")
            $0.send("POST /refresh", bearing: "refresh-1")
            $0.tell("signedOut")
        },
    ]

    private static let justNow = #"{"signIn": "phone", "account": "ann", "ago": "5m"}"#
    private static let monthAgo = #"{"signIn": "phone", "account": "ann", "ago": "40d"}"#

    private static func lifetime(_ text: String) -> String {
        Traffic.backend.replacing("\"lifetime\": \"1h\"", with: "\"lifetime\": \"\(text)\"")
    }

    private static let sliding = """
        "clock": {"frozen": true}, "accounts": {"ann": {}}, "tokens": {"kinds": {"session": {"lifetime": "1h"}}},
        "routes": {
          "POST /extend": {"requires": "session", "grants": {"session": "new"}, "json": {}},
          "GET /notes": {"requires": "session", "json": []}}
        """

    private static let withoutRefresh = """
        "clock": {"frozen": true}, "accounts": {"ann": {}}, "tokens": {"kinds": {"access": {"lifetime": "1h"}}},
        "routes": {
          "POST /login": {"signIn": {"account": "ann"}, "grants": {"access": "new"}, "json": {}},
          "GET /notes": {"requires": "access", "json": []}}
        """

    /// The first refresh meets an outage.
    private static let busyRefresh = """
        "clock": {"frozen": true}, "accounts": {"ann": {}},
        "tokens": {"kinds": {
          "access": {"lifetime": "1h"}, "refresh": {"lifetime": "30d", "terminal": [401]}}},
        "routes": {
          "POST /refresh": {
            "requires": "refresh", "grants": {"access": "new"}, "json": {}, "responses": [{"status": 503, "json": {}}]},
          "GET /notes": {"requires": "access", "json": []}}
        """
}
