/// Gathers the bytes of one body and counts them, kept or not, against its limit.
struct BodyCollector: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var received = 0
    private var announced = 0
    private var isKept = true
    var limit: Int

    /// More than this is not reserved on a mere announcement.
    private static let firstReserve = 64 << 10

    init(limit: Int) {
        self.limit = limit
    }

    /// Refuses before the bytes come, so that no client sends megabytes for nothing.
    mutating func announce(_ count: Int) throws(HTTPFault) {
        let (sum, overflows) = announced.addingReportingOverflow(count)
        guard !overflows, sum <= limit else { throw .bodyTooLarge(limit: limit) }
        announced = sum
    }

    mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(min(count, Self.firstReserve))
    }

    /// Forgets what came and keeps nothing more; the budget is for what is still to come.
    mutating func discard(budget: Int) {
        isKept = false
        bytes = []
        let (sum, overflows) = received.addingReportingOverflow(max(0, budget))
        limit = overflows ? limit : min(limit, sum)
    }

    /// Removes what has come so far, for a body that is passed on while it arrives.
    mutating func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Hands the bytes over: they are not held here a second time.
    mutating func release() {
        bytes = []
    }

    /// A Boolean value that indicates whether what was announced is beyond a limit that was lowered since.
    var isBeyondLimit: Bool { announced > limit }

    mutating func take(atMost count: Int, from input: inout InputBuffer) -> Int {
        let taken = min(count, input.count)
        if isKept {
            input.withBytes { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[..<taken])) }
        }
        input.consume(taken)
        received += taken
        return taken
    }
}
