import ScenarioFormat
import Testing

/// No story without its clients, and no client without its story.
@Suite struct `Every story` {
    @Test(arguments: ScriptShelf.shared.stories)
    func `has a good client for each of its runs, and a bug where it reproduces one`(
        _ file: ScriptShelf.StoryFile
    ) {
        for complaint in Coverage(of: file, on: .shared).complaints { Issue.record("\(complaint)") }
    }

    @Test(arguments: ScriptShelf.shared.scripts)
    func `is there for each script`(_ file: ScriptShelf.ScriptFile) {
        #expect(ScriptShelf.shared.story(file.name) != nil, "no file in Scenarios is the story \(file.name)")
    }
}

extension ScriptShelf.StoryFile: CustomTestStringConvertible {
    var testDescription: String { name }
}

extension ScriptShelf.ScriptFile: CustomTestStringConvertible {
    var testDescription: String { name }
}
