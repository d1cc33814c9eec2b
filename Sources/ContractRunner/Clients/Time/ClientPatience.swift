/// How long, in real time, a client in this process may take for what.
package struct ClientPatience: Sendable, Hashable {
    /// Nothing has to happen for so long before time jumps to what comes next.
    package var quiet = Duration.milliseconds(2)
    /// The same while somebody else in this process is at work, or nobody knows; it need not be this client.
    package var quietAmongOthers = Duration.milliseconds(40)
    /// Whether it matters that somebody else is at work; looking costs time, and many clients side by side are always.
    package var looksAround = true
    /// The same while requests wait at a gate, which one more request would open.
    package var quietAtGates = Duration.milliseconds(60)
    /// After so long with nothing under way that could bring it on, a client hangs.
    package var idle = Duration.seconds(3)
    /// After so long a launch is given up, whatever is under way; on a machine that is busy with others, after longer.
    package var limit = Duration.seconds(30)
    /// A launch with more requests goes on for ever.
    package var mostRequests = 2_000
    /// A launch in which time has to jump more often goes on for ever.
    package var mostJumps = 5_000

    package init() {}
}
