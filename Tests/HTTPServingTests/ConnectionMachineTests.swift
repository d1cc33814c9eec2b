import Basics
import EventLoops
import HTTPCodec
import Testing

@testable import HTTPServing

/// What a connection decides, without a socket and without waiting.
struct ConnectionMachineTests {
    typealias Event = ConnectionMachine.Event
    typealias Action = ConnectionMachine.Action

    /// An event, when it comes (in milliseconds), and what is to come of it.
    struct Step: Sendable {
        var at: Int
        var event: Event
        var action: Action

        init(_ at: Int, _ event: Event, _ action: Action) {
            self.at = at
            self.event = event
            self.action = action
        }
    }

    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [Step]
        var servesHalfClosedClients = false
        /// After the last step, in milliseconds; nil for never.
        var deadline: Int?
        var interest: Interest = []

        init(
            _ name: String,
            _ steps: [Step],
            deadline: Int? = nil,
            interest: Interest = [],
            servesHalfClosedClients: Bool = false
        ) {
            testDescription = name
            self.steps = steps
            self.deadline = deadline
            self.interest = interest
            self.servesHalfClosedClients = servesHalfClosedClients
        }
    }

    static func moment(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 1_000_000_000).advanced(by: .milliseconds(milliseconds))
    }

    static let request = Event.requestEnded(keepsAlive: true, bodyBytes: 0)
    static let lastRequest = Event.requestEnded(keepsAlive: false, bodyBytes: 0)
    static let inHead = Event.parserNeedsMore(.head, bodyBytes: 0)
    static let betweenRequests = Event.parserNeedsMore(.idle, bodyBytes: 0)
    static func inBody(_ count: Int) -> Event { .parserNeedsMore(.body, bodyBytes: count) }
    static let response = Event.replied(ResponseTerms())
    static func response(in delay: Duration, _ ending: ResponseTerms.Ending = .whole(closes: false)) -> Event {
        .replied(ResponseTerms(delay: delay, ending: ending))
    }

    static let stories = [
        Story("a fresh connection waits a minute for its first byte", [], deadline: 60_000, interest: .read),
        Story(
            "an idle connection is closed",
            [Step(59_999, .deadlinePassed, .wait), Step(60_000, .deadlinePassed, .close(.atOnce))]
        ),
        Story(
            "after a response the next request is awaited anew",
            [
                Step(0, request, .respond), Step(0, response, .deliver), Step(5, .wroteAll, .parse),
                Step(5, betweenRequests, .wait),
            ],
            deadline: 60_005,
            interest: .read
        ),
        Story(
            "a head has ten seconds from its first byte, however it drips",
            [
                Step(1_000, inHead, .wait), Step(5_000, inHead, .wait), Step(10_900, inHead, .wait),
                Step(10_999, .deadlinePassed, .wait), Step(11_000, .deadlinePassed, .reportUnfinished(.headTimedOut)),
                Step(11_000, response, .deliver), Step(11_000, .wroteAll, .close(.lingering)),
            ]
        ),
        Story(
            "a body may not pause for long",
            [
                Step(0, .bodyBegins(bytesPerSecond: nil), .parse), Step(0, inBody(100_000), .wait),
                Step(9_000, inBody(200_000), .wait), Step(18_999, .deadlinePassed, .wait),
                Step(19_000, .deadlinePassed, .reportUnfinished(.bodyTimedOut)),
            ],
            interest: .read
        ),
        Story(
            "a body that drips without a pause is too slow all the same",
            [
                Step(0, .bodyBegins(bytesPerSecond: nil), .parse), Step(5_000, inBody(1), .wait),
                Step(9_000, inBody(2), .wait), Step(10_016, .deadlinePassed, .reportUnfinished(.bodyTimedOut)),
            ],
            interest: .read
        ),
        Story(
            "a throttled body is held back by not reading",
            [Step(0, .bodyBegins(bytesPerSecond: 1_000), .parse), Step(0, inBody(500), .wait)],
            deadline: 500,
            interest: []
        ),
        Story(
            "a throttled body goes on when its time has come, and the pause is not the client's",
            [
                Step(0, .bodyBegins(bytesPerSecond: 10), .parse), Step(0, inBody(200), .wait),
                Step(20_000, .deadlinePassed, .parse), Step(20_000, inBody(200), .wait),
            ],
            deadline: 30_000,
            interest: .read
        ),
        Story(
            "a throttled request is answered when it was allowed to have come",
            [
                Step(0, .bodyBegins(bytesPerSecond: 1_000), .parse),
                Step(0, .requestEnded(keepsAlive: true, bodyBytes: 2_000), .wait),
                Step(1_999, .deadlinePassed, .wait), Step(2_000, .deadlinePassed, .respond),
            ],
            interest: .read
        ),
        Story(
            "a client that ends its sending while it is held back is answered",
            [
                Step(0, .bodyBegins(bytesPerSecond: 1_000), .parse),
                Step(0, .requestEnded(keepsAlive: true, bodyBytes: 2_000), .wait), Step(5, .peerEnded, .wait),
                Step(2_000, .deadlinePassed, .respond), Step(2_000, response, .deliver),
                Step(2_000, .wroteAll, .parse), Step(2_000, betweenRequests, .close(.atOnce)),
            ]
        ),
        Story(
            "a response that comes later has no deadline, and the next requests are read ahead",
            [Step(0, request, .respond)],
            interest: .read
        ),
        Story(
            "a delayed response waits, to the nanosecond",
            [
                Step(0, request, .respond), Step(3, response(in: .seconds(2)), .wait),
                Step(2_002, .deadlinePassed, .wait), Step(2_003, .deadlinePassed, .deliver),
            ],
            interest: .read
        ),
        Story(
            "a client that leaves a delayed response is noticed",
            [
                Step(0, request, .respond), Step(0, response(in: .seconds(2)), .wait),
                Step(7, .peerEnded, .close(.atOnce)),
            ]
        ),
        Story(
            "a client that only stops sending may be served on request",
            [
                Step(0, request, .respond), Step(0, response(in: .seconds(2)), .wait), Step(7, .peerEnded, .wait),
                Step(2_000, .deadlinePassed, .deliver), Step(2_000, .wroteAll, .parse),
                Step(2_000, betweenRequests, .close(.atOnce)),
            ],
            servesHalfClosedClients: true
        ),
        Story(
            "a head that breaks off is answered, for the client may still read",
            [
                Step(0, inHead, .wait), Step(1, .peerEnded, .reportUnfinished(.headBrokeOff)),
                Step(1, response, .deliver), Step(1, .wroteAll, .close(.atOnce)),
            ]
        ),
        Story(
            "a body that breaks off is answered as well",
            [
                Step(0, .bodyBegins(bytesPerSecond: nil), .parse), Step(0, inBody(5), .wait),
                Step(1, .peerEnded, .reportUnfinished(.bodyBrokeOff)),
            ]
        ),
        Story(
            "a request that breaks off behind another is answered in its turn",
            [
                Step(0, request, .respond), Step(0, response, .deliver), Step(0, .mustWait, .wait),
                Step(1, .peerEnded, .wait), Step(2, .wroteAll, .parse),
                Step(2, inHead, .reportUnfinished(.headBrokeOff)),
            ]
        ),
        Story("an idle client leaves", [Step(1, .peerEnded, .close(.atOnce))]),
        Story(
            "a client that stops sending gets what is on its way, then what it had asked before",
            [
                Step(0, request, .respond), Step(0, response, .deliver), Step(0, .mustWait, .wait),
                Step(1, .peerEnded, .wait), Step(2, .wroteAll, .parse), Step(2, request, .respond),
            ]
        ),
        Story(
            "a full kernel buffer is waited for, and the next requests are read ahead meanwhile",
            [Step(0, request, .respond), Step(0, response, .deliver), Step(0, .mustWait, .wait)],
            deadline: 10_000,
            interest: [.read, .write]
        ),
        Story(
            "every write grants the client more time",
            [
                Step(0, request, .respond), Step(0, response, .deliver), Step(0, .mustWait, .wait),
                Step(4_000, .wrote(1_000_000), .wait), Step(4_000, .mustWait, .wait),
            ],
            deadline: 14_000,
            interest: [.read, .write]
        ),
        Story(
            "a client that does not read is reset",
            [
                Step(0, request, .respond), Step(0, response, .deliver), Step(0, .mustWait, .wait),
                Step(10_000, .deadlinePassed, .close(.reset)),
            ]
        ),
        Story(
            "a paced response goes out piece by piece",
            [
                Step(0, request, .respond), Step(0, response, .deliver), Step(0, .mustPause(until: moment(50)), .wait),
                Step(49, .deadlinePassed, .wait), Step(50, .deadlinePassed, .writeMore),
                Step(50, .mustPause(until: moment(100)), .wait),
            ],
            deadline: 100,
            interest: .read
        ),
        Story(
            "a client that requires no more gets its response and then time to read it",
            [Step(0, lastRequest, .respond), Step(0, response, .deliver), Step(0, .wroteAll, .close(.lingering))]
        ),
        Story(
            "a response that closes, closes",
            [
                Step(0, request, .respond), Step(0, response(in: .zero, .whole(closes: true)), .deliver),
                Step(0, .wroteAll, .close(.lingering)),
            ]
        ),
        Story(
            "a refusal closes",
            [Step(0, .refused, .refuse), Step(0, response, .deliver), Step(0, .wroteAll, .close(.lingering))]
        ),
        Story(
            "a broken response is sent, then the connection ends",
            [
                Step(0, request, .respond), Step(0, response(in: .zero, .broken), .deliver),
                Step(0, .wroteAll, .close(.lingering)),
            ]
        ),
        Story(
            "an empty response is an orderly end without a byte",
            [Step(0, request, .respond), Step(0, response(in: .zero, .empty), .close(.lingering))]
        ),
        Story(
            "a reset may be delayed, too",
            [
                Step(0, request, .respond), Step(0, response(in: .seconds(1), .reset), .wait),
                Step(1_000, .deadlinePassed, .close(.reset)),
            ]
        ),
        Story(
            "a response that never comes is held without a deadline",
            [Step(0, request, .respond), Step(0, response(in: .zero, .never), .wait)],
            interest: .read
        ),
        Story(
            "a response that never comes ends with the client",
            [
                Step(0, request, .respond), Step(0, response(in: .zero, .never), .wait),
                Step(9, .peerEnded, .close(.atOnce)),
            ]
        ),
        Story(
            "a response that never comes ends with the server",
            [
                Step(0, request, .respond), Step(0, response(in: .zero, .never), .wait),
                Step(9, .stopping, .close(.atOnce)),
            ]
        ),
        Story("stopping closes an idle connection", [Step(1, .stopping, .close(.atOnce))]),
        Story(
            "stopping lets a request end",
            [
                Step(0, inHead, .wait), Step(1, .stopping, .wait), Step(2, request, .respond),
                Step(2, response, .deliver), Step(2, .wroteAll, .close(.lingering)),
            ]
        ),
        Story(
            "a broken connection is closed whatever it was doing",
            [Step(0, request, .respond), Step(1, .lost, .close(.atOnce)), Step(2, .lost, .wait)]
        ),
        Story(
            "an answer to nothing is ignored",
            [Step(0, response, .wait), Step(0, request, .respond), Step(0, response, .deliver)],
            interest: .read
        ),
    ]

    /// A stream is under way, and its head has left.
    private static let streamOpen = [
        Step(0, request, .respond), Step(0, response, .deliver), Step(0, .streamBegan, .wait),
        Step(0, .wrote(100), .wait), Step(0, .streamDrained, .wait),
    ]

    static let streams = [
        Story("a stream that waits for its next part has all the time there is", streamOpen, interest: .read),
        Story(
            "a part that the client does not read has ten seconds",
            streamOpen + [Step(60_000, .mustWait, .wait)],
            deadline: 70_000,
            interest: [.read, .write]
        ),
        Story(
            "every write of a part grants the client more time, and a part that is out all of it",
            streamOpen + [
                Step(60_000, .mustWait, .wait), Step(64_000, .wrote(1_000_000), .wait), Step(64_000, .mustWait, .wait),
                Step(70_000, .deadlinePassed, .wait), Step(70_000, .streamDrained, .wait),
            ],
            interest: .read
        ),
        Story(
            "a client that does not read a stream is reset",
            streamOpen + [Step(60_000, .mustWait, .wait), Step(70_000, .deadlinePassed, .close(.reset))]
        ),
        Story("the end of a stream ends the connection", streamOpen + [Step(5, .wroteAll, .close(.lingering))]),
        Story("a client leaves a stream", streamOpen + [Step(5, .peerEnded, .close(.atOnce))]),
        Story("a server that stops does not wait for a stream", streamOpen + [Step(5, .stopping, .close(.atOnce))]),
    ]

    @Test(arguments: stories + streams)
    func `A connection follows its story`(story: Story) {
        let rules = ConnectionMachine.Rules(servesHalfClosedClients: story.servesHalfClosedClients)
        var machine = ConnectionMachine(rules: rules, openedAt: Self.moment(0))
        for (index, step) in story.steps.enumerated() {
            let action = machine.handle(step.event, at: Self.moment(step.at))
            #expect(action == step.action, "step \(index): \(step.event)")
        }
        #expect(machine.deadline == (story.deadline.map(Self.moment) ?? .never))
        #expect(machine.interest(buffered: 0) == story.interest)
    }

    @Test func `Lingering ends with the client, with time or with the budget`() {
        func lingering() -> ConnectionMachine {
            var machine = ConnectionMachine(rules: ConnectionMachine.Rules(), openedAt: Self.moment(0))
            machine.linger(from: Self.moment(0))
            return machine
        }
        var machine = lingering()
        #expect(machine.interest(buffered: 0) == .read)
        #expect(machine.deadline == Self.moment(2_000))
        #expect(machine.handle(.peerEnded, at: Self.moment(1)) == .close(.atOnce))
        machine = lingering()
        #expect(machine.handle(.deadlinePassed, at: Self.moment(2_000)) == .close(.atOnce))
        machine = lingering()
        #expect(machine.handle(.drained(16 << 20), at: Self.moment(1)) == .wait)
        #expect(machine.handle(.drained(1), at: Self.moment(1)) == .close(.atOnce))
    }

    @Test func `Reading ahead has its bounds`() {
        var machine = ConnectionMachine(rules: ConnectionMachine.Rules(), openedAt: Self.moment(0))
        #expect(machine.handle(Self.request, at: Self.moment(0)) == .respond)
        #expect(machine.interest(buffered: 65_535) == .read)
        #expect(machine.interest(buffered: 65_536) == .peerEnd)
        #expect(machine.handle(Self.response, at: Self.moment(0)) == .deliver)
        #expect(machine.handle(.mustWait, at: Self.moment(0)) == .wait)
        #expect(machine.interest(buffered: 65_536) == .write)
    }

    @Test func `A promise to keep the connection is given only when it will be kept`() {
        var machine = ConnectionMachine(rules: ConnectionMachine.Rules(), openedAt: Self.moment(0))
        #expect(machine.mayKeepAlive)
        #expect(machine.handle(Self.inHead, at: Self.moment(0)) == .wait)
        #expect(machine.handle(.stopping, at: Self.moment(0)) == .wait)
        #expect(machine.handle(Self.request, at: Self.moment(0)) == .respond)
        #expect(!machine.mayKeepAlive)
    }
}
