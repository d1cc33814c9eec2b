import Basics
import HTTPCodec
import Reports
import Rules
import ScenarioFormat
import Simulation

extension StoryDiagram.Exchange {
    init(_ exchange: Simulation.Exchange, lane: Int, in evidence: Evidence) {
        let concealment = TokenConcealment(evidence.roles.carriers)
        let request = exchange.request
        self.init(
            number: Int(clamping: exchange.number),
            lane: lane,
            time: evidence.seconds(of: exchange.time),
            moment: 0,
            method: exchange.request.method.rawValue,
            target: concealment.target(request.target),
            status: exchange.response.status.code,
            request: StoryDiagram.Message(concealment.fields(request.fields), concealment.body(request.body)),
            response: StoryDiagram.Message(exchange.response.fields, exchange.response.body)
        )
        origin = exchange.origin
        duration = exchange.end.map { $0.since(exchange.arrival).milliseconds }
        fault = exchange.fault?.rawValue ?? exchange.brokenOff
        gate = exchange.hold.map { "\($0.gate) for \(Int($0.duration.milliseconds)) ms" }
        brought = exchange.offered.filter { $0.standing != .missing }.map(StoryDiagram.Chip.init)
        granted = exchange.granted.map { StoryDiagram.Chip($0, by: exchange, in: evidence) }
    }
}

extension Simulation.Exchange {
    /// How the connection ended before the response was whole, where no fault was meant.
    fileprivate var brokenOff: String? {
        switch outcome {
        case .clientGone: "the client went away"
        case .faulted: "broken off"
        case .open, .sent: nil
        }
    }
}

extension StoryDiagram.Chip {
    fileprivate init(_ token: OfferedToken) {
        guard let id = token.id else {
            let isForeign = token.standing == .valid
            self.init(id: isForeign ? "\(token.wanted) token" : "unknown \(token.wanted) token")
            return
        }
        self.init(
            id: id,
            state: token.standing == .wrongKind ? "of the wrong kind" : token.standing.rawValue,
            age: token.age?.seconds,
            timeLeft: token.timeLeft?.seconds
        )
        // A token of another kind than the one that is wanted: a client's bug, often accepted.
        if let kind = token.kind, kind != token.wanted { wanted = token.wanted }
    }

    fileprivate init(_ grant: GrantedToken, by exchange: Simulation.Exchange, in evidence: Evidence) {
        guard let id = grant.id else {
            self.init(id: "\(grant.kind) null")
            return
        }
        let token = evidence.ledger.token(id: id)
        self.init(
            id: id,
            state: grant.source == .new ? "" : grant.source.rawValue,
            timeLeft: token.map { ($0.expires - exchange.time).seconds }
        )
    }
}

extension StoryDiagram.Message {
    init(_ fields: HTTPFields, _ body: [UInt8]) {
        let text = String(validUTF8: body) ?? "(\(body.count) bytes that are no text)"
        self.init(fields: fields.map { ($0.name, $0.value) }, body: text)
    }
}
