package import Basics
package import HTTPCodec
package import ScenarioFormat

extension Exchange {
    /// An exchange that was captured somewhere else, of which less is known than of one that was played.
    package init(
        captured number: UInt64,
        time: VirtualTime,
        arrival: MonotonicTime,
        end: MonotonicTime?,
        request: HTTPRequest,
        response: HTTPResponse
    ) {
        self.init(number: number, time: time, arrival: arrival, end: end, outcome: .sent, request: request)
        self.response = response
    }
}

extension OfferedToken {
    /// A token that a captured request carried.
    package init(
        captured token: Token?,
        wanted: String,
        as standing: TokenStanding,
        isAccepted: Bool?,
        at now: VirtualTime
    ) {
        self.init(
            wanted: wanted,
            kind: token?.kind,
            id: token?.id,
            standing: standing,
            isAccepted: isAccepted,
            device: token?.device,
            age: token.map { now - $0.issued },
            timeLeft: token.map { $0.expires - now }
        )
    }
}

extension GrantedToken {
    package init(captured kind: String, id: String, source: Grant.Source) {
        self.init(kind: kind, id: id, source: source)
    }
}
