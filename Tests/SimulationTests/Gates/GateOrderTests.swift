import HTTPCodec
import ScenarioFormat
import Simulation
import Testing

/// In which order held requests go on.
struct GateOrderTests {
    private static let backend = """
        "clock": {"frozen": true}, "counters": {"n": 0},
        "routes": {"GET /x/{id}": {"json": ["{{request.path.id}}", "{{counter.n}}", "{{uuid}}"]}}
        """
    private static let requests = (1...6).map { "GET /x/\($0)" }

    private func client(
        _ order: Gate.Order,
        _ moment: Gate.Moment,
        seed: UInt64 = 1,
        times: Int = 1
    ) throws -> SessionClient {
        let gate = Gate(name: "g", opening: .inFlight(6), order: order, moment: moment, times: times)
        return try SessionClient(Self.backend, seed: seed, gates: [gate])
    }

    @Test(arguments: [(Gate.Order.arrival, [1, 2, 3, 4, 5, 6]), (.reversed, [6, 5, 4, 3, 2, 1])])
    func `Responses leave and requests are decided in the chosen order`(order: Gate.Order, expected: [UInt64]) throws {
        var responses = try client(order, .arrival)
        responses.arrive(all: Self.requests)
        #expect(responses.session.takeOpenings().first?.released.map(\.exchange) == expected)
        #expect(responses.targets == (1...6).map { "/x/\($0)" })
        var requests = try client(order, .release)
        requests.arrive(all: Self.requests)
        #expect(requests.session.takeOpenings().first?.released.map(\.exchange) == [1, 2, 3, 4, 5, 6])
        #expect(requests.targets == expected.map { "/x/\($0)" })
        #expect(requests.session.gateStatistics[0].openings[0].exchanges == [1, 2, 3, 4, 5, 6])
    }

    private func order(seed: UInt64, _ requests: [String] = Self.requests) throws -> [String] {
        var client = try client(.seeded, .release, seed: seed)
        client.arrive(all: requests)
        return client.targets
    }

    @Test func `A seed draws one order, and another seed another`() throws {
        let orders = try (1...200).map { try order(seed: UInt64($0)) }
        #expect(try (1...200).map { try order(seed: UInt64($0)) } == orders)
        #expect(orders.allSatisfy { $0.sorted() == (1...6).map { "/x/\($0)" } })
        // Of 720 orders, 200 draws meet about 175 different ones.
        #expect(Set(orders).count > 150)
        // Everybody is first about equally often: 33 times, with a standard deviation of 5.3.
        let firsts = Dictionary(grouping: orders) { $0[0] }.mapValues(\.count)
        #expect(firsts.count == 6 && firsts.values.allSatisfy { (12...55).contains($0) })
    }

    @Test func `The luck of arrival does not change what a seed draws`() throws {
        for seed in 1...20 {
            let shuffled = ["GET /x/4", "GET /x/1", "GET /x/6", "GET /x/2", "GET /x/5", "GET /x/3"]
            #expect(try order(seed: UInt64(seed), shuffled) == order(seed: UInt64(seed)))
        }
    }

    @Test func `Every opening draws anew`() throws {
        var client = try client(.seeded, .release, seed: 3, times: 8)
        for _ in 1...8 { client.arrive(all: Self.requests) }
        let orders = stride(from: 0, to: 48, by: 6).map { Array(client.targets[$0..<$0 + 6]) }
        #expect(Set(orders).count > 5)
    }

    @Test(arguments: Gate.Moment.allCases)
    func `The same seed and arrivals give the same journal, byte for byte`(moment: Gate.Moment) throws {
        func journal(seed: UInt64, _ pause: Duration) throws -> String {
            var client = try client(.seeded, moment, seed: seed, times: 3)
            for _ in 1...4 {
                for request in Self.requests {
                    client.arrive(request)
                    client.pass(pause)
                }
            }
            return client.canonicalJournal
        }
        let first = try journal(seed: 5, .milliseconds(1))
        #expect(try journal(seed: 5, .milliseconds(1)) == first)
        // How long somebody was held is real time, and no part of it.
        #expect(try journal(seed: 5, .milliseconds(3)) == first)
        #expect(try journal(seed: 6, .milliseconds(1)) != first)
        #expect(first.contains(#""gate":{"name":"g"}"#))
    }
}
