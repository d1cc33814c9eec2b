import ScenarioFormat
import Testing

@testable import Simulation

/// What a token was at each moment, whatever has become of it since.
struct TokenPastTests {
    private func token(_ changes: [Token.Change]) -> Token {
        Token(
            id: "refresh-1",
            kind: "refresh",
            value: "x",
            device: "phone",
            account: "ann",
            family: 1,
            issued: VirtualTime(seconds: 0),
            expires: VirtualTime(seconds: 60),
            changes: changes
        )
    }

    private func change(_ kind: Token.Change.Kind, _ seconds: Int64) -> Token.Change {
        Token.Change(kind, at: VirtualTime(seconds: seconds))
    }

    @Test func `A token was what it was before each change`() {
        let token = token([change(.exchanged, 10), change(.reused, 20), change(.revoked, 90)])
        let standings = [9, 10, 19, 20, 89, 90].map { token.standing(at: VirtualTime(seconds: $0)) }
        #expect(standings == [.valid, .superseded, .superseded, .reused, .reused, .revoked])
        #expect(token.ended == VirtualTime(seconds: 10))
    }

    @Test func `One that was revoked after its end had expired before`() {
        let token = token([change(.revoked, 90)])
        let standings = [59, 60, 89, 90].map { token.standing(at: VirtualTime(seconds: $0)) }
        #expect(standings == [.valid, .expired, .expired, .revoked])
    }

    @Test func `What was done to a token stays done when the clock is put back`() {
        let token = token([change(.displaced, 30)])
        #expect(token.standing(at: VirtualTime(seconds: 5)) == .valid)
        #expect(token.standing(now: VirtualTime(seconds: 5)) == .superseded)
    }

    @Test(arguments: [
        ([Token.Change.Kind.displaced, .exchanged], [Token.Change.Kind.displaced]),
        ([.reused], []), ([.exchanged, .reused, .reused], [.exchanged, .reused]),
        ([.revoked, .exchanged, .revoked], [.revoked]), ([.displaced, .revoked], [.displaced, .revoked]),
    ])
    func `A token undergoes what can still happen to it`(_ asked: [Token.Change.Kind], _ undergone: [Token.Change.Kind])
    {
        #expect(token(asked.map { change($0, 1) }).changes.map(\.kind) == undergone)
    }
}
