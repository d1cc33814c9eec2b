import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

extension AdminAPI {
    /// What the session stores: every collection, or the one that `collections/NAME` or `?name=NAME` says.
    func collections(_ call: Call) throws(AdminError) -> JSONValue {
        let name = call.name ?? call.query.first(named: "name")
        let (session, _, _) = call.session.copy(at: call.now)
        let names = session.stage.scenario.collections.map(\.name)
        if let name, !names.containsExactly(name) {
            let nearest = Suggestion.nearest(to: name, among: names).map { "Did you mean \"\($0)\"? " } ?? ""
            throw .notFound(
                "There is no collection \"\(name.printable)\". \(nearest)GET /__backlot/collections lists them."
            )
        }
        let wanted = session.items.filter { stored in
            name.map { stored.collection.hasSameUTF8(as: $0) } ?? true
        }
        return [
            "collections": .array(
                wanted.map { stored in
                    var object = JSONObject()
                    object["name"] = .string(stored.collection)
                    if let account = stored.account { object["account"] = .string(account) }
                    object["count"] = .number(JSONNumber(stored.items.count))
                    object["items"] = .array(stored.items)
                    return .object(object)
                }
            )
        ]
    }
}
