import Basics
import HTTPCodec
import HTTPServing
import JSON
import Reports
import ScenarioFormat
import StubServing
import TestSupport
import Testing

@testable import Checking
@testable import Proxying

/// Recordings of traffic, as they are on disk while they are written.
@Suite(.timeLimit(.minutes(15)))
struct RecordingTests {
    private static let secrets = [
        "access-value-one-4711", "access-value-two-4712", "refresh-value-4713", "hunter2-hunter2",
    ]

    /// Responses that are long enough to be fixtures.
    private static func note(_ number: Int) -> String {
        #"{ "id": "note-\#(number)-4f2a", "text": "\#(String(repeating: "words ", count: 60))" }"#
    }

    /// A session in which the routes, their parameters, the tokens and the failures become known bit by bit.
    private static let entries: [Capture.Entry] = [
        Capture.Entry.recorded(0, .get, "/notes/note-1-4f2a", note(1)),
        Capture.Entry.recorded(
            1,
            .post,
            "/login",
            sent: #"{"user":"ada","password":"hunter2-hunter2"}"#,
            #"{ "access_token": "access-value-one-4711", "refresh_token": "refresh-value-4713", "expires_in": 900 }"#
        ),
        Capture.Entry.recorded(2, .get, "/notes/note-2-4f2a", token: secrets[0], note(2)),
        Capture.Entry.recorded(
            3,
            .get,
            "/notes/note-1-4f2a",
            token: secrets[0],
            status: .unauthorized,
            #"{"error":"expired"}"#
        ),
        Capture.Entry.recorded(
            4,
            .post,
            "/refresh",
            sent: #"{"refresh_token":"refresh-value-4713"}"#,
            #"{"access_token":"access-value-two-4712"}"#
        ),
        Capture.Entry.recorded(5, .get, "/notes/note-1-4f2a", token: secrets[1], note(1)),
        Capture.Entry.recorded(6, .get, "/notes?page=2", token: secrets[1], status: .serviceUnavailable, "{}"),
        Capture.Entry.recorded(7, .get, "/notes?page=2", token: secrets[1], "[\(note(3)),\(note(4))]"),
        Capture.Entry.recorded(
            8,
            .post,
            "/notes",
            token: secrets[1],
            sent: #"{"text":"a"}"#,
            status: .created,
            note(5)
        ),
        Capture.Entry.recorded(9, .delete, "/notes/note-5-4f2a", token: secrets[1], status: .noContent, ""),
    ]

    private static func errors(in path: String) throws -> [String] {
        try Check(files: DiskFiles()).run([path]).allFindings.filter { $0.severity == .error }.map(\.message)
    }

    private static func texts(in folder: String) -> [String: String] {
        let files = DiskFiles()
        var texts: [String: String] = [:]
        var waiting = [folder]
        while let next = waiting.popLast() {
            for name in files.entries(of: next) {
                let path = FilePath.join(next, name)
                if files.isFolder(path) { waiting.append(path) }
                if let bytes = try? files.read(path) { texts[path] = String(decoding: bytes, as: UTF8.self) }
            }
        }
        return texts
    }

    @Test func `A recording that stops between any two changes on disk is complete, and has no secrets`() throws {
        var stop = 0
        var (isStopped, stories) = (true, 0)
        while isStopped {
            let temporary = try TemporaryFolder()
            let path = temporary.path + "/mine"
            let recorder = try TrafficRecorder(to: DraftFolder(path, files: DiskFiles()), named: "staging")
            isStopped = false
            var count = 0
            do throws(DraftFolder.Problem) {
                for (index, entry) in Self.entries.enumerated() {
                    recorder.keep(entry)
                    // Some writes have several new exchanges.
                    guard ![3, 5, 8].contains(index) else { continue }
                    _ = try recorder.write { () throws(DraftFolder.Problem) in
                        if count == stop { throw DraftFolder.Problem(sentence: "stopped") }
                        count += 1
                    }
                }
            } catch {
                isStopped = true
            }
            #expect(try Self.errors(in: path) == [], "after \(stop) changes")
            let texts = Self.texts(in: path)
            for secret in Self.secrets {
                #expect(!texts.values.contains { $0.contains(secret) }, "after \(stop) changes")
            }
            if texts.keys.contains(where: { $0.hasSuffix("captured-session.json") }) { stories += 1 }
            stop += 1
        }
        // The story appeared, and was replaced as the session went on.
        #expect(stop > 30 && stories > 20 && stories < stop)
    }

