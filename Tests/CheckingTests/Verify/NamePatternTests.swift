import Checking
import ClientTesting
import Testing

@Suite struct `A pattern of names` {
    @Test(
        arguments: [
            ("getPets", "getPets", true), ("getPets", "getPet", false), ("get*", "getPets", true),
            ("*Pets", "getPets", true), ("*", "", true), ("", "", true), ("", "a", false),
            ("responses/*-lost", "responses/session-lost", true), ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "a1b2b3", false),
        ]
    )
    func `lets a star stand for anything`(pattern: String, name: String, fits: Bool) {
        #expect(NamePattern(pattern).fits(name) == fits)
    }
}
