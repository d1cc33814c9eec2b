package import Basics

/// A story as a client was run with it, ready to be drawn.
package struct PlayedStory: Sendable {
    package enum Outcome: String, Sendable, Hashable {
        case passed
        case failed
        /// Not all is known to be right.
        case incomplete
    }

    /// Something that was looked at, and its result.
    package struct Item: Sendable {
        package enum Status: String, Sendable, Hashable {
            case held
            case failed
            case unknown
            /// Not looked at, for a reason that the sentence gives.
            case excused
        }

        package var status: Status
        /// `expect/count`, `B2 refresh-storm`.
        package var id: String
        package var sentence: String
        package var place: Place?
        /// The exchanges that decided it.
        package var exchanges: [Int] = []
        /// Why it matters, what to do, and where a standard says so; each a sentence without a closing full stop.
        package var reason: String?
        package var advice: String?
        package var source: String?

        package init(_ status: Status, id: String, _ sentence: String) {
            self.status = status
            self.id = id
            self.sentence = sentence
        }
    }

    /// `SM-03`, or `SM-10/no-data` for a variant.
    package var id: String
    package var title: String
    package var about: String
    package var reproduces: [String]
    /// The story's file as the user would write it.
    package var file: String?
    package var outcome: Outcome
    /// The verdict as a sentence without a closing full stop.
    package var summary: String
    package var expectations: [Item] = []
    package var rules: [Item] = []
    /// What the contract does not allow in requests and responses.
    package var contract: [Finding] = []
    /// Notes besides: gates, seeds, exit codes; sentences without closing full stops.
    package var notes: [String] = []
    package var diagram = StoryDiagram()
    /// The command that runs it again.
    package var command: String?

    package init(id: String, title: String, outcome: Outcome, summary: String) {
        self.id = id
        self.title = title
        about = ""
        reproduces = []
        self.outcome = outcome
        self.summary = summary
    }
}

extension PlayedStory {
    /// The story for reports that know checks only: one for each thing that was looked at, in a group of its own.
    package var checks: [Report.Check] {
        var checks = (expectations + rules).map(check)
        if outcome == .incomplete, checks.allSatisfy({ $0.skipped != nil || $0.findings.isEmpty }) {
            let finding = Finding(.error, id: "story/incomplete", summary, at: place, advice: nil)
            checks.append(Report.Check(group: id, name: "can be judged", findings: [finding], place: place))
        }
        if !contract.isEmpty || checks.isEmpty {
            checks.append(Report.Check(group: id, name: "obeys the contract", findings: contract, place: place))
        }
        return checks
    }

    private var place: Place? { file.map { Place(file: $0) } }

    private func check(_ item: Item) -> Report.Check {
        var place = item.place ?? place
        place?.exchange = item.exchanges.first
        var check = Report.Check(group: id, name: item.id, place: place)
        switch item.status {
        case .held: break
        case .excused: check.skipped = item.sentence
        // A story of which not all is known has not passed.
        case .failed, .unknown:
            check.findings = [Finding(.error, id: item.id, item.sentence, at: place, advice: item.advice)]
        }
        return check
    }
}
