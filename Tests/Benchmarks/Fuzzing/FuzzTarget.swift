import Basics
import Checking
import EventLoops
import Foundation
import HTTPCodec
import HTTPServing
import JSON
import Reports
import TestSupport

/// A reader of untrusted input, and the property that holds for every input.
enum FuzzTarget: String, CaseIterable {
    /// The parser of HTTP requests reads the same messages however the bytes are cut.
    case http
    /// A value that the parser accepts is the same after it is written and read again.
    case json
    case yaml
    /// `check` reports on every scenario file.
    case scenario
    /// `check` reports on every contract.
    case contract
    /// A running server answers a well-formed request after any other bytes.
    case server
    /// The admin API never answers with a server error.
    case admin

    /// The number of inputs for one process: some seconds of work.
    var batch: Int {
        switch self {
        case .http: 20_000
        case .json, .yaml: 2_000
        case .scenario, .contract: 50
        case .server, .admin: 1_000
        }
    }

    /// A Boolean value that indicates whether inputs are sent to a running server.
    var needsServer: Bool { self == .server || self == .admin }
}

extension FuzzTarget {
    /// The inputs to mutate: examples, files of the package, and the inputs that once failed.
    ///
    /// - Throws: ``Obstacle`` outside the package's folder.
    func corpus() throws -> [[UInt8]] {
        let kept = try KeptInputs.inputs(for: self)
        switch self {
        case .http, .server: return kept + Self.requests.map { Array($0.utf8) }
        case .json, .yaml:
            return try kept + Self.files(in: "Contracts/smeem") { _ in true }
                + Self.files(in: "Scenarios/smeem") { $0.hasSuffix(".json") } + [Array(Self.yamlExample.utf8)]
        case .scenario: return try kept + Self.files(in: "Scenarios/smeem") { $0.hasSuffix(".json") }
        case .contract: return try kept + Self.files(in: "Contracts/smeem") { $0.hasPrefix("openapi") }
        case .admin: return kept + Self.calls.map { Array($0.utf8) }
        }
    }

    private static func files(in folder: String, where isWanted: (String) -> Bool) throws -> [[UInt8]] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw Obstacle("\(folder) was not found; run Benchmarks in the folder of the package")
        }
        return names.filter(isWanted).sorted().compactMap { name in
            (try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))).map { [UInt8]($0) }
        }
    }

    private static let requests = [
        "GET /a/b?c=d HTTP/1.1\r\nHost: h:80\r\nAccept: */*\r\nConnection: keep-alive\r\n\r\n",
        "POST /api/diaries HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\nhello world",
        "PUT /x HTTP/1.1\r\nHost: [::1]:8\r\nTransfer-Encoding: chunked\r\n\r\n5;a=\"b\"\r\nhello\r\n0\r\nX: y\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\nHEAD http://h/ HTTP/1.0\r\nConnection: close\r\n\r\n",
        "\r\nGET / HTTP/1.0\r\n\r\nDELETE /%20 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "GET /__backlot/events HTTP/1.1\r\nHost: h\r\nAccept: text/event-stream\r\n\r\n",
        """
        GET /socket HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n
        """,
        """
        POST /upload HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 79\r\n\r
        --b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\nbody\r\n--b--\r\n
        """,
    ]

    private static let yamlExample = """
        openapi: 3.1.0
        info: {title: 'Pets & more', version: "1.0"}
        tags: [pets, {name: "é ü"}]
        x-text: |
          All about pets.

            - with a list
        x-folded: >-
          The pet that
          was asked for
        x-same:
        - &id {name: id, in: path}
        - *id
        - ? note
          : text  # a comment
        """

    /// A method, a part of the admin API and a body.
    private static let calls = [
        "GET tokens", "GET journal?after=3", "GET journal?route=GET%20/api", "GET exchanges/1", "GET documents/report",
        "GET verdict", "GET sessions", "GET changes?after=0&wait=0", "GET routes", "GET clock",
        "GET collections/diaries",
        "DELETE journal", "DELETE sessions/one", "POST sessions {\"name\": \"one\", \"variant\": \"x\"}",
        "POST clock {\"advance\": \"14d\"}", "POST clock {\"set\": \"2026-03-01T09:00:00Z\"}",
        "POST clock {\"freeze\": true}",
        "POST tokens {\"expire\": \"access\", \"device\": \"phone\"}", "POST tokens {\"issue\": \"refresh\"}",
        "POST states {\"plan\": \"paid\"}", "POST faults {\"fault\": \"reset\", \"route\": \"GET /api\", \"times\": 2}",
        "POST events [{\"signIn\": \"phone\"}, {\"create\": \"diaries\", \"item\": {\"id\": 1}}]",
        "POST client {\"fact\": \"screen\", \"value\": \"login\"}", "POST release {\"gate\": \"one\"}",
        "POST scenario {\"story\": \"SM-01\", \"reset\": true}",
    ]

    /// The bytes that mutations insert, because readers give them a meaning.
    var tokens: [String] {
        switch self {
        case .http, .server:
            [
                "\r\n", "\r", "\n", "\0", ":", " ", "\t", ";", "=", "\"", "%", "0", "ffffffffffffffff", "\r\n\r\n",
                "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "Host: x\r\n", "Expect: 100-continue\r\n",
                "Content-Encoding: gzip\r\n", "Cookie: a=b; a=\"c\r\n", "Range: bytes=0-,-5\r\n", "HTTP/1.1",
            ]
        case .yaml:
            [
                ": ", "- ", "? ", "&a ", "*a", "!!str ", "|\n", ">-\n", "{", "}", "[", "]", " #", "---\n", "'", "\"",
                "\t",
            ]
        default:
            [
                "{", "}", "[", "]", "\"", ",", ":", "null", "true", "{}", "[]", "-1", "1e999", "\\u0000", "{{", "}}",
                "??",
                "{{request.body#/a}}", "{{clock}}", "\"$ref\": \"#\",", "\"$ref\": \"#/paths\",", "\"*\"", "\"\"",
                "9223372036854775808", "\"pattern\": \"(a+)+$\",", "\"allOf\": [{}],", "\"2026-13-01T00:00:00Z\"",
                "\"1000000h\"", "\"extends\": \"backend.json\",", "/../", "?session=", "%00",
            ]
        }
    }
}

