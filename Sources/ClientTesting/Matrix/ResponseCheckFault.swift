/// What a matrix finds, by the stable ids of its findings.
package enum ResponseCheckFault: String, Sendable, Hashable, CaseIterable {
    // MARK: What is sent

    /// A request that the contract does not allow, or one without the token that it wants.
    case request = "responses/request"
    /// Another operation's request than the one that was called for.
    case wrongOperation = "responses/wrong-operation"
    /// No request at all.
    case noRequest = "responses/no-request"
    /// The same request once more, though it was answered, or may have been carried out.
    case sentTwice = "responses/sent-twice"
    /// A call that is not made again with the new token.
    case notReplayed = "responses/not-replayed"

    // MARK: What comes of it

    /// A documented success that is taken for a failure.
    case refusedAnswer = "responses/refused-answer"
    /// A refusal or a broken connection that is taken for a success.
    case wrongSuccess = "responses/wrong-success"
    /// A call that never ends, with nothing under way.
    case hang = "responses/hang"
    /// A call that goes on and on.
    case loop = "responses/loop"
    /// A client that takes the whole process along.
    case crash = "responses/crash"

    // MARK: What is left of the session

    /// A session that ends though nobody has ended it.
    case sessionLost = "responses/session-lost"
    /// Stored tokens that are not those which the server has given.
    case tokensChanged = "responses/tokens-changed"

    // MARK: What the adapter says

    /// An adapter that throws where it is to make a client.
    case noClient = "responses/no-client"
    /// An operation that the adapter has twice.
    case adaptedTwice = "responses/adapted-twice"
    /// An operation of the contract that the adapter neither has nor leaves out with a reason.
    case noAdapter = "responses/no-adapter"
    /// An operation of the adapter that the contract does not have.
    case noOperation = "responses/no-operation"
}
