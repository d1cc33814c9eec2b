import JSON
package import ScenarioFormat

/// A clock as the command line says it: a start, a way of running, or both with a comma between.
package struct ClockOption: Sendable, Hashable {
    package var start: Start?
    package var mode: ClockMode?

    /// The start of the scenario, which overrides its own.
    package enum Start: Sendable, Hashable {
        case now
        case at(VirtualTime)
    }

    package init() {}

    /// Reads `2026-03-01T09:00:00Z`, `now`, `frozen`, `automatic`, `60x`, or several of them: `now,frozen`.
    package init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            switch part {
            case "now": guard set(.now) else { return nil }
            case "frozen": guard set(.frozen) else { return nil }
            case "automatic": guard set(.automatic) else { return nil }
            case _ where part.last == "x":
                guard let rate = JSONNumber(String(part.dropLast()))?.double, (0...1_000_000).contains(rate),
                    set(.running(rate: rate))
                else { return nil }
            default: guard let moment = VirtualTime(String(part)), set(.at(moment)) else { return nil }
            }
        }
    }

    /// Takes a start, unless there is one already.
    private mutating func set(_ start: Start) -> Bool {
        defer { self.start = start }
        return self.start == nil
    }

    private mutating func set(_ mode: ClockMode) -> Bool {
        defer { self.mode = mode }
        return self.mode == nil
    }

    /// The expected format, for messages.
    package static let expectation =
        "now, frozen, automatic, a rate such as 60x, or a timestamp such as 2026-03-01T09:00:00Z"

    /// The settings of a scenario with this option over them.
    func over(_ settings: ClockSettings) -> ClockSettings {
        var settings = settings
        switch start {
        case nil: break
        case .now: settings.start = nil
        case .at(let moment): settings.start = moment
        }
        settings.mode = mode ?? settings.mode
        return settings
    }
}
