import Basics
import JSON
import Rules
import ScenarioFormat
import Simulation
import Testing

/// What a client has to do when a resource refuses its access token, and what excuses it.
@Suite struct `A refused access token` {
    @Test(arguments: expiries)
    func `after one that was renewed before`(_ judged: JudgedCase) throws { try judged.check() }

    @Test(arguments: [0, 5, 12, 25, 60, 500])
    func `soon after the sign-in that granted it is renewed, too`(_ milliseconds: Int) throws {
        var traffic = try Traffic()
        let signIn = traffic.begin("POST /login", from: "phone")
        traffic.wait(.milliseconds(5))
        traffic.end(signIn)
        traffic.advance(.seconds(7_200))
        traffic.wait(.milliseconds(milliseconds))
        for _ in 1...3 { traffic.send("GET /notes", bearing: "access-1", from: "phone") }
        let sentences = traffic.allSentences
        #expect(sentences.count == 1 && sentences[0].hasPrefix("B1: "), "\(sentences)")
    }

    @Test(arguments: [0, 5, 12, 25, 60, 500])
    func `soon after the sign-in is no matter where the client refreshes`(_ milliseconds: Int) throws {
        var traffic = try Traffic()
        let signIn = traffic.begin("POST /login", from: "phone")
        traffic.wait(.milliseconds(5))
        traffic.end(signIn)
        traffic.advance(.seconds(7_200))
        traffic.wait(.milliseconds(milliseconds))
        traffic.send("GET /notes", bearing: "access-1", from: "phone")
        traffic.send("POST /refresh", refresh: "refresh-1", from: "phone")
        traffic.send("GET /notes", bearing: "access-2", from: "phone")
        #expect(traffic.allSentences == [])
    }

