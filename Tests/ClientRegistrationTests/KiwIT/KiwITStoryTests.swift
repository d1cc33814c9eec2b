import ClientRegistration
import ContractRunner
import TestSupport
import Testing

@Suite struct `kiwIT in its stories` {
    @Test func `does what a good client does`() async {
        var run = FlowRun()
        run.schedules = 3
        let outcome = await run.play(KiwITAdapter(), from: Project.folder)
        let isPassed = outcome.isPassed
        #expect(isPassed, "\(outcome.text)")
    }
}
