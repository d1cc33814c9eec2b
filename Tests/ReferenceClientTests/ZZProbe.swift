import Foundation
import Judgements
import Testing

@Suite struct Probe {
    @Test(.enabled(if: ProcessInfo.processInfo.environment["PROBE"] != nil)) func probe() throws {
        for word in ProcessInfo.processInfo.environment["PROBE"]!.split(separator: " ") {
            let parts = word.split(separator: ":")
            let scene = Scene.all.first { $0.bug.number == parts[0] }!
            let design = ClientDesign.allCases.first { $0.rawValue.hasPrefix(parts[1]) }!
            let stage = try Play.Stage(scene)
            let bug = parts.count > 3 ? nil : scene.bug
            let played = Play(stage: stage, design: design, bug: bug, seed: UInt64(parts[2])!).perform()
            print(
                "=== \(scene) \(design) bug \(bug.map(\.number) ?? "none") seed \(parts[2]) ended \(played.outcomes != nil)"
            )
            print(played.lines)
            for j in AllJudgements.list {
                for o in j.offences(in: TokenHistory(played.evidence)) { print("  ", j.profile.id, o.sentence) }
            }
        }
    }
}
