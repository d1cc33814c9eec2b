import Basics
import EventLoops
import HTTPCodec

/// The next action of a connection, decided without a socket: events go in, an action comes out.
///
/// One request at a time: read it, have it answered, send the response, start again. The machine knows the deadlines,
/// when to read on, and how a connection ends; bytes, parser and response belong to ``HTTPConnection``, which performs
/// the actions.
struct ConnectionMachine: Hashable {
    private(set) var phase: Phase
    private(set) var peerHasEnded = false
    private(set) var isStopping = false
    /// A Boolean value that indicates whether the connection ends with the response that is being made or sent.
    private(set) var closesAfterResponse = false
    /// A Boolean value that indicates whether another object produces the response that is being sent.
    private(set) var isRelaying = false
    private let rules: Rules

    init(rules: Rules, openedAt now: MonotonicTime) {
        self.rules = rules
        phase = .idle(until: now.advanced(byNanoseconds: rules.idle))
    }

    /// Until when the present phase may last.
    var deadline: MonotonicTime {
        switch phase {
        case .idle(let until), .head(let until), .heldBack(let until, _), .delaying(let until, _), .pausing(let until),
            .lingering(let until, _):
            until
        case .body(let body): body.progress.deadline
        case .sending(let progress), .streaming(let progress?): progress.deadline
        case .responding, .holding, .streaming(nil), .closed: .never
        }
    }

    /// A Boolean value that indicates whether what was read may be parsed now.
    var isParsing: Bool {
        switch phase {
        case .idle, .head, .body: true
        default: false
        }
    }

    /// The event to wait for, with a number of bytes read and not parsed.
    func interest(buffered: Int) -> Interest {
        if peerHasEnded { return isSending ? .write : [] }
        switch phase {
        case .idle, .head, .body, .lingering, .streaming(nil): return .read
        case .streaming: return .readAndWrite
        // Not even the peer's end, which may lie behind bytes that are still to be read.
        case .heldBack, .closed: return []
        case .sending: return buffered < rules.readAhead ? .readAndWrite : .write
        case .responding, .delaying, .holding, .pausing: return buffered < rules.readAhead ? .read : .peerEnd
        }
    }

    /// Returns whether more bytes of the next requests may be read, with a number of bytes read and not parsed.
    func mayReadAhead(buffered: Int) -> Bool { buffered < rules.readAhead }

    /// The maximum number of bytes of one read; `nil` for as many as fit.
    var readLimit: Int? {
        guard case .body(let body) = phase, let rate = body.bytesPerSecond else { return nil }
        // A twentieth of a second at a time keeps the pace even.
        return max(1, rate / 20)
    }

    /// A Boolean value that indicates whether the head of the response may promise that the connection lives on.
    var mayKeepAlive: Bool { !closesAfterResponse && !isStopping }

    var isClosed: Bool {
        if case .closed = phase { true } else { false }
    }

    var isLingering: Bool {
        if case .lingering = phase { true } else { false }
    }

    var isSending: Bool {
        if case .sending = phase { true } else { false }
    }

    var isStreaming: Bool {
        if case .streaming = phase { true } else { false }
    }

    /// A Boolean value that indicates whether parts of a response wait for the kernel's buffer.
    var isWaitingToSend: Bool {
        if case .streaming(.some) = phase { true } else { false }
    }

    var isIdle: Bool {
        if case .idle = phase { true } else { false }
    }

    /// A Boolean value that indicates whether there is nothing to do before the next request comes.
    var isResting: Bool { isIdle && !peerHasEnded }

    mutating func handle(_ event: Event, at now: MonotonicTime) -> Action {
        switch event {
        case .parserNeedsMore(let parserPhase, let bodyBytes): parserNeedsMore(parserPhase, bodyBytes, at: now)
        case .bodyBegins(let bytesPerSecond): bodyBegins(bytesPerSecond, at: now)
        case .requestEnded(let keepsAlive, let bodyBytes): requestEnded(keepsAlive, bodyBytes, at: now)
        case .refused: begin(response: .refuse)
        case .replied(let terms): replied(terms, at: now)
        case .mustWait: mustWait(at: now)
        case .mustPause(let until): pause(until: until)
        case .wrote(let count): wrote(count, at: now)
        case .wroteAll: wroteAll(at: now)
        case .streamBegan: streamBegan()
        case .streamDrained: streamDrained()
        case .headComplete(let keepsAlive): headComplete(keepsAlive)
        case .relayBegan: relayBegan()
        case .relayWithdrawn: relayWithdrawn()
        case .relayBroke: end(.reset)
        case .deadlinePassed: now < deadline ? .wait : deadlinePassed(at: now)
        case .peerEnded: peerEnded()
        case .lost: end(.atOnce)
        case .drained(let count): drained(count)
        case .stopping: stop()
        }
    }

