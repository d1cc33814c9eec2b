import Testing

@testable import ReferenceClients

@Suite struct `A play` {
    @available(macOS 15, iOS 18, *)
    private static let cases = Result { try BugCase.all.map(Play.LoadedCase.init) }

    @available(macOS 15, iOS 18, *)
    @Test(arguments: ClientDesign.allCases)
    func `is the same again with the same seed`(_ design: ClientDesign) throws {
        for loadedCase in try Self.cases.get() {
            let play = Play(loadedCase: loadedCase, design: design, bug: loadedCase.bugCase.bug, seed: 1)
            let journal = play.perform().journal
            #expect(!journal.isEmpty)
            #expect(play.perform().journal == journal)
        }
    }

    @available(macOS 15, iOS 18, *)
    @Test(arguments: ClientDesign.allCases)
    func `goes in many ways with many seeds`(_ design: ClientDesign) throws {
        let loadedCase = try Play.LoadedCase(BugCase.all[0])
        let journals = (1...20 as ClosedRange<UInt64>).map { seed in
            Play(loadedCase: loadedCase, design: design, bug: nil, seed: seed).perform().journal
        }
        #expect(Set(journals).count > 10)
    }
}
