import Basics
import HTTPCodec
import Reports
import ScenarioFormat
import Simulation
import TestSupport
import Testing

@testable import Checking

/// A generated backend as commands read it, in `/p/app`.
extension BackendDraft {
    private var memory: MemoryFiles {
        MemoryFiles(Dictionary(uniqueKeysWithValues: files.map { ("/p/app/\($0.path)", $0.bytes) }))
    }

    /// Expects that `check` finds no error in what would be written.
    func expectToBeAccepted() throws {
        let errors = try Check(files: memory).run(["/p/app"]).allFindings.filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(errors)")
    }

    func loaded(_ file: String = "backend.json") throws -> LoadedScenario {
        let files = memory
        let loader = ScenarioLoader(files: files, project: try #require(ProjectRoot("/p", files: files)))
        return try loader.load("/p/app/\(file)")
    }

    /// The responses to requests, one after the other.
    func responses(to requests: [HTTPRequest]) throws -> [HTTPResponse] {
        let now = MonotonicTime(nanoseconds: 1)
        var session = Session(CompiledScenario(try loaded().scenario), start: VirtualTime(seconds: 0), at: now)
        return requests.map { session.decide(IncomingRequest($0), at: now).response }
    }
}
