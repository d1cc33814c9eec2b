import ScenarioFormat
import Testing

/// No story without its clients, and no client without its story.
@Suite struct `Every story` {
    @Test(arguments: ScriptCache.shared.stories)
    func `has a good client for each of its runs, and a bug where it reproduces one`(
        _ file: ScriptCache.StoryFile
    ) {
        for complaint in Coverage(of: file, in: .shared).complaints { Issue.record("\(complaint)") }
    }

    /// What went wrong, or may go wrong, in each of the four apps, as it was noted before any story was written.
    @Test(arguments: [
        ("smeem", (1...20).map { $0 < 10 ? "SM-0\($0)" : "SM-\($0)" }),
        ("whipit", (1...26).map { $0 < 10 ? "WI-0\($0)" : "WI-\($0)" }),
        ("kiwit", (1...18).map { "K\($0)" }),
        ("runwithu", (1...21).map { "W\($0)" }),
    ])
    func `that was noted is told`(_ app: String, _ ids: [String]) {
        let cache = ScriptCache.shared
        let missing = ids.map { "\(app)/\($0)" }.filter { cache.isMeant($0) && cache.story($0) == nil }
        #expect(missing.isEmpty, "no file in Scenarios/\(app) is the story \(missing.joined(separator: ", "))")
    }

    @Test(arguments: ScriptCache.shared.scripts)
    func `is there for each script`(_ file: ScriptCache.ScriptFile) {
        #expect(ScriptCache.shared.story(file.name) != nil, "no file in Scenarios is the story \(file.name)")
    }
}

extension ScriptCache.StoryFile: CustomTestStringConvertible {
    var testDescription: String { name }
}

extension ScriptCache.ScriptFile: CustomTestStringConvertible {
    var testDescription: String { name }
}
