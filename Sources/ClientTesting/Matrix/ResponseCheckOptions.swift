import Checking

/// What of a matrix is run, and how.
package struct ResponseCheckOptions: Sendable {
    /// How the client's requests travel.
    package enum Network: String, Sendable, Hashable, CaseIterable {
        /// Over the raw client of this package.
        case raw
        /// Over the platform's own networking.
        case urlSession = "urlsession"
    }

    /// Patterns for operations' ids; empty for all.
    package var operations: [String]
    /// Patterns for findings' ids, such as `responses/session-*`; empty for all.
    package var checks: [String]
    package var network: Network
    /// How many clients are called side by side.
    package var lanes: Int
    /// A call of which nothing is under way for so long, in real time, is hung.
    package var quietTime: Duration
    /// A call that sends more requests than this never ends.
    package var requestLimit: Int

    package init(
        operations: [String] = [],
        checks: [String] = [],
        network: Network = .raw,
        lanes: Int = 4,
        quietTime: Duration = .seconds(1),
        requestLimit: Int = 24
    ) {
        self.operations = operations
        self.checks = checks
        self.network = network
        self.lanes = lanes
        self.quietTime = quietTime
        self.requestLimit = requestLimit
    }
}

extension [String] {
    /// Whether a name fits one of the patterns; no patterns fit everything.
    func fit(_ name: String) -> Bool {
        isEmpty || contains { NamePattern($0).fits(name) }
    }
}
