import Basics
import EventLoops
import HTTPCodec

/// The deadline of a transfer that must not stall.
///
/// Two rules: no pause may be longer than the gap, and on average the minimum rate must be reached once the first gap
/// is used up. The first alone would let a byte every nine seconds continue forever, the second alone would let
/// a fast start be followed by hours of silence.
struct TransferProgress: Sendable, Hashable {
    private var start: MonotonicTime
    private var latest: MonotonicTime
    private(set) var count = 0
    private let gap: UInt64
    private let minimumRate: UInt64

    init(from start: MonotonicTime, gap: UInt64, minimumRate: Int) {
        self.start = start
        latest = start
        self.gap = gap
        self.minimumRate = UInt64(max(1, minimumRate))
    }

    var deadline: MonotonicTime {
        let earned = UInt64(clamping: count).scaled(by: 1_000_000_000, over: minimumRate)
        let average = start.advanced(byNanoseconds: gap).advanced(byNanoseconds: earned)
        return min(latest.advanced(byNanoseconds: gap), average)
    }

    /// So many bytes in all have come by now.
    mutating func reach(_ count: Int, at now: MonotonicTime) {
        guard count > self.count else { return }
        self.count = count
        latest = now
    }

    /// A pause of our own making ends: it does not count against the other side.
    mutating func resume(after pauseBegin: MonotonicTime, at now: MonotonicTime) {
        start = start.advanced(byNanoseconds: pauseBegin.nanoseconds(until: now))
        latest = now
    }
}