    @Test func `Files that are not named anymore are removed, and the rest is written once`() throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/mine"
        let folder = DraftFolder(path, files: DiskFiles())
        let recorder = try TrafficRecorder(to: folder, named: "staging")
        var changes: [Int] = []
        for entry in Self.entries {
            recorder.keep(entry)
            var count = 0
            _ = try recorder.write { () throws(DraftFolder.Problem) in count += 1 }
            changes.append(count)
        }
        let names = Set(Self.texts(in: path).keys.map { String($0.dropFirst(path.count + 1)) })
        #expect(try names == Set(folder.drafted().map(\.path) + ["scenario.schema.json"]))
        // Each write changes the scenarios, the archive and the fixtures of its entry, and no others.
        #expect(changes.allSatisfy { 4...11 ~= $0 })
        var count = 0
        _ = try recorder.write { () throws(DraftFolder.Problem) in count += 1 }
        #expect(count == 0)
    }

    // MARK: Playing

    private static func serving(
        _ path: String,
        clock: String = "frozen",
        _ body: (HTTPClient) throws -> Void
    ) async throws {
        try await withBackend(at: ScenarioLibrary(path), clock: clock) { server, url in
            let client = try HTTPClient(port: try #require(UInt16(url.split(separator: ":").last ?? "")))
            try body(client)
            client.close()
        }
    }

    private static let backend = """
        { "backend": "Real", "tokens": { "kinds": { "access": { "lifetime": "15m" } } },
          "routes": {
            "POST /login": { "grants": { "access": "new" }, "signIn": true, "json": { "accessToken": "{{token.access}}" } },
            "GET /users/{id}": { "requires": "access", "json": { "id": "{{request.path.id}}", "name": "Ada" } },
            "GET /search": { "json": { "found": "{{request.query.q}}" } },
            "GET /news": { "json": [] } } }
        """

    /// Records a sign-in, two users and a search, and returns the folder.
    private static func record(_ url: String, in temporary: TemporaryFolder) async throws -> String {
        let path = temporary.path + "/mine"
        let recorder = try TrafficRecorder(to: DraftFolder(path, files: DiskFiles()), named: "Real")
        try await withProxy(to: url, recorder: recorder) { proxied in
            let client = try proxied.client()
            let token = try #require(try client.call(.post, "/login").json["accessToken"]?.string)
            for target in ["/users/5", "/users/7", "/search?q=a"] {
                #expect(try client.get(target, .bearer(token)).status == 200)
            }
        }
        #expect(try recorder.finish() != nil)
        return path
    }

    @Test func `A recording responds to its requests, and others are sent on and recorded`() async throws {
        let temporary = try TemporaryFolder()
        try await withBackend(Self.backend) { _, url in
            let path = try await Self.record(url, in: temporary)
            let folder = DraftFolder(path, files: DiskFiles())
            let recorder = try TrafficRecorder(to: folder, named: "Real", addsTo: true)
            try await withProxy(to: url, library: ScenarioLibrary(path), recorder: recorder, replays: true) { proxied in
                let client = try proxied.client()
                // The backend issues the token, because it would not know that of the recording.
                let token = try #require(try client.call(.post, "/login").json["accessToken"]?.string)
                #expect(try client.get("/users/7", .bearer(token)).json["id"] == "7")
                #expect(recorder.capture.entries.count == 1)
                #expect(try client.get("/users/9", .bearer(token)).json["id"] == "9")
                #expect(try client.get("/search?q=b", .bearer(token)).json["found"] == "b")
                #expect(try client.get("/news").text == "[]")
                #expect(
                    recorder.capture.entries.map(\.request.target) == ["/login", "/users/9", "/search?q=b", "/news"]
                )
            }
            #expect(try recorder.finish() != nil)
            #expect(try Self.errors(in: path) == [])
        }
        // The backend is gone, and the recording has what it had and what was added.
        try await withProxy(to: "", library: ScenarioLibrary(temporary.path + "/mine"), replays: true) { proxied in
            let client = try proxied.client()
            let token = try #require(try client.call(.post, "/login").json["accessToken"]?.string)
            for id in ["5", "7", "9"] {
                #expect(try client.get("/users/\(id)", .bearer(token)).json["id"]?.string == id)
            }
            for query in ["a", "b"] {
                #expect(try client.get("/search?q=\(query)", .bearer(token)).json["found"]?.string == query)
            }
            #expect(try client.get("/news").text == "[]")
        }
    }

    @Test(arguments: [false, true])
    func `A stream is recorded with what has come of it, without its secrets`(isEndless: Bool) async throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/mine"
        let recorder = try TrafficRecorder(to: DraftFolder(path, files: DiskFiles()), named: "Real")
        let event = "data: {\"n\":1,\"access_token\":\"\(Self.secrets[0])\"}\n\n"
        try await RawUpstream.run { _, promise in
            promise.send(part: Array(event.utf8), isLast: !isEndless)
            var stream = OutgoingResponse(HTTPResponse(status: .ok, contentType: "text/event-stream", body: ""))
            stream.isStream = true
            return .now(stream)
        } _: { _, url in
            try await withProxy(to: url, recorder: recorder) { proxied in
                let client = try proxied.client()
                try client.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
                while try !String(decoding: client.peek(), as: UTF8.self).contains(event) {}
                if isEndless { client.close() }
                try await until { !recorder.capture.entries.isEmpty }
            }
        }
        let files = try #require(try recorder.finish()).files
        let backend = try #require(files.first { $0.path.hasSuffix("backend.json") })
        let route = try JSONParser().parse(backend.bytes).root["routes"]?["GET /events"]
        #expect(route?["events"] == [["json": ["n": 1, "access_token": "concealed"]]])
        #expect(files.allSatisfy { !String(decoding: $0.bytes, as: UTF8.self).contains(Self.secrets[0]) })
        #expect(try Self.errors(in: path) == [])
    }

    @Test(arguments: [false, true]) func `A sign-out that is not sent on is recorded`(keepsTokens: Bool) async throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/mine"
        let recorder = try TrafficRecorder(to: DraftFolder(path, files: DiskFiles()), named: "Real")
        func statuses(_ client: HTTPClient) throws -> [HTTPStatus] {
            let tokens = try client.call(.post, "/login", ["Content-Type": "application/json"], #"{"user":"ada"}"#)
            let access = try #require(tokens.json["accessToken"]?.string)
            return try [
                client.get("/me", .bearer(access)).status, client.call(.post, "/logout", .bearer(access)).status,
                client.get("/me", .bearer(access)).status,
            ]
        }
        try await withBackend(UpstreamTokenTests.backend) { _, url in
            try await withProxy(to: url, recorder: recorder, keepsTokens: keepsTokens) { proxied in
                let found = try statuses(proxied.client())
                #expect(found == [200, 204, 401])
            }
        }
        #expect(try recorder.finish() != nil)
        #expect(try Self.errors(in: path) == [])
        try await withProxy(to: "", library: ScenarioLibrary(path)) { proxied in
            let found = try statuses(proxied.client())
            #expect(found == [200, 204, 401])
        }
    }

    /// A client makes other identifiers each time that it runs.
    @Test func `A response to a request that was not recorded repeats the request's own values`() async throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/mine"
        let recorder = try TrafficRecorder(to: DraftFolder(path, files: DiskFiles()), named: "Real")
        func send(_ id: String, _ text: String, to client: HTTPClient) throws -> [String] {
            let fields: HTTPFields = ["Content-Type": "application/json", "X-Correlation": "c-\(id)"]
            let made = try client.call(.post, "/notes", fields, #"{ "id": "\#(id)", "text": "\#(text)" }"#)
            let read = try client.get("/notes/\(id)?text=\(text)")
            return [made.fields["Location"] ?? "", made.fields["X-Correlation"] ?? "", made.text, read.text]
        }
        @Sendable func responses(_ id: String, _ text: String) -> [String] {
            let note = #"{"id":"\#(id)","text":"\#(text)","owner":"text-of-the-server"}"#
            return ["/notes/\(id)", "c-\(id)", note, note]
        }
        try await RawUpstream.run { request, _ in
            let sent = try? JSONParser().parse(request.body).root
            let id = sent?["id"]?.string ?? String(request.path.dropFirst("/notes/".count))
            let text = sent?["text"]?.string ?? request.query?.split(separator: "=").last.map(String.init) ?? ""
            var response = HTTPResponse(status: .ok, contentType: "application/json", body: responses(id, text)[2])
            response.fields.append("Location", "/notes/\(id)")
            if let value = request.fields["X-Correlation"] { response.fields.append("X-Correlation", value) }
            return .now(OutgoingResponse(response))
        } _: { _, url in
            try await withProxy(to: url, recorder: recorder) { proxied in
                let received = try send("note-1-4f2a", "one", to: proxied.client())
                #expect(received == responses("note-1-4f2a", "one"))
            }
        }
        #expect(try recorder.finish() != nil)
        #expect(try Self.errors(in: path) == [])
        try await withProxy(to: "", library: ScenarioLibrary(path)) { proxied in
            for (id, text) in [("note-1-4f2a", "one"), ("note-2-4f2b", "one"), ("note-3-4f2c", "two")] {
                let received = try send(id, text, to: proxied.client())
                #expect(received == responses(id, text))
            }
        }
    }

    @Test func `A path that looks like a pattern is recorded as it is`() async throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/mine"
        let recorder = try TrafficRecorder(to: DraftFolder(path, files: DiskFiles()), named: "Real")
        let targets = ["/*", "/a/*/b", "/:name", "/<name>", "/{name}", "/**"]
        try await RawUpstream.run { request, _ in
            .text("at \(request.path)")
        } _: { _, url in
            try await withProxy(to: url, recorder: recorder) { proxied in
                for target in targets { _ = try proxied.client().get(target) }
            }
        }
        #expect(try recorder.finish() != nil)
        #expect(try Self.errors(in: path).isEmpty)
        try await withProxy(to: "", library: ScenarioLibrary(path), replays: true) { proxied in
            let client = try proxied.client()
            for target in targets { #expect(try client.get(target).text == "at \(target)") }
            #expect(try client.get("/other").status == 504)
        }
    }

    @Test func `Without the backend, a request that the recording lacks is refused with the nearest one`() async throws
    {
        let temporary = try TemporaryFolder()
        try await withBackend(Self.backend) { _, url in _ = try await Self.record(url, in: temporary) }
        try await withProxy(to: "", library: ScenarioLibrary(temporary.path + "/mine"), replays: true) { proxied in
            let client = try proxied.client()
            let token = try #require(try client.call(.post, "/login").json["accessToken"]?.string)
            let cases: [(HTTPMethod, String, String, String)] = [
                (.get, "/users/9", "GET /users/{userId}", "no recorded request has its path parameter userId"),
                (.get, "/search?q=c", "GET /search", "no recorded request has its query item q"),
                (.get, "/search?q=a&page=2", "GET /search", "no recorded request has its further query items"),
                (.get, "/serch", "GET /search", #"the path contains "serch" where the route contains "search""#),
                (.delete, "/search", "GET /search", "the method is DELETE, not GET"),
            ]
            for (method, target, route, difference) in cases {
                let response = try client.call(method, target, .bearer(token))
                #expect(response.status == 504 && response.problem == "not-recorded", "\(target): \(response.text)")
                #expect(try response.json["nearest"] == ["route": .string(route), "difference": .string(difference)])
            }
        }
    }

    @Test func `A recording contains no address of the proxy, and the whole address of the backend`() async throws {
        let recorder = TrafficRecorder()
        try await RawUpstream.run { request, _ in
            let origin = "http://\(request.fields["Host"] ?? "")"
            let location = request.path == "/" ? origin : "\(origin)/orders/7"
            let link = "<\(origin)/orders?page=2>; rel=\"next\""
            return .text("", status: .created, ["Location": location, "Content-Location": location, "Link": link])
        } _: { _, url in
            try await withProxy(to: url, recorder: recorder) { proxied in
                let client = try proxied.client()
                let location = try client.call(.post, "/orders").fields["Location"]
                #expect(location == "http://localhost:\(proxied.port)/orders/7")
                _ = try client.call(.post, "/")
            }
            var options = CapturedSession.Options()
            options.requiresTokens = false
            let session = try CapturedSession(recorder.capture, options)
            let draft = try BackendDraft(session, named: "Real", schemaPath: nil, isExact: true, archiveVersion: "1")
            for (path, location) in [("/orders", "/orders/7"), ("/", "/")] {
                let headers = draft.backend[.routes]?["POST \(path)"]?["headers"]
                for name in ["Location", "Content-Location"] {
                    #expect(headers?[name]?.string == location)
                }
                #expect(headers?["Link"] == "</orders?page=2>; rel=\"next\"")
            }
            let har = try #require(draft.files.first { $0.path == "capture.har" })
            let entries = try JSONParser().parse(har.bytes).root["log"]?["entries"]?.array ?? []
            #expect(entries.map { $0["request"]?["url"]?.string } == ["\(url)/orders", "\(url)/"])
            #expect(entries.map { $0["response"]?["redirectURL"] } == ["/orders/7", "/"])
        }
    }

    // MARK: Equal bytes

    /// A request of a scripted session, in which `{access}` and `{refresh}` are the tokens that the session has.
    struct Request: Sendable {
        var method: HTTPMethod
        var target: String
        var fields: HTTPFields = [:]
        var body = ""
    }

    /// Plays a session, and returns each response without its tokens and dates.
    private static func play(_ session: [Request], _ client: HTTPClient) throws -> [String] {
        var tokens = ["access": "", "refresh": ""]
        func filled(_ text: String) -> String {
            tokens.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
        }
        return try session.map { request in
            var fields = HTTPFields()
            for (name, value) in request.fields { fields.append(name, filled(value)) }
            let response = try client.call(request.method, filled(request.target), fields, filled(request.body))
            var text = response.text
            for match in text.matches(of: #/"(access|refresh)Token":\s*"([^"]+)"/#) {
                tokens[String(match.output.1)] = String(match.output.2)
            }
            let hasTokens = tokens.values.contains { !$0.isEmpty && text.contains($0) }
            for (kind, value) in tokens where !value.isEmpty { text = text.replacing(value, with: kind) }
            text.replace(#/20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/#, with: "DATE")
            let passing: Set = ["date", "via", "connection"]
            let shown = response.fields.map { ($0.name.lowercased(), $0.value) }
                .filter { !passing.contains($0.0) && !(hasTokens && $0.0 == "content-length") }
            let lines = shown.map { "\($0.0): \($0.1)" }.sorted()
            return (["\(request.method) \(request.target): \(response.status.code)"] + lines + [text])
                .joined(separator: "\n")
        }
    }

    private static let json: HTTPFields = ["Content-Type": "application/json"]

    private static func smeem(_ number: Int) -> [Request] {
        let own: HTTPFields = ["Authorization": "Bearer {access}"]
        let ownJSON: HTTPFields = ["Authorization": "Bearer {access}", "Content-Type": "application/json"]
        let social = number == 1 ? "jiwoo-social-token" : "kakao-social-token"
        return [
            Request(method: .get, target: "/api/v2/versions/client/app"),
            Request(
                method: .post,
                target: "/api/v2/auth",
                fields: ["Authorization": "Bearer \(social)", "Content-Type": "application/json"],
                body: #"{"social":"KAKAO","fcmToken":"fcm-\#(number)"}"#
            ),
            Request(method: .get, target: "/api/v2/members/me", fields: own),
            Request(
                method: .post,
                target: "/api/v2/diaries",
                fields: ownJSON,
                body: #"{"content":"Session \#(number) is long enough for a diary.","topicId":null}"#
            ),
            Request(method: .get, target: "/api/v2/diaries?start=2024-01-01&end=2030-01-01", fields: own),
            Request(method: .get, target: "/api/v2/diaries/343", fields: own),
            Request(method: .delete, target: "/api/v2/diaries/343", fields: own),
            Request(method: .get, target: "/api/v2/diaries/343", fields: own),
            Request(method: .get, target: "/api/v2/goals/DEVELOP"),
            Request(method: .get, target: "/api/v2/goals/NOTHING"),
            Request(method: .get, target: "/api/v3/members/badges", fields: own),
            Request(method: .post, target: "/api/v2/auth/token", fields: ["Authorization": "Bearer {refresh}"]),
            Request(method: .get, target: "/api/v2/members/plan", fields: own),
            Request(method: .get, target: "/api/v2/members/me", fields: ["Authorization": "Bearer wrong-token-value"]),
            Request(method: .get, target: "/api/v2/nothing", fields: own),
        ]
    }

    private static func runwithu(_ number: Int) -> [Request] {
        var own: HTTPFields = ["SesacKey": "runwithu-key", "ProductId": "runwithu", "Authorization": "{access}"]
        let read = own
        own.append("Content-Type", "application/json")
        let key: HTTPFields = ["SesacKey": "runwithu-key", "Content-Type": "application/json"]
        let mail = number == 1 ? "dawn@example.com" : "dahan@example.com"
        var renewing = read
        renewing.append("Refresh", "{refresh}")
        return [
            Request(
                method: .post,
                target: "/v1/users/login",
                fields: key,
                body: #"{"email":"nobody@example.com","password":"run1234"}"#
            ),
            Request(
                method: .post,
                target: "/v1/users/login",
                fields: key,
                body: #"{"email":"\#(mail)","password":"run1234"}"#
            ),
            Request(method: .get, target: "/v1/users/me/profile", fields: read),
            Request(method: .get, target: "/v1/users/66c1f0a2e4b0a1d2c3f40003/profile", fields: read),
            Request(
                method: .post,
                target: "/v1/posts",
                fields: own,
                body: #"{"product_id":"run","title":"Run \#(number)","content":"along the river"}"#
            ),
            Request(method: .get, target: "/v1/posts?product_id=run&limit=2", fields: read),
            Request(method: .get, target: "/v1/posts?product_id=run&limit=x", fields: read),
            Request(method: .post, target: "/v1/follow/66c1f0a2e4b0a1d2c3f40003", fields: read),
            Request(method: .post, target: "/v1/follow/66c1f0a2e4b0a1d2c3f40003", fields: read),
            Request(method: .get, target: "/v1/auth/refresh", fields: renewing),
            Request(method: .get, target: "/v1/users/me/profile", fields: read),
            Request(method: .get, target: "/v1/users/me/profile", fields: ["SesacKey": "runwithu-key"]),
        ]
    }

    @Test(arguments: ["smeem", "runwithu"])
    func `A recording of a backend responds with the same bytes, also in 2030`(name: String) async throws {
        let sessions = (0...2).map { name == "smeem" ? Self.smeem($0) : Self.runwithu($0) }
        let temporary = try TemporaryFolder()
        let path = temporary.path + "/mine"
        let recorder = try TrafficRecorder(to: DraftFolder(path, files: DiskFiles()), named: name)
        var recorded: [[String]] = []
        try await withBackend(at: ScenarioLibrary("\(Project.scenarios)/\(name)")) { _, url in
            try await withProxy(to: url, recorder: recorder) { proxied in
                let client = try proxied.client()
                recorded = try sessions.map { try Self.play($0, client) }
            }
        }
        #expect(try recorder.finish() != nil)
        #expect(try Self.errors(in: path) == [])
        for clock in ["frozen", "2030-01-01T00:00:00Z,frozen"] {
            try await Self.serving(path, clock: clock) { client in
                for (session, wanted) in zip(sessions, recorded) {
                    let found = try Self.play(session, client)
                    #expect(found.count == wanted.count)
                    for (found, wanted) in zip(found, wanted) { #expect(found == wanted) }
                }
            }
        }
        for (name, text) in Self.texts(in: path) {
            #expect(!text.contains("run1234"), "\(name)")
            // The stand-ins of tokens in the archive keep their times.
            #expect(!text.replacing("recorded.eyJ", with: "").contains("eyJ"), "\(name)")
        }
    }
}
