import HTTPCodec
import Rules
import Simulation
import TestSupport
import Testing

/// Five stores that several processes share, over seeded schedules of their steps.
@Suite struct `A store that processes share` {
    enum Design: String, CaseIterable, Sendable {
        case noLock, copyInMemory, lockAroundWrite, lockAndReadAgain, compareAndSwap

        var isRight: Bool { self == .lockAndReadAgain || self == .compareAndSwap }
    }

    /// How many schedules each store gets; with `BACKLOT_SCHEDULES=100` it is 1,000.
    private static let count = 10 * Breadth.factor

    @Test(arguments: Design.allCases)
    func `is blamed where it is wrong, and never where it is right`(_ design: Design) throws {
        var found = 0
        for seed in 1...UInt64(Self.count) {
            var world = try ProcessWorld(design, seed: seed)
            let sentences = world.play()
            if design.isRight {
                #expect(sentences == [], "seed \(seed)")
            } else {
                found += sentences.contains { $0.hasPrefix("B24") } ? 1 : 0
            }
            if seed == 10 { #expect(design.isRight || found > 0) }
        }
    }
}

/// Two to five processes that each make one call with the tokens of a shared store; a processor runs one step of one of
/// them at a time.
private struct ProcessWorld {
    enum Step { case start, called, refused, locked, refreshing, writing, again, done }

    struct Process {
        var name: String
        var step = Step.start
        var access = "access-1"
        var refresh = "refresh-1"
        var exchange: UInt64 = 0
        var fresh: (access: String, refresh: String)?
        var hasLock = false
        var isKilled = false
    }

    private let design: `A store that processes share`.Design
    private var traffic: Traffic
    private var processes: [Process]
    private var store = (access: "access-1", refresh: "refresh-1")
    private var random: UInt64

    init(_ design: `A store that processes share`.Design, seed: UInt64) throws {
        self.design = design
        random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        traffic = try Traffic(given: #"{"signIn": "phone", "account": "ann", "ago": "3h"}"#)
        processes = []
        for number in 1...(2 + Int(next() % 4)) { processes.append(Process(name: "copy-\(number)")) }
    }

    /// xorshift64*, after Vigna, "An experimental exploration of Marsaglia's xorshift generators".
    private mutating func next() -> UInt64 {
        random ^= random >> 12
        random ^= random << 25
        random ^= random >> 27
        return (random &* 2_685_821_657_736_338_717) >> 33
    }

    /// - Returns: what the rules say at the end.
    mutating func play() -> [String] {
        let victim = next() % 3 == 0 ? Int(next()) % processes.count : nil
        let moment = Int(next() % 12)
        var steps = 0
        while true {
            let ready = processes.indices.filter { processes[$0].step != .done && !isBlocked($0) }
            guard !ready.isEmpty else { break }
            let index = ready[Int(next()) % ready.count]
            traffic.wait(.milliseconds(Int(1 + next() % 80)))
            if index == victim, steps >= moment { kill(index) } else { advance(index) }
            steps += 1
        }
        for process in processes { traffic.processExits[process.name] = [process.isKilled ? 137 : 0] }
        return traffic.allSentences
    }

    private func isBlocked(_ index: Int) -> Bool {
        let needsLock =
            switch design {
            case .noLock: false
            case .lockAroundWrite: processes[index].step == .writing
            case .copyInMemory, .lockAndReadAgain, .compareAndSwap: processes[index].step == .refused
            }
        return needsLock && processes.contains { $0.hasLock }
    }

    /// A lock of the system ends with its process, and so does a claim.
    private mutating func kill(_ index: Int) {
        if [.called, .refreshing, .again].contains(processes[index].step) {
            traffic.end(processes[index].exchange, .clientGone)
        }
        (processes[index].step, processes[index].hasLock, processes[index].isKilled) = (.done, false, true)
    }

    private mutating func advance(_ index: Int) {
        var process = processes[index]
        defer { processes[index] = process }
        switch process.step {
        case .start:
            (process.access, process.refresh) = store
            process.exchange = traffic.begin("GET /notes", bearing: process.access, by: process.name)
            process.step = .called
        case .called:
            traffic.end(process.exchange)
            process.step = traffic.status(of: process.exchange) == 401 ? .refused : .done
        case .refused:
            if design != .noLock, design != .lockAroundWrite { process.hasLock = true }
            process.step = .locked
        case .locked:
            if design.isRight, store.access != process.access {
                (process.access, process.refresh, process.hasLock) = (store.access, store.refresh, false)
                call(&process)
            } else {
                process.exchange = traffic.begin("POST /refresh", refresh: process.refresh, by: process.name)
                process.step = .refreshing
            }
        case .refreshing:
            traffic.end(process.exchange)
            if let access = traffic.granted("access", by: process.exchange),
                let refresh = traffic.granted("refresh", by: process.exchange)
            {
                process.fresh = (access, refresh)
                process.step = .writing
            } else {
                (process.step, process.hasLock) = (.done, false)
            }
        case .writing:
            if let fresh = process.fresh {
                (store, process.access, process.refresh) = (fresh, fresh.access, fresh.refresh)
            }
            process.hasLock = false
            call(&process)
        case .again:
            traffic.end(process.exchange)
            process.step = .done
        case .done: break
        }
    }

    private mutating func call(_ process: inout Process) {
        process.exchange = traffic.begin("GET /notes", bearing: process.access, by: process.name)
        process.step = .again
    }
}
