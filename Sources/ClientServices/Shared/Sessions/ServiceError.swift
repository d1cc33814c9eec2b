/// What the errors of all services can be asked.
///
/// Each app's errors have names of their own; these are the questions that a screen asks whatever they are called.
public protocol ServiceError: Error, Sendable {
    /// Whether the same call may work in a while, so that a screen should offer to try again.
    var isTemporary: Bool { get }

    /// Whether the server may have done what it was asked for, although it did not say so.
    ///
    /// Whoever asked for something that must not happen twice has to look before asking again.
    var leavesDoubt: Bool { get }

    /// Whether nobody is signed in, or nobody is any more, so that the sign-in screen is next.
    var needsSignIn: Bool { get }
}

/// An app's own words for what goes wrong.
protocol ServiceWords: ServiceError {
    init(_ problem: ServiceProblem)
}

extension TransportFailure {
    /// Whether another attempt may fare better: nobody gave up by themselves.
    var isTemporary: Bool { self != .cancelled }
}
