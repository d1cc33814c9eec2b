/// Tells from looks at the threads, one after the other, whether each that wanted to work was let.
struct ThreadTurns: Sendable {
    private var first: ContinuousClock.Instant?
    private var last: (glance: ThreadGlance, moment: ContinuousClock.Instant)?

    /// Whoever has wanted to work for so long and was not let is waited for.
    private static let hunger = Duration.milliseconds(20)
    /// But not for longer than that.
    private static let patience = Duration.seconds(1)

    /// Takes a look, and says whether everybody has had a turn since the last one that was long enough ago.
    mutating func hadEverybody(by now: ContinuousClock.Instant, _ glance: ThreadGlance) -> Bool {
        guard let first, let last else {
            (first, last) = (now, (glance, now))
            return false
        }
        guard now - last.moment >= Self.hunger else { return false }
        self.last = (glance, now)
        return !glance.showsStarvation(since: last.glance) || now - first >= Self.patience
    }
}
