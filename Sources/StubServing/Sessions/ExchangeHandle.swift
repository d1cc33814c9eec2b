import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// Names an exchange among all sessions of a server: the session's ordinal above, the exchange's number below.
struct ExchangeHandle: Sendable, Hashable {
    private static let numberBits: UInt64 = 40

    /// The response after which the server stops; no session has the ordinal zero.
    static let shutdown = ExchangeHandle(0, 1)

    /// The stream of changes with a number above that.
    static func listener(_ number: UInt64) -> ExchangeHandle { ExchangeHandle(0, number) }

    var isListener: Bool { session == 0 && self != .shutdown }

    let rawValue: UInt64

    init(_ session: UInt64, _ exchange: UInt64) {
        rawValue = session << Self.numberBits | exchange & (1 << Self.numberBits - 1)
    }

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    var session: UInt64 { rawValue >> Self.numberBits }
    var exchange: UInt64 { rawValue & (1 << Self.numberBits - 1) }
}
