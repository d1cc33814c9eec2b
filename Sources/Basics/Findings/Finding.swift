/// A finding about a file, a request or a run, for a reader.
///
/// The loader, the lint, contracts, expectations and rules all produce this one type, so that one stream feeds
/// every report. A finding is data: its sentence is made by the rule, its layout in ``description``.
package struct Finding: Error, Sendable, Hashable {
    /// The severity of a finding.
    package enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
        /// For information; nothing is wrong.
        case note
        /// Probably not what was meant; the work goes on.
        case warning
        /// The input cannot be used, or a check failed.
        case error

        package static func < (left: Severity, right: Severity) -> Bool {
            left.weight < right.weight
        }

        private var weight: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    package var severity: Severity
    /// A stable name of the rule, in kebab case and grouped by a slash: `scenario/unknown-key`.
    package var id: String
    /// One sentence without a closing full stop: what was found and what would be right.
    package var message: String
    /// Where it was found, when it was found somewhere.
    package var place: Place?
    /// The remedy, as a sentence without a closing full stop.
    package var advice: String?
    /// Further places that it mentions; ``description`` leaves them to the reports.
    package var related: [RelatedPlace]
    /// A Boolean value that indicates whether the sentence names the exchange of the place, as those of rules do.
    package var namesExchange = false
    /// The numbers of all exchanges that show it, the place's first, if there are several.
    package var exchanges: [Int] = []
    /// The value that it is about, for those who compare findings; `nil` for one that is not about a value.
    package var subject: Subject?

    /// A value in a document that has several paths, as a fixture that two responses use.
    package struct Subject: Sendable, Hashable {
        /// The finding without the path to the value.
        package var statement: String

        package init(_ statement: String) {
            self.statement = statement
        }
    }

    package init(
        _ severity: Severity,
        id: String,
        _ message: String,
        at place: Place? = nil,
        advice: String? = nil,
        related: [RelatedPlace] = []
    ) {
        self.severity = severity
        self.id = id
        self.message = message
        self.place = place
        self.advice = advice
        self.related = related
    }
}

extension Finding: CustomStringConvertible {
    /// The line that compilers print: `file:line:column: error: sentence; advice [id]`.
    package var description: String {
        var text = shownPlace.map { "\($0): " } ?? ""
        text += "\(severity.rawValue): \(message)"
        if let advice { text += "; \(advice)" }
        return text + " [\(id)]"
    }
}

extension Finding {
    /// The place that is shown before the sentence: without an exchange that the sentence names; `nil` if nothing remains.
    package var shownPlace: Place? {
        var shown = place
        if namesExchange { shown?.exchange = nil }
        return shown == Place() ? nil : shown
    }
}
