import JSON
import Testing

struct StableHashTests {
    /// The vectors that the algorithm's authors publish.
    @Test(arguments: [
        ("", 0xCBF2_9CE4_8422_2325 as UInt64), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ])
    func `A hash is the same everywhere`(_ text: String, _ value: UInt64) {
        #expect(StableHash(text).value == value)
    }

    @Test func `Texts do not run into each other`() {
        var (first, second) = (StableHash(), StableHash())
        for text in ["ab", "c"] { first.combine(text) }
        for text in ["a", "bc"] { second.combine(text) }
        #expect(first != second)
    }
}
