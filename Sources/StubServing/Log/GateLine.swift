import Basics
import ScenarioFormat
import Simulation

/// One opening of a gate as one line: virtual time, gate, what it waited for and what came.
struct GateLine {
    let text: String

    init(_ opening: GateOpening, session: String, paint: Paint) {
        var columns = [paint(.grey, ExchangeLine.stamp(opening.time))]
        if session != Session.defaultName { columns.append(paint(.grey, session)) }
        let name = opening.gate.printable
        let gate = name.hasPrefix("gate ") ? name : "gate \(name)"
        columns.append(paint(opening.cause == .quiet ? .yellow : .cyan, "\(gate) \(opening.sentence)"))
        text = columns.joined(separator: "  ")
    }
}
