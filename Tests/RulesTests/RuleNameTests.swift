import Rules
import ScenarioFormat
import TestSupport
import Testing

struct RuleNameTests {
    /// The format knows what rules are called, and nothing else about them.
    @Test func `Each name belongs to one rule, in the order of their numbers`() {
        #expect(RuleName.allCases == AllRules.list.map { $0.profile.rule })
        #expect(RuleName.allCases.enumerated().allSatisfy { $1.number == "B\($0 + 1)" })
    }

    @Test func `The guide lists every rule, in their order`() throws {
        let lines = try Golden.text(of: Project.folder + "/Sources/Guides/Guides.docc/rules.md").split(separator: "\n")
        let listed = lines.filter { $0.hasPrefix("| B") }.map { String($0.split(separator: "|")[0]) }
        #expect(listed == AllRules.list.map { " \($0.profile.number) `\($0.profile.name)` " })
    }

    @Test(arguments: AllRules.list.map { $0.profile })
    func `A rule says why it matters, what to do, and where a standard says so`(profile: RuleProfile) {
        for sentence in [profile.reason, profile.advice] {
            #expect(sentence.count > 20 && sentence.last != ".")
        }
        #expect(profile.source.hasPrefix("RFC "))
    }
}
