import JSON
import ScenarioFormat
import Simulation

extension TokenRoles {
    /// The members of the journal's document that tell the parts.
    var json: JSONObject {
        var object = JSONObject()
        object["kinds"] = .array(kinds.map(\.json))
        let sorted = purposes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        object["purposes"] = .object(JSONObject(sorted.map { ($0.key, .string($0.value.rawValue)) }))
        object["interchangeable"] = .bool(interchangeable)
        if !wantedByRefreshes.isEmpty { object["wantedByRefreshes"] = Self.json(wantedByRefreshes) }
        if !acceptedElsewhere.isEmpty { object["acceptedElsewhere"] = Self.json(acceptedElsewhere) }
        if !carriers.isEmpty { object["carriers"] = .array(carriers.map(\.json)) }
        return object
    }

    private static func json(_ lists: [String: [String]]) -> JSONValue {
        let sorted = lists.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return .object(JSONObject(sorted.map { ($0.key, .array($0.value.map(JSONValue.string))) }))
    }

    init(_ document: RecordedValue) throws(RecordingProblem) {
        (kinds, purposes) = ([], [:])
        for kind in try document.list("kinds") { kinds.append(try Kind(kind)) }
        for purpose in try document.optional("purposes")?.members() ?? [] {
            purposes[purpose.name] = try purpose.value.choice(among: [.resource, .refresh, .signIn, .signOut, .open])
        }
        wantedByRefreshes = try Self.lists(document.optional("wantedByRefreshes"))
        acceptedElsewhere = try Self.lists(document.optional("acceptedElsewhere"))
        interchangeable = try document.optional("interchangeable")?.bool() ?? false
        for carrier in try document.list("carriers") { carriers.append(try TokenCarrier(carrier)) }
    }
}

extension TokenRoles {
    private static func lists(_ document: RecordedValue?) throws(RecordingProblem) -> [String: [String]] {
        var lists: [String: [String]] = [:]
        for member in try document?.members() ?? [] {
            var names: [String] = []
            for name in try member.value.elements() { names.append(try name.string()) }
            lists[member.name] = names
        }
        return lists
    }
}

extension TokenRoles.Kind {
    fileprivate var json: JSONValue {
        [
            "name": .string(name),
            "role": .string(role.rawValue),
            "lifetime": .string(DurationText.text(lifetime)),
            "terminal": .array(terminal.map { .number(JSONNumber($0)) }),
            "refusals": .array(refusals.map { .number(JSONNumber($0)) }),
            "rotates": .bool(rotates),
            "grace": .string(DurationText.text(grace)),
        ]
    }

    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        name = try json.member("name").string()
        role = try json.member("role").choice(among: [.access, .refresh, .other])
        lifetime = try json.member("lifetime").duration()
        rotates = try json.optional("rotates")?.bool() ?? false
        grace = try json.optional("grace")?.duration() ?? .zero
        terminal = []
        for status in try json.list("terminal") { terminal.append(try status.int()) }
        guard json.optional("refusals") != nil else { return }
        refusals = []
        for status in try json.list("refusals") { refusals.append(try status.int()) }
    }
}
