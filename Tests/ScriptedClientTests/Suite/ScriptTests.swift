import Testing

@Suite struct `A scripted client` {
    @Test(arguments: ScriptedPlay.all(in: .shared))
    func `is judged as its script says`(_ play: ScriptedPlay) {
        for complaint in play.complaints(in: .shared) { Issue.record("\(complaint)") }
    }

    @Test func `is there for what was asked for`() {
        #expect(!ScriptCache.shared.scripts.isEmpty, "BACKLOT_SCRIPTS or BACKLOT_PROJECT names no script")
    }
}
