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

    private let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
    }

    func run() throws -> Bool {
        let rounds = settings.requests.map { max(1, $0 / Self.sessions) } ?? Self.rounds
        let folder = try ScratchFolder()
        let path = try folder.write("backend.json", Self.scenario(version: 0))
        let server = try BacklotServer(path, ["--quiet"], watches: true)
        defer { server.stop() }
        say("sessions: \(Double(Self.sessions * rounds).text()) requests over \(Double(Self.sessions).text()) sessions")
        var clients: [HTTPClient] = []
        for _ in 0..<8 { clients.append(try HTTPClient(host: "127.0.0.1", port: server.port)) }
        var sent = [Int](repeating: 0, count: Self.sessions)
        var (wrong, faults) = (0, 0)
        var memory: [Double] = []
        let start = SystemTime().now()
        for round in 1...rounds {
            if round % Self.editing == 0 {
                try folder.write("backend.json", Self.scenario(version: round))
                memory.append(server.memory?.resident ?? 0)
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
        let lost = try lost(server, sent)
        var table = Table("requests", "a second", "faults", "wrong", "lost", "MB early", "MB late")
        table.add(
            Double(sent.reduce(0, +)).text(),
            (Double(sent.reduce(0, +)) / seconds).text(),
            Double(faults).text(),
            Double(wrong).text(),
            Double(lost).text(),
            memory.first?.text(1) ?? "-",
            memory.last?.text(1) ?? "-"
        )
        table.print()
        return wrong == 0 && lost == 0
    }

    /// How many exchanges the journals lack.
    private func lost(_ server: BacklotServer, _ sent: [Int]) throws -> Int {
        let root = try JSONParser().parse(server.ask("/__backlot/sessions").body).root
        var kept: [String: Int] = [:]
        for session in root["sessions"]?.array ?? [] {
            if let name = session["name"]?.string { kept[name] = session["exchanges"]?.number?.int }
        }
        return sent.indices.reduce(0) { $0 + abs(sent[$1] - (kept["s\($1)"] ?? 0)) }
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
