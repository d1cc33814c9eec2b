import Basics
import Checking
import JSON
import Rules
import TestSupport
import Testing

@testable import StoryRunning

@Suite
struct `A baseline of stories` {
    private func baseline(_ text: String) throws(BaselineProblem) -> Baseline {
        try Baseline(file: "known", files: MemoryFiles(["known": text]))
    }

    private func failed(_ id: String) -> Judgement {
        Judgement(.failed, id: id, "it went wrong", subject: "something")
    }

    @Test(arguments: ["B2", "refresh-storm", "B2 refresh-storm"])
    func `lets a known failure pass`(rule: String) throws {
        let checks = try baseline("S-1 \(rule)").applied(to: [failed("B2 refresh-storm")], of: "S-1")
        #expect(checks.map(\.status) == [.known])
        #expect(checks.compactMap(\.finding).map(\.severity) == [.note])
    }

    @Test(arguments: ["S-1 B4", "S-1 B4\nS-1 B2"])
    func `lets pass what follows from a known failure, and names it no more`(text: String) throws {
        let cause = failed("B4 rotated-token-reused")
        let effects = ["B2 refresh-storm", "expect/count"].map { failed($0).explained(by: cause) }
        let checks = try baseline(text).applied(to: effects + [cause], of: "S-1")
        #expect(checks.map(\.status) == [.known, .known, .known])
        #expect(checks.compactMap(\.finding).map(\.id) == ["B4 rotated-token-reused"])
    }

    @Test func `that has a consequence alone lets its cause fail`() throws {
        let cause = failed("B4 rotated-token-reused")
        let effect = failed("B2 refresh-storm").explained(by: cause)
        let checks = try baseline("S-1 B2").applied(to: [effect, cause], of: "S-1")
        #expect(checks.map(\.status) == [.known, .failed])
    }

    @Test func `lets no other failure pass`() throws {
        let checks = try baseline("S-1 B2").applied(to: [failed("B2 x"), failed("B20 y")], of: "S-1")
        #expect(checks.map(\.status) == [.known, .failed])
        #expect(try baseline("S-2 B2").applied(to: [failed("B2 x")], of: "S-1").map(\.status) == [.failed])
    }

    @Test func `fails a story for what no longer fails`() throws {
        let held = Judgement(.held, id: "B2 refresh-storm", "", subject: "no refresh-storm")
        let checks = try baseline("S-1 B2").applied(to: [held], of: "S-1")
        #expect(checks.map(\.status) == [.held, .failed])
        #expect(
            [checks.last?.finding?.description] == [
                "known: error: S-1 no longer fails B2, so the baseline must not contain this entry; remove the entry, or use "
                    + "--update-baseline [baseline/no-longer-fails]"
            ]
        )
    }

    @Test(
        .timeLimit(.minutes(15)),
        .enabled(if: Programs.hasShell && Programs.hasCurl, "there is no /bin/sh or no curl here")
    )
    func `is updated for the stories that were played, and stays for others`() async throws {
        let result = try await StoryRunner(script: "curl -s $BACKLOT_URL/other").judged()
        let updated = try baseline(#"{"Z": ["B7"], "N-1": ["B1"]}"#).updated(by: [result])
        #expect(updated.json.text() == #"{"N-1":["expect/count"],"Z":["B7"]}"#)
        #expect(Judgement.Outcome(updated.applied(to: result.checks, of: "N-1")) == .passed)
    }
}
