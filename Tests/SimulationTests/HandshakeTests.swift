import Basics
import Testing

@testable import Simulation

/// A failed handshake is planned if the scenario's certificate is one that correct clients reject at that time.
struct HandshakeTests {
    @Test(arguments: [
        (#""notYetValid""#, [true, true, false, false, true]), (#""expired""#, [true, true, true, true, true]),
        (#"{ "expires": "2d" }"#, [false, false, false, true, true]),
        (#""valid""#, [false, false, false, false, false]),
        (#""wrongName""#, [true, true, true, true, true]), (#"{ "minimum": "1.3" }"#, [true, true, true, true, true]),
        (#"{ "kind": "notYetValid", "minimum": "1.3" }"#, [true, true, true, true, true]),
    ])
    func `A certificate is flawed as long as its dates do not include the virtual time`(
        _ tls: String,
        _ isPlanned: [Bool]
    ) throws {
        var client = try SessionClient("\"tls\": \(tls), \"routes\": {}")
        // At the start, before and after one day, after two days, and after the lifetime of a certificate.
        for seconds in [0, 86_399, 1, 86_400, 397 * 86_400] {
            client.advance(.seconds(seconds))
            client.session.note(FailedHandshake("bad_certificate", isRejection: true), at: client.now)
        }
        #expect(client.session.failedHandshakes.map(\.isPlanned) == isPlanned)
    }
}