    @Test func `of the former session is no matter where the user signs in again meanwhile`() throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        let late = traffic.begin("GET /notes", bearing: "access-1", from: "phone")
        traffic.wait(.milliseconds(5))
        traffic.send("POST /login", from: "phone")
        traffic.end(late)
        traffic.send("GET /notes", bearing: "access-2", from: "phone")
        #expect(traffic.allSentences == [])
    }

    // MARK: The second expiry

    /// Loads the profile, with a refresh where it is refused, and lets the token expire.
    private static func day(_ traffic: inout Traffic, _ number: Int, refresh: String) {
        traffic.send("GET /profile", bearing: "access-\(number)")
        traffic.send("POST /refresh", refresh: refresh)
        traffic.send("GET /profile", bearing: "access-\(number + 1)")
        traffic.advance(.seconds(7_200))
    }

    private static let expiries: [JudgedCase] = [
        JudgedCase("is renewed each time") { traffic in
            for number in 1...3 { day(&traffic, number, refresh: "refresh-\(number)") }
            traffic.send("GET /profile", bearing: "access-4")
            traffic.send("POST /refresh", refresh: "refresh-4")
            traffic.send("GET /profile", bearing: "access-5")
        },
        JudgedCase("is renewed each time with the same refresh token", on: Traffic.withoutRotation) { traffic in
            for number in 1...3 { day(&traffic, number, refresh: "refresh-1") }
            traffic.send("GET /profile", bearing: "access-4")
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.send("GET /profile", bearing: "access-5")
        },
        JudgedCase("is not renewed the second time", ["B1"]) { traffic in
            day(&traffic, 1, refresh: "refresh-1")
            traffic.send("GET /profile", bearing: "access-2")
        },
        JudgedCase("is not renewed the second time, and the user is signed out", ["B1"]) {
            traffic in
            day(&traffic, 1, refresh: "refresh-1")
            traffic.send("GET /profile", bearing: "access-2")
            traffic.tell("signedOut")
        },
        JudgedCase("is not renewed the second time, and sent three times more", ["B1"]) {
            traffic in
            day(&traffic, 1, refresh: "refresh-1")
            for _ in 1...4 { traffic.send("GET /profile", bearing: "access-2") }
        },
        JudgedCase("is not renewed the second time for another request", ["B1"]) { traffic in
            day(&traffic, 1, refresh: "refresh-1")
            traffic.send("GET /notes", bearing: "access-2")
        },
        JudgedCase("is not renewed the third time", ["B1"]) { traffic in
            for number in 1...2 { day(&traffic, number, refresh: "refresh-\(number)") }
            traffic.send("GET /profile", bearing: "access-3")
        },
        JudgedCase(
            "is not renewed the second time, without rotation",
            ["B1"],
            on: Traffic.withoutRotation
        ) {
            traffic in
            day(&traffic, 1, refresh: "refresh-1")
            traffic.send("GET /profile", bearing: "access-2")
        },
        JudgedCase("is renewed once where the new one is refused at once, too") { traffic in
            traffic.send("GET /profile", bearing: "access-1")
            traffic.send("POST /refresh", refresh: "refresh-1")
            traffic.enact(.revoke(.kind("access"), .every))
            traffic.send("GET /profile", bearing: "access-2")
            traffic.tell("signedOut", false)
        },
    ]

    // MARK: A token that the server does not know

    @Test(arguments: strangers)
    func `that is not this session's`(_ judged: JudgedCase) throws { try judged.check() }

    private static let strangers: [JudgedCase] = [
        JudgedCase("is renewed with the refresh token that is stored beside it") {
            $0.send("GET /notes", bearing: "from-an-earlier-run")
            $0.send("POST /refresh", refresh: "refresh-1")
            $0.send("GET /notes", bearing: "access-2")
        },
        JudgedCase("is refused, and nothing shows that the client has the refresh token") {
            $0.send("GET /notes", bearing: "from-an-earlier-run")
            $0.send("GET /profile", bearing: "from-an-earlier-run")
        },
        JudgedCase("is refused as its refresh token is") {
            $0.send("GET /notes", bearing: "from-an-earlier-run")
            $0.send("POST /refresh", refresh: "from-an-earlier-run")
            $0.tell("signedOut")
        },
        JudgedCase("is refused, and the next launch alone refreshes", ["B1"]) {
            $0.send("GET /notes", bearing: "from-an-earlier-run")
            $0.send("GET /profile", bearing: "from-an-earlier-run")
            $0.launch(2)
            $0.send("POST /refresh", refresh: "refresh-1")
            $0.send("GET /notes", bearing: "access-2")
        },
        JudgedCase("is sent although a sign-in has brought others", ["B1"], given: "") {
            $0.send("GET /notes", bearing: "from-an-earlier-run")
            $0.send("POST /login", from: "phone")
            $0.send("GET /notes", bearing: "from-an-earlier-run", from: "phone")
            $0.send("GET /profile", bearing: "from-an-earlier-run", from: "phone")
        },
        JudgedCase("is under way when a sign-in brings others", given: "") {
            $0.send("POST /login", from: "phone")
            $0.send("POST /logout", bearing: "access-1", from: "phone")
            let late = $0.begin("GET /notes", bearing: "from-an-earlier-run", from: "phone")
            $0.wait(.milliseconds(5))
            $0.send("POST /login", from: "phone")
            $0.end(late)
            $0.send("GET /notes", bearing: "access-2", from: "phone")
        },
        JudgedCase("gives way to the one that the sign-in brought", given: "") {
            $0.send("POST /login", from: "phone")
            $0.send("GET /notes", bearing: "from-an-earlier-run", from: "phone")
            $0.send("GET /notes", bearing: "access-1", from: "phone")
        },
    ]

    // MARK: Several processes

    @Test func `whose refresh token another process had used up before the refusal left is not renewed again`() throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        let held = traffic.begin("GET /notes", bearing: "access-1", by: "app")
        traffic.send("GET /profile", bearing: "access-1", by: "widget")
        traffic.send("POST /refresh", refresh: "refresh-1", by: "widget")
        traffic.send("GET /profile", bearing: "access-2", by: "widget")
        // The user signs out in the widget, so that the app finds an empty store.
        traffic.send("POST /logout", bearing: "access-2", by: "widget")
        traffic.tell("signedOut", by: "widget")
        traffic.end(held)
        traffic.wait(.milliseconds(5))
        traffic.tell("signedOut", by: "app")
        let sentences = traffic.allSentences
        #expect(sentences == [])
    }

    @Test func `whose refresh token was good when the refusal left has to be renewed`() throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        traffic.send("GET /notes", bearing: "access-1", by: "app")
        traffic.send("GET /notes", bearing: "access-1", by: "app")
        traffic.send("GET /profile", bearing: "access-1", by: "widget")
        traffic.send("POST /refresh", refresh: "refresh-1", by: "widget")
        traffic.send("GET /profile", bearing: "access-2", by: "widget")
        let rules = traffic.allSentences.map { String($0.prefix { $0 != ":" }) }
        #expect(rules == ["B1"], "\(traffic.allSentences)")
    }

    // MARK: The end of the session

    /// A refresh that also requires the access token, expired or not, and says which statuses end the session.
    private static let both = Traffic.backend.replacing("\"terminal\": [401]", with: "\"terminal\": [401, 403, 418]")
        .replacing(
            "\"requires\": \"refresh\",",
            with: "\"requires\": {\"access\": [\"valid\", \"expired\"], \"refresh\": \"valid\"},"
        )

    @Test func `that the refresh refuses, too, ends the session where the backend says so`() throws {
        var traffic = try Traffic(Self.both, given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.enact(.revoke(.kind("access"), .every))
        let refresh = traffic.send("POST /refresh", bearing: "access-1", refresh: "refresh-1")
        traffic.tell("signedOut")
        #expect(traffic.status(of: refresh) == 401)
        #expect(traffic.allSentences == [])
    }

    @Test func `is kept where the refresh fails with another status`() throws {
        let down = Self.both.replacing(
            "\"POST /refresh\": {",
            with: "\"POST /refresh\": {\"responses\": [{\"status\": 503, \"json\": {}}], "
        )
        var traffic = try Traffic(down, given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        traffic.send("GET /notes", bearing: "access-1")
        let refresh = traffic.send("POST /refresh", bearing: "access-1", refresh: "refresh-1")
        traffic.tell("signedOut")
        #expect(traffic.status(of: refresh) == 503)
        let rules = traffic.allSentences.map { String($0.prefix { $0 != ":" }) }
        #expect(rules == ["B9"], "\(traffic.allSentences)")
    }

    // MARK: No token

    @Test func `is missing where the client has one`() throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "5m"}"#)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("GET /profile")
        #expect(traffic.allSentences == [], "the user may have signed out")
        traffic.send("GET /notes", bearing: "access-1")
        let sentences = traffic.allSentences
        #expect(sentences.count == 1, "\(sentences)")
    }

    @Test(arguments: unsent)
    func `is not sent after the sign-in that brought it`(_ judged: JudgedCase) throws { try judged.check() }

    private static let unsent: [JudgedCase] = [
        JudgedCase("in any request", ["B29"], given: "") {
            $0.send("POST /login", from: "phone")
            for route in ["GET /notes", "GET /profile", "GET /notes"] { $0.send(route, from: "phone") }
        },
        JudgedCase("in the only request", ["B29"], given: "") {
            $0.send("POST /login", from: "phone")
            $0.send("GET /profile", from: "phone")
        },
        JudgedCase("by a second user alone", ["B29"]) {
            $0.send("GET /notes", bearing: "access-1", from: "phone")
            $0.send("POST /refresh", refresh: "refresh-1", from: "phone")
            $0.send("GET /notes", bearing: "access-2", from: "phone")
            $0.send("POST /logout", bearing: "access-2", from: "phone")
            $0.send("POST /login?user=ben", from: "phone")
            for route in ["GET /notes", "GET /profile"] { $0.send(route, from: "phone") }
        },
        JudgedCase("to ask for the challenge first", given: "") {
            $0.send("POST /login", from: "phone")
            $0.send("GET /notes", from: "phone")
            $0.send("GET /notes", bearing: "access-1", from: "phone")
        },
        JudgedCase("since the user had time to sign out again", given: "") {
            $0.send("POST /login", from: "phone")
            $0.wait(.seconds(3))
            $0.send("GET /notes", from: "phone")
        },
        JudgedCase("since the user has signed out again", given: "") {
            $0.send("POST /login", from: "phone")
            $0.tell("signedOut")
            $0.send("GET /notes", from: "phone")
        },
        JudgedCase("in a request that was under way", given: "") {
            let guest = $0.begin("GET /notes", from: "phone")
            let signIn = $0.begin("POST /login", from: "phone")
            $0.wait(.milliseconds(5))
            $0.end(signIn)
            let other = $0.begin("GET /profile", from: "phone")
            $0.wait(.milliseconds(5))
            for exchange in [guest, other] { $0.end(exchange) }
        },
    ]

    // MARK: A token that is not sent as it is

    @Test(arguments: ["cut", "cut in common", "header", "short", "end", "base64", "url", "percent", "basic", "other"])
    func `is sent in another form`(_ way: String) throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "5m"}"#)
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /refresh", refresh: "refresh-1")
        traffic.send("GET /notes", bearing: "access-2")
        let token = traffic.value(of: "access-2")
        let count = token.utf8.count
        let header = token.split(separator: ".")[0]
        let sent =
            switch way {
            case "cut": String(token.dropLast(10))
            case "cut in common": String(token.prefix(header.count + 3))
            case "header": String(header)
            case "short": String(token.prefix(7))
            case "end": String(token.dropFirst(7))
            case "base64": Base64.encode(Array(token.utf8))
            case "url": Base64.encodeURL(Array(token.utf8))
            case "percent": token.split(separator: ".").joined(separator: "%2E")
            case "basic": Base64.encode(Array("user:\(token)".utf8))
            default: Base64.encode(Array("somebody else's, and long enough".utf8))
            }
        traffic.send("GET /profile", bearing: sent)
        let words: String? =
            switch way {
            case "cut": "only the first \(count - 10) of the \(count) characters of access-2"
            case "cut in common":
                "only the first \(header.count + 3) of the \(count) characters of access-2, or of another token with the same characters"
            case "end": "only the last \(count - 7) of the \(count) characters of access-2"
            case "base64", "url": "access-2 Base64-encoded"
            case "percent": "access-2 percent-encoded"
            case "basic": "access-2 Base64-encoded with other text around it"
            default: nil
            }
        let found = traffic.allSentences
        #expect(
            found.filter { $0.hasPrefix("B29") } == (words.map { ["B29: exchange 4 GET /profile sent \($0)"] } ?? [])
        )
        #expect(!found.contains { $0.contains(token.prefix(12)) }, "\(found)")
    }

    @Test func `is a refresh token that is cut`() throws {
        var traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        traffic.send("POST /refresh", refresh: "refresh-1")
        let token = traffic.value(of: "refresh-2")
        traffic.send("POST /refresh", refresh: String(token.dropLast(1)))
        let count = token.utf8.count
        #expect(
            traffic.sentences(of: MalformedToken.self) == [
                "exchange 2 POST /refresh sent only the first \(count - 1) of the \(count) characters of refresh-2"
            ]
        )
    }

    @Test func `is missing where nobody is signed in`() throws {
        var traffic = try Traffic()
        traffic.send("GET /profile")
        traffic.send("POST /login", from: "phone")
        traffic.send("GET /profile", bearing: "access-1", from: "phone")
        traffic.send("POST /logout", bearing: "access-1", from: "phone")
        traffic.tell("signedOut")
        traffic.send("GET /profile", from: "phone")
        #expect(traffic.allSentences == [])
    }
}
