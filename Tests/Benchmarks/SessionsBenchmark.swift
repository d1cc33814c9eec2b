import EventLoops
import HTTPCodec
import HTTPServing
import JSON

/// Requests over a thousand sessions on a few connections, while faults are armed, clocks moved and the file edited.
///
/// Each session signs in, refreshes the tokens that its clock lets expire, writes notes, reads them and deletes them.
/// The benchmark fails when a response belongs to another session or comes out of order, when a session shows an item of
/// another one or accepts its token, when a journal lacks an exchange, or when the server's memory grows.
struct SessionsBenchmark {
    private static let sessions = 1_000
    /// Requests of each session; a million together.
    private static let rounds = 1_000
    /// After so many rounds the file is edited, and after so many others memory is looked at.
    private static let editing = 50
    /// How many exchanges each journal keeps; the others are counted, so that memory can be flat.
    private static let kept = 100
    /// After so many rounds journals are full and the server has seen everything.
    private static let warmUp = 200

    private let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
    }

    /// What came of the requests.
    struct Outcome {
        var requests: Int
        var seconds: Double
        var faults: Int
        /// Responses of another session, with an item of another session, to another session's token, or out of order.
        var wrong: Int
        /// How many exchanges the journals lack.
        var lost: Int
        /// Megabytes, once the sessions have their share and at the end.
        var early: Double
        var late: Double
        /// The most that memory may grow after that, for what is measured and not kept.
        private static let permittedGrowth = 1.2

        var isGood: Bool { wrong == 0 && lost == 0 && !(late > early * Self.permittedGrowth) }
    }

    func run() throws -> Bool {
        let outcome = try measure()
        var table = Table("requests", "a second", "faults", "wrong", "lost", "MB early", "MB late")
        table.add(
            Double(outcome.requests).text(),
            (Double(outcome.requests) / outcome.seconds).text(),
            Double(outcome.faults).text(),
            Double(outcome.wrong).text(),
            Double(outcome.lost).text(),
            outcome.early.text(1),
            outcome.late.text(1)
        )
        table.print()
        return outcome.isGood
    }

    func measure() throws -> Outcome {
        let rounds = settings.requests.map { max(1, $0 / Self.sessions) } ?? Self.rounds
        let folder = try ScratchFolder()
        let path = try folder.write("backend.json", Self.scenario(version: 0))
        let server = try BacklotServer(path, ["--quiet", "--journal", "\(Self.kept)"], watches: true)
        defer { server.stop() }
        say("sessions: \(Double(Self.sessions * rounds).text()) requests over \(Double(Self.sessions).text()) sessions")
        var clients: [HTTPClient] = []
        for _ in 0..<8 { clients.append(try HTTPClient(host: "127.0.0.1", port: server.port)) }
        var devices = (0..<Self.sessions).map { Device(name: "s\($0)") }
        var (wrong, faults) = (0, 0)
        var (early, late) = (Double.nan, Double.nan)
        let start = SystemTime().now()
        for round in 1...rounds {
            if round % Self.editing == 0 {
                try folder.write("backend.json", Self.scenario(version: round))
                late = server.memory?.resident ?? .nan
                if round <= Self.warmUp { early = late }
                say("  \(Double(round * Self.sessions).text()) requests: \(late.text(1)) MB")
            }
            for index in devices.indices {
                let client = clients[(index + round) % clients.count]
                let foreign = devices[(index + 1) % devices.count].access
                if try !devices[index].takeTurn(round, on: client, foreignToken: foreign) { wrong += 1 }
                guard (index + round) % 500 == 0 else { continue }
                let name = devices[index].name
                // The access token of the session expires.
                try server.change("clock?session=\(name)", #"{"advance": "1h"}"#)
                try server.change("faults?session=\(name)", #"{"fault": "empty", "route": "GET /broken"}"#)
                let broken = try HTTPClient(host: "127.0.0.1", port: server.port)
                do {
                    _ = try broken.exchange(HTTPRequest(target: "/broken", fields: devices[index].fields))
                    wrong += 1
                } catch {
                    faults += 1
                }
                devices[index].sent += 1
            }
        }
        let seconds = start.milliseconds(to: SystemTime().now()) / 1_000
        return Outcome(
            requests: devices.reduce(0) { $0 + $1.sent },
            seconds: seconds,
            faults: faults,
            wrong: wrong,
            lost: try lost(server, devices),
            early: early,
            late: late
        )
    }

    /// The client of one session.
    private struct Device {
        let name: String
        var access = ""
        var refresh = ""
        var sent = 0
        /// The title of the note that the session stores at present.
        var note: String?
        /// The number of responses to `GET /count`.
        var counted = 0

        var fields: HTTPFields { ["Backlot-Session": name] }

        /// Sends the request of a round, and a refresh and the request again if the access token has expired.
        ///
        /// - Returns: `false` if the response is not the one for this session.
        mutating func takeTurn(_ round: Int, on client: HTTPClient, foreignToken: String) throws -> Bool {
            if access.isEmpty { return try renew("/login", #"{"user": "ada"}"#, on: client) }
            switch round % 6 {
            case 1:
                let title = "\(name) \(round)"
                let response = try send(client, .post, "/notes", #"{"title": "\#(title)"}"#)
                note = title
                return response.status.code == 201
            case 2, 3:
                let titles = try send(client, .get, "/notes").titles
                return titles == [note].compactMap(\.self)
            case 4:
                note = nil
                return try send(client, .delete, "/notes").status.code == 204
            case 5 where !foreignToken.isEmpty:
                let response = try send(client, .get, "/notes", token: foreignToken)
                return response.status.code == 401 && response.titles == nil
            default:
                let text = String(decoding: try send(client, .get, "/count").body, as: UTF8.self)
                counted += 1
                return text == "\(name) \(counted)"
            }
        }

        private mutating func renew(_ target: String, _ body: String, on client: HTTPClient) throws -> Bool {
            let root = try JSONParser().parse(try exchange(client, .post, target, body, token: nil).body).root
            guard let access = root["access"]?.string, let refresh = root["refresh"]?.string else { return false }
            (self.access, self.refresh) = (access, refresh)
            return true
        }

        /// Sends a request with the session's token, which it renews after a 401, or with a foreign one.
        private mutating func send(
            _ client: HTTPClient,
            _ method: HTTPMethod,
            _ target: String,
            _ body: String? = nil,
            token: String? = nil
        ) throws -> HTTPResponse {
            let response = try exchange(client, method, target, body, token: token ?? access)
            guard token == nil, response.status.code == 401 else { return response }
            guard try renew("/refresh", #"{"refresh": "\#(refresh)"}"#, on: client) else { return response }
            return try exchange(client, method, target, body, token: access)
        }

        private mutating func exchange(
            _ client: HTTPClient,
            _ method: HTTPMethod,
            _ target: String,
            _ body: String?,
            token: String?
        ) throws -> HTTPResponse {
            var fields = fields
            if let token { fields["Authorization"] = "Bearer \(token)" }
            if body != nil { fields["Content-Type"] = "application/json" }
            sent += 1
            let request = HTTPRequest(method: method, target: target, fields: fields, body: Array((body ?? "").utf8))
            return try client.exchange(request).response
        }
    }

    /// How many exchanges the journals lack.
    private func lost(_ server: BacklotServer, _ devices: [Device]) throws -> Int {
        try devices.reduce(0) { sum, device in
            let target = "/__backlot/journal?canonical=true&session=\(device.name)"
            let journal = try JSONParser().parse(server.ask(target).body).root
            let kept = journal["exchanges"]?.array?.count ?? 0
            return sum + abs(device.sent - kept - (journal["dropped"]?.number?.int ?? 0))
        }
    }

    private static func scenario(version: Int) -> String {
        """
        {
          "backend": "Sessions \(version)",
          "accounts": { "ada": { "id": 1 } },
          "counters": { "asked": 0, "note": 0 },
          "collections": { "notes": {} },
          "tokens": { "kinds": {
            "access": { "lifetime": "15m", "reject": { "*": { "status": 401, "empty": true } } },
            "refresh": { "lifetime": "100w", "in": { "body": "/refresh" }, "rotate": true,
              "reject": { "*": { "status": 401, "empty": true } } }
          } },
          "routes": {
            "POST /login": { "grants": { "access": "new", "refresh": "new" },
              "json": { "access": "{{token.access}}", "refresh": "{{token.refresh}}" } },
            "POST /refresh": { "requires": "refresh", "grants": { "access": "new", "refresh": "new" },
              "json": { "access": "{{token.access}}", "refresh": "{{token.refresh}}" } },
            "POST /notes": { "requires": "access", "status": 201, "empty": true,
              "then": [ { "create": "notes", "item": { "id": "{{counter.note}}", "title": "{{request.body#/title}}" } } ] },
            "GET /notes": { "requires": "access", "find": { "notes": { "all": "notes" } },
              "json": { "notes": "{{found.notes#/items}}" } },
            "DELETE /notes": { "requires": "access", "find": { "notes": { "all": "notes" } },
              "then": [ { "delete": "notes" } ], "status": 204 },
            "GET /count": { "requires": "access", "text": "{{session}} {{counter.asked}}" },
            "GET /broken": { "json": { "version": \(version) } }
          }
        }

        """
    }
}

extension HTTPResponse {
    /// The titles of the notes that the response lists; `nil` if it lists none.
    fileprivate var titles: [String]? {
        guard let notes = (try? JSONParser().parse(body).root)?["notes"]?.array else { return nil }
        return notes.map { $0["title"]?.string ?? "" }
    }
}
