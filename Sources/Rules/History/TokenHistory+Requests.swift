import Simulation

extension TokenHistory {
    /// Whether the exchange handed out tokens that are new, and the client has them.
    func renews(_ exchange: Exchange) -> Bool {
        wasReceived(exchange) && exchange.handsOutNewTokens
    }
}
