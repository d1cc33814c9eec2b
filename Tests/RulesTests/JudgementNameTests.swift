import Rules
import ScenarioFormat
import TestSupport
import Testing

struct JudgementNameTests {
    /// The format knows what judgements are called, and nothing else about them.
    @Test func `The format's names are those of the judgements, in their order`() {
        let names = JudgementNames.all.map { "\($0.number) \($0.name)" }
        #expect(names == AllJudgements.list.map { $0.profile.id })
    }

    @Test func `The README lists every judgement, in their order`() throws {
        let lines = try Golden.text(of: Project.folder + "/README.md").split(separator: "\n")
        let listed = lines.filter { $0.hasPrefix("| B") }.map { String($0.split(separator: "|")[0]) }
        #expect(listed == AllJudgements.list.map { " \($0.profile.number) `\($0.profile.name)` " })
    }

    @Test(arguments: AllJudgements.list.map { $0.profile })
    func `A judgement says why it matters, what to do, and where a standard says so`(profile: JudgementProfile) {
        for sentence in [profile.reason, profile.advice] {
            #expect(sentence.count > 20 && sentence.last != ".")
        }
        #expect(profile.source.hasPrefix("RFC "))
    }
}
