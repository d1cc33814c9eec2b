import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

extension AdminAPI {
    /// The names of the session's checkpoints, or what has changed since the one of `checkpoints/NAME`.
    func checkpoints(_ call: Call) throws(AdminError) -> JSONValue {
        guard let name = call.name else {
            let sorted = call.session.checkpoints.sorted { $0.key < $1.key }
            return [
                "checkpoints": .array(
                    sorted.map { ["name": .string($0.key), "time": .string($0.value.state.time.description)] }
                )
            ]
        }
        let checkpoint = try checkpoint(name, of: call)
        let (session, _, now) = call.session.copy(at: call.now)
        var document: JSONObject = ["checkpoint": .string(name)]
        for member in checkpoint.state.changes(to: session, at: now).object?.members ?? [] {
            document[member.name] = member.value
        }
        return .object(document)
    }

    /// Saves a checkpoint with `{"save": "NAME"}`, or restores one with `{"restore": "NAME"}`.
    func changeCheckpoints(_ call: Call) throws(AdminError) -> JSONValue {
        let body = try call.object(with: ["save", "restore"])
        guard call.name == nil, body.count == 1, let (verb, value) = body.members.first.map({ ($0.name, $0.value) }),
            let name = value.string, SessionAddress.isName(name)
        else {
            throw AdminError(
                "bad-checkpoint",
                "Send {\"save\": \"NAME\"} or {\"restore\": \"NAME\"} with a name of \(SessionAddress.nameRule)."
            )
        }
        guard verb == "restore" else {
            guard call.session.save(name, at: call.now) else {
                throw AdminError(
                    "too-many-checkpoints",
                    status: 409,
                    title: "The session has too many checkpoints",
                    detail: "A session has at most \(LiveSession.mostCheckpoints) checkpoints; delete one first."
                )
            }
            return ["saved": .string(name)]
        }
        let checkpoint = try checkpoint(name, of: call)
        guard let restoration = call.session.restore(checkpoint, at: call.now) else {
            let file = checkpoint.setup.loaded.path
            throw AdminError(
                "other-scenario",
                status: 409,
                title: "The session plays another story than at the checkpoint",
                detail: "The checkpoint is of \(file); select this story with POST /__backlot/scenario first."
            )
        }
        return [
            "restored": .string(name),
            "time": .string(checkpoint.state.time.description),
            "closed": .array(restoration.closed.map { .number(JSONNumber($0)) }),
            "ended": .array(restoration.ended.map { .number(JSONNumber($0)) }),
        ]
    }

    func deleteCheckpoint(_ call: Call) throws(AdminError) -> JSONValue {
        guard let name = call.name else {
            throw AdminError("bad-checkpoint", "Name the checkpoint: DELETE /__backlot/checkpoints/NAME.")
        }
        _ = try checkpoint(name, of: call)
        call.session.deleteCheckpoint(name)
        return ["deleted": .string(name)]
    }

    private func checkpoint(_ name: String, of call: Call) throws(AdminError) -> HostedCheckpoint {
        let checkpoints = call.session.checkpoints
        guard let checkpoint = checkpoints[name] else {
            let known = checkpoints.keys.sorted()
            let advice = known.isEmpty ? "The session has none" : "Use \(known.joined(lastBy: "or"))"
            throw .notFound("There is no checkpoint of this name. \(advice).")
        }
        return checkpoint
    }
}
