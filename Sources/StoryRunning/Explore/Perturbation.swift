import Basics
package import JSON

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
        var object: JSONObject = ["request": .string(route)]
        if count > 1 { object["count"] = .number(JSONNumber(count)) }
        if let status { object["status"] = .number(JSONNumber(status)) }
        return .object(object)
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
        /// A timeline event, or an array of events, right after the last of some exchanges; at the start without
        /// exchanges.
        case event(JSONValue, after: [ExchangeAddress], status: Int? = nil)
        /// An event of the timeline at a moment.
        case eventAt(JSONValue, String)
        /// A member of the story, by the names that lead to it.
        case setting([String], JSONValue)

        /// A Boolean value that indicates whether it decides in which order requests go on: what shows without it may
        /// be luck.
        var isOrder: Bool {
            if case .setting(["hold"], _) = self { true } else { false }
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
        var members: [(name: String, value: String)] = [
            ("extends", JSONValue.string(base.reference).text()),
            ("id", JSONValue.string(name ?? self.name(on: base, breaking: rule)).text()),
            ("title", JSONValue.string(title).text()),
        ]
        if let rule { members.append(("bugClasses", JSONValue.string(rule).text())) }
        let settings = settings
        for member in settings.members { members.append((member.name, member.value.text())) }
        let events = parts.flatMap(\.timelineEntries)
        if !events.isEmpty {
            let all = (base.timeline + events).map { $0.text() }
            members.append(("timeline", "[\(all.joined(separator: ", "))]"))
        }
        let expected: JSONValue = [["request": .string(base.firstRoute), "count": ["atLeast": 0]]]
        members.append(("expect", expected.text()))
        let lines = members.map { "  \(JSONValue.string($0.name).text()): \($0.value)" }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }

    /// The settings of all parts, merged.
    private var settings: JSONObject {
        var object = JSONObject()
        for case .setting(let path, let value) in parts { object.set(value, at: path[...]) }
        return object
    }
}

extension Perturbation.Part {
    fileprivate var timelineEntries: [JSONValue] {
        var trigger = JSONObject()
        let events: JSONValue
        switch self {
        case .setting: return []
        case .event(let value, let addresses, let status):
            events = value
            let awaited = addresses.map { $0.awaited(status) }
            if awaited.isEmpty {
                trigger["at"] = "0s"
            } else {
                trigger["after"] = awaited.count == 1 ? awaited[0] : .array(awaited)
            }
        case .eventAt(let value, let time):
            events = value
            trigger["at"] = .string(time)
        }
        return (events.array ?? [events]).map { event in
            var entry = trigger
            for member in event.object?.members ?? [] { entry[member.name] = member.value }
            return .object(entry)
        }
    }
}

extension JSONObject {
    fileprivate mutating func set(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let first = path.first else { return }
        guard path.count > 1 else {
            self[first] = value
            return
        }
        var inner = self[first]?.object ?? JSONObject()
        inner.set(value, at: path.dropFirst())
        self[first] = .object(inner)
    }
}
