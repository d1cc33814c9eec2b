import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

extension AdminAPI {
    func gates(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { session, now in session.gatesJSON(at: now) }
    }

    /// Lets the requests go that a gate holds, or those of every gate.
    func releaseGates(_ call: Call) throws(AdminError) -> JSONValue {
        let body = call.request.body.isEmpty ? [:] : try call.object(with: ["gate"])
        let name = try body["gate"].map { (value) throws(AdminError) -> String in
            guard let name = value.string else {
                let found = value.text().printable.shortened
                throw AdminError("bad-gate", "\"gate\" wants a gate's name as a string, not \(found).")
            }
            return name
        }
        return try access(call) { (session, now) throws(AdminError) -> JSONValue in
            if let name { try Self.check(name, of: session) }
            let count = session.releaseGates(named: name, at: now)
            return ["released": .number(JSONNumber(count))]
        }
    }

    private static func check(_ name: String, of session: Session) throws(AdminError) {
        let names = session.gateAccounts.map(\.gate)
        guard !names.contains(where: { $0.hasSameUTF8(as: name) }) else { return }
        let nearest = Suggestion.nearest(to: name, among: names).map { "Did you mean \"\($0)\"? " } ?? ""
        let list = names.isEmpty ? "What is played has none." : "GET /__backlot/gates lists them."
        throw .notFound("There is no gate \"\(name.printable)\". \(nearest)\(list)")
    }
}
