import Testing

@Suite struct `A scripted client` {
    @Test(arguments: ScriptedPlay.all(on: .shared))
    func `is judged as its script says`(_ play: ScriptedPlay) {
        for complaint in play.complaints(on: .shared) { Issue.record("\(complaint)") }
    }

    @Test func `is there for what was asked for`() {
        #expect(!ScriptCache.shared.scripts.isEmpty, "BACKLOT_SCRIPTS or BACKLOT_PROJECT names no script")
    }
}