    // MARK: Reading

    private mutating func parserNeedsMore(
        _ parserPhase: HTTPRequestParser.Phase,
        _ bodyBytes: Int,
        at now: MonotonicTime
    ) -> Action {
        if peerHasEnded {
            // What is unfinished now will never be finished.
            switch parserPhase {
            case .idle, .refused: return end(.atOnce)
            case .head: return begin(response: .reportUnfinished(.headBrokeOff))
            case .body: return begin(response: .reportUnfinished(.bodyBrokeOff))
            }
        }
        switch (parserPhase, phase) {
        case (.idle, .idle), (.head, .head): return .wait
        case (.head, _): phase = .head(until: now.advanced(byNanoseconds: rules.head))
        case (.body, .body(var body)):
            body.progress.reach(bodyBytes, at: now)
            let resumption = body.resumption
            phase = resumption > now ? .heldBack(until: resumption, Held(body: body, since: now)) : .body(body)
        case (.idle, _): phase = .idle(until: now.advanced(byNanoseconds: rules.idle))
        default: break
        }
        return .wait
    }

    private mutating func bodyBegins(_ bytesPerSecond: Int?, at now: MonotonicTime) -> Action {
        let progress = TransferProgress(from: now, gap: rules.body, minimumRate: rules.minimumRate)
        phase = .body(Body(start: now, bytesPerSecond: bytesPerSecond.map { max(1, $0) }, progress: progress))
        return .parse
    }

    private mutating func requestEnded(_ keepsAlive: Bool, _ bodyBytes: Int, at now: MonotonicTime) -> Action {
        if !keepsAlive { closesAfterResponse = true }
        if case .body(var body) = phase {
            body.progress.reach(bodyBytes, at: now)
            if body.resumption > now {
                phase = .heldBack(until: body.resumption, Held(body: body, since: now, isComplete: true))
                return .wait
            }
        }
        return begin(response: .respond)
    }

    private mutating func begin(response action: Action) -> Action {
        phase = .responding
        if action != .respond || isStopping { closesAfterResponse = true }
        return action
    }

    // MARK: Replying

    private mutating func replied(_ terms: ResponseTerms, at now: MonotonicTime) -> Action {
        guard case .responding = phase else { return .wait }
        if terms.delay > .zero {
            phase = .delaying(until: now.advanced(by: terms.delay), terms.ending)
            return .wait
        }
        return act(on: terms.ending)
    }

    private mutating func act(on ending: ResponseTerms.Ending) -> Action {
        switch ending {
        case .whole(let closes):
            if closes { closesAfterResponse = true }
            return .deliver
        case .broken:
            closesAfterResponse = true
            return .deliver
        case .empty: return end(.lingering)
        case .reset: return end(.reset)
        case .never:
            if isStopping || peerHasEnded { return end(.atOnce) }
            phase = .holding
            return .wait
        }
    }

    /// The kernel takes no more for now.
    private mutating func mustWait(at now: MonotonicTime) -> Action {
        if case .streaming(let progress) = phase {
            let start = TransferProgress(from: now, gap: rules.write, minimumRate: rules.minimumRate)
            phase = .streaming(progress ?? start)
        } else if !isSending {
            phase = .sending(TransferProgress(from: now, gap: rules.write, minimumRate: rules.minimumRate))
        }
        return .wait
    }

    private mutating func pause(until: MonotonicTime) -> Action {
        phase = .pausing(until: until)
        return .wait
    }

    private mutating func wrote(_ count: Int, at now: MonotonicTime) -> Action {
        if case .sending(var progress) = phase {
            progress.reach(progress.count + count, at: now)
            phase = .sending(progress)
        } else if case .streaming(var progress?) = phase {
            progress.reach(progress.count + count, at: now)
            phase = .streaming(progress)
        }
        return .wait
    }

