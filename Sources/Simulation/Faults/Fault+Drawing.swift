import HTTPCodec
import ScenarioFormat

extension ExchangeContext {
    /// Draws the fault that was armed for the request, or else the response's own, by its probability.
    mutating func drawFault(of answer: ChosenResponse) -> Fault? {
        var fault: Fault?
        if case .scenario(let compiled) = answer.source { fault = compiled.response.fault }
        if let armed = armed?.fault { fault = armed }
        guard let fault, fault.probability >= 1 || chance.unit() < fault.probability else { return nil }
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
