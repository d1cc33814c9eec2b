import Basics
import Reports

extension ArraySlice<Report.Check> {
    /// Takes what is said of a place for intended where a response beside says why it shows that to break the contract.
    ///
    /// A story that stores something odd marks the response that it is about; others may show the same item.
    ///
    /// - Returns: how many violations were excused.
    mutating func excuseWhatIsStoredOnPurpose() -> Int {
        var reasons: [Spot: String] = [:]
        for finding in flatMap(\.findings) {
            guard finding.severity == .note, let advice = finding.advice, let spot = Spot(finding) else { continue }
            reasons[spot] = advice
        }
        guard !reasons.isEmpty else { return 0 }
        var excused = 0
        for index in indices {
            for number in self[index].findings.indices {
                let finding = self[index].findings[number]
                guard finding.severity > .note, let advice = Spot(finding).flatMap({ reasons[$0] }) else { continue }
                self[index].findings[number].severity = .note
                self[index].findings[number].advice = advice
                excused += 1
            }
        }
        return excused
    }
}

/// A place in a file where a rule is broken.
private struct Spot: Hashable {
    var file: String
    var position: TextPosition
    var id: String

    /// `nil` where a response as a whole is meant, of which there is only one.
    init?(_ finding: Finding) {
        guard let place = finding.place, let file = place.file, let position = place.position, place.pointer != nil
        else { return nil }
        (self.file, self.position, id) = (file, position, finding.id)
    }
}
