import HTTPCodec
import HTTPServing
import JSON
import Testing

/// A long, seeded conversation with the backend of ``EverythingScenario``, and all that came of it.
///
/// The requests are the same wherever it is played: which one comes next is drawn from the script's own generator and
/// from what the server answered, which is what must not differ.
struct CompiledRoutes {
    /// One line for each request, then the canonical journal of each session.
    private(set) var transcript: [String] = []
    private(set) var requests = 0

    private let port: UInt16
    private let client: HTTPClient
    private let steering: HTTPClient
    /// Lets the machine's time pass where it does not by itself.
    private let pass: (Duration) async -> Void
    /// Also sends the clock commands with which virtual time follows the machine's.
    private let letsTimeRun: Bool
    private var chance = SplitMix(state: 2026)
    private var exchanges: [String: Int] = [:]
    private var access = ""
    private var refresh: [String] = []

    static let sessions = ["default", "a", "b"]

    init(port: UInt16, letsTimeRun: Bool, pass: @escaping (Duration) async -> Void) throws {
        self.port = port
        self.letsTimeRun = letsTimeRun
        self.pass = pass
        client = try HTTPClient(port: port)
        steering = try HTTPClient(port: port)
    }

    mutating func play(_ count: Int) async throws {
        for session in Self.sessions.dropFirst() { try steering.admin(.post, "sessions", ["name": .string(session)]) }
        while requests < count { try await step() }
        for session in Self.sessions {
            let journal = try steering.admin(.get, "journal?canonical=true&session=\(session)")
            for exchange in journal["exchanges"]?.array ?? [] { transcript.append(exchange.text(.compact)) }
        }
    }

