import Testing

@Suite struct `A cache of scripts` {
    private static let story = #"""
        "reproduces": "notes/1", "expect": [{ "request": "GET /slow" }],
        "variants": { "more": { "expect": [{ "request": "GET /slow", "count": 2 }] } }
        """#
    private static let good = "good\nGET /slow -> 200\nend\n"
    private static let more = "good more\nGET /slow -> 200\nGET /slow -> 200\nend\n"
    private static let bug = "bug 1 for more refused by expect 1\nGET /slow -> 200\nend\n"

    private func scripts(_ script: String, story: String = story, names: [String] = []) -> ScriptCache {
        ScriptCache(root: "/project", names: names, files: ScriptedBackend.files(story, script: script))
    }

    @Test func `has the stories and the scripts of each app`() {
        let cache = scripts(Self.good)
        #expect(cache.stories.map(\.name) == ["notes/N-1"])
        #expect(cache.scripts.map(\.name) == ["notes/N-1"])
    }

    @Test(arguments: [
        (["notes"], 1), (["notes/N-1"], 1), (["other", "notes/N-1"], 1), (["note"], 0), (["notes/N"], 0), (["N-1"], 0),
    ])
    func `has what was asked for`(_ names: [String], _ count: Int) {
        let cache = scripts(Self.good, names: names)
        #expect(cache.stories.count == count && cache.scripts.count == count)
    }

    @Test func `plays each block in each of its variants`() {
        let cache = scripts(Self.good + "good more\nend\n" + "bug 1 for more other refused by B1\nend\n")
        let plays = ScriptedPlay.all(in: cache)
        #expect(
            plays.map(\.testDescription)
                == ["notes/N-1 good", "notes/N-1/more good", "notes/N-1/more bug 1", "notes/N-1/other bug 1"]
        )
        #expect(plays[0].complaints(in: cache).isEmpty)
        #expect(!plays[1].complaints(in: cache).isEmpty)
        #expect(
            plays[3].complaints(in: cache).first?.contains("the story does not define the variant \"other\"") ?? false
        )
    }

    @Test func `tells of a script that cannot be read where it would be played`() {
        let cache = scripts("god\nend")
        let complaints = ScriptedPlay.all(in: cache).flatMap { $0.complaints(in: cache) }
        #expect(complaints.count == 1 && complaints.first?.contains("N-1.script:1: \"god\"") ?? false)
        #expect(Coverage(of: cache.stories[0], in: cache).complaints.isEmpty)
    }

    @Test(arguments: [
        (good + more + bug, []),
        (good + bug, ["N-1.script has no good client for more"]),
        (more + bug, ["N-1.script has no good client for the story itself"]),
        (good + more, ["N-1.script has no client with the bug notes/1, which the story reproduces"]),
    ])
    func `misses clients of a story`(_ script: String, _ complaints: [String]) {
        let cache = scripts(script)
        let found = Coverage(of: cache.stories[0], in: cache).complaints
        #expect(found.count == complaints.count)
        for (found, complaint) in zip(found, complaints) { #expect(found.hasSuffix(complaint)) }
    }

    @Test func `misses the script of a story`() throws {
        let other = scripts(Self.good, names: ["nothing"])
        let story = try #require(scripts(Self.good).stories.first)
        #expect(Coverage(of: story, in: other).complaints.first?.hasPrefix("notes/N-1 has no script; ") ?? false)
    }
}
