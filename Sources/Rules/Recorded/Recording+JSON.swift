package import JSON
import ScenarioFormat
package import Simulation

extension Recording {
    /// The document in which a recording is saved, with everything that a verdict rests on.
    package var json: JSONValue { json(of: evidence.exchanges) }

    /// The document with some of the exchanges only, which says so and counts the others as lost.
    package func json(of exchanges: [Exchange]) -> JSONValue {
        let left = evidence.exchanges.count - exchanges.count
        let lost = evidence.lost + left
        var object = JSONObject()
        object["version"] = .number(JSONNumber(Self.version))
        object["session"] = .string(session)
        object["backend"] = .string(backend)
        object["story"] = heading?.json ?? .null
        object["seed"] = .number(JSONNumber(seed))
        object["start"] = .string(evidence.start.description)
        object["now"] = .string(evidence.end.description)
        object["dropped"] = .number(JSONNumber(dropped))
        if lost != dropped { object["lost"] = .number(JSONNumber(lost)) }
        if isFiltered || left > 0 { object["filtered"] = true }
        object["takenMilliseconds"] = .number(.milliseconds(evidence.moment.offset(from: evidence.epoch)))
        if evidence.isProvisional { object["provisional"] = true }
        if evidence.skew != .zero { object["skewMilliseconds"] = .number(.milliseconds(evidence.skew)) }
        for member in evidence.roles.json.members { object[member.name] = member.value }
        object["devices"] = evidence.ledger.recordedJSON(at: evidence.end)
        object["states"] = .array(evidence.states.map(\.json))
        if !evidence.collections.isEmpty { object["collections"] = .array(evidence.collections.map(\.json)) }
        object["client"] = .object(evidence.clientFacts)
        object["statements"] = .array(evidence.statements.map { $0.json(since: evidence.epoch) })
        object["gates"] = .array(evidence.gates.map(\.json))
        if !evidence.plays.isEmpty { object["plays"] = evidence.playsJSON }
        object["exits"] = .array(evidence.exits.map { .number(JSONNumber($0)) })
        object["exchanges"] = .array(exchanges.map { $0.json(since: evidence.epoch) })
        object["verdict"] = .object(verdict.json)
        return .object(object)
    }
}

extension Evidence {
    /// The parts of the story that were played, in the order of their exchanges.
    fileprivate var playsJSON: JSONValue {
        let sorted = plays.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        return .array(sorted.map { ["part": .string($0.key), "exchange": .number(JSONNumber($0.value))] })
    }
}

extension Recording.Heading {
    fileprivate var json: JSONValue {
        [
            "id": .string(id),
            "title": .string(title),
            "about": .string(about),
            "reproduces": .array(reproduces.map(JSONValue.string)),
            "file": .string(file),
            "silent": .bool(isSilent),
        ]
    }
}

extension FinalState {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["name"] = .string(name)
        if let owner { object["owner"] = .string(owner) }
        object["value"] = .string(value)
        return .object(object)
    }
}

extension FinalCollection {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["name"] = .string(name)
        if let account { object["account"] = .string(account) }
        object["items"] = .array(items)
        return .object(object)
    }
}

extension ClientStatement {
    fileprivate func json(since epoch: RealTime) -> JSONValue {
        [
            "fact": .string(fact),
            "value": value,
            "time": .string(time.description),
            "milliseconds": .number(.milliseconds(moment.offset(from: epoch))),
            "afterExchange": .number(JSONNumber(afterExchange)),
            "launch": .number(JSONNumber(launch)),
        ]
    }
}

extension GateStatistics {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["gate"] = .string(gate)
        if let wanted { object["wanted"] = .number(JSONNumber(wanted)) }
        object["waitsFor"] = .string(waitsFor)
        if holding > 0 { object["holding"] = .number(JSONNumber(holding)) }
        object["openings"] = .array(
            openings.map { opening in
                [
                    "cause": .string(opening.cause.rawValue),
                    "exchanges": .array(opening.exchanges.map { .number(JSONNumber($0)) }),
                ]
            }
        )
        return .object(object)
    }
}
