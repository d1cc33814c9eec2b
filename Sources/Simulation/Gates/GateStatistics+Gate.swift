import ScenarioFormat

extension GateStatistics {
    /// The account of a gate that has held nobody yet.
    init(_ gate: Gate) {
        var wanted: Int?
        if case .inFlight(let count) = gate.opening { wanted = count }
        self.init(gate: gate.name, wanted: wanted, waitsFor: gate.opening.text)
    }
}

extension Gate.Opening {
    /// What lets the requests go, as what follows "waits for".
    fileprivate var text: String {
        switch self {
        case .inFlight(1): return "1 request in flight"
        case .inFlight(let count): return "\(count) requests in flight"
        case .answered(let route, let statuses):
            guard let last = statuses.last else { return "\(route) to be answered" }
            let others = statuses.dropLast().map(String.init).joined(separator: ", ")
            return "\(route) to be answered \(others.isEmpty ? "" : "\(others) or ")\(last)"
        case .released: return "its release by the admin API"
        }
    }
}
