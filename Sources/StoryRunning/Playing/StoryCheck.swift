package import Basics

/// One thing that was looked at in a played story, and what came of it.
///
/// Every report, the exit code and the baseline go by these; there is no second opinion.
package struct StoryCheck: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable {
        case held
        case failed
        /// Nobody can tell, which is no pass.
        case unknown
        /// Failed or unknown, as the baseline says that it would.
        case known
        /// Not looked at, for a reason that ``StoryCheck/excuse`` gives.
        case excused
        /// Neither passed nor failed, because the server was late by more than the client's requests were apart; it
        /// keeps a story from passing only in a strict run.
        case inconclusive
    }

    package var status: Status
    /// The rule: `expect/count`, `B2 refresh-storm`, `client/hung`.
    package var id: String
    /// What was looked at, as a part of a sentence.
    package var name: String
    /// What was found; where the check has not held, the reasons come first and are errors.
    package var findings: [Finding]
    /// The exchanges that decided it.
    package var exchanges: [UInt64] = []
    /// Where the story expects it.
    package var place: Place?
    /// Why it was not looked at, as a sentence without a closing full stop.
    package var excuse: String?
    /// What the bug does to people, as a sentence without a closing full stop.
    package var reason: String?
    /// Where a standard says so, such as `RFC 6749, section 6`.
    package var source: String?

    init(_ status: Status, id: String, _ name: String, _ findings: [Finding] = []) {
        self.status = status
        self.id = id
        self.name = name
        self.findings = findings
    }

    /// A check that has not held, for the reason given.
    init(_ name: String, is status: Status = .failed, for finding: Finding) {
        self.init(status, id: finding.id, name, [finding])
        place = finding.place
    }

    /// Whether it keeps its story from passing.
    package var isOpen: Bool { status == .failed || status == .unknown }
}
