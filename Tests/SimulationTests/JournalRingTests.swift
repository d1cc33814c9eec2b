import Basics
import HTTPCodec
import Testing

@testable import ScenarioFormat
@testable import Simulation

/// The journal keeps the newest exchanges within its bounds, and finds them by their numbers.
@Suite struct JournalRingTests {
    private static func exchange(_ number: UInt64, body: Int = 0) -> Exchange {
        Exchange(
            number: number,
            time: VirtualTime(seconds: 0),
            arrival: MonotonicTime(nanoseconds: number),
            connection: 1,
            request: HTTPRequest(target: "/\(number)", body: [UInt8](repeating: 0x61, count: body))
        )
    }

    private static func journal(of numbers: some Sequence<UInt64>, _ capacity: Journal.Capacity) -> Journal {
        var journal = Journal(capacity: capacity)
        for number in numbers { journal.append(exchange(number)) }
        return journal
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func `keeps the newest exchanges in order`(_ limit: Int) {
        var journal = Journal(capacity: Journal.Capacity(exchanges: limit, bytes: .max))
        for number in 1...250 as ClosedRange<UInt64> {
            journal.append(Self.exchange(number))
            let kept = Swift.max(1, number - Swift.min(number, UInt64(limit)) + 1)...number
            #expect(journal.exchanges.map(\.number) == Array(kept))
            #expect(journal.count == kept.count)
            #expect(journal.dropped == Int(number) - kept.count)
        }
    }

    @Test func `finds an exchange by its number until it is dropped`() {
        let journal = Self.journal(of: 1...10, Journal.Capacity(exchanges: 4, bytes: .max))
        let found = (0...12).map { journal.exchange($0)?.request.target }
        #expect(found == [nil, nil, nil, nil, nil, nil, nil, "/7", "/8", "/9", "/10", nil, nil])
    }

    @Test func `notes an end where the exchange is still kept`() {
        var journal = Self.journal(of: 1...6, Journal.Capacity(exchanges: 4, bytes: .max))
        for number in 1...7 as ClosedRange<UInt64> {
            journal.noteEnd(of: number, .sent, at: MonotonicTime(nanoseconds: number * 10))
        }
        #expect(journal.exchanges.map(\.outcome) == [.sent, .sent, .sent, .sent])
        #expect(journal.exchanges.map(\.end?.nanoseconds) == [30, 40, 50, 60])
    }

    @Test func `drops as many as a large exchange takes, and keeps more again when they are small`() {
        let small = Self.exchange(1).weight
        var journal = Journal(capacity: Journal.Capacity(exchanges: 1_000, bytes: small * 20))
        var number: UInt64 = 0
        func add(_ count: Int, body: Int) {
            for _ in 0..<count {
                number += 1
                journal.append(Self.exchange(number, body: body))
            }
        }
        add(15, body: 0)
        for _ in 1...5 {
            add(1, body: small * 12)
            #expect(journal.count < 10)
            add(40, body: 0)
            #expect(journal.count >= 18)
            #expect(journal.exchanges.map(\.number) == Array((number - UInt64(journal.count) + 1)...number))
        }
        #expect(journal.count + journal.dropped == Int(number))
    }

    @Test func `keeps one exchange that is larger than its bounds`() {
        var journal = Journal(capacity: Journal.Capacity(exchanges: 10, bytes: 1))
        journal.append(Self.exchange(1))
        journal.append(Self.exchange(2))
        #expect(journal.exchanges.map(\.number) == [2])
    }

    @Test(arguments: [1, 63, 64, 65, 200])
    func `leaves a copy as it was when it goes on`(_ count: UInt64) {
        var journal = Self.journal(of: 1...count, Journal.Capacity(exchanges: 100, bytes: .max))
        let copy = journal
        let kept = copy.exchanges.map(\.number)
        for number in (count + 1)...(count + 150) {
            journal.append(Self.exchange(number))
            journal.noteEnd(of: number, .sent, at: MonotonicTime(nanoseconds: number))
            journal.noteEnd(of: count, .clientGone, at: MonotonicTime(nanoseconds: number))
        }
        #expect(copy.exchanges.map(\.number) == kept)
        #expect(copy.exchanges.allSatisfy { $0.outcome == .open })
        #expect(journal.exchanges.map(\.number) == Array((count + 51)...(count + 150)))
    }

    @Test func `forgets everything`() {
        var journal = Self.journal(of: 1...10, Journal.Capacity(exchanges: 4, bytes: .max))
        journal.removeAll()
        #expect(journal.exchanges.isEmpty)
        #expect(journal.dropped == 0)
        journal.append(Self.exchange(11))
        #expect(journal.exchange(11)?.number == 11)
    }
}
