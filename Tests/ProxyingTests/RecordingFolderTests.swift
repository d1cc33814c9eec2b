import Basics
import HTTPCodec
import JSON
import Reports
import Rules
import ScenarioFormat
import Simulation
import TestSupport
import Testing

@testable import Checking
@testable import Proxying

/// The files of a recording: the HTTP Archive, texts with secrets, and what happens when they cannot be written.
@Suite(.timeLimit(.minutes(15)))
struct RecordingFolderTests {
    private let temporary: TemporaryFolder
    private let path: String
    private let files = DiskFiles()

    init() throws {
        temporary = try TemporaryFolder()
        path = temporary.path + "/mine"
    }

    private func recorder(addsTo: Bool = false, report: @escaping @Sendable (String) -> Void = { _ in }) throws
        -> TrafficRecorder
    {
        let folder = DraftFolder(path, files: files)
        return try TrafficRecorder(to: folder, named: "staging", version: "1.0", addsTo: addsTo, report: report)
    }

    private static let tokens = ["access-value-one-4711", "access-value/two+4712=="]

    /// A session with a refusal, a refresh and a note that is long enough to be a fixture.
    private static let entries = [
        Capture.Entry.recorded(
            0,
            .post,
            "/login",
            sent: #"{"user":"ada","password":"hunter2"}"#,
            #"{"access_token":"access-value-one-4711","refresh_token":"refresh-value-4713","expires_in":900}"#
        ),
        Capture.Entry.recorded(1, .get, "/notes", token: tokens[0], "[\"\(String(repeating: "words ", count: 60))\"]"),
        Capture.Entry.recorded(1_000, .get, "/notes", token: tokens[0], status: .unauthorized, #"{"error":"expired"}"#),
        Capture.Entry.recorded(
            1_001,
            .post,
            "/refresh",
            sent: #"{"refresh_token":"refresh-value-4713"}"#,
            #"{"access_token":"access-value/two+4712==","expires_in":900}"#
        ),
        Capture.Entry.recorded(
            1_002,
            .get,
            "/notes",
            token: tokens[1],
            "[\"\(String(repeating: "words ", count: 60))\"]"
        ),
    ]

    private func text(_ name: String) throws -> String {
        String(decoding: try files.read("\(path)/\(name)"), as: UTF8.self)
    }

    /// The paths of all files below the folder.
    private func names(_ folder: String = "") -> Set<String> {
        Set(
            files.entries(of: FilePath.join(path, folder)).flatMap { name -> [String] in
                let name = folder.isEmpty ? name : "\(folder)/\(name)"
                return files.isFolder("\(path)/\(name)") ? Array(names(name)) : [name]
            }
        )
    }

    private func errors() throws -> [String] {
        try Check(files: files).run([path]).allFindings.filter { $0.severity == .error }.map(\.message)
    }

    // MARK: HTTP Archive

    private func archive() throws -> Capture {
        try Capture(har: files.read("\(path)/capture.har"), file: "capture.har")
    }

    @Test func `The archive shows the same session as the traffic, without its secrets`() throws {
        let recorder = try recorder()
        for entry in Self.entries { recorder.keep(entry) }
        _ = try recorder.finish()
        let capture = try archive()
        #expect(capture.entries.map(\.request.target) == Self.entries.map(\.request.target))
        #expect(capture.entries.map(\.start) == Self.entries.map(\.start))
        #expect(Set(capture.entries.map { "\($0.scheme)://\($0.host)" }) == ["https://staging.example.com"])
        let har = try text("capture.har")
        for secret in Self.tokens + ["refresh-value-4713", "hunter2"] { #expect(!har.contains(secret)) }
        let (real, shown) = (try CapturedSession(recorder.capture), try CapturedSession(capture))
        #expect(shown.tokens.purposes == real.tokens.purposes)
        #expect(shown.tokens.kinds == real.tokens.kinds)
        let offered = { (session: CapturedSession) in
            session.evidence.exchanges.map { $0.offered.map { "\($0.id ?? "") \($0.isAccepted ?? true)" } }
        }
        #expect(offered(shown) == offered(real))
        #expect(try BackendDraft(shown, named: "again", schemaPath: nil).routeCount == 3)
        // The folder is still one that check and serve accept.
        #expect(try errors() == [])
    }

    @Test func `A continued recording keeps the entries of the archive`() throws {
        let first = try recorder()
        for entry in Self.entries.dropLast() { first.keep(entry) }
        _ = try first.finish()
        let second = try recorder(addsTo: true)
        second.keep(Capture.Entry.recorded(2_000, .get, "/news", "[]"))
        _ = try second.finish()
        #expect(
            try archive().entries.map(\.request.target) == ["/login", "/notes", "/notes", "/refresh", "/news"]
        )
        #expect(try archive().entries.last?.page == "launch-2")
    }

    @Test func `An archive that cannot be read stays as it is`() throws {
        let first = try recorder()
        for entry in Self.entries { first.keep(entry) }
        _ = try first.finish()
        try temporary.write("mine", to: "mine/capture.har")
        let second = try recorder(addsTo: true)
        second.keep(Capture.Entry.recorded(2_000, .get, "/news", "[]"))
        let findings = try second.finish()?.findings.map(\.message) ?? []
        #expect(findings.contains { $0.contains("capture.har is not a HAR file") })
        #expect(try text("capture.har") == "mine")
    }

    // MARK: Texts

    private static let random = "q7F3zK9mX2pL5vB8"
    private static let id = "7d1c2a9e-5b3f-4c8d-a6e1-0f9b8c7d6e5a"

    private static let page = """
        <!DOCTYPE html><title>Ada's "notes" &amp; more</title>
        <meta name="csrf-token" content="meta1x"><input value='hidden-4f2a' type="hidden" name="form">
        <a href="/notes/\(id)?access_token=query7q">open</a> <img src="data:image/png;base64,iVBORw0KGgo4AAAANSUhEUg/4">
        <script>const token = 'script8s'; const state = {"refreshToken":"json9j", name: getElementsByTagName2};</script>
        \(tokens[0]) access-value%2Ftwo%2B4712%3D%3D access-value\\/two+4712== access-value/two&#x2B;4712==
        <p>hunter2, \(random), ID \(random).</p><Token>xml-5t</Token>
        """

    @Test func `Secrets in pages are replaced in every form, and the rest stays`() throws {
        let recorder = try recorder()
        for entry in Self.entries { recorder.keep(entry) }
        recorder.keep(Capture.Entry.recorded(2_000, .get, "/notes/\(Self.id)", token: Self.tokens[1], "[]"))
        recorder.keep(Capture.Entry.recorded(2_001, .get, "/page", type: "text/html", Self.page))
        let draft = try recorder.finish()
        #expect(draft?.findings.contains { $0.message.contains("text/html") } == false)
        let page = try #require(draft?.backend[.routes]?["GET /page"]?["text"]?.string ?? casePage(draft))
        for secret in [
            "meta1x", "hidden-4f2a", "query7q", "script8s", "json9j", "access-value", "hunter2", Self.random, "xml-5t",
        ] {
            #expect(!page.contains(secret), "\(secret)")
            for name in names() { #expect(try !text(name).contains(secret), "\(secret) in \(name)") }
        }
        for rest in [
            #"<title>Ada's "notes" &amp; more</title>"#, "/notes/\(Self.id)", "getElementsByTagName2",
            "base64,iVBORw0KGgo4AAAANSUhEUg/4",
        ] {
            #expect(page.contains(rest), "\(rest)")
        }
        // Equal words have equal stand-ins.
        let standIns = page.matches(of: #/concealed-[0-9a-f]{8}/#).map(\.output)
        #expect(standIns.count == 2 && Set(standIns).count == 1)
        #expect(try errors() == [])
    }

    private func casePage(_ draft: BackendDraft?) -> String? {
        draft?.backend[.routes]?["GET /page"]?["cases"]?.array?.first?["text"]?.string
    }

    @Test(arguments: [
        // Escapes that no list of forms has.
        "token access-value\\x2ftwo&#x2B;4712==", "{\\u0022token\\u0022:\\u0022abcdef\\u0022}",
        "&amp;quot;password&amp;quot;: &amp;quot;abcdef&amp;quot;",
    ])
    func `A text whose secrets are found only behind escapes is left out`(body: String) throws {
        let recorder = try recorder()
        for entry in Self.entries { recorder.keep(entry) }
        recorder.keep(Capture.Entry.recorded(2_001, .get, "/page", type: "text/plain", body))
        let draft = try #require(try recorder.finish())
        #expect(draft.findings.contains { $0.message.contains("a body of text/plain, which may contain private data") })
        for name in names() { #expect(try !text(name).contains("4712") && !text(name).contains("abcdef")) }
        #expect(try archive().entries.last?.lacksResponseBody == true)
    }

    // MARK: Places

    /// Keeps an exchange as the proxy does.
    private func keep(_ entry: Capture.Entry, in recorder: TrafficRecorder) {
        let received = entry.response.map { MessageSurvey($0).secrets } ?? []
        recorder.keep(entry, hiding: MessageSurvey(entry.request).secrets + received)
    }

    @Test(arguments: [
        ("/login", #"{"user":"ada","pass":"swordfish"}"#, "{}", "swordfish"),
        ("/login", #"{"user":"ada","pass":"hunter2"}"#, "{}", "hunter2"),
        ("/login", "user=ada&pass=swordfish", "{}", "swordfish"),
        ("/login", #"{"user":"ada","pin":482913}"#, "{}", "482913"),
        ("/login", #"{"user":"ada","password":482913}"#, "{}", "482913"),
        ("/password", #"{"password":{"old":"x","new":"swordfish"}}"#, "{}", "swordfish"),
        ("/verify?otp=482913", "{}", "{}", "482913"), ("/card", "", #"{"otp":"482913"}"#, "482913"),
        ("/card", "", #"{"pin":"4711"}"#, "4711"), ("/card", "", #"{"card":{"pin":4711}}"#, "4711"),
    ])
    func `A secret is recorded nowhere, however short it is`(target: String, sent: String, body: String, secret: String)
        throws
    {
        let recorder = try recorder()
        var entry = Capture.Entry.recorded(0, sent.isEmpty ? .get : .post, target, sent: sent, body)
        if sent.hasPrefix("user=") { entry.request.fields = ["Content-Type": "application/x-www-form-urlencoded"] }
        keep(entry, in: recorder)
        keep(.recorded(1, .post, target, sent: #"{"user":"bob"}"#, status: .badRequest, "{}"), in: recorder)
        #expect(try recorder.finish() != nil)
        for name in names() { #expect(try !text(name).contains(secret), "\(name)") }
    }

    @Test func `A value that is equal to a short secret or to a cookie stays`() throws {
        let recorder = try recorder()
        let body: JSONValue = [
            "plan": "premium", "ok": "true", "code": "1234", "count": 1234, "user": ["id": 1_234_567],
        ]
        let secrets = [#"{"user":"ada","pass":"true"}"#, #"{"user":"ada","pin":"1234"}"#, #"{"pass":"premium"}"#]
        for (index, sent) in secrets.enumerated() {
            keep(Capture.Entry.recorded(Int64(index), .post, "/login", sent: sent, "{}"), in: recorder)
        }
        for (index, target) in ["/plan", "/users/1234567", "/users/7654321"].enumerated() {
            var entry = Capture.Entry.recorded(10 + Int64(index), .get, target, body.text(.compact))
            entry.request.fields.append("Cookie", "plan=premium; uid=1234567")
            keep(entry, in: recorder)
        }
        let page = Capture.Entry.recorded(20, .get, "/page", type: "text/html", "<a href=\"/users/1234567\">true</a>")
        keep(page, in: recorder)
        let routes = try #require(try recorder.finish()).backend[.routes]
        #expect(routes?["GET /plan"]?["json"] == body)
        #expect(routes?["GET /page"]?["text"]?.string == String(decoding: page.response?.body ?? [], as: UTF8.self))
        let users = routes?["GET /users/{userId}"]?["cases"]?.array ?? []
        #expect(users.map { $0["when"]?["path"]?["userId"]?["equals"] } == ["1234567", "7654321"])
        #expect(users.map { $0["json"] } == [body, body])
    }

    @Test func `Binary data is recorded only if it is a file of a known type without a known secret`() throws {
        let recorder = try recorder()
        for entry in Self.entries { recorder.keep(entry) }
        let files = [
            ("/cbor", "application/octet-stream", "x"), ("/parts", "multipart/mixed; boundary=b", "x"),
            ("/stamped", "image/png", Self.tokens[0]), ("/picture", "image/png", "a picture"),
        ]
        for (target, type, text) in files {
            var entry = Capture.Entry.recorded(2_000, .get, target, type: type, "")
            entry.response?.body = [0x89] + Array(text.utf8)
            recorder.keep(entry)
        }
        let routes = try recorder.finish()?.backend[.routes]
        #expect(files.map { routes?["GET \($0.0)"]?["file"] != nil } == [false, false, false, true])
        #expect(try archive().entries.suffix(4).map(\.lacksResponseBody) == [true, true, true, false])
        for name in names() { #expect(try !text(name).contains(Self.tokens[0])) }
    }

    @Test func `A recording of a page on another origin responds to such a page, and has no preflight`() throws {
        let recorder = try recorder()
        var preflight = Capture.Entry.recorded(0, .options, "/notes", status: .noContent, "")
        preflight.request.fields = ["Origin": "http://localhost:3000", "Access-Control-Request-Method": "GET"]
        keep(preflight, in: recorder)
        #expect(try recorder.write() == nil)
        var entry = Capture.Entry.recorded(1, .get, "/notes", "[]")
        entry.request.fields = ["Origin": "http://localhost:3000"]
        entry.response?.fields.append("Access-Control-Allow-Origin", "http://localhost:3000")
        keep(entry, in: recorder)
        #expect(try #require(try recorder.write()).backend[.cors] == true)
        entry.response?.fields.append("Access-Control-Allow-Credentials", "true")
        entry.response?.fields.append("Access-Control-Expose-Headers", "X-Total, etag, *")
        keep(entry, in: recorder)
        let backend = try #require(try recorder.finish()).backend
        #expect(backend[.cors] == ["credentials": true, "expose": ["X-Total", "etag"]])
        #expect(backend[.routes]?.object?.names == ["GET /notes"])
        #expect(try errors() == [])
        let second = try self.recorder(addsTo: true)
        second.keep(Capture.Entry.recorded(2, .get, "/news", "[]"))
        #expect(try second.finish()?.backend[.cors] == backend[.cors])
    }

    // MARK: Failures

    @Test func `A recording that no backend can be made of says why`() async throws {
        let (reports, continuation) = AsyncStream.makeStream(of: String.self)
        let folder = DraftFolder(path, files: files)
        let recorder = try TrafficRecorder(to: folder, named: "") { continuation.yield($0) }
        recorder.add(Self.entries[0], hiding: [])
        var iterator = reports.makeAsyncIterator()
        let report = try #require(await iterator.next())
        let reason = "nothing was written, because the backend would be refused: "
        #expect(report.hasPrefix("the recording is not complete: \(reason)"), "\(report)")
        let problem = #expect(throws: DraftFolder.Problem.self) { _ = try recorder.finish() }
        #expect(problem?.sentence.hasPrefix(reason) == true, "\(problem?.sentence ?? "")")
    }

    @Test func `A folder has one recorder, until that one has ended`() throws {
        let first = try recorder()
        for entry in Self.entries { first.keep(entry) }
        for addsTo in [false, true] {
            let problem = #expect(throws: DraftFolder.Problem.self) { _ = try recorder(addsTo: addsTo) }
            #expect(problem?.sentence.hasPrefix("another process is recording to") == true)
        }
        _ = try first.finish()
        let problem = #expect(throws: DraftFolder.Problem.self) { _ = try recorder() }
        #expect(problem?.sentence.hasSuffix("or add --replay \(path) to add requests") == true)
        _ = try recorder(addsTo: true)
    }

    @Test func `A recording without a request does not keep its folder, and what killed processes left is removed`()
        throws
    {
        _ = try recorder()
        // No process has this number.
        try temporary.write("left", to: "mine/.backlot-draft.999999999/backend.json")
        #expect(names().count == 3)
        _ = try recorder()
        #expect(names() == ["backend.json", "scenario.schema.json"])
        try temporary.write("mine", to: "mine/notes.txt")
        #expect(throws: DraftFolder.Problem.self) { _ = try recorder() }
    }

    @Test func `A folder that cannot be made is refused at the start`() throws {
        try temporary.write("a file", to: "mine")
        for addsTo in [false, true] {
            let problem = #expect(throws: DraftFolder.Problem.self) { _ = try recorder(addsTo: addsTo) }
            #expect(problem?.sentence.contains("\"\(path)\"") == true, "\(problem?.sentence ?? "")")
            #expect(problem?.sentence.contains(".backlot-draft") == false)
        }
    }

    @Test func `The first failed write is reported, and the next one repairs the folder`() async throws {
        let (reports, continuation) = AsyncStream.makeStream(of: String.self)
        let recorder = try recorder { continuation.yield($0) }
        try temporary.write("mine", to: "mine/capture.har/notes.txt")
        recorder.add(Self.entries[0], hiding: [])
        var iterator = reports.makeAsyncIterator()
        let report = try #require(await iterator.next())
        #expect(report.contains("the recording is not complete: ") && report.contains("capture.har\" is a folder"))
        #expect(files.resolve("\(path)/capture.har/notes.txt") != nil)
        files.removeFolder("\(path)/capture.har")
        _ = try recorder.finish()
        #expect(try archive().entries.count == 1)
    }

    @Test func `A write after a failed one leaves no file of either behind, and none of the user's out`() throws {
        let recorder = try recorder()
        try temporary.write("mine", to: "mine/fixtures/mine.json")
        var (stop, isStopped) = (0, true)
        while isStopped {
            isStopped = false
            var count = 0
            let body = "[\(stop % 2),\"\(String(repeating: "x ", count: 200))\"]"
            recorder.keep(Capture.Entry.recorded(3_000 + Int64(stop), .get, "/notes", body))
            do throws(DraftFolder.Problem) {
                _ = try recorder.write { () throws(DraftFolder.Problem) in
                    if count == stop { throw DraftFolder.Problem(sentence: "stopped") }
                    count += 1
                }
            } catch {
                isStopped = true
            }
            stop += 1
        }
        #expect(stop > 8)
        let drafted = try DraftFolder(path, files: files).drafted().map(\.path)
        #expect(names() == Set(drafted + ["scenario.schema.json", "fixtures/mine.json"]))
    }

    @Test func `A folder that was removed is written again`() throws {
        let recorder = try recorder()
        for entry in Self.entries { recorder.keep(entry) }
        let before = try recorder.write()?.files.map(\.path)
        files.removeFolder(path)
        recorder.keep(Capture.Entry.recorded(2_000, .get, "/news", "[]"))
        let after = try recorder.finish()?.files.map(\.path)
        #expect(before == after)
        #expect(names() == Set(after ?? []))
        #expect(try errors() == [])
    }
}
