package import Basics
import HTTPCodec
package import JSON
package import ScenarioFormat

/// Faults for the next requests of a route, which the story or a user has armed.
extension Session {
    /// The maximum number of armed faults: 1,000.
    package static let mostFaults = ArmedFaults.most

    /// Arms a fault for the next requests of a route; returns `false` if there are too many.
    package mutating func arm(_ fault: LiveFault, at now: MonotonicTime) -> Bool {
        chooser.armedFaults.arm(fault, at: catchUp(at: now))
    }

    /// Returns whether so many more faults can be armed.
    package func allowsFaults(_ count: Int) -> Bool { chooser.armedFaults.hasRoom(for: count) }

    /// Clears an armed fault, or all of them; returns how many there were.
    @discardableResult
    package mutating func clearFaults(number: Int? = nil) -> Int {
        chooser.armedFaults.remove { number == nil || $0.number == number }
    }

    package var faultsJSON: JSONValue { ["armed": .array(chooser.armedFaults.faults.map(\.json))] }
}

/// The fault of a response.
extension Session {
    /// The fault that was armed for the request, else the response's own, if its probability strikes.
    mutating func drawFault(of answer: ChosenResponse, in context: inout ExchangeContext) -> Fault? {
        var fault: Fault?
        if case .scenario(let compiled) = answer.source { fault = compiled.response.fault }
        if let armed = context.armed?.fault { fault = armed }
        guard let fault, fault.probability >= 1 || context.chance.unit() < fault.probability else { return nil }
        if let part = context.armed?.part { notePlay(of: part, by: context.number) }
        return fault
    }
}

extension Fault {
    /// The fault as the connection causes it in a message.
    func wireFault(of message: ResponseMessage, _ chance: inout Chance) -> WireFault {
        switch kind {
        case .reset: .reset
        case .empty, .lost: .empty
        case .never: .never
        case .malformedChunk: .malformedChunk
        case .truncated:
            // Never all of it, or nothing would be missing.
            .truncated(bodyBytes: max(0, min(message.body.count - 1, Int(Double(message.body.count) * keep))))
        case .garbage: .garbage((0..<64).map { _ in UInt8(truncatingIfNeeded: chance.next()) | 0x80 })
        }
    }
}
