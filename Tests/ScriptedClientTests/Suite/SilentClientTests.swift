import ScenarioFormat
import Testing

/// Every good client of Smeem and WhipIt once more, without a word about itself.
@Suite struct `A good client that reports nothing` {
    private static let good = ScriptedPlay.all(in: .shared).filter { play in
        guard ["smeem", "whipit"].contains(play.story.prefix { $0 != "/" }) else { return false }
        guard case .success(let (_, block)) = play.content else { return false }
        return block.role == .good
    }

    /// Whether what a play's client sends may leave its story open, because the bug shows only on the screen.
    private static func isUIOnly(_ play: ScriptedPlay) throws -> Bool {
        let story = try #require(ScriptCache.shared.story(play.story))
        let run = try #require(try ScriptCache.shared.runs.runs(of: story.heading.file).run(of: play.variant))
        return run.loaded.scenario.story?.isUIOnly ?? false
    }

    @Test(arguments: good) func `passes, or its verdict names the fact that decides`(_ play: ScriptedPlay) throws {
        var play = play
        var (script, block) = try play.content.get()
        block.steps.removeAll { if case .report = $0.content { true } else { false } }
        play.content = .success((script: script, block: block))
        let complaints = play.complaints(in: .shared)
        guard try Self.isUIOnly(play), let complaint = complaints.first else {
            #expect(complaints.isEmpty, "\(complaints)")
            return
        }
        #expect(complaint.contains("the verdict is incomplete"), "\(complaint)")
        #expect(complaint.contains("did not report"), "\(complaint)")
    }
}