    /// The head of a stream is being sent; the connection ends with the stream.
    private mutating func streamBegan() -> Action {
        closesAfterResponse = true
        phase = .streaming(nil)
        return .wait
    }

    /// The handler gets a request whose body still arrives.
    private mutating func headComplete(_ keepsAlive: Bool) -> Action {
        if !keepsAlive { closesAfterResponse = true }
        phase = .responding
        return .wait
    }

    /// Another object produces the response; unlike a stream, it need not end the connection.
    private mutating func relayBegan() -> Action {
        (phase, isRelaying) = (.streaming(nil), true)
        return .wait
    }

    /// Nothing was sent by the producer, and the handler's own response takes its place.
    private mutating func relayWithdrawn() -> Action {
        (phase, isRelaying) = (.responding, false)
        return .wait
    }

    /// Lets the connection end with the response.
    mutating func closeAfterResponse() { closesAfterResponse = true }

    /// All parts that there are have left.
    private mutating func streamDrained() -> Action {
        if isStreaming { phase = .streaming(nil) }
        return .wait
    }

    private mutating func wroteAll(at now: MonotonicTime) -> Action {
        isRelaying = false
        if closesAfterResponse || isStopping { return end(peerHasEnded ? .atOnce : .lingering) }
        phase = .idle(until: now.advanced(byNanoseconds: rules.idle))
        return .parse
    }

    // MARK: Endings

    private mutating func deadlinePassed(at now: MonotonicTime) -> Action {
        switch phase {
        case .idle, .lingering: return end(.atOnce)
        case .head: return begin(response: .reportUnfinished(.headTimedOut))
        case .body: return begin(response: .reportUnfinished(.bodyTimedOut))
        case .heldBack(_, let held):
            if held.isComplete { return begin(response: .respond) }
            var body = held.body
            body.progress.resume(after: held.since, at: now)
            phase = .body(body)
            return .parse
        case .delaying(_, let ending):
            phase = .responding
            return act(on: ending)
        case .pausing:
            phase = .responding
            return .writeMore
        case .sending, .streaming: return end(.reset)
        case .responding, .holding, .closed: return .wait
        }
    }

    private mutating func peerEnded() -> Action {
        peerHasEnded = true
        switch phase {
        case .streaming where isRelaying && rules.servesHalfClosedClients: return .wait
        case .idle, .lingering, .holding, .streaming: return end(.atOnce)
        case .head: return begin(response: .reportUnfinished(.headBrokeOff))
        case .body: return begin(response: .reportUnfinished(.bodyBrokeOff))
        case .responding, .delaying, .pausing: return rules.servesHalfClosedClients ? .wait : end(.atOnce)
        case .heldBack(_, let held): return held.isComplete ? .wait : end(.atOnce)
        // If the client has really left, the next write says so.
        case .sending, .closed: return .wait
        }
    }

    private mutating func drained(_ count: Int) -> Action {
        guard case .lingering(let until, let budget) = phase else { return .wait }
        if count > budget { return end(.atOnce) }
        phase = .lingering(until: until, budget: budget - count)
        return .wait
    }

    private mutating func stop() -> Action {
        isStopping = true
        switch phase {
        case .streaming where isRelaying: return .wait
        case .idle, .holding, .streaming: return end(.atOnce)
        default: return .wait
        }
    }

    private mutating func end(_ closing: Closing) -> Action {
        if case .closed = phase { return .wait }
        // Lingering begins with ``linger(from:)``, once the end of stream is on its way.
        phase = .closed
        return .close(closing)
    }

    /// The last byte was sent; what the client still sends is thrown away until it has read that and leaves.
    mutating func linger(from now: MonotonicTime) {
        phase = .lingering(until: now.advanced(byNanoseconds: rules.lingering), budget: rules.lingeringBytes)
    }
}

extension ConnectionMachine {
    /// The configuration of a connection; times in nanoseconds, ready for use.
    struct Rules: Hashable {
        let idle: UInt64
        let head: UInt64
        let body: UInt64
        let write: UInt64
        let lingering: UInt64
        let minimumRate: Int
        let servesHalfClosedClients: Bool
        /// The number of bytes to read and discard after the last response, so that it is not lost to a reset: 16 MiB.
        let lingeringBytes = 16 << 20
        /// The number of bytes of the next requests to read while one is being answered: 64 KiB.
        let readAhead = 64 << 10

