import EventLoops
import HTTPCodec
import HTTPServing
import JSON

/// Requests over a thousand sessions on a few connections, while faults are armed, clocks moved and the file edited.
///
/// It fails when a response belongs to another session or comes out of order, or when a journal lacks an exchange.
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
        /// Responses of another session or out of order.
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
        var sent = [Int](repeating: 0, count: Self.sessions)
        var (wrong, faults) = (0, 0)
        var (early, late) = (Double.nan, Double.nan)
        let start = SystemTime().now()
        for round in 1...rounds {
            if round % Self.editing == 0 {
                try folder.write("backend.json", Self.scenario(version: round))
                late = server.memory?.resident ?? .nan
                if round <= Self.warmUp { early = late }
            }
            for session in 0..<Self.sessions {
                let client = clients[(session + round) % clients.count]
                let fields: HTTPFields = ["Backlot-Session": "s\(session)"]
                let response = try client.exchange(HTTPRequest(target: "/count", fields: fields)).response
                sent[session] += 1
                if String(decoding: response.body, as: UTF8.self) != "s\(session) \(round)" { wrong += 1 }
                guard (session + round) % 500 == 0 else { continue }
                try server.change("clock?session=s\(session)", #"{"advance": "1h"}"#)
                try server.change("faults?session=s\(session)", #"{"fault": "empty", "route": "GET /broken"}"#)
                let broken = try HTTPClient(host: "127.0.0.1", port: server.port)
                do {
                    _ = try broken.exchange(HTTPRequest(target: "/broken", fields: fields))
                    wrong += 1
                } catch {
                    faults += 1
                }
                sent[session] += 1
            }
        }
        let seconds = start.milliseconds(to: SystemTime().now()) / 1_000
        return Outcome(
            requests: sent.reduce(0, +),
            seconds: seconds,
            faults: faults,
            wrong: wrong,
            lost: try lost(server, sent),
            early: early,
            late: late
        )
    }

    /// How many exchanges the journals lack.
    private func lost(_ server: BacklotServer, _ sent: [Int]) throws -> Int {
        try sent.indices.reduce(0) { sum, session in
            let target = "/__backlot/journal?canonical=true&session=s\(session)"
            let journal = try JSONParser().parse(server.ask(target).body).root
            let kept = journal["exchanges"]?.array?.count ?? 0
            return sum + abs(sent[session] - kept - (journal["dropped"]?.number?.int ?? 0))
        }
    }

    private static func scenario(version: Int) -> String {
        """
        {
          "backend": "Sessions \(version)",
          "counters": { "asked": 0 },
          "routes": {
            "GET /count": { "text": "{{session}} {{counter.asked}}" },
            "GET /broken": { "json": { "version": \(version) } }
          }
        }

        """
    }
}
