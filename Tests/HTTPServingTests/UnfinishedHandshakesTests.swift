import Testing

@testable import HTTPServing

@Suite struct UnfinishedHandshakesTests {
    @Test func `the oldest handshake that has not ended makes room`() {
        var handshakes = UnfinishedHandshakes()
        let limit = UInt32(UnfinishedHandshakes.limit)
        func key(_ number: UInt32) -> ConnectionKey { ConnectionKey(slot: number, generation: 0) }
        for number in 0..<limit { #expect(handshakes.begin(key(number)) == nil) }
        handshakes.end(key(0))
        #expect(handshakes.begin(key(limit)) == nil)
        #expect(handshakes.begin(key(limit + 1)) == key(1))
        handshakes.end(key(1))
        handshakes.end(key(2))
        #expect(handshakes.begin(key(limit + 2)) == nil)
        #expect(handshakes.begin(key(limit + 3)) == key(3))
    }

    @Test func `handshakes that end leave no room taken`() {
        var handshakes = UnfinishedHandshakes()
        for number in 0..<10_000 as Range<UInt32> {
            let key = ConnectionKey(slot: number, generation: 1)
            #expect(handshakes.begin(key) == nil)
            handshakes.end(key)
        }
    }
}