        init(_ deadlines: Deadlines = Deadlines(), servesHalfClosedClients: Bool = false) {
            idle = deadlines.idle.wholeNanoseconds
            head = deadlines.head.wholeNanoseconds
            body = deadlines.body.wholeNanoseconds
            write = deadlines.write.wholeNanoseconds
            lingering = deadlines.lingering.wholeNanoseconds
            minimumRate = deadlines.minimumRate
            self.servesHalfClosedClients = servesHalfClosedClients
        }
    }

    enum Phase: Hashable {
        /// No byte of the next request has come.
        case idle(until: MonotonicTime)
        /// A part of a head has come.
        case head(until: MonotonicTime)
        case body(Body)
        /// A body, or a request that is complete, that came faster than it may.
        case heldBack(until: MonotonicTime, Held)
        /// The handler has the request.
        case responding
        case delaying(until: MonotonicTime, ResponseTerms.Ending)
        /// A response that never comes.
        case holding
        /// The kernel's buffer is full.
        case sending(TransferProgress)
        /// A response whose parts come as the handler has them; with progress while the kernel's buffer is full.
        case streaming(TransferProgress?)
        /// Between two pieces of a paced response.
        case pausing(until: MonotonicTime)
        case lingering(until: MonotonicTime, budget: Int)
        case closed
    }

    /// A body on its way in.
    struct Body: Hashable {
        var start: MonotonicTime
        var bytesPerSecond: Int?
        var progress: TransferProgress

        /// The time by which the received bytes were allowed to arrive.
        var resumption: MonotonicTime {
            guard let rate = bytesPerSecond else { return start }
            let earned = UInt64(clamping: progress.count).scaled(by: 1_000_000_000, over: UInt64(clamping: rate))
            return start.advanced(byNanoseconds: earned)
        }
    }

    struct Held: Hashable {
        var body: Body
        var since: MonotonicTime
        var isComplete = false
    }

    enum Event: Hashable {
        /// The parser consumed all bytes and is at this state; the number is that of received body bytes.
        case parserNeedsMore(HTTPRequestParser.Phase, bodyBytes: Int)
        /// A head is complete and a body follows, to be read at most at this rate.
        case bodyBegins(bytesPerSecond: Int?)
        case requestEnded(keepsAlive: Bool, bodyBytes: Int)
        /// The received bytes are not a request.
        case refused
        /// The handler has decided.
        case replied(ResponseTerms)
        case wrote(Int)
        case wroteAll
        case streamBegan
        case streamDrained
        /// The handler gets a request before its body is complete.
        case headComplete(keepsAlive: Bool)
        case relayBegan
        case relayWithdrawn
        /// The producer cannot complete the response that it has begun.
        case relayBroke
        /// The kernel takes no more at present.
        case mustWait
        /// The pace allows no more before that moment.
        case mustPause(until: MonotonicTime)
        case deadlinePassed
        /// The peer sends no more; it may still read.
        case peerEnded
        /// The connection is broken.
        case lost
        /// So many bytes were thrown away after the last response.
        case drained(Int)
        case stopping
    }

    enum Action: Hashable {
        /// Nothing but the deadline and the interest.
        case wait
        /// Parse on: with what is there already, or what will come.
        case parse
        case respond
        case refuse
        case reportUnfinished(UnfinishedRequest)
        /// Render the response and begin to send it.
        case deliver
        case writeMore
        case close(Closing)
    }

    enum Closing: Hashable {
        case atOnce
        /// End the sending, then wait for the peer to read and leave.
        case lingering
        case reset
    }
}

/// The part of a delivery that decides about the connection.
struct ResponseTerms: Hashable {
    enum Ending: Hashable {
        case whole(closes: Bool)
        /// Something is sent that is not a whole response.
        case broken
        case empty
        case reset
        case never
    }

    var delay: Duration
    var ending: Ending

    init(delay: Duration = .zero, ending: Ending = .whole(closes: false)) {
        self.delay = delay
        self.ending = ending
    }

    init(_ delivery: Delivery) {
        delay = delivery.delay
        ending =
            switch delivery.fault {
            case nil: .whole(closes: delivery.closesConnection)
            case .reset: .reset
            case .empty: .empty
            case .never: .never
            case .truncated, .malformedChunk, .garbage: .broken
            }
    }
}
