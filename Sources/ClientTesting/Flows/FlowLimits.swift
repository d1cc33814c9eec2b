/// How long a client in this process may go on in one launch of a story.
package struct FlowLimits: Sendable {
    /// Jobs, pauses, and real time where parts of the client happen on other threads.
    package var world = World.Limits()
    /// A launch with more requests goes on for ever.
    package var requests = 2_000

    package init() {}
}
