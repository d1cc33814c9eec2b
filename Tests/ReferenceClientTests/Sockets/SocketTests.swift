import Basics
import Rules
import Testing

@testable import ReferenceClients

@Suite struct `Over sockets` {
    private static let scenes = BugCase.all.filter { scene in
        [.noRefresh, .refreshStorm, .tokenSentElsewhere].contains(scene.bug)
    }

    @Test(arguments: scenes, ClientDesign.allCases)
    func `a correct client passes`(_ scene: BugCase, _ design: ClientDesign) async throws {
        let verdict = try await SocketPlay(scene: scene, design: design, bug: nil).perform().verdict
        #expect(verdict.outcome == .passed, "\(verdict.findings.map(\.description).joined(separator: "\n"))")
    }

    @Test(arguments: scenes, ClientDesign.allCases)
    func `a bug is found`(_ scene: BugCase, _ design: ClientDesign) async throws {
        let verdict = try await SocketPlay(scene: scene, design: design, bug: scene.bug).perform().verdict
        let found = verdict.rules.filter { !$0.violations.isEmpty }.map(\.profile.number)
        #expect(found.contains(scene.bug?.number ?? "none"), "\(found)")
    }
}
