/// What a matrix finds, by the stable ids of its findings.
package enum MatrixFault: String, Sendable, Hashable, CaseIterable {
    // MARK: What is sent

    /// A request that the contract does not allow, or one without the token that it wants.
    case request = "matrix/request"
    /// Another operation's request than the one that was called for.
    case wrongOperation = "matrix/wrong-operation"
    /// No request at all.
    case noRequest = "matrix/no-request"
    /// The same request once more, though it was answered, or may have been carried out.
    case sentTwice = "matrix/sent-twice"
    /// A call that is not made again with the new token.
    case notReplayed = "matrix/not-replayed"

    // MARK: What comes of it

    /// A documented success that is taken for a failure.
    case refusedAnswer = "matrix/refused-answer"
    /// A refusal or a broken connection that is taken for a success.
    case wrongSuccess = "matrix/wrong-success"
    /// A call that never ends, with nothing under way.
    case hang = "matrix/hang"
    /// A call that goes on and on.
    case loop = "matrix/loop"
    /// A client that takes the whole process along.
    case crash = "matrix/crash"

    // MARK: What is left of the session

    /// A session that ends though nobody has ended it.
    case sessionLost = "matrix/session-lost"
    /// Stored tokens that are not those which the server has given.
    case tokensChanged = "matrix/tokens-changed"

    // MARK: What the adapter says

    /// An adapter that throws where it is to make a client.
    case noClient = "matrix/no-client"
    /// An operation that the adapter has twice.
    case adaptedTwice = "matrix/adapted-twice"
    /// An operation of the contract that the adapter neither has nor leaves out with a reason.
    case noAdapter = "matrix/no-adapter"
    /// An operation of the adapter that the contract does not have.
    case noOperation = "matrix/no-operation"
}
