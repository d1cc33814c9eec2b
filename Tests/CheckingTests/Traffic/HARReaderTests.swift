import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import TestSupport
import Testing

@testable import Checking

/// What is read of an archive, and what is said of one that is broken.
@Suite struct `An archive` {
    private static let entry = """
        {"startedDateTime": "2026-03-01T10:00:00.250+01:00", "time": 12.5, "connection": "7", "pageref": "p1",
         "request": {"method": "POST", "url": "https://Api.example.com:8443/notes?a=1#x", "httpVersion": "HTTP/2",
          "headers": [{"name": ":authority", "value": "api.example.com"}, {"name": "X-A", "value": "one\\ntwo"}],
          "postData": {"mimeType": "application/json", "text": "{}"}},
         "response": {"status": 201, "headers": [], "content": {"text": "eyJhIjoxfQ==", "encoding": "base64"}}}
        """

    private func capture(_ entries: String) throws(CaptureProblem) -> Capture {
        try Capture(har: Array("{\"log\": {\"entries\": [\(entries)]}}".utf8), file: "a.har")
    }

    private func complaint(_ text: String) -> String {
        do {
            _ = try Capture(har: Array(text.utf8), file: "a.har")
            return "none"
        } catch {
            return error.finding.description
        }
    }

    @Test func `gives each request with its moment, its connection and its bodies`() throws {
        let capture = try capture(Self.entry)
        let entry = try #require(capture.entries.first)
        #expect(entry.start.description == "2026-03-01T09:00:00.250Z")
        #expect(entry.duration == .microseconds(12_500))
        #expect((entry.connection, entry.page, entry.host) == ("7", "p1", "api.example.com:8443"))
        #expect(entry.request.target == "/notes?a=1")
        #expect(entry.request.fields.values(of: "X-A") == ["one", "two"])
        #expect(entry.request.body == Array("{}".utf8))
        #expect(entry.response?.body == Array("{\"a\":1}".utf8))
        #expect(capture.resolution == .milliseconds(1))
    }

    @Test func `may begin with a byte order mark`() throws {
        let bytes = [0xEF, 0xBB, 0xBF] + Array("{\"log\": {\"entries\": [\(Self.entry)]}}".utf8)
        #expect(try Capture(har: bytes, file: "a.har").entries.count == 1)
    }

    @Test func `is put in the order of its moments`() throws {
        let later = Self.entry.replacing("10:00:00.250", with: "10:00:01.250")
        let capture = try capture("\(later), \(Self.entry)")
        #expect(capture.entries.map(\.start.seconds) == capture.entries.map(\.start.seconds).sorted())
    }

    @Test(arguments: [
        ("\"status\": 201", "\"status\": 0", "no response"),
        ("\"time\": 12.5", "\"_error\": \"net::ERR_ABORTED\"", "net::ERR_ABORTED"),
    ])
    func `tells a response that did not arrive`(_ old: String, _ new: String, _ error: String) throws {
        let capture = try capture(Self.entry.replacing(old, with: new))
        #expect(capture.entries.first?.error == error)
    }

    @Test func `takes the type of a body from the archive where its header field is missing`() throws {
        #expect(try capture(Self.entry).entries.first?.request.fields["Content-Type"] == "application/json")
        let own = Self.entry.replacing(
            #"{"name": "X-A", "#,
            with: #"{"name": "content-type", "value": "text/x"}, {"name": "X-A", "#
        )
        #expect(try capture(own).entries.first?.request.fields["Content-Type"] == "text/x")
    }

    @Test func `passes over what is not HTTP, and says so`() throws {
        let other = Self.entry.replacing("https://Api.example.com:8443/notes?a=1#x", with: "data:text/plain,hello")
        let capture = try capture("\(Self.entry), \(other)")
        #expect(capture.entries.count == 1)
        let ignored = "1 entry with the scheme \"data\" was ignored, because the scheme is not HTTP"
        #expect(capture.findings.first?.message == ignored)
    }

    @Test func `that was cut off is refused with the place of its end`() {
        let text = "{\"log\": {\"entries\": [\n\(Self.entry)"
        for length in stride(from: 1, to: text.utf8.count, by: 7) {
            let complaint = complaint(String(decoding: text.utf8.prefix(length), as: UTF8.self))
            #expect(complaint.hasPrefix("a.har:") && complaint.contains("not valid JSON"), "\(complaint)")
        }
    }

    @Test(arguments: [
        ("[]", "a.har:1:1: error: this is not a HAR file: \"log\" is missing"),
        ("{\"log\": {}}", "a.har:1:9: error: \"log\" contains no \"entries\""),
        ("{\"log\": {\"entries\": 1}}", "a.har:1:21: error: \"entries\" must be an array, not number"),
        ("{\"log\": {\"entries\": [1]}}", "a.har:1:22: error: expected an object, not number"),
        ("{\"log\": {\"entries\": [{}]}}", "a.har:1:22: error: \"request\" is missing"),
        ("{\"log\": {\"entries\": [{\"request\": {\"url\": \"/a\"}}]}}", "expected an absolute URL, not \"/a\""),
        (
            "{\"log\": {\"entries\": [{\"request\": {\"url\": \"http://a/\", \"method\": \"G T\"}, \"startedDateTime\": \"now\"}]}}",
            "expected a moment such as \"2026-03-01T09:00:00.000Z\", not \"now\""
        ),
    ])
    func `that is none is refused with its place`(_ text: String, _ wanted: String) {
        let complaint = complaint(text)
        #expect(complaint.contains(wanted), "\(complaint)")
    }

    @Test(arguments: [
        ("\"status\": 201", "\"status\": 99", "expected a status from 100 to 999, not 99"),
        ("\"status\": 201", "\"status\": {}", "\"status\" must be a whole number, not object"),
        ("eyJhIjoxfQ==", "e*J", "this body is declared as Base64, but is not valid Base64"),
        ("\"method\": \"POST\"", "\"method\": \"P OST\"", "expected a method such as \"GET\""),
        ("\"headers\": []", "\"headers\": 5", "\"headers\" must be an array, not number"),
        ("\"X-A\"", "\"X A\"", "\"X A\" is not a header field name"),
    ])
    func `with a mistake in an entry is refused with its line`(_ old: String, _ new: String, _ wanted: String) {
        let complaint = complaint("{\"log\": {\"entries\": [\n\(Self.entry.replacing(old, with: new))]}}")
        #expect(complaint.contains(wanted) && complaint.hasPrefix("a.har:"), "\(complaint)")
        #expect(!complaint.hasPrefix("a.har:1:"), "\(complaint)")
    }
}
