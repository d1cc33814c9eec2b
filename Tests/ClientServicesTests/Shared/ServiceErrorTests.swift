import ClientServices
import Testing

@Suite struct `An error of any service` {
    /// An error, and what has to be answered about it.
    struct Answers: Sendable, CustomTestStringConvertible {
        var error: any ServiceError
        var isTemporary = false
        var leavesDoubt = false
        var needsSignIn = false

        var testDescription: String { "\(type(of: error)).\(error)" }
    }

    private static let withoutAnswer: [@Sendable (TransportFailure) -> any ServiceError] = [
        { SmeemError.transport($0) }, { WhipItError.transport($0) }, { KiwITError.transport($0) },
        { RunwithUError.transport($0) },
    ]

    private static let answers: [Answers] =
        withoutAnswer.flatMap { error in
            [
                Answers(error: error(.unreachable), isTemporary: true),
                Answers(error: error(.connectionLost), isTemporary: true, leavesDoubt: true),
                Answers(error: error(.timedOut), isTemporary: true, leavesDoubt: true),
                Answers(error: error(.cancelled), leavesDoubt: true),
            ]
        } + [
            Answers(error: SmeemError.refused(.clientError(Smeem.Refusal(status: 404)))),
            Answers(error: SmeemError.refused(.clientError(Smeem.Refusal(status: 429))), isTemporary: true),
            Answers(
                error: SmeemError.refused(.serverError(Smeem.Refusal(status: 502))),
                isTemporary: true,
                leavesDoubt: true
            ),
            Answers(error: SmeemError.signedOut, needsSignIn: true),
            Answers(error: SmeemError.sessionEnded(.expired), needsSignIn: true),
            Answers(error: SmeemError.storage("locked")),
            Answers(error: WhipItError.refused(.status(.notFound, message: nil))),
            Answers(error: WhipItError.refused(.status(.tooManyCalls, message: nil)), isTemporary: true),
            Answers(error: WhipItError.refused(.unknownStatus(503, message: nil)), isTemporary: true),
            Answers(error: WhipItError.signedOut, needsSignIn: true),
            Answers(error: WhipItError.sessionEnded(.refused), needsSignIn: true),
            Answers(error: KiwITError.refused(.invalidRequestBody)),
            Answers(error: KiwITError.refused(.invalidContent), isTemporary: true, leavesDoubt: true),
            Answers(error: KiwITError.refused(.unexpectedStatus(429)), isTemporary: true, leavesDoubt: true),
            Answers(error: KiwITError.refused(.unexpectedStatus(204)), leavesDoubt: true),
            Answers(error: KiwITError.signedOut, needsSignIn: true),
            Answers(error: KiwITError.sessionEnded(.expired), needsSignIn: true),
            Answers(error: RunwithUError.refused(.wrongCredentials(message: nil))),
            Answers(error: RunwithUError.refused(.tooManyCalls(message: nil)), isTemporary: true),
            Answers(error: RunwithUError.refused(.server(status: 500, message: nil)), isTemporary: true),
            Answers(error: RunwithUError.signedOut, needsSignIn: true),
            Answers(error: RunwithUError.sessionEnded(.signedOut), needsSignIn: true),
        ]

    @Test(arguments: answers)
    func `says whether to try again, whether to look first, and whether to sign in`(_ answers: Answers) {
        #expect(answers.error.isTemporary == answers.isTemporary)
        #expect(answers.error.leavesDoubt == answers.leavesDoubt)
        #expect(answers.error.needsSignIn == answers.needsSignIn)
    }
}
