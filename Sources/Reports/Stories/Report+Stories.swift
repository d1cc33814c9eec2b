import JSON

extension Report {
    /// What came of the stories, without a closing full stop; `nil` where there are none.
    var storyHeadline: String? {
        guard let first = stories.first else { return nil }
        let failed = stories.filter { $0.outcome == .failed }
        let incomplete = stories.filter { $0.outcome == .incomplete }
        guard stories.count > 1 else {
            return switch first.outcome {
            case .passed: "\(first.id) passed: \(first.title)"
            case .failed: "\(first.id) failed: \(first.title)"
            case .incomplete: "\(first.id) could not be judged: \(first.title)"
            }
        }
        let worse = failed.isEmpty ? incomplete : failed
        guard !worse.isEmpty else { return "All \(stories.count) stories passed" }
        let names = worse.prefix(3).map(\.id).joined(separator: ", ")
        let more = worse.count > 3 ? " and \(worse.count - 3) more" : ""
        return
            "\(worse.count) of \(stories.count) stories \(failed.isEmpty ? "could not be judged" : "failed"): \(names)\(more)"
    }

    /// The checks that no story shows already.
    var checksApart: [Check] {
        guard !stories.isEmpty else { return checks }
        let told = Set(stories.map { ExactText($0.id) })
        return checks.filter { !told.contains(ExactText($0.group)) }
    }

    /// How many checks of each group came to what, in the order in which the groups come first.
    func tallies(of checks: [Check]) -> [(group: String, counts: [Outcome: Int])] {
        var tallies: [(group: String, counts: [Outcome: Int])] = []
        var numbers: [ExactText: Int] = [:]
        for check in checks {
            let key = ExactText(check.group)
            let number = numbers[key] ?? tallies.count
            if number == tallies.count {
                numbers[key] = number
                tallies.append((check.group, [:]))
            }
            tallies[number].counts[outcome(of: check), default: 0] += 1
        }
        return tallies
    }
}

extension PlayedStory {
    /// `SM-03: Refresh token expired before splash`.
    var heading: String { title.isEmpty || title.utf8.elementsEqual(id.utf8) ? id : "\(id): \(title)" }
}
