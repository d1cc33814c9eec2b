import ScenarioFormat
import Testing

@testable import Simulation

/// Texts that look the same and are told apart all the same: `é` composed and not, and the Kelvin sign beside K.
struct TokenLedgerTests {
    private let now = VirtualTime(seconds: 1)

    private func token(_ id: String, _ value: String, of device: String, account: String = "ann") -> Token {
        Token(
            id: id,
            kind: "access",
            value: value,
            device: device,
            account: account,
            family: 1,
            issued: VirtualTime(seconds: 0),
            expires: VirtualTime(seconds: 60)
        )
    }

    @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("K", "\u{212A}")])
    func `A token is known by its bytes only`(_ value: String, _ lookalike: String) {
        var ledger = TokenLedger()
        ledger.signIn(device: "phone", account: "ann")
        ledger.enter(token("access-1", value, of: "phone"), owner: .device, multiplicity: .many, at: now)
        #expect(ledger.token(value: value)?.id == "access-1")
        #expect(ledger.token(value: lookalike) == nil)
        ledger.enter(token("access-2", lookalike, of: "phone"), owner: .device, multiplicity: .many, at: now)
        #expect(ledger.token(value: value)?.id == "access-1")
        #expect(ledger.token(value: lookalike)?.id == "access-2")
    }

    @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("K", "\u{212A}")])
    func `A device is known by its bytes only`(_ name: String, _ lookalike: String) {
        var ledger = TokenLedger()
        for (number, device) in [name, lookalike].enumerated() {
            ledger.signIn(device: device, account: "ann")
            ledger.enter(
                token("access-\(number)", "\(number)", of: device),
                owner: .device,
                multiplicity: .device,
                at: now
            )
        }
        ledger.revoke(.every, devices: .one(lookalike), at: now)
        #expect(ledger.devices.count == 2)
        #expect(ledger.token(id: "access-0")?.fate == .live)
        #expect(ledger.token(id: "access-1")?.fate == .revoked(at: now))
    }

    @Test func `An account is known by its bytes only`() {
        var ledger = TokenLedger()
        for (device, account) in [("phone", "caf\u{E9}"), ("tablet", "cafe\u{301}")] {
            ledger.signIn(device: device, account: account)
            ledger.enter(
                token(device, device, of: device, account: account),
                owner: .account,
                multiplicity: .account,
                at: now
            )
        }
        #expect(ledger.tokens.map(\.fate) == [.live, .live])
        #expect(ledger.storedToken(of: "access", device: "phone", owner: .account)?.id == "phone")
    }
}
