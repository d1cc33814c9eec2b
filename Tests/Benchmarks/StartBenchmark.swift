import Basics
import EventLoops
import Foundation
import HTTPCodec

/// From the start of the process to the first response, and how much memory it takes then and later.
struct StartBenchmark {
    private static let starts = 20
    private static let load = 20_000

    func run() throws -> Bool {
        let large = try BenchmarkScenario(routes: 1_000)
        let huge = try BenchmarkScenario(routes: 10_000)
        let smeem = ScenarioFolder.project + "/smeem/backend.json"
        say("start: \(Self.starts) cold starts each; memory after \(Double(Self.load).text()) requests")
        var table = Table(
            "scenario",
            "URL ms",
            "first response ms",
            "min",
            "max",
            "idle MB",
            "after load MB",
            "peak MB"
        )
        for (name, path, target) in [
            ("Smeem", smeem, "/api/v2/versions/client/app"),
            ("1,000 routes", large.path, BenchmarkScenario.fixtureTarget),
            ("10,000 routes", huge.path, BenchmarkScenario.fixtureTarget),
        ] {
            // Once unmeasured, so that the files are in the system's cache for every start alike.
            try BacklotServer(path).stop()
            var ready: [Double] = []
            var replied: [Double] = []
            for _ in 0..<Self.starts {
                let start = SystemTime().now()
                let server = try BacklotServer(path)
                ready.append(start.milliseconds(to: SystemTime().now()))
                guard try server.ask(target).status == .ok else { throw Obstacle("\(target) is not served") }
                replied.append(start.milliseconds(to: SystemTime().now()))
                server.stop()
            }
            let memory = try memory(path, target)
            table.add(
                name,
                Figures(ready).median.text(1),
                Figures(replied).median.text(1),
                Figures(replied).minimum.text(1),
                Figures(replied).maximum.text(1),
                memory.idle?.resident.text(1) ?? "-",
                memory.loaded?.resident.text(1) ?? "-",
                memory.loaded?.peak?.text(1) ?? "-"
            )
        }
        table.print()
        return true
    }

    private func memory(_ path: String, _ target: String) throws -> (idle: ProcessMemory?, loaded: ProcessMemory?) {
        let server = try BacklotServer(path)
        defer { server.stop() }
        _ = try server.ask(target)
        let idle = server.memory
        let crowd = try Crowd(64, port: server.port)
        let outcome = try crowd.exchange(HTTPRequest(target: target), each: Self.load / 64, within: .seconds(30))
        guard outcome.failures == 0 else { throw Obstacle("\(outcome.failures) requests of \(Self.load) failed") }
        return (idle, server.memory)
    }
}

extension MonotonicTime {
    func milliseconds(to later: MonotonicTime) -> Double {
        Double(nanoseconds(until: later)) / 1_000_000
    }
}
