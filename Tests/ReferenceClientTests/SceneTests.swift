import Findings
import Judgements
import ScenarioFormat
import Testing

@Suite struct `A correct client` {
    @Test(arguments: Scene.all, ClientDesign.allCases)
    func `does what every story expects`(_ scene: Scene, _ design: ClientDesign) throws {
        let stage = try Play.Stage(scene)
        for seed in 1...3 as ClosedRange<UInt64> {
            let played = Play(stage: stage, design: design, bug: nil, seed: seed).perform()
            #expect(played.outcomes != nil, "the client never came to an end")
            let verdict = Verdict(on: stage.loaded.scenario, by: played.evidence, in: stage.loaded.sources)
            guard verdict.outcome != .passed else { continue }
            Issue.record(
                "seed \(seed): \(verdict.findings.map(\.description).joined(separator: "\n"))\n\(played.lines)"
            )
            break
        }
    }
}
