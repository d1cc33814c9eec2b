import Basics
import EventLoops
import HTTPCodec

/// The bytes of a response on their way out: a head, then a body that is not copied for it.
struct ResponseInProgress {
    private let head: [UInt8]
    private let body: [UInt8]
    /// The number of body bytes to send, for truncated responses.
    private let bodyCount: Int
    private(set) var sent = 0
    /// Nil when everything may go out at once.
    let pacing: PacingPlan?
    let start: MonotonicTime
    /// The number of bytes in memory for it alone.
    let memory: Int

    init(
        head: [UInt8],
        body: [UInt8] = [],
        bodyCount: Int? = nil,
        sharesBody: Bool = false,
        pacing: Pacing? = nil,
        start: MonotonicTime
    ) {
        memory = head.count + (sharesBody ? 0 : body.count)
        self.head = head
        self.body = body
        let count = min(body.count, max(0, bodyCount ?? body.count))
        self.bodyCount = count
        self.pacing = pacing.map { PacingPlan($0, headBytes: head.count, bodyBytes: count) }
        self.start = start
    }

    enum Progress: Hashable {
        case all
        /// So many bytes went out before the kernel took no more.
        case blocked(Int)
        case paused(until: MonotonicTime)
        case failed
    }

    /// Writes as much as the pace allows and the kernel takes.
    mutating func write(to sink: some ByteSink, at now: MonotonicTime) -> Progress {
        let total = head.count + bodyCount
        let before = sent
        while true {
            let allowance = pacing.map { $0.allowance(after: start.nanoseconds(until: now)) } ?? total
            while sent < allowance {
                switch writeOnce(to: sink, upTo: allowance) {
                case .bytes(let count): sent += count
                case .wouldBlock: return .blocked(sent - before)
                case .failed: return .failed
                }
            }
            if sent == total { return .all }
            let due = start.advanced(byNanoseconds: pacing?.nextDue(afterSending: sent) ?? 0)
            if due > now { return .paused(until: due) }
        }
    }

    private func writeOnce(to sink: some ByteSink, upTo limit: Int) -> WriteOutcome {
        head.withUnsafeBytes { head in
            body.withUnsafeBytes { body in
                let headPart = UnsafeRawBufferPointer(rebasing: head[min(sent, head.count)..<min(limit, head.count)])
                let bodyStart = max(0, sent - head.count)
                let bodyPart = UnsafeRawBufferPointer(rebasing: body[bodyStart..<max(bodyStart, limit - head.count)])
                if headPart.isEmpty { return sink.write(bodyPart) }
                if bodyPart.isEmpty { return sink.write(headPart) }
                return sink.write(headPart, bodyPart)
            }
        }
    }
}