extension FuzzTarget {
    /// Reads an input; returns what does not hold for it, if anything.
    ///
    /// - Parameter server: the running server for the targets that need one.
    func problem(of input: [UInt8], server: BacklotServer?) throws -> String? {
        switch self {
        case .http:
            let whole = WireMessages(input, cut: input.count)
            let cut = [1, 7].first { WireMessages(input, cut: $0) != whole }
            return cut.map { "pieces of \($0) bytes are read as other messages" }
        case .json: return try Self.change(of: JSONParser().parse(input).root)
        case .yaml: return try Self.change(of: JSONParser().parseYAML(input).root)
        case .scenario: return try Self.check(input, in: "Scenarios/smeem")
        case .contract: return try Self.check(input, in: "Contracts/smeem")
        case .server: return try server.map { try Self.send(input, to: $0) } ?? nil
        case .admin: return try server.map { try Self.call(input, of: $0) } ?? nil
        }
    }

    private static func change(of value: @autoclosure () throws -> JSONValue) throws -> String? {
        guard let value = try? value() else { return nil }
        let again = try? JSONParser().parse(value.utf8()).root
        return again == value ? nil : "the value has changed after it was written and read"
    }

    private static func check(_ input: [UInt8], in folder: String) throws -> String? {
        let isJSON = input.first { $0 > 0x20 } == UInt8(ascii: "{")
        let path = "\(FileManager.default.currentDirectoryPath)/\(folder)/fuzzed.\(isJSON ? "json" : "yaml")"
        let report = try Check(files: ChangedFiles(DiskFiles(), [path: input])).run([path])
        let nameless = report.findings.first { $0.message.isEmpty }
        return nameless.map { "the finding \($0.id) has no message" }
    }

    private static func send(_ input: [UInt8], to server: BacklotServer) throws -> String? {
        guard let address = SocketAddress("127.0.0.1", port: server.port) else { return nil }
        let deadline = SystemTime().now().advanced(by: .seconds(10))
        do {
            let socket = try ConnectedSocket(connectingTo: address, until: deadline)
            _ = input.withUnsafeBytes { socket.write($0) }
            socket.endWriting()
            var answer = [UInt8](repeating: 0, count: 16 << 10)
            while try socket.waitUntilReadable(until: deadline) {
                guard case .bytes = answer.withUnsafeMutableBytes({ socket.read(into: $0) }) else { break }
            }
            if SystemTime().now() >= deadline { return "the connection is open after 10 seconds" }
        } catch {
            // The server may close a connection while it is written to.
        }
        let status = try? server.ask("/__backlot/health").status
        return status == .ok ? nil : "the server does not answer anymore"
    }

    private static func call(_ input: [UInt8], of server: BacklotServer) throws -> String? {
        let words = input.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        let texts = words.map { String(decoding: $0, as: UTF8.self) }
        let target = "/__backlot/\(texts.dropFirst().first ?? "")"
        let method = texts.first ?? ""
        guard HTTPFields.isName(method), target.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        let request = HTTPRequest(
            method: HTTPMethod(rawValue: method),
            target: target,
            fields: ["Content-Type": "application/json"],
            body: words.count == 3 ? Array(words[2]) : []
        )
        let client = try HTTPClient(host: "127.0.0.1", port: server.port, timeout: .seconds(10))
        do {
            let status = try client.exchange(request).response.status.code
            return status < 500 ? nil : "the status is \(status)"
        } catch {
            // A stream of events, whose head was read, ends only with its session.
            let received = String(decoding: (try? client.peek()) ?? [], as: UTF8.self)
            return received.contains("event: ") ? nil : "there is no response: \(error)"
        }
    }
}

/// The requests that a parser reads from bytes that arrive in pieces, and the reason why it stops.
private struct WireMessages: Equatable {
    var requests: [HTTPRequest] = []
    var refusal: HTTPRefusal?

    init(_ bytes: [UInt8], cut length: Int) {
        var (parser, input) = (HTTPRequestParser(), InputBuffer())
        var rest = bytes[...]
        while !rest.isEmpty, refusal == nil {
            input.append(rest.prefix(length))
            rest = rest.dropFirst(length)
            steps: while true {
                switch parser.next(&input) {
                case .needsMoreBytes: break steps
                case .head: continue
                case .complete(let request): requests.append(request)
                case .refused(let reason):
                    refusal = reason
                    break steps
                }
            }
        }
    }
}
