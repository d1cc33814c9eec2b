import Basics
import HTTPCodec
import JSON
import JSONSchema
import OpenAPI

/// Holds what a client has done in one cell against what its contract, its answer and its session allow.
struct ResponseCheckEvaluator: Sendable {
    let contract: Contract
    let roles: ClientRoles
    let network: ResponseCheckOptions.Network
    let sampler: VariantSampler

    init(contract: Contract, roles: ClientRoles, network: ResponseCheckOptions.Network) {
        self.contract = contract
        self.roles = roles
        self.network = network
        sampler = VariantSampler(registry: contract.schemas.registry)
    }

    /// What an adapter says about the operation of a call.
    struct Terms: Sendable {
        /// Documented refusals that are answers to this client.
        var answers: Set<Int>
        /// Other operations that the call may need.
        var companions: Set<String>
    }

    /// A cell's findings, and what the platform is excused for.
    struct Verdict: Sendable {
        var findings: [Finding] = []
        var excuses: [PlatformFact] = []
    }

    func verdict(on call: MadeCall, in cell: ResponseCheckPlan.Cell, _ terms: Terms) -> Verdict {
        var verdict = Verdict()
        if case .failed(let failure) = call.outcome, !call.hasClient {
            let message = "no client could be made for \(cell.operation.id): the adapter threw \(failure.name)"
            verdict.add(.noClient, message, at: place(of: cell.operation))
            return verdict
        }
        let ledger = judgeRequests(of: call, in: cell, terms, &verdict)
        judgeOutcome(of: call, in: cell, terms, ledger, &verdict)
        judgeSession(after: call, in: cell, ledger, &verdict)
        return verdict
    }

    // MARK: Outcome

    private func judgeOutcome(
        of call: MadeCall,
        in cell: ResponseCheckPlan.Cell,
        _ terms: Terms,
        _ ledger: SessionLedger,
        _ verdict: inout Verdict
    ) {
        let id = cell.operation.id
        let words = cell.answer.words
        switch (call.outcome, cell.answer.kind) {
        case (.hung, _) where mayBeResending(cell): verdict.excuse(by: .resendsWithoutBody)
        case (.hung, _):
            let message = "\(id), \(words), never ended: no request was open, and no pause was under way"
            verdict.add(.hang, message, at: place(of: cell))
        case (.looping, _):
            let message = "\(id), \(words), did not stop: \(tally(of: call))"
            verdict.add(.loop, message, at: place(of: cell))
        case (.value, .refusal(let status)) where !terms.answers.contains(status):
            let message = "\(id), \(words), returned a value, though that is a refusal"
            verdict.add(.wrongSuccess, message, at: place(of: cell))
        case (.value, .fault) where !roles.signOut.contains(id), (.value, .refreshTrouble):
            verdict.add(.wrongSuccess, "\(id), \(words), returned a value", at: place(of: cell))
        case (.failed(let failure), .success) where !ledger.isUncertain:
            let message = "\(id), \(words), threw \(failure.name)" + failure.decodingWords
            verdict.add(.refusedAnswer, message, at: place(of: cell))
        case (.failed(let failure), .expiredOnce):
            let message = "\(id), \(words), threw \(failure.name)\(failure.decodingWords): \(tally(of: call))"
            verdict.add(.notReplayed, message, at: place(of: cell))
        default: break
        }
    }

    /// Whether the platform may have sent a request again without its body, for which a server waits in vain.
    private func mayBeResending(_ cell: ResponseCheckPlan.Cell) -> Bool {
        guard network == .urlSession else { return false }
        return cell.answer.kind == .fault(.reset) || cell.answer.kind == .fault(.empty)
    }

    /// `getPets 2 times, refresh once`, in the order of first mention.
    private func tally(of call: MadeCall) -> String {
        var names: [String] = []
        var counts: [String: Int] = [:]
        for request in call.requests {
            let name = request.operation?.id ?? "\(request.request.method) \(request.request.path)"
            if counts[name] == nil { names.append(name) }
            counts[name, default: 0] += 1
        }
        guard !names.isEmpty else { return "nothing of what it sent came to the server" }
        let parts = names.map { name in counts[name] == 1 ? "\(name) once" : "\(name) \(counts[name] ?? 0) times" }
        return "it sent \(parts.joined(separator: ", "))"
    }

    /// Where the contract documents the answer, or else the operation.
    func place(of cell: ResponseCheckPlan.Cell) -> Place {
        var place = contract.sources.place(of: cell.answer.response?.position ?? cell.operation.position)
        place.operation = cell.operation.label
        return place
    }

    func place(of operation: Operation) -> Place {
        var place = contract.sources.place(of: operation.position)
        place.operation = operation.label
        return place
    }
}

extension ResponseCheckEvaluator.Verdict {
    mutating func add(_ fault: ResponseCheckFault, _ message: String, at place: Place, related: [RelatedPlace] = []) {
        findings.append(Finding(.error, id: fault.rawValue, message, at: place, related: related))
    }

    mutating func excuse(by fact: PlatformFact) {
        if !excuses.contains(fact) { excuses.append(fact) }
    }
}

extension CallFailure {
    /// What the decoder has to say, after a colon; empty where it was not the decoder.
    fileprivate var decodingWords: String {
        guard let decoding else { return "" }
        switch decoding {
        case .typeMismatch(let type, let context): return ", because \(Self.place(context)) has no \(type)"
        case .valueNotFound(let type, let context):
            return ", because \(Self.place(context)) has null instead of \(type)"
        case .keyNotFound(let key, let context): return ", because \(Self.place(context)) has no \(key.stringValue)"
        case .dataCorrupted: fallthrough
        @unknown default:
            let reason = DecodingReason(decoding)
            return ", because the decoder stops at \(reason.pathText), where \(reason.words)"
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        "/" + context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
    }
}