    private mutating func step() async throws {
        let session = Self.sessions[chance.below(3)]
        let number = chance.below(100)
        switch chance.below(20) {
        case 0, 1:
            let fields: HTTPFields = ["X-Agent": "script \(number)", "X-Device": number < 50 ? "phone" : "old"]
            try send(.get, "/all/\(number)?q=%C3%A4\(number)" + (number % 2 == 0 ? "&page=2" : ""), fields, in: session)
        case 2:
            let form: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]
            try send(.post, "/form", form, "name=n\(number)" + (number % 3 == 0 ? "&age=\(number)" : ""), in: session)
        case 3:
            try send(
                .post,
                "/multi",
                ["Content-Type": "multipart/form-data; boundary=b"],
                multipart(number),
                in: session
            )
        case 4:
            let body = number % 4 == 0 ? "no JSON" : #"{"n":\#(number).50,"list":[1,{"a":null}]}"#
            try send(.post, "/echo", ["Content-Type": "application/json"], body, in: session)
        case 5:
            try send(
                .post,
                "/pointer",
                [:],
                number % 2 == 0 ? #"{"must":1,"a":{"b":[\#(number)]}}"# : "{}",
                in: session
            )
        case 6: try logIn(number, in: session)
        case 7: try refreshTokens(number, in: session)
        case 8:
            let fields: HTTPFields = number % 5 == 0 ? ["Authorization": "Basic x"] : .bearer(access)
            try send(.get, "/secret", number % 7 == 0 ? [:] : fields, in: session)
        case 9: try send(.get, "/seq/\(["repeat", "loop", "fail", "own"][number % 4])", in: session)
        case 10: try send(.get, "/case" + (number % 3 == 0 ? "?left" : ""), in: session)
        case 11:
            let kinds = ["reset", "empty", "lost", "truncated", "malformedChunk", "garbage"]
            try send(.post, "/fault/\(kinds[number % kinds.count])", in: session)
        case 12: try send(.get, "/maybe", in: session)
        case 13: try await sendDelayed(number, in: session)
        case 14: try sendParked(in: session)
        case 15: try sendWithoutResponse(in: session)
        case 16, 17: try await steer(number, session)
        case 18: try send(.get, "/all/x", ["X-Tea": "1"], in: session)
        default:
            let (method, target): (HTTPMethod, String) = [
                (.get, "/al"), (.delete, "/echo"), (.options, "/case"), (.options, "*"), (.head, "/case"),
                (.put, "/seq/loop/"), (.get, "/seq/lop"),
            ][number % 7]
            try send(method, target, in: session)
        }
    }

    private func multipart(_ number: Int) -> String {
        "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nnote \(number)\r\n--b\r\nContent-Disposition: form-data; "
            + "name=\"photo\"; filename=\"p\(number).png\"\r\nContent-Type: image/png\r\n\r\n\(number)\r\n--b--\r\n"
    }

    // MARK: Sending

    private func request(
        _ method: HTTPMethod,
        _ target: String,
        _ fields: HTTPFields,
        _ body: String,
        in session: String
    ) -> HTTPRequest {
        var fields = fields
        if session != "default" { fields.append("Backlot-Session", session) }
        return HTTPRequest(method: method, target: target, fields: fields, body: Array(body.utf8))
    }

    @discardableResult
    private mutating func send(
        _ method: HTTPMethod,
        _ target: String,
        _ fields: HTTPFields = [:],
        _ body: String = "",
        in session: String
    ) throws -> HTTPReceivedResponse? {
        note(session)
        let request = request(method, target, fields, body, in: session)
        do throws(HTTPClientFailure) {
            let response = try client.exchange(request)
            write(request, response)
            return response
        } catch {
            write(request, error, client)
            return nil
        }
    }

    private mutating func note(_ session: String) {
        requests += 1
        exchanges[session, default: 0] += 1
    }

    private mutating func write(_ request: HTTPRequest, _ response: HTTPReceivedResponse) {
        let fields = response.fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        transcript.append("\(request.method) \(request.target) → \(response.code) [\(fields)] \(response.text)")
    }

    private mutating func write(_ request: HTTPRequest, _ failure: HTTPClientFailure, _ client: HTTPClient) {
        let part = client.partialResponse.map { " after \($0.text)" } ?? ""
        transcript.append("\(request.method) \(request.target) → \(failure)\(part)")
    }

    /// Waits until the last request of a session was decided, which shows in the journal only.
    private func untilDecided(_ session: String) throws {
        let wanted = exchanges[session] ?? 0
        for _ in 0..<5_000 {
            // The canonical one has no verdict, which would be made anew each time.
            let journal = try steering.admin(.get, "journal?canonical=true&session=\(session)&since=\(wanted - 1)")
            if journal["exchanges"]?.array?.isEmpty == false { return }
        }
        throw HTTPClientFailure.timedOut
    }

    // MARK: Tokens

    private mutating func logIn(_ number: Int, in session: String) throws {
        let fields: HTTPFields = number % 2 == 0 ? ["X-Device": "d\(number % 5)"] : [:]
        guard let response = try send(.post, "/login", fields, in: session) else { return }
        try take(response)
    }

    private mutating func refreshTokens(_ number: Int, in session: String) throws {
        let token = refresh.isEmpty ? "none" : refresh[max(0, refresh.count - 1 - number % 2)]
        guard let response = try send(.post, "/refresh", [:], #"{"refreshToken":"\#(token)"}"#, in: session) else {
            return
        }
        try take(response)
    }

    private mutating func take(_ response: HTTPReceivedResponse) throws {
        guard response.code == 200 else { return }
        access = try response.json["access"]?.string ?? ""
        refresh.append(try response.json["refresh"]?.string ?? "")
    }

    // MARK: Time

    /// A response that takes the machine's time.
    private mutating func sendDelayed(_ number: Int, in session: String) async throws {
        let targets = ["/slow/uniform", "/slow/normal", "/paced/dribble", "/paced/narrow"]
        let request = request(.get, targets[number % 4], [:], "", in: session)
        note(session)
        if !client.isOpen { try client.connect() }
        try client.send(request)
        try untilDecided(session)
        await pass(.seconds(1))
        write(request, try client.receive())
    }

    /// A response that waits for the session's clock.
    private mutating func sendParked(in session: String) throws {
        let request = request(.get, "/slow/virtual", [:], "", in: session)
        note(session)
        if !client.isOpen { try client.connect() }
        try client.send(request)
        try untilDecided(session)
        try steer(session, "clock", ["advance": "5h"])
        write(request, try client.receive())
    }

    private mutating func sendWithoutResponse(in session: String) throws {
        note(session)
        let request = request(.post, "/fault/never", [:], "", in: session)
        let client = try HTTPClient(port: port)
        try client.send(request)
        try untilDecided(session)
        transcript.append("POST /fault/never")
    }

    private mutating func steer(_ number: Int, _ session: String) async throws {
        let commands: [(String, JSONValue)] = [
            ("clock", ["advance": "7m"]), ("clock", ["advance": "1h"]), ("clock", ["set": "2026-05-01T00:00:00Z"]),
            ("clock", ["skew": "-90s"]), ("clock", ["automatic": true]), ("clock", ["freeze": true]),
            ("tokens", ["issue": "access"]), ("tokens", ["expire": "access"]), ("tokens", ["revoke": "refresh"]),
            ("tokens", ["forget": "*"]), ("tokens", ["signIn": "tablet"]), ("tokens", ["signOut": "tablet"]),
            ("states", ["state": ["member": "new"]]), ("states", ["counter": ["page": 40]]),
            ("faults", ["fault": "empty", "route": "GET /all/{id}"]),
            ("faults", ["fault": "truncated", "route": "GET /case", "times": 2]),
        ]
        let running: [(String, JSONValue)] = [("clock", ["rate": 60]), ("clock", ["freeze": false])]
        let choice = (letsTimeRun ? commands + running : commands)
        let (part, body) = choice[number % choice.count]
        try steer(session, part, body)
        if letsTimeRun { await pass(.milliseconds(number)) }
        // An automatic clock would run away from a script that goes on; the rest is played with one that stands still.
        if body["automatic"] != nil { try steer(session, "clock", ["freeze": true]) }
    }

    private mutating func steer(_ session: String, _ part: String, _ body: JSONValue) throws {
        // Some are refused, such as signing out a device that has not signed in; that is a response, too.
        let fields: HTTPFields = ["Content-Type": "application/json"]
        let answer = try steering.call(.post, "/__backlot/\(part)?session=\(session)", fields, body.text(.compact)).json
        transcript.append("\(session) \(part) \(body.text(.compact)) → \(answer.text(.compact))")
    }
}

/// The script's own generator (SplitMix64), so that every run of the tests sends the same.
struct SplitMix {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
