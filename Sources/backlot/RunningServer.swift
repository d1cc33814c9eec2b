import Checking
import CommandLineInterface
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TLS

/// The server that the steering commands talk to, and how it responds.
struct RunningServer {
    static let url = Option(
        "url",
        short: "u",
        "URL",
        .text("a URL such as http://127.0.0.1:9847"),
        default: "http://127.0.0.1:\(StubServer.defaultPort)",
        environment: "BACKLOT_URL",
        "The running server"
    )
    private static let port = Option(
        "port",
        short: "p",
        "PORT",
        .integer(in: 1...65_535),
        "The port of a running server on this machine, instead of --url"
    )
    static let session = Option(
        "session",
        short: "s",
        "NAME",
        .text("a session's name"),
        "The session name; by default, the unnamed session"
    )
    static let adminToken = Option(
        "admin-token",
        "TOKEN",
        .text("a secret"),
        environment: "BACKLOT_ADMIN_TOKEN",
        "The server's admin token"
    )
    static let options: [any OptionDeclaring] = [url, port, session, adminToken]

    let url: String
    private let session: String?
    private let adminToken: String?

    /// - Throws: where both `--port` and `--url` are given.
    init(_ arguments: ParsedArguments) throws(UsageError) {
        let port = arguments[Self.port]
        if port != nil, case .word = arguments.origin(of: Self.url) {
            throw arguments.misuse("--port and --url cannot be combined; keep one")
        }
        url = port.map { "http://127.0.0.1:\($0)" } ?? arguments[Self.url]
        session = arguments[Self.session]
        adminToken = arguments[Self.adminToken]
    }

    /// The reason for a missing response, as a sentence.
    struct Problem: Error {
        var sentence: String
    }

    /// Calls a part of the admin API and returns its document.
    ///
    /// - Throws: ``Problem`` when the server cannot be reached, or says that it will not.
    func call(
        _ method: HTTPMethod,
        _ part: String,
        query: [(String, String)] = [],
        body: JSONValue? = nil
    ) throws(Problem) -> JSONValue {
        let response = try send(request(method, part, query, body))
        let document = try? JSONParser().parse(response.body).root
        guard response.status.code == 200, let document else {
            throw Problem(
                sentence: document?["detail"]?.string.map(Self.withoutPlace)
                    ?? "\(url) answered \(response.status.code), which is not a response from a Backlot server"
            )
        }
        return document
    }

    /// A sentence without the place in the body that it begins with: the body is made by the command.
    private static func withoutPlace(_ sentence: String) -> String {
        let parts = sentence.split(separator: ": ", maxSplits: 1)
        let isPlace = parts.count == 2 && parts[0].utf8.allSatisfy { (48...58).contains($0) }
        let rest = isPlace ? String(parts[1]) : sentence
        return rest.hasSuffix(".") ? String(rest.dropLast()) : rest
    }

    private func request(
        _ method: HTTPMethod,
        _ part: String,
        _ query: [(String, String)],
        _ body: JSONValue?
    ) -> HTTPRequest {
        var items = query
        if let session { items.append(("session", session)) }
        let text = QueryItems(items.map { QueryItems.Item(name: $0.0, value: $0.1) }).text
        var request = HTTPRequest(method: method, target: "/__backlot/\(part)" + (text.isEmpty ? "" : "?\(text)"))
        if let adminToken { request.fields.append(AdminAccess.tokenHeader, adminToken) }
        if let body {
            request.fields.append("Content-Type", "application/json")
            request.body = body.utf8()
        }
        return request
    }
}

extension RunningServer {
    /// A document of the server, and its text for people.
    struct Answer {
        var document: JSONValue
        var text: String
    }

    /// Prints what a call yields, or why it yields nothing.
    func report(_ body: (RunningServer) throws(Problem) -> Answer) -> ExitCode {
        do throws(Problem) {
            let answer = try body(self)
            Terminal.output(answer.text)
            Terminal.changeResult { $0.members = answer.document.object ?? [:] }
            return .success
        } catch {
            return Terminal.refuse(error.sentence)
        }
    }
}

extension RunningServer {
    /// Sends one request on a separate connection, which trusts the authority of this machine, too.
    private func send(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
        guard let server = try? ServerURL(url) else {
            throw Problem(
                sentence: "\(url) is not the URL of a Backlot server; use a URL such as http://127.0.0.1:9847"
            )
        }
        do {
            var trust = ServerTrust()
            let authority = server.isSecure ? try CertificateAuthority.Store.ofUser().read() : nil
            trust.authorities = authority.map { [$0.certificate] } ?? []
            let client = try trust.way(to: server).connect(timeout: .seconds(10))
            return try client.exchange(request).response
        } catch HTTPClientFailure.refused {
            throw Problem(
                sentence:
                    "no server responds at \(url); start a server with backlot serve, or set another URL with --port or --url"
            )
        } catch let error as VerificationProblem {
            throw Problem(sentence: error.sentence)
        } catch {
            throw Problem(sentence: "\(url) cannot be reached: \(error)")
        }
    }
}
