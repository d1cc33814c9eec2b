import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import StubServing
import TestSupport

@testable import ReferenceClients

/// One client in one case, over real connections to a server.
struct SocketPlay: Sendable {
    let bugCase: BugCase
    let design: ClientDesign
    let bug: Bug?

    func perform() async throws -> Recording {
        let server = try makeServer()
        let port = try await server.start()
        let transport = SocketTransport(port: port, otherPorts: server.originURLs.compactMapValues(Self.port(of:)))
        let began = ContinuousClock.now
        let device = Device(
            name: bugCase.devices[0],
            transport: transport,
            store: Store(Tokens(of: bugCase.devices[0], in: server.recording().evidence.ledger)),
            uptime: { ContinuousClock.now - began },
            clock: { 0 },
            sleep: { _ in },
            tell: { facts in
                let request = HTTPRequest(
                    method: .post,
                    target: "/__backlot/client",
                    fields: ["Content-Type": "application/json"],
                    body: Array(JSONValue.object(facts).description.utf8)
                )
                _ = try? await transport.send(Request(http: request))
            },
            executor: nil
        )
        _ = await User(bugCase: bugCase, design: design, bug: bug, device: device, seed: 1, thought: .zero) { _ in }
            .play()
        let recording = server.recording()
        await server.stop(within: .zero)
        return recording
    }

    /// The port that a base URL ends with.
    private static func port(of url: String) -> UInt16? {
        url.split(separator: ":").last.flatMap { UInt16($0) }
    }

    private func makeServer() throws -> StubServer {
        var configuration = StubServer.Configuration()
        configuration.port = 0
        configuration.watchesFiles = false
        configuration.usualRefusalHold = StubServer.Configuration.judgingRefusalHold
        let library = try ScenarioLibrary("/project/story.json", root: "/project", files: bugCase.files)
        return try StubServer(library, configuration, log: .silent)
    }
}
