import Basics
import HTTPCodec
import JSON
import OpenAPI
import Reports
import Rules
import ScenarioFormat
import TestSupport
import Testing

@testable import Checking

/// Traffic written down line by line: `seconds client? METHOD target status access refresh +access +refresh`.
private enum Log {
    static let pattern =
        "{time} {method} {target} {status} {duration.ms} {token.access} {token.refresh} {granted.access} {granted.refresh}"

    static func session(_ lines: String, isComplete: Bool = true) throws -> CapturedSession {
        let capture = try Capture(log: Array(lines.utf8), pattern: try AccessLogPattern(pattern), file: "a.log")
        var options = CapturedSession.Options()
        options.isComplete = isComplete
        return try CapturedSession(capture, options)
    }

    static func broken(_ lines: String) throws -> [String] {
        try session(lines).recording(title: "a").verdict.rules.filter { $0.status == .failed }.map(\.number)
    }
}

@Suite struct `An autopsy` {
    /// A client that does it right.
    private static let correct = """
        1772355600.000 GET /notes 200 80 a1 - - -
        1772355700.000 GET /notes 401 80 a1 - - -
        1772355700.100 POST /refresh 200 80 - r1 a2 r2
        1772355700.200 GET /notes 200 80 a2 - - -
        1772355800.000 GET /notes/7 200 80 a2 - - -
        """

    @Test func `finds nothing at a client that refreshes once and replays`() throws {
        #expect(try Log.broken(Self.correct) == [])
    }

    @Test func `names a refresh token that is offered again`() throws {
        let lines =
            Self.correct + """

                1772355900.000 GET /notes 401 80 a2 - - -
                1772355900.200 POST /refresh 400 80 - r1 - -
                """
        #expect(try Log.broken(lines).contains("B4"))
    }

    @Test func `names a storm of refreshes`() throws {
        let lines = """
            1772355600.000 GET /notes 200 80 a1 - - -
            1772355700.000 GET /notes 401 80 a1 - - -
            1772355700.001 GET /me 401 80 a1 - - -
            1772355700.100 POST /refresh 200 80 - r1 a2 r2
            1772355700.101 POST /refresh 400 80 - r1 - -
            1772355700.300 GET /notes 200 80 a2 - - -
            1772355700.300 GET /me 200 80 a2 - - -
            """
        #expect(try Log.broken(lines) == ["B2"])
    }

    @Test func `names calls after a session that is over`() throws {
        var lines = """
            1772355600.000 GET /notes 200 80 a1 - - -
            1772355700.000 GET /notes 401 80 a1 - - -
            1772355700.200 POST /refresh 401 80 - r1 - -
            """
        for second in 1...6 { lines += "\n17723557\(second)0.000 POST /refresh 401 80 - r1 - -" }
        #expect(try Log.broken(lines).contains("B10"))
    }

    @Test func `names a refresh token where an access token belongs`() throws {
        let lines =
            Self.correct + """

                1772355900.000 GET /notes 401 80 r2 - - -
                """
        let broken = try Log.broken(lines)
        #expect(broken.contains("B20"), "\(broken)")
    }

    @Test func `leaves refreshes open whose cause no request shows`() throws {
        let lines = """
            1772355600.000 GET /notes 200 80 - - - -
            1772355700.000 GET /notes 401 80 - - - -
            1772355700.100 POST /refresh 200 80 - r1 a2 r2
            1772355700.200 GET /notes 200 80 - - - -
            1772355800.000 GET /notes 401 80 - - - -
            1772355800.100 POST /refresh 200 80 - r2 a3 r3
            1772355800.200 GET /notes 200 80 - - - -
            """
        let rules = try Log.session(lines).recording(title: "a").verdict.rules
        #expect(rules.filter { $0.status == .failed }.map(\.number) == [])
        #expect(rules.first { $0.number == "B2" }?.status == .notJudged)
    }

    @Test func `names a storm although no request shows an access token`() throws {
        let lines = """
            1772355600.000 GET /notes 200 80 - - - -
            1772355700.000 GET /notes 401 80 - - - -
            1772355700.001 GET /me 401 80 - - - -
            1772355700.100 POST /refresh 200 80 - r1 a2 r2
            1772355700.101 POST /refresh 400 80 - r1 - -
            1772355700.300 GET /notes 200 80 - - - -
            """
        #expect(try Log.broken(lines).contains("B2"))
    }

    @Test func `says of each rule that it leaves open what is missing`() throws {
        let session = try Log.session(Self.correct)
        #expect(session.undecided[.newTokenNotStored]?.contains("restarted") ?? false)
        #expect(session.undecided[.tokenSentElsewhere]?.contains("--host") ?? false)
        #expect(session.undecided[.expiresInAgainstExp] != nil)
        let rules = session.recording(title: "a").verdict.rules
        #expect(rules.first { $0.number == "B5" }?.status == .notJudged)
        #expect(rules.first { $0.number == "B4" }?.status == .held)
    }

    @Test func `does not blame a client whose capture ends before it could act`() throws {
        let lines = """
            1772355600.000 POST /refresh 200 80 - r1 a2 r2
            1772355600.200 GET /notes 200 80 a2 - - -
            1772355700.000 GET /notes 401 80 a2 - - -
            """
        #expect(try Log.session(lines, isComplete: false).recording(title: "a").verdict.outcome == .passed)
        #expect(try Log.broken(lines) == ["B1"])
    }

