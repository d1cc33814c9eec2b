import ScenarioFormat
import Testing

/// Every good client of kiwIT and RunwithU once more, with a habit that its script does not have.
@Suite struct `A good scripted client` {
    private static let good = ScriptedPlay.all(in: .shared).filter { play in
        guard ["kiwit", "runwithu"].contains(play.story.prefix { $0 != "/" }) else { return false }
        guard case .success(let (_, block)) = play.content else { return false }
        return block.role == .good
    }

    /// Whether a play's story is decided by the client's own report alone.
    private static func needsFacts(_ play: ScriptedPlay) throws -> Bool {
        let story = try #require(ScriptCache.shared.story(play.story))
        let run = try #require(try ScriptCache.shared.runs.runs(of: story.heading.file).run(of: play.variant))
        return run.loaded.scenario.story?.isUIOnly ?? false
    }

    @Test(arguments: good) func `passes without a word about itself, unless the screen alone decides`(
        _ play: ScriptedPlay
    ) throws {
        var play = play
        var (script, block) = try play.content.get()
        block.steps.removeAll { if case .report = $0.content { true } else { false } }
        let asks = block.steps.contains { if case .requests = $0.content { true } else { false } }
        play.content = .success((script: script, block: block))
        let complaints = play.complaints(in: .shared)
        if !asks {
            #expect(complaints.contains { $0.contains("no request arrived") }, "\(complaints)")
        } else if try Self.needsFacts(play) {
            #expect(complaints.contains { $0.contains("expected the client to report") }, "\(complaints)")
        } else {
            #expect(complaints.isEmpty, "\(complaints)")
        }
    }

    /// As Alamofire does with a default header, and as URLSession does with one of its configuration.
    @Test(arguments: good) func `may set Content-Type on every request, with a body or without`(
        _ play: ScriptedPlay
    ) throws {
        var play = play
        var (script, block) = try play.content.get()
        script.always.append(ScriptField(name: "Content-Type", value: "application/json"))
        play.content = .success((script: script, block: block))
        let complaints = play.complaints(in: .shared)
        #expect(complaints.isEmpty, "\(complaints)")
    }
}
