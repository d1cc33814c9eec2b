package import ScenarioFormat

/// A clock as the command line says it: a start, a way of running, or both with a comma between.
package struct ClockOption: Sendable, Hashable {
    package var start: VirtualTime?
    package var mode: ClockMode?

    package init() {}

    /// Reads `2026-03-01T09:00:00Z`, `now`, `frozen`, `automatic`, `60x`, or several of them: `now,frozen`.
    package init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            switch part {
            case "now": start = nil
            case "frozen": mode = .frozen
            case "automatic": mode = .automatic
            case _ where part.last == "x":
                guard let rate = Double(part.dropLast()), (0...1_000_000).contains(rate) else { return nil }
                mode = .running(rate: rate)
            default:
                guard let moment = VirtualTime(String(part)) else { return nil }
                start = moment
            }
        }
    }

    /// What would be right, for messages.
    package static let expectation =
        "now, frozen, automatic, a rate such as 60x, or a moment such as 2026-03-01T09:00:00Z"

    /// The settings of a scenario with this option over them.
    func over(_ settings: ClockSettings) -> ClockSettings {
        var settings = settings
        settings.start = start ?? settings.start
        settings.mode = mode ?? settings.mode
        return settings
    }
}
