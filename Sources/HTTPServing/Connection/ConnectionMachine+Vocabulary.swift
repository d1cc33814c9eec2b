import Basics
import EventLoops
import HTTPCodec

extension ConnectionMachine {
    /// What of the server's configuration concerns a connection; times in nanoseconds, ready for use.
    struct Rules: Hashable {
        let idle: UInt64
        let head: UInt64
        let body: UInt64
        let write: UInt64
        let lingering: UInt64
        let minimumRate: Int
        let servesHalfClosedClients: Bool
        /// How much is read and thrown away after the last response, so that it is not lost to a reset: 16 MiB.
        let lingeringBytes = 16 << 20
        /// How much of the next requests is read while one is being answered: 64 KiB.
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

        /// When the bytes that have come were allowed to have come.
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
        /// The parser took all there was, and stands there; so many bytes of the body have come.
        case parserNeedsMore(HTTPRequestParser.Phase, bodyBytes: Int)
        /// A head is complete and a body follows, which is to be taken no faster than this.
        case bodyBegins(bytesPerSecond: Int?)
        case requestEnded(keepsAlive: Bool, bodyBytes: Int)
        /// What came is no request.
        case refused
        /// The handler has decided.
        case replied(ResponseTerms)
        case wrote(Int)
        case wroteAll
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

/// What of a delivery decides about the connection.
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
            case .truncatedBody, .malformedChunk, .garbage: .broken
            }
    }
}
