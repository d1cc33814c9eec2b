import Basics
import HTTPCodec

/// The schedule of the parts of a paced response; all times are nanoseconds since the response began.
struct PacingPlan: Sendable, Hashable {
    private enum Schedule: Hashable {
        case pieces(count: Int, step: UInt64, last: UInt64)
        case rate(bytesPerSecond: UInt64)
    }

    private let schedule: Schedule
    private let headBytes: Int
    private let bodyBytes: Int
    private var totalBytes: Int { headBytes + bodyBytes }

    init(_ pacing: Pacing, headBytes: Int, bodyBytes: Int) {
        self.headBytes = headBytes
        self.bodyBytes = bodyBytes
        switch pacing {
        case .dribble(let chunks, let duration):
            let count = max(1, min(chunks, bodyBytes))
            let last = duration.wholeNanoseconds
            schedule = .pieces(count: count, step: last / UInt64(count), last: last)
        case .bandwidth(let bytesPerSecond):
            schedule = .rate(bytesPerSecond: UInt64(max(1, bytesPerSecond)))
        }
    }

    /// Returns the number of bytes that may have been sent after a duration.
    func allowance(after elapsed: UInt64) -> Int {
        switch schedule {
        case .pieces(let count, let step, let last):
            if elapsed >= last || step == 0 { return totalBytes }
            return end(ofPiece: min(count - 1, Int(clamping: elapsed / step)), of: count)
        case .rate(let rate):
            return min(totalBytes, Int(clamping: elapsed.scaled(by: rate, over: 1_000_000_000)))
        }
    }

    /// When the next piece is due, so many bytes having left; nil when all have.
    func nextDue(afterSending sent: Int) -> UInt64? {
        guard sent < totalBytes else { return nil }
        switch schedule {
        case .pieces(let count, let step, let last):
            var piece = sent < headBytes ? 0 : share(sent - headBytes, of: count, over: bodyBytes)
            while piece < count, end(ofPiece: piece, of: count) <= sent { piece += 1 }
            return piece >= count ? last : UInt64(piece) * step
        case .rate(let rate):
            let piece = min(totalBytes - sent, max(1, Int(clamping: rate / 50)))
            return UInt64(clamping: sent + piece).scaled(by: 1_000_000_000, over: rate, rounded: .up)
        }
    }

    /// The time at which the last piece is due.
    var lastDue: UInt64 {
        switch schedule {
        case .pieces(_, _, let last): last
        case .rate(let rate): UInt64(clamping: totalBytes).scaled(by: 1_000_000_000, over: rate, rounded: .up)
        }
    }

    /// Piece 0 is the head; the body is cut into equal parts, rounded down, the last of which takes the rest.
    private func end(ofPiece piece: Int, of count: Int) -> Int {
        headBytes + share(piece, of: bodyBytes, over: count)
    }

    /// `part` / `whole` of `number`, rounded down; none of the three is negative.
    private func share(_ part: Int, of number: Int, over whole: Int) -> Int {
        Int(clamping: UInt64(clamping: part).scaled(by: UInt64(clamping: number), over: UInt64(clamping: whole)))
    }
}

extension Duration {
    /// Rounded down and clamped to what a counter can hold; zero for the past.
    var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, sumOverflow) = whole.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
        return overflow || sumOverflow ? .max : sum
    }
}
