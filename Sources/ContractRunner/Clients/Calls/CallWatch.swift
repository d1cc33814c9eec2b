/// Watches a call: lets time go on when everybody waits for it, and tells when the call cannot end any more.
///
/// It counts its own looks and not the clock, so that a busy machine makes nobody hang.
struct CallWatch: Sendable {
    let lane: Lane
    /// After so long, in real time, with nothing under way a call is hung.
    var quietTime: Duration

    private static let tick = Duration.milliseconds(1)
    /// So many looks in a row have to find nothing new before time jumps.
    private static let calm = 3
    /// So often it lets others of Swift's pool of threads go first, which may be about to do something.
    private static let courtesies = 4
    /// A call for which time has to jump more often never ends.
    private static let mostJumps = 200

    /// - Returns: ``CallOutcome/hung`` or ``CallOutcome/looping``; `nil` when the watch is no longer wanted.
    func verdict() async -> CallOutcome? {
        let time = lane.time
        var (seen, looks, jumps) = (time.activity, 0, 0)
        while true {
            do { try await Task.sleep(for: Self.tick) } catch { return nil }
            guard time.activity == seen else {
                (seen, looks) = (time.activity, 0)
                continue
            }
            looks += 1
            guard looks >= Self.calm, await isCalm(since: seen) else { continue }
            if let next = time.next {
                jumps += 1
                if jumps > Self.mostJumps { return .looping }
                time.go(to: next)
            } else if Self.tick * looks > quietTime {
                return .hung
            }
        }
    }

    /// Whether still nothing has happened once everybody has had the opportunity.
    private func isCalm(since activity: UInt64) async -> Bool {
        await lane.time.untilLoopsHaveSettled()
        for _ in 0..<Self.courtesies { await Task.yield() }
        return lane.time.activity == activity
    }

    /// Waits a little for what the call has left under way, and closes the lane when it does not end: it would be taken
    /// for a part of the next call.
    func waitForRest() async {
        for _ in 0..<50 where lane.network.openRequests > 0 { try? await Task.sleep(for: Self.tick) }
        if lane.network.openRequests > 0 || lane.time.next != nil { lane.close() }
    }
}