    @Test func `of a capture without tokens, or with tokens that are all masked alike, is refused`() throws {
        #expect(throws: CaptureProblem.self) { try Log.session("1772355600 GET /notes 200 80 - - - -") }
        let text = """
            {"log": {"entries": [{"startedDateTime": "2026-03-01T09:00:00.000Z", "time": 1,
             "request": {"method": "GET", "url": "http://a/notes", "headers": [{"name": "Authorization", "value": "Bearer ****"}]},
             "response": {"status": 200, "headers": [], "content": {}}}]}}
            """
        do throws(CaptureProblem) {
            _ = try CapturedSession(try Capture(har: Array(text.utf8), file: "a.har"))
            Issue.record("it was not refused")
        } catch {
            #expect(error.finding.message.contains("masked in the same way"))
        }
    }

    @Test(arguments: ["access", "access=Authorization", "access=header:", "a=body:x"])
    func `refuses kinds without a place`(_ text: String) {
        #expect(throws: CapturedTokens.DeclaredKind.Problem.self) { try CapturedTokens.DeclaredKind.all(in: text) }
    }

    @Test func `takes an id in a path for a parameter`() throws {
        let session = try Log.session(
            """
            1772355600 GET /notes/7/comments/656f1c0ac91bb39798f0a001 200 8 a1 - - -
            1772355601 GET /notes/8/comments/656f1c0ac91bb39798f0a002 200 8 a1 - - -
            1772355602 GET /notes/new/comments 200 8 a1 - - -
            """
        )
        #expect(
            session.routes.routes.map(\.key) == ["GET /notes/{noteId}/comments/{commentId}", "GET /notes/new/comments"]
        )
    }
}

@Suite struct `A capture and a contract` {
    private static let contract = """
        {"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "paths": {
          "/pets": {
            "get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array"}}}}}},
            "post": {"requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["name"]}}}},
              "responses": {"201": {"description": ""}}}}}}
        """

    private func judge(_ text: String = contract) throws -> ContractEvaluator {
        let files = MemoryFiles(["/p/api.json": text])
        let project = try #require(ProjectRoot("/p", files: files))
        return ContractEvaluator(try ContractLoader(files: files, project: project).load("/p/api.json"))
    }

    /// The report of a capture without tokens.
    private func report(_ entries: String, below basePath: String? = nil) throws -> Report {
        var options = CapturedSession.Options()
        options.requiresTokens = false
        let text = "{\"log\": {\"entries\": [\n\(entries)\n]}}"
        var session = try CapturedSession(try Capture(har: Array(text.utf8), file: "a.har"), options)
        var report = Report(title: "autopsy")
        report.add(session.hold(against: try judge(), below: basePath))
        report.add(session.report)
        return report
    }

    private func entry(_ request: String, _ response: String) -> String {
        """
        {"startedDateTime": "2026-03-01T09:00:00.000Z", "time": 4, "request": {"headers": [], \(request)}, "response": {"headers": [], \(response)}}
        """
    }

    private static let get = #""method": "GET", "url": "https://a.example/pets""#
    private static let array = #""status": 200, "content": {"text": "[]", "mimeType": "application/json"}"#

    @Test func `are compared without any token, and no rule is acquitted`() throws {
        let report = try report(entry(Self.get, Self.array))
        #expect(report.verdict == .held)
        #expect(report.checks.filter { $0.skipped == nil }.map(\.name) == ["contract"])
    }

    @Test func `that differ are an error, at the line of the request`() throws {
        let wrong = Self.array.replacing("[]", with: "{}")
        let report = try report(entry(Self.get, Self.array) + ",\n" + entry(Self.get, wrong))
        #expect(report.verdict == .failed)
        let finding = try #require(report.allFindings.first { $0.severity == .error })
        #expect(finding.id == "contract/response-body")
        #expect(finding.place?.file == "a.har" && finding.place?.position?.line == 3)
        #expect(report.stories[0].outcome == .failed)
        #expect(ReportFormat.sarif.text(of: report).contains("\"startLine\": 3"))
    }

    @Test func `are not compared where a body was not recorded`() throws {
        let unknown = #""status": 200, "content": {"size": -1, "mimeType": "application/json"}"#
        let sized = #""status": 200, "content": {"size": 120, "mimeType": "application/json"}"#
        let post =
            #""method": "POST", "url": "https://a.example/pets", "headers": [{"name": "Content-Length", "value": "196"}, {"name": "Content-Type", "value": "application/json"}]"#
        let report = try report(
            [entry(Self.get, unknown), entry(Self.get, sized), entry(post, #""status": 201"#)].joined(separator: ",\n")
        )
        #expect(report.verdict == .held, "\(report.allFindings)")
        #expect(report.findings.contains { $0.message.hasPrefix("3 bodies were not recorded") })
        let empty = try self.report(
            entry(Self.get, #""status": 200, "content": {"size": 0, "mimeType": "application/json"}"#)
        )
        #expect(empty.verdict == .failed)
    }

    @Test func `match below a base path`() throws {
        let moved = Self.get.replacing("/pets", with: "/api/v2/pets")
        #expect(try report(entry(moved, Self.array), below: "/api/v2/").verdict == .held)
        #expect(try report(entry(moved, Self.array.replacing("[]", with: "{}")), below: "/api/v2").verdict == .failed)
        // Nothing was compared, so nothing held.
        #expect(try report(entry(moved, Self.array)).verdict == .nothingChecked)
        let both = try report(entry(moved, Self.array) + ",\n" + entry(Self.get, Self.array))
        #expect(both.allFindings.contains { $0.id == "contract/undocumented-operation" })
    }

    @Test func `that have nothing in common are not judged`() throws {
        let other = #""method": "OPTIONS", "url": "https://a.example/other""#
        #expect(try report(entry(other, #""status": 204"#)).verdict == .nothingChecked)
    }
}
