import HTTPCodec
import ScenarioFormat

/// The requests and tokens of an upstream server.
struct UpstreamTraffic: Sendable {
    /// The requests that the upstream has, by exchange.
    var requests: [UInt64: ForwardedRequest] = [:]
    /// The refresh tokens that the upstream has at this moment, with their exchanges: their ids, or the texts of those that
    /// no response has shown.
    var refreshing: [String: UInt64] = [:]
    /// The refresh tokens that were sent again while the upstream had them.
    var usedAgain: Set<String> = []
    /// The refresh tokens that the upstream has used, or may have, although the ledger does not say so.
    var spent: Set<String> = []
    /// The last refusal of each kind of token.
    var refusals: [String: HTTPResponse] = [:]
    /// The kinds that a refresh has left unchanged.
    var stableKinds: Set<String> = []
}

/// A request that an upstream server has, with what its response changes.
struct ForwardedRequest: Sendable {
    let method: HTTPMethod
    var route: CompiledRoute?
    var purpose: RoutePurpose?
    var device: String?
    var account: String?
    var offered: [OfferedToken]
    /// A Boolean value that indicates whether grants take effect.
    var isCommitted: Bool
}
