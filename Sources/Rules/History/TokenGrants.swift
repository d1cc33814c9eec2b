import Simulation

/// Which exchange handed out each token for the first time.
struct TokenGrants: Sendable {
    private var numbers: [String: UInt64] = [:]

    init(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            for id in exchange.granted.compactMap(\.id) where numbers[id] == nil { numbers[id] = exchange.number }
        }
    }

    /// The exchange that handed the token out; `nil` for one from before the story's first request.
    subscript(id: String) -> UInt64? { numbers[id] }

    /// Where the token came from, as a sentence of its own.
    func words(_ id: String) -> String {
        numbers[id].map { "\(id) came with exchange \($0)" } ?? "\(id) is from before the first request"
    }
}
