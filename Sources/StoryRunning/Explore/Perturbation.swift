import Basics
import JSON
package import ScenarioFormat

/// The place of an exchange that is the same in every run: its route, and which of the route's exchanges it is.
package struct ExchangeAddress: Sendable, Hashable {
    /// The route's key, such as `GET /notes/{id}`.
    package var route: String
    /// From 1.
    package var count: Int

    /// `GET /notes #2`; the first one has no number.
    package var text: String { count == 1 ? route : "\(route) #\(count)" }

    /// The condition under which an event of a timeline comes after it.
    ///
    /// - Parameter status: the only status that counts, so that requests which are sent again change nothing.
    fileprivate func awaited(_ status: Int?) -> JSONValue {
        .expectation([
            .request: .string(route),
            .count: count > 1 ? .number(count) : nil,
            .status: status.map { .number($0) },
        ])
    }
}

/// Something that goes wrong in one run, as what a story changes.
package struct Perturbation: Sendable, Hashable {
    /// The kind of fault: a column of the table, in this order.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case ordinary = "ordinary run"
        case expired = "token dies"
        case timePasses = "time passes"
        case sessionOver = "session over"
        case refreshFails = "refresh fails"
        case responseFails = "response fails"
        case lateRefusal = "late refusal"
        case order = "other order"
        case deadAgain = "new token dead"
        case twice = "dies twice"
        case relaunch = "launched again"
        case killed = "killed"
        case rotation = "rotation"
        case lifetime = "lifetime"
        case clock = "clock"
        case store = "store"
    }

    /// One change; a perturbation of several is shrunk by leaving out one after the other.
    package enum Part: Sendable, Hashable {
        /// Timeline events right after the last of some exchanges; at the start without exchanges.
        case events([DraftEvent], after: [ExchangeAddress], status: Int? = nil)
        /// Events of the timeline at a moment.
        case eventsAt([DraftEvent], String)
        /// Members of the story.
        case setting(DraftScenario)

        static func event(_ event: DraftEvent, after addresses: [ExchangeAddress]) -> Part {
            .events([event], after: addresses)
        }

        /// A Boolean value that indicates whether it decides in which order requests go on: what shows without it may
        /// be luck.
        var isOrder: Bool {
            if case .setting(let story) = self { story[.hold] != nil } else { false }
        }
    }

    package var kind: Kind
    /// The part that distinguishes it from others of its kind and place: `503`.
    package var detail: String
    /// The exchange that it comes before; `nil` for one that is about the whole run.
    package var place: ExchangeAddress?
    package var parts: [Part]
    /// The difference between the run's seed and the story's: another order of the client's tasks.
    package var seedOffset: UInt64 = 0
    /// Which one it is of those that would have the same name; from 1.
    var namesake = 1

    package init(_ kind: Kind, _ detail: String = "", at place: ExchangeAddress? = nil, _ parts: [Part]) {
        self.kind = kind
        self.detail = detail
        self.place = place
        self.parts = parts
    }

    /// A name that is the same in every run: `token-dies-GET-notes-2`.
    package var slug: String {
        // A file's name has a limit.
        var words = [kind.rawValue, detail, place.map { "\($0.route.prefix(100)) \($0.count)" } ?? ""]
        if namesake > 1 { words.append("other \(namesake)") }
        let text = words.filter { !$0.isEmpty }.joined(separator: " ")
        let parts = text.unicodeScalars.split { scalar in
            !(("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar))
        }
        return parts.map { String(String.UnicodeScalarView($0)) }.joined(separator: "-")
    }

    /// The fault, as a title.
    package var title: String {
        let what = detail.isEmpty ? kind.rawValue : "\(kind.rawValue), \(detail)"
        return place.map { "\(what), before \($0.text)" } ?? what
    }
}

// MARK: - As a story

extension Perturbation {
    /// The id of the story and the name of its file: the story that is explored, the rule that is violated, and what goes
    /// wrong, such as `SM-03-B7-token-dies-GET-notes-2`.
    ///
    /// - Parameter rule: the number of a rule, or the id of what the client itself did wrong.
    func name(on base: ExploreBase, breaking rule: String?) -> String {
        let rule = rule.map { String($0.map { $0 == "/" ? "-" : $0 }) }
        return [base.story, rule, slug].compactMap { $0 }.joined(separator: "-")
    }

    /// The story: what it extends, its heading, what goes wrong, and no expectation that a correct client could fail.
    ///
    /// The line breaks keep it at 12 lines or less; what a story's own timeline has stays in it.
    ///
    /// - Parameters:
    ///   - base: the file that is explored.
    ///   - rule: the number of the rule that was violated; `nil` while that is not known, and for what no rule names.
    ///   - name: its id, unlike those of all other stories that are written.
    package func storyText(on base: ExploreBase, breaking rule: String? = nil, named name: String? = nil) -> String {
        let events = parts.flatMap(\.timelineEntries).map(\.json)
        var settings = JSONObject()
        for case .setting(let story) in parts { settings.merge(story.object) }
        let heading: DraftScenario = [
            .extends: .string(base.reference),
            .id: .string(name ?? self.name(on: base, breaking: rule)),
            .title: .string(title),
            .bugClasses: rule.map(JSONValue.string),
        ]
        let story = heading.setting(DraftScenario(settings)).setting([
            .timeline: events.isEmpty ? nil : .array(base.timeline + events),
            .expect: [
                .expectation([.request: .string(base.firstRoute), .count: .expectation([.atLeast: 0])])
            ],
        ])
        let lines = story.object.members.map { member in
            let list = member.value.array.map { "[\($0.map { $0.text() }.joined(separator: ", "))]" }
            return "  \(JSONValue.string(member.name).text()): \(list ?? member.value.text())"
        }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }
}

extension Perturbation.Part {
    fileprivate var timelineEntries: [DraftEvent] {
        switch self {
        case .setting: return []
        case .events(let events, let addresses, let status):
            let awaited = addresses.map { $0.awaited(status) }
            guard !awaited.isEmpty else { return Self.eventsAt(events, "0s").timelineEntries }
            let trigger: DraftEvent = [.after: awaited.count == 1 ? awaited[0] : .array(awaited)]
            return events.map { trigger.setting($0) }
        case .eventsAt(let events, let time):
            let trigger: DraftEvent = [.at: .string(time)]
            return events.map { trigger.setting($0) }
        }
    }
}

extension JSONObject {
    /// Sets the members of another object; of two objects with one name, those in them.
    fileprivate mutating func merge(_ other: JSONObject) {
        for member in other.members {
            guard var inner = self[member.name]?.object, let object = member.value.object else {
                set(member)
                continue
            }
            inner.merge(object)
            self[member.name] = .object(inner)
        }
    }
}
