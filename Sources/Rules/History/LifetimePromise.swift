import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// The lifetime of a token according to its response and to the token itself.
struct LifetimePromise {
    /// The name of the member that says so, as the response has it.
    var name: String
    /// The lifetime in the response.
    var announced: Duration
    /// The lifetime in the token, where it is a JWT with `exp`.
    var claimed: Duration?
    /// The moment from which both count.
    var start: VirtualTime

    /// - Returns: `nil` if the response contains no lifetime.
    init?(in exchange: Exchange, of token: Token) {
        guard
            let root = (try? JSONParser().parse(exchange.message.body))?.root,
            let (name, amount) = Self.lifetime(in: root, depth: 0)
        else { return nil }
        self.name = name
        start = token.issued
        claimed = Token.claimedEnd(of: token.value).map { VirtualTime(seconds: Int64($0)) - token.issued }
        // A number that is far too great for seconds is one of milliseconds.
        let lifetime = claimed ?? token.expires - token.issued
        let isMilliseconds = amount > 100_000 && amount / 1_000 <= lifetime.components.seconds * 10
        announced = isMilliseconds ? .milliseconds(amount) : .seconds(amount)
    }

    /// The number of levels by which a response may wrap its tokens.
    private static let deepest = 3

    private static func lifetime(in value: JSONValue, depth: Int) -> (name: String, amount: Int64)? {
        guard let object = value.object else { return nil }
        for member in object.members where isLifetime(member.name) {
            let amount = member.value.int ?? member.value.string.flatMap { Int($0) }
            if let amount, 0...1_000_000_000_000 ~= amount { return (member.name, Int64(amount)) }
        }
        guard depth < deepest else { return nil }
        return object.members.lazy.compactMap { lifetime(in: $0.value, depth: depth + 1) }.first
    }

    /// `expires_in` (RFC 6749, section 5.1), and what backends make of it.
    private static func isLifetime(_ name: String) -> Bool {
        let letters = name.utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }.map { $0 | 0x20 }
        return ["expiresin", "accesstokenexpiresin", "accessexpiresin", "expirein", "tokenexpiresin"]
            .contains { $0.utf8.elementsEqual(letters) }
    }
}
