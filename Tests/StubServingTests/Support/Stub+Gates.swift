import HTTPCodec
import HTTPServing
import JSON
import StubServing
import Testing

extension Stub {
    /// Sends requests on a connection each, one after the other, until each is held or has passed all gates.
    func hold(_ targets: [String], method: HTTPMethod = .get, session: String? = nil) throws -> [HTTPClient] {
        var clients: [HTTPClient] = []
        for target in targets {
            let before = try held(session: session)
            let client = try self.client()
            let fields: HTTPFields = session.map { ["Backlot-Session": $0] } ?? [:]
            try client.send(HTTPRequest(method: method, target: target, fields: fields))
            clients.append(client)
            try until("\(target) to be held") { try held(session: session) != before }
        }
        return clients
    }

    /// The targets that stand at gates now, and how often gates have opened.
    func held(session: String? = nil) throws -> [String] {
        try gates(session: session).flatMap { gate in
            let targets = (gate["held"]?.array ?? []).compactMap { $0["target"]?.string }
            return ["\(gate["openings"]?.array?.count ?? 0)"] + targets
        }
    }

    func gates(session: String? = nil) throws -> [JSONValue] {
        try admin(.get, session.map { "gates?session=\($0)" } ?? "gates")["gates"]?.array ?? []
    }

    /// The bodies that clients receive, one after the other.
    func texts(_ clients: [HTTPClient]) throws -> [String] {
        try clients.map { try $0.receive().text }
    }

    /// The log's lines about gates.
    var gateLines: [String] {
        log.text.split(separator: "\n").map(String.init).filter { $0.contains("  gate ") }
    }
}
