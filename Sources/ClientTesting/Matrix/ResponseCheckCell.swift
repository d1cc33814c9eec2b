package import Basics

/// One call of a matrix: an operation, what the client was answered, and what it made of that.
package struct ResponseCheckCell: Sendable {
    /// The operation's id.
    package var operation: String
    /// The operation's method and path.
    package var label: String
    /// Such as `401`, `200 newcomer`, `reset` or `419 once`.
    package var answer: String
    /// `value`, the name of what was thrown, `hang` or `loop`; `nil` when the call was not made.
    package var outcome: String?
    /// Why the call was not made.
    package var skipped: String?
    package var findings: [Finding] = []
    /// What the platform did by itself, and nobody is blamed for.
    package var excuses: [PlatformFact] = []
    /// What the client has sent.
    package var requests: [RecordedRequest] = []
    /// In real time.
    package var duration: Duration = .zero
    /// Where the contract documents the answer, or the operation.
    package var place: Place
}
