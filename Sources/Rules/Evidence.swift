package import JSON
package import ScenarioFormat
package import Simulation

/// Everything of a session that a verdict may rest on, as it is at one moment.
///
/// It is a copy, so that judging holds nobody up and nothing changes under it.
package struct Evidence: Sendable {
    /// What the journal still holds, oldest first.
    package var exchanges: [Exchange]
    /// How many exchanges the journal has lost or was told to forget.
    package var lost: Int
    /// The moment of the machine's clock from which documents count: that of the session's first request.
    package var epoch: RealTime
    package var start: VirtualTime
    package var end: VirtualTime
    package var ledger: TokenLedger
    package var states: [FinalState]
    /// What is stored in the collections that the story has expectations of.
    package var collections: [FinalCollection]
    package var clientFacts: JSONObject
    /// What the client has told about itself, in its order.
    package var statements: [ClientStatement]
    /// What the story's gates have held.
    package var gates: [GateStatistics]
    /// The exchange that first played each part of the story, by the part's name; 0 where no exchange did.
    package var plays: [String: UInt64]
    /// Which part the kinds of token and the routes play.
    package var roles: TokenRoles
    /// How far the `Date` header is off at the end.
    package var skew: Duration
    /// How the client's launches have ended, where somebody started them; empty where nobody knows.
    package var exits: [Int] = []
    /// When it was taken down, on the machine's clock.
    package var moment = RealTime(nanoseconds: 0)
    /// Whether the client may be in the middle of something, because somebody only wants to see how things stand.
    package var isProvisional = false

    /// Takes down what a session is like.
    package init(_ session: Session, at now: RealTime) {
        exchanges = session.journal.exchanges
        lost = session.lostExchanges
        epoch = session.firstArrival ?? now
        start = session.start
        end = session.time(at: now)
        ledger = session.ledger
        states = FinalState.all(of: session)
        collections = FinalCollection.all(of: session)
        clientFacts = session.clientFacts
        statements = session.clientStatements
        gates = session.gateAccounts
        plays = session.plays
        let stage = session.stage
        roles = stage.derived.value { TokenRoles(stage.scenario) }
        skew = session.clock.skew
        moment = now
    }

    /// Whether the client has sent nothing at all.
    var isSilent: Bool { exchanges.isEmpty && lost == 0 }
}
