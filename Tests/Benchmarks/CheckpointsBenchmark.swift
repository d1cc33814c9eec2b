import EventLoops
import HTTPCodec
import HTTPServing
import JSON

/// The cost of saving, comparing and restoring the state of a session with many tokens and items, over the admin API.
///
/// The benchmark fails when a restored state differs from the saved one in a byte, when an open stream is not closed and
/// reported, or when a restoration takes too long.
struct CheckpointsBenchmark {
    private static let tokens = 1_000
    private static let items = 10_000
    private static let streams = 3
    private static let rounds = 25
    /// The most milliseconds from the request for a restoration to its response.
    private static let permittedMilliseconds = 10.0

    func run() throws -> Bool {
        let folder = try ScratchFolder()
        let notes = (1...Self.items).map { #"{ "id": \#($0), "text": "Note \#($0)" }"# }
        try folder.write("notes.json", "[\(notes.joined(separator: ",\n"))]")
        let server = try BacklotServer(try folder.write("backend.json", Self.backend), ["--quiet"])
        defer { server.stop() }
        for _ in 0..<Self.tokens / 100 {
            try server.change(
                "events",
                "[" + Array(repeating: #"{"issue": "access"}"#, count: 100).joined(separator: ",") + "]"
            )
        }
        say(
            "checkpoints: \(Double(Self.tokens).text()) tokens, \(Double(Self.items).text()) items, "
                + "\(Self.streams) streams, medians of \(Self.rounds) rounds"
        )
        var stopwatch = Stopwatch()
        var (saving, comparing, restoring): ([Double], [Double], [Double]) = ([], [], [])
        var isExact = true
        for _ in 0..<Self.rounds {
            let saved = try documents(server)
            _ = stopwatch.lap()
            try server.change("checkpoints", #"{"save": "before"}"#)
            saving.append(stopwatch.lap())
            // Every collection, and most tokens, now differ from the checkpoint.
            try server.change("clock", #"{"advance": "90m"}"#)
            let client = try HTTPClient(host: "127.0.0.1", port: server.port)
            for target in ["/notes", "/edit"] {
                _ = try client.exchange(HTTPRequest(method: .post, target: target))
            }
            let readers = try (0..<Self.streams).map { _ in try reader(server) }
            _ = stopwatch.lap()
            let changes = try server.ask("/__backlot/checkpoints/before").body
            comparing.append(stopwatch.lap())
            let root = try JSONParser().parse(changes).root
            guard root["items"]?[0]?["changed"]?.int == Self.items, root["items"]?[0]?["added"]?.int == 1,
                root["tokens"]?.array?.count ?? 0 >= Self.tokens
            else { throw Obstacle("the state did not change as it should have after the checkpoint") }
            _ = stopwatch.lap()
            let closed = try restore(server)
            restoring.append(stopwatch.lap())
            let areClosed = closed == readers.count && readers.allSatisfy { (try? $0.receive()) != nil }
            isExact = try documents(server) == saved && areClosed && isExact
        }
        var table = Table("", "median ms", "max ms")
        for (name, times) in [("save", saving), ("compare", comparing), ("restore", restoring)] {
            table.add(name, Figures(times).median.text(2), Figures(times).maximum.text(2))
        }
        table.print()
        if !isExact { say("  a restored state differs from the saved one, or a stream was not closed\n") }
        return isExact && Figures(restoring).median < Self.permittedMilliseconds
    }

    /// Everything that the admin API shows of the session.
    private func documents(_ server: BacklotServer) throws -> [[UInt8]] {
        try ["clock", "tokens", "states", "collections", "client", "journal?canonical=true"]
            .map { try server.ask("/__backlot/\($0)").body }
    }

    /// Restores the checkpoint, and returns the number of streams that the server reports as closed.
    private func restore(_ server: BacklotServer) throws -> Int? {
        let client = try HTTPClient(host: "127.0.0.1", port: server.port)
        let fields: HTTPFields = ["Content-Type": "application/json"]
        let body = Array(#"{"restore": "before"}"#.utf8)
        let request = HTTPRequest(method: .post, target: "/__backlot/checkpoints", fields: fields, body: body)
        let response = try client.exchange(request).response
        return try JSONParser().parse(response.body).root["closed"]?.array?.count
    }

    /// A client that has received the first event of a stream.
    private func reader(_ server: BacklotServer) throws -> HTTPClient {
        let client = try HTTPClient(host: "127.0.0.1", port: server.port)
        try client.send(HTTPRequest(target: "/news"))
        while try !String(decoding: client.peek(), as: UTF8.self).contains("first") {
            _ = try server.ask("/__backlot/clock")
        }
        return client
    }

    private static let backend = #"""
        {
          "backend": "Notes", "clock": { "frozen": true }, "counters": { "note": 1 },
          "accounts": { "ada": {} },
          "tokens": { "kinds": { "access": { "lifetime": "1h" } } },
          "collections": { "notes": { "items": "notes.json" } },
          "routes": {
            "POST /notes": {
              "then": [{ "create": "notes", "item": { "id": "new-{{counter.note}}", "text": "New" } }], "status": 201,
              "empty": true
            },
            "POST /edit": {
              "find": { "all": { "all": "notes" } },
              "then": [{ "update": "all", "set": { "/text": "Changed" } }], "status": 204
            },
            "GET /news": { "staysOpen": true, "events": [{ "text": "first" }] }
          },
          "given": [{ "signIn": "phone", "account": "ada" }]
        }
        """#
}
