/// Something worth telling a person about a file, a request or a run.
///
/// The loader, the lint, contracts, expectations and rules all produce this one type, so that one stream feeds
/// every report. A finding is data: its sentence is made where the rule lives, its layout in ``description``.
package struct Finding: Sendable, Hashable {
    /// How much a finding weighs.
    package enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Worth knowing; nothing is wrong.
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
    /// What to do about it, as a sentence without a closing full stop.
    package var advice: String?
    /// Further places that it speaks of; ``description`` leaves them to the reports.
    package var related: [RelatedPlace]

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
    /// The line that compilers taught everybody to read: `file:line:column: error: sentence; advice [id]`.
    package var description: String {
        var text = ""
        if let place { text += "\(place): " }
        text += "\(severity.rawValue): \(message)"
        if let advice { text += "; \(advice)" }
        return text + " [\(id)]"
    }
}

/// A second place that a finding speaks of, and what is to be seen there.
///
/// A fixture that its contract does not allow is found in the fixture; the contract's sentence stands elsewhere.
package struct RelatedPlace: Sendable, Hashable {
    package var place: Place
    /// A few words without a closing full stop, such as "the contract says so here".
    package var message: String

    package init(_ place: Place, _ message: String) {
        self.place = place
        self.message = message
    }
}

extension RelatedPlace: CustomStringConvertible {
    /// The line that follows a finding's own: `file:line:column: note: …`.
    package var description: String { "\(place): note: \(message)" }
}
