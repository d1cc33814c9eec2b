import Basics
import HTTPCodec
import ScenarioFormat
import Testing

@testable import Checking

/// Access logs by a pattern.
@Suite struct `An access log` {
    private func capture(_ text: String, _ pattern: String) throws -> Capture {
        try Capture(log: Array(text.utf8), pattern: try AccessLogPattern(pattern), file: "a.log")
    }

    @Test func `of the combined form gives a request a line`() throws {
        let line = #"203.0.113.9 - ada [01/Mar/2026:10:00:00 +0100] "GET /notes?a=1 HTTP/1.1" 401 12 "-" "App/1.0""#
        let capture = try capture("\(line)\n\n\(line)\r\n", "combined")
        #expect(capture.entries.count == 2)
        let entry = try #require(capture.entries.first)
        #expect(entry.start.description == "2026-03-01T09:00:00Z")
        #expect((entry.client, entry.request.target, entry.response?.status) == ("203.0.113.9", "/notes?a=1", 401))
        #expect(capture.resolution == .seconds(1))
    }

    @Test func `may name tokens`() throws {
        let capture = try capture(
            "2026-03-01T09:00:00.125Z POST /token 200 0.020 r1 a2 r2",
            "{time} {method} {target} {status} {duration} {token.refresh} {granted.access} {granted.refresh}"
        )
        let entry = try #require(capture.entries.first)
        #expect(entry.offered == [.init(kind: "refresh", value: "r1")])
        #expect(entry.granted == [.init(kind: "access", value: "a2"), .init(kind: "refresh", value: "r2")])
        #expect(entry.duration == .milliseconds(20))
    }

    @Test(arguments: [
        ("x", "common", "a.log:1:1: error: this line does not match the pattern"),
        ("now GET / 200", "{time} {method} {target} {status}", "a.log:1:1: error: the time must be a moment"),
        ("1772355600 GET / 99", "{time} {method} {target} {status}", "a.log:1:1: error: the status must be a number"),
        ("1772355600 GET a 200", "{time} {method} {target} {status}", "a.log:1:1: error: the target must begin with"),
        ("x", "{time} {method} {target}", "the pattern lacks {status}"),
        ("x", "{time} {verb}", "the pattern contains an unknown field \"verb\""),
        ("x", "{time}{method}", "directly after another field"),
        ("x", "{time", "without a \"}\""),
    ])
    func `that cannot be read is refused`(_ text: String, _ pattern: String, _ wanted: String) {
        do {
            _ = try capture(text, pattern)
            Issue.record("it was read")
        } catch let error as CaptureProblem {
            #expect(error.finding.description.contains(wanted), "\(error.finding)")
        } catch {
            let sentence = (error as? AccessLogPattern.Problem)?.sentence ?? ""
            #expect(sentence.contains(wanted), "\(sentence)")
        }
    }
}
