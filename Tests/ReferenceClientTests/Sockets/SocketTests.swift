import Basics
import Rules
import Testing

@testable import ReferenceClients

@Suite struct `Over sockets` {
    private static let scenes = BugCase.all.filter { bugCase in
        [.noRefresh, .refreshStorm, .tokenSentElsewhere].contains(bugCase.bug)
    }

    @Test(arguments: scenes, ClientDesign.allCases)
    func `a correct client passes`(_ bugCase: BugCase, _ design: ClientDesign) async throws {
        let verdict = try await SocketPlay(bugCase: bugCase, design: design, bug: nil).perform().verdict
        #expect(verdict.outcome == .passed, "\(verdict.findings.map(\.description).joined(separator: "\n"))")
    }

    @Test(arguments: scenes, ClientDesign.allCases)
    func `a bug is found`(_ bugCase: BugCase, _ design: ClientDesign) async throws {
        let bug = try #require(bugCase.bug)
        let mostSchedules = bugCase.hasInnocentSchedules(of: design) ? 20 : 1
        var seen: [String] = []
        for schedule in 1...mostSchedules {
            let recording = try await SocketPlay(bugCase: bugCase, design: design, bug: bug).perform()
            let found = recording.verdict.rules.filter { !$0.exchanges.isEmpty }.map(\.number)
            if found.contains(bug.number) { return }
            let findings = recording.verdict.findings.map(\.description).joined(separator: "\n")
            seen.append("schedule \(schedule): \(found)\n\(findings)\n\(recording.evidence.lines)")
        }
        Issue.record("not found in \(mostSchedules) schedules\n\(seen.joined(separator: "\n\n"))")
    }
}

extension BugCase {
    /// Whether the bug need not show, because the system may start a screen's second request only after the response
    /// to its first.
    fileprivate func hasInnocentSchedules(of design: ClientDesign) -> Bool {
        // The first response tells the server's time, by which this client renews before its second request.
        isRace || (bug == .noRefresh && design == .proactive)
    }
}
