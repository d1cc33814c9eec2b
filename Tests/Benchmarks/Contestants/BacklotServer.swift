import Foundation
import HTTPCodec
import HTTPServing
import JSON

/// A separate `backlot serve` process, from the release build next to this program.
///
/// A class, because it is one running process.
final class BacklotServer {
    private let child: ChildProcess
    let port: UInt16

    /// Starts it and waits until it listens.
    ///
    /// - Parameter log: the file that the server's log is written to; nowhere when `nil`.
    convenience init(_ scenario: String, _ options: [String] = [], watches: Bool = false, log: String? = nil) throws {
        try self.init(["serve", scenario] + (watches ? [] : ["--no-watch"]) + options, log: log)
    }

    /// Starts a proxy.
    convenience init(inFrontOf url: String, _ options: [String]) throws {
        try self.init(["proxy", url] + options, log: nil)
    }

    private init(_ words: [String], log: String?) throws {
        let arguments = words + ["--port", "0", "--host", "127.0.0.1"]
        child = try ChildProcess(Self.program(), arguments, readsOutput: true, errors: log)
        let url = try child.firstLine()
        guard let port = url.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw Obstacle("backlot printed \"\(url)\" instead of a URL")
        }
        self.port = port
    }

    static func program() throws -> String {
        let own = URL(fileURLWithPath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
        let path = own.deletingLastPathComponent().appendingPathComponent("backlot").path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Obstacle("there is no \(path); build it with: swift build -c release")
        }
        return path
    }

    var process: Int32 { child.id }
    var memory: ProcessMemory? { ProcessMemory(of: child.id) }
    var isRunning: Bool { child.isRunning }

    func stop() {
        child.stop()
    }

    /// Asks once, on a connection of its own.
    func ask(_ target: String, fields: HTTPFields = HTTPFields()) throws -> HTTPResponse {
        let client = try HTTPClient(host: "127.0.0.1", port: port)
        return try client.exchange(HTTPRequest(target: target, fields: fields)).response
    }

    /// Changes something by the admin API.
    func change(_ part: String, _ body: String) throws {
        let client = try HTTPClient(host: "127.0.0.1", port: port)
        let response = try client.exchange(
            HTTPRequest(
                method: .post,
                target: "/__backlot/\(part)",
                fields: ["Content-Type": "application/json"],
                body: Array(body.utf8)
            )
        ).response
        guard response.status == .ok else { throw Obstacle("POST \(part) was answered with \(response.status.code)") }
    }

    /// The value of a device's first token of a kind.
    func token(_ kind: String) throws -> String {
        let root = try JSONParser().parse(ask("/__backlot/tokens").body).root
        let tokens = (root["devices"]?.array ?? []).flatMap { $0["tokens"]?.array ?? [] }
        guard let value = tokens.first(where: { $0["kind"]?.string == kind })?["value"]?.string else {
            throw Obstacle("the scenario has no token of the kind \(kind)")
        }
        return value
    }
}
