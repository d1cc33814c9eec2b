import Basics

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
