import Testing

@testable import ReferenceClients

@Suite struct `A play` {
    @available(macOS 15, iOS 18, *)
    private static let stages = Result { try BugCase.all.map(Play.Stage.init) }

    @available(macOS 15, iOS 18, *)
    @Test(arguments: ClientDesign.allCases)
    func `is the same again with the same seed`(_ design: ClientDesign) throws {
        for stage in try Self.stages.get() {
            let play = Play(stage: stage, design: design, bug: stage.scene.bug, seed: 1)
            let journal = play.perform().journal
            #expect(!journal.isEmpty)
            #expect(play.perform().journal == journal)
        }
    }

    @available(macOS 15, iOS 18, *)
    @Test(arguments: ClientDesign.allCases)
    func `goes in many ways with many seeds`(_ design: ClientDesign) throws {
        let stage = try Play.Stage(BugCase.all[0])
        let journals = (1...20 as ClosedRange<UInt64>).map { seed in
            Play(stage: stage, design: design, bug: nil, seed: seed).perform().journal
        }
        #expect(Set(journals).count > 10)
    }
}
