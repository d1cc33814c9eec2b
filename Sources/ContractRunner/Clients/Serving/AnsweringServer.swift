import HTTPServing
import HTTPWire
package import OpenAPIContracts
package import SocketIO
import Synchronization

/// A server of this machine that answers as a contract documents it, with a lane for each client under test.
///
/// Every request is written down and judged by the contract. A class, because it is one running thing; stop it.
package final class AnsweringServer: Sendable {
    package let contract: Contract
    let samples: SampleAnswers
    private let silence = Silence()
    private let handler: LaneHandler
    private let server: HTTPServer
    private let usual: UsualAnswers
    private let tags = Mutex(0)
    /// The port that a client of this process uses is one where nobody can listen.
    private let deadPort: UInt16

    /// Starts; there is a port for each lane.
    package init(_ contract: Contract) throws(SystemError) {
        self.contract = contract
        samples = SampleAnswers(contract, seed: 1)
        usual = UsualAnswers(contract, samples: samples)
        handler = LaneHandler(contract)
        let silence = silence
        let configuration = HTTPServer.Configuration(whenSilent: { silence.fall(on: $0) })
        server = HTTPServer(configuration: configuration, handler: handler)
        try server.start()
        deadPort = try handler.holdDeadPort(of: server)
    }

    /// What an operation answers unless a script says otherwise.
    package func usualAnswer(of operation: Operation) -> ServerAnswer { .reply(usual.answer(of: operation)) }

    /// Opens a lane on a free port.
    package func openLane() throws(SystemError) -> Lane {
        let tag = tags.withLock { tags in
            tags += 1
            return tags
        }
        let port = try server.addListener(host: "127.0.0.1", port: 0, tag: tag)
        let lane = Lane(tag: tag, port: port, deadPort: deadPort, usual: usual, silence: silence)
        handler.add(lane)
        return lane
    }

    /// Closes a lane; a client that still uses it gets nothing any more.
    package func close(_ lane: Lane) {
        lane.activity.abandon()
        handler.remove(lane)
        server.removeListener(tag: lane.tag)
    }

    package func stop() async {
        await server.stop()
    }
}
