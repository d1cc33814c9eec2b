import OpenAPIContracts
import ScenarioFormat

/// A reply of a scenario, and the operations whose requests it can answer.
struct SurveyedReply {
    var reply: Reply
    /// How reports name it: `GET /pets 200`, `GET /pets 404, case 2`, `guard "one at a time" 429`.
    var label: String
    var operations: [Operation]
    /// Whether the contract has no such answer, so that any documented error may be its model.
    var isModelled = false

    /// Why the reply is not judged, when it is not.
    var unjudged: String? {
        guard let fault = reply.fault, fault.probability >= 1, fault.kind != .lost else { return nil }
        return "no whole reply arrives, because of the fault \(fault.kind.rawValue)"
    }
}
