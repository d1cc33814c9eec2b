import Basics
import Rules
import StoryRunning
import Testing

@Suite
struct `Stories on a command line` {
    @Test func `are loaded in their order, each once`() {
        let texts = ["b.json": Stories.story("B"), "a.json": Stories.story("A")]
        let selection = Stories.selection(["b.json", "a.json", "b.json"], of: texts)
        #expect(selection.problems.isEmpty, "\(selection.problems)")
        #expect(selection.stories.map(\.id) == ["B", "A"])
    }

    @Test func `may be a folder, which stands for all of its stories`() {
        let texts = ["b.json": Stories.story("B"), "a.json": Stories.story("A"), "fixtures/x.json": "[]"]
        let selection = Stories.selection([""], of: texts)
        #expect(selection.problems.isEmpty, "\(selection.problems)")
        #expect(selection.stories.map(\.id) == ["A", "B"])
    }

    @Test func `may have backends among them, which are passed over by name`() {
        let selection = Stories.selection(["backend.json", "story.json"], of: ["story.json": Stories.story()])
        #expect(selection.stories.map(\.id) == ["N-1"])
        #expect(
            selection.skipped.map(\.description) == [
                "Scenarios/notes/backend.json: note: it is a backend, not a story, so it is ignored [run/no-story]"
            ]
        )
    }

    @Test func `have to expect something`() throws {
        let selection = Stories.selection(of: ["story.json": Stories.story(expecting: "[]")])
        #expect(selection.stories.isEmpty)
        let problem = try #require(selection.problems.first)
        #expect(problem.id == "run/nothing-expected")
        #expect(problem.message == "the story N-1 expects nothing from the client, so it never passes")
        #expect(problem.place?.description == "Scenarios/notes/story.json:1:36")
        #expect(problem.advice == "add \"expect\" with the behavior of a correct client")
    }

    @Test func `of a folder have to have ids of their own`() {
        let texts = ["a.json": Stories.story("A"), "b.json": Stories.story("A"), "c.json": Stories.story("C")]
        let selection = Stories.selection([""], of: texts)
        #expect(selection.problems.map(\.id) == ["check/same-id", "check/same-id"])
        #expect(selection.problems.compactMap(\.place?.file) == ["Scenarios/notes/a.json", "Scenarios/notes/b.json"])
        #expect(Stories.selection(["a.json", "c.json"], of: texts).problems.isEmpty)
    }

    @Test func `that cannot be loaded are told with all that is wrong in all of them`() {
        let texts = [
            "a.json": "{", "b.json": Stories.story("B", with: #", "rutes": {}"#), "c.json": Stories.story("C"),
        ]
        let selection = Stories.selection(["a.json", "b.json", "missing.json", "c.json"], of: texts)
        let files = selection.problems.map { $0.place?.file ?? $0.message }
        #expect(files.contains { $0.hasSuffix("a.json") })
        #expect(files.contains { $0.hasSuffix("b.json") })
        #expect(files.contains { $0.contains("missing.json") })
    }

    @Test func `are chosen by their ids`() {
        let texts = ["a.json": Stories.story("N-1"), "b.json": Stories.story("N-2"), "c.json": Stories.story("N-3")]
        let paths = ["a.json", "b.json", "c.json"]
        #expect(Stories.selection(paths, only: ["N-3", "N-1"], of: texts).stories.map(\.id) == ["N-1", "N-3"])
        let unknown = Stories.selection(paths, only: ["N-4"], of: texts)
        #expect(unknown.problems.map(\.id) == ["run/unknown-story"])
    }

    @Test func `of a folder are loaded only where they are wanted`() {
        let texts = ["a.json": Stories.story("N-1"), "b.json": Stories.story("N-2", with: #", "rutes": {}"#)]
        #expect(Stories.selection([""], of: texts).problems.isEmpty == false)
        let selection = Stories.selection([""], only: ["N-1"], of: texts)
        #expect(selection.problems.isEmpty, "\(selection.problems)")
        #expect(selection.stories.map(\.id) == ["N-1"])
        let unknown = Stories.selection([""], only: ["M-2"], of: texts)
        #expect(unknown.problems.map(\.id) == ["run/unknown-story"])
        #expect(unknown.problems.first?.advice?.contains("N-2") == true)
    }

    /// Files that are meant to be stories, each with a mistake that hides the ID.
    @Test(arguments: [
        ("b.json", #"{ "extends: "backend.json", "id": "B" }"#, "json/syntax"),
        ("b.json", #"{ "extends": "backend.json", "id": "B", "#, "json/syntax"),
        ("b.json", #"{ "extends": "backend.json", "id": 5, "title": "B", "expect": [] }"#, "scenario/wrong-type"),
        ("b.json", #"{ "extends": "backend.json", "title": "B", "expect": [] }"#, "scenario/missing-key"),
        ("b.json", #"{ "id": "B", "title": "B", "expect": [] }"#, "scenario/missing-key"),
        ("b.json", #"{ "$sche"#, "json/syntax"),
        ("b.yaml", "extends: backend.json\nid: B\n  title: B\n", "yaml/syntax"),
    ])
    func `of a folder may be broken, which no run ignores`(name: String, text: String, id: String) {
        let texts = ["a.json": Stories.story("A"), name: text, "c.json": "[1]", "d.json": "{}"]
        let all = Stories.selection([""], of: texts)
        #expect(all.problems.contains { $0.id == id && $0.place?.file?.hasSuffix(name) == true }, "\(all.problems)")
        #expect(all.problems.allSatisfy { $0.place?.file?.hasSuffix(name) == true }, "\(all.problems)")
        #expect(Stories.selection([""], only: ["A"], of: texts).problems.isEmpty)
        let wanted = Stories.selection([""], only: ["B"], of: texts)
        #expect(wanted.problems.contains { $0.id == id }, "\(wanted.problems)")
        #expect(Stories.selection([""], of: [name: text]).problems.contains { $0.id == id })
    }

    @Test func `are missing in a folder that has none`() {
        #expect(Stories.selection([""], of: [:]).problems.map(\.id) == ["run/no-story"])
        #expect(
            Stories.selection(["found"], of: ["found/explore.json": "{}"]).problems.map(\.id) == [
                "scenario/missing-file"
            ]
        )
    }

    @Test func `are missing in the folder of an exploration that has found nothing, which is no mistake`() {
        let texts = [
            "found/explore.json": #"{ "runs": {}, "fingerprint": "1" }"#, "a.json": Stories.story("A"),
            "lost/explore.json": #"{ "runs": [] }"#,
        ]
        let selection = Stories.selection(["a.json", "found"], of: texts)
        #expect(selection.problems.isEmpty && selection.stories.map(\.id) == ["A"], "\(selection.problems)")
        #expect(
            selection.skipped.map(\.message) == [
                "it is the folder of an exploration that found nothing, so it is ignored"
            ]
        )
        #expect(!Stories.selection(["a.json", "lost"], of: texts).problems.isEmpty)
    }

    @Test func `may be in a folder without a backend, and extend several`() {
        let extended = { (id: String, base: String) in
            Stories.story(id).replacing("backend.json", with: base)
        }
        let texts = [
            "other.json": Stories.backend, "found/a.json": extended("A", "../backend.json"),
            "found/b.json": extended("B", "../other.json"), "found/explore.json": "{}",
        ]
        let selection = Stories.selection(["found"], of: texts)
        #expect(selection.problems.isEmpty, "\(selection.problems)")
        #expect(selection.stories.map(\.id) == ["A", "B"])
    }
}

@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: Programs.hasShell && Programs.hasCurl, "there is no /bin/sh or no curl here")
)
struct `A story with variants` {
    private let text = Stories.story(
        with: #", "variants": { "busy": { "routes": { "GET /notes": { "status": 503 } } } }"#
    )

    @Test func `is a run for each of them`() async throws {
        let selection = Stories.selection(of: ["story.json": text])
        #expect(selection.stories.map(\.id) == ["N-1", "N-1/busy"], "\(selection.problems)")
        let runner = StoryRunner(script: "test $(curl -s -o /dev/null -w '%{http_code}' $BACKLOT_URL/notes) = 503")
        var codes: [Int] = []
        for story in selection.stories {
            let play = try await runner.play(story)
            codes += play.launches.map(\.end.code)
            #expect(play.recording.heading?.id.hasPrefix("N-1") == true)
        }
        #expect(codes == [1, 0])
    }

    @Test func `can be narrowed down to one`() {
        let selection = Stories.selection(only: ["N-1/busy"], of: ["story.json": text])
        #expect(selection.stories.map(\.id) == ["N-1/busy"])
        #expect(Stories.selection(only: ["N-1"], of: ["story.json": text]).stories.count == 2)
    }
}
