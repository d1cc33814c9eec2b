import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

extension StoryDiagram {
    /// Draws up what a recording holds: who talked, when, and with which tokens.
    init(_ recording: Recording) {
        self.init()
        let evidence = recording.evidence
        let clients = DiagramClients(evidence)
        start = evidence.start.description
        end = evidence.seconds(of: evidence.end)
        lost = evidence.lost
        lifelines = clients.lifelines
        let origin = evidence.exchanges.map(\.arrival).min()
        exchanges = evidence.exchanges.map { exchange in
            var drawn = Exchange(exchange, lifeline: clients.lifeline(of: exchange), in: evidence)
            drawn.moment = origin.map { exchange.arrival.since($0).milliseconds } ?? 0
            return drawn
        }
        lifetimes = evidence.ledger.tokens.map { Lifetime($0, lifeline: clients.lifeline(of: $0.device), in: evidence) }
        marks = evidence.marks
    }
}

/// Which client each line belongs to: the devices that sent something, and requests without a device.
private struct DiagramClients {
    private(set) var lifelines: [StoryDiagram.Lifeline] = []
    private var numbers: [[UInt8]: Int] = [:]
    private var processes: [[UInt8]: Int] = [:]
    /// The line of requests without a device.
    private var noDevice = 0

    init(_ evidence: Evidence) {
        // With several processes, each has its own line, regardless of the device.
        for exchange in evidence.exchanges {
            guard let process = exchange.process, processes[Array(process.utf8)] == nil else { continue }
            processes[Array(process.utf8)] = lifelines.count
            lifelines.append(StoryDiagram.Lifeline(name: process, account: exchange.account))
        }
        guard processes.isEmpty else {
            for exchange in evidence.exchanges {
                guard let device = exchange.device, numbers[Array(device.utf8)] == nil else { continue }
                numbers[Array(device.utf8)] = exchange.process.flatMap { processes[Array($0.utf8)] } ?? 0
            }
            guard evidence.exchanges.contains(where: { $0.process == nil }) else { return }
            noDevice = lifelines.count
            lifelines.append(StoryDiagram.Lifeline(name: "no process"))
            return
        }
        let senders = Set(evidence.exchanges.compactMap { $0.device.map { Array($0.utf8) } })
        for device in evidence.ledger.devices where senders.contains(Array(device.name.utf8)) {
            numbers[Array(device.name.utf8)] = lifelines.count
            lifelines.append(StoryDiagram.Lifeline(name: device.name, account: device.account))
        }
        for case let name? in evidence.exchanges.map(\.device) where numbers[Array(name.utf8)] == nil {
            numbers[Array(name.utf8)] = lifelines.count
            lifelines.append(StoryDiagram.Lifeline(name: name))
        }
        // What a sole device sends without a token is its own.
        guard lifelines.count != 1, evidence.exchanges.contains(where: { $0.device == nil }) else { return }
        noDevice = lifelines.count
        lifelines.append(StoryDiagram.Lifeline(name: lifelines.isEmpty ? "client" : "no device"))
    }

    func lifeline(of exchange: Simulation.Exchange) -> Int {
        guard processes.isEmpty else {
            return exchange.process.flatMap { processes[Array($0.utf8)] } ?? noDevice
        }
        return exchange.device.flatMap { numbers[Array($0.utf8)] } ?? noDevice
    }

    func lifeline(of device: String) -> Int { numbers[Array(device.utf8)] ?? -1 }
}

extension StoryDiagram.Lifetime {
    fileprivate init(_ token: Token, lifeline: Int, in evidence: Evidence) {
        self.init(
            id: token.id,
            kind: token.kind,
            lifeline: lifeline,
            issued: evidence.seconds(of: token.issued),
            expires: evidence.seconds(of: token.expires)
        )
        guard let change = token.changes.first else { return }
        let word =
            switch change.kind {
            case .exchanged, .displaced: "superseded"
            case .reused: "reused"
            case .revoked: "revoked"
            }
        ended = (evidence.seconds(of: change.time), word)
    }
}

extension Evidence {
    /// Seconds of virtual time since the start.
    func seconds(of time: VirtualTime) -> Double { (time - start).seconds }

    /// Launches and the client's reports, in order.
    fileprivate var marks: [StoryDiagram.Mark] {
        var marks: [(launch: Int, mark: StoryDiagram.Mark)] = []
        if let last = exchanges.last?.launch, last > 1 || exits.count > 1 {
            var launch = 0
            for exchange in exchanges where exchange.launch > launch {
                launch = exchange.launch
                let after = Int(clamping: exchange.number) - 1
                marks.append(
                    (launch, .init(time: seconds(of: exchange.time), afterExchange: after, words: "launch \(launch)"))
                )
            }
        }
        marks += statements.map { statement in
            let words = "\(statement.fact) = \(statement.value.text())"
            let after = Int(clamping: statement.afterExchange)
            return (statement.launch, .init(time: seconds(of: statement.time), afterExchange: after, words: words))
        }
        marks += failedHandshakes.map { failed in
            let after = Int(clamping: failed.afterExchange)
            return (failed.launch, .init(time: seconds(of: failed.time), afterExchange: after, words: failed.words))
        }
        return marks.enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            return (one.mark.afterExchange, one.launch, left.offset)
                < (other.mark.afterExchange, other.launch, right.offset)
        }.map(\.element.mark)
    }
}

extension Duration {
    var seconds: Double { Double(wholeMicroseconds) / 1e6 }
    var milliseconds: Double { Double(wholeMicroseconds) / 1e3 }
}

extension StoryDiagram.Exchange {
    init(_ exchange: Simulation.Exchange, lifeline: Int, in evidence: Evidence) {
        let concealment = TokenConcealment(evidence.roles.carriers, ledger: evidence.ledger)
        let (request, response) = (exchange.request, exchange.response)
        self.init(
            number: Int(clamping: exchange.number),
            lifeline: lifeline,
            time: evidence.seconds(of: exchange.time),
            moment: 0,
            method: exchange.request.method.rawValue,
            target: concealment.target(request.target),
            status: exchange.status.code,
            request: StoryDiagram.Message(
                concealment.fields(request.fields),
                concealment.body(request.body, type: request.fields["Content-Type"])
            ),
            response: StoryDiagram.Message(concealment.fields(response.fields), concealment.body(response.body))
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
    /// The premature end of the connection without an intended fault.
    fileprivate var brokenOff: String? {
        switch outcome {
        case .clientGone: "the client disconnected"
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
        // A token of another kind than the required one: a client's bug, often accepted.
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
        // A report shows no more of an uploaded file. A character at the cut may have up to three bytes before it.
        let kept = min(body.count, 65_536)
        let cuts = kept == body.count ? 0...0 : 0...3
        let text = cuts.lazy.compactMap { String(validUTF8: Array(body[..<(kept - $0)])) }.first
        self.init(
            fields: fields.map { ($0.name, $0.value) },
            body: text ?? "(\(body.count) bytes that are not text)",
            omitted: text.map { body.count - $0.utf8.count } ?? 0
        )
    }
}
