import Basics
package import Reports

/// The failures of an operation that are known, by the ids of their findings.
package struct KnownFailures: Sendable, Hashable {
    /// The name of the check: `GET /pets/{id}`.
    package var check: String
    package var ids: [String]

    package init(check: String, ids: [String]) {
        self.check = check
        self.ids = ids
    }
}

extension Report {
    /// The failures of each check, in the order of the checks.
    package var failures: [KnownFailures] {
        checks.compactMap { check in
            var ids: [String] = []
            for finding in check.findings where fails(finding) && !ids.containsExactly(finding.id) {
                ids.append(finding.id)
            }
            return ids.isEmpty ? nil : KnownFailures(check: check.name, ids: ids)
        }
    }

    /// Turns known failures into notes, and reports those that no longer fail.
    ///
    /// An operation that was not judged tells nothing about what is known of it.
    ///
    /// - Parameter file: the baseline, as the user would write it.
    package mutating func accept(_ known: [KnownFailures], from file: String?) {
        for number in checks.indices {
            let name = checks[number].name
            let ids = known.filter { $0.check.utf8.elementsEqual(name.utf8) }.flatMap(\.ids)
            let isJudged = checks[number].skipped == nil
            for id in ids {
                let meant = checks[number].findings.indices.filter { checks[number].findings[$0].id == id }
                for index in meant { checks[number].findings[index].severity = .note }
                guard meant.isEmpty, isJudged else { continue }
                checks[number].findings.append(
                    Finding(
                        .error,
                        id: "baseline/no-longer-fails",
                        "\(name) no longer fails \(id), so it must not stay in the baseline",
                        at: Place(file: file),
                        advice: "take it out, or let --update-baseline do so"
                    )
                )
            }
        }
    }

    /// The known failures after this run: those of operations that were not judged stay.
    package func updated(_ known: [KnownFailures]) -> [KnownFailures] {
        let failing = failures
        let judged = checks.filter { $0.skipped == nil }.map(\.name) + failing.map(\.check)
        return known.filter { !judged.containsExactly($0.check) } + failing
    }
}
