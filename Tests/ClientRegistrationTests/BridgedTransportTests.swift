import ClientServices
import ClientTesting
import Foundation
import HTTPCodec
import HTTPServing
import Testing

@testable import ClientRegistration

@Suite struct `A bridged transport` {
    /// Fails at once.
    private struct FailingNetwork: RawNetwork {
        let failure: HTTPClientFailure

        func send(
            _ request: HTTPCodec.HTTPRequest,
            to origin: String,
            timeout: Double
        ) async throws(HTTPClientFailure) -> HTTPResponse {
            throw failure
        }
    }

    /// Breaks the connection as soon as the response is not waited for any more.
    private struct WaitingNetwork: RawNetwork {
        func send(
            _ request: HTTPCodec.HTTPRequest,
            to origin: String,
            timeout: Double
        ) async throws(HTTPClientFailure) -> HTTPResponse {
            // Nothing ever comes, so only cancellation ends the loop.
            let (responses, sender) = AsyncStream<Never>.makeStream()
            for await _ in responses {}
            sender.finish()
            throw .reset
        }
    }

    private func failure(over network: any RawNetwork) async throws -> TransportFailure? {
        let url = try #require(URL(string: "http://server.invalid/pets?page=1"))
        do throws(TransportFailure) {
            _ = try await BridgedTransport(network: network).send(TransportRequest(.get, url))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        (HTTPClientFailure.refused, TransportFailure.unreachable), (.reset, .connectionLost),
        (.closedWithoutResponse, .connectionLost), (.truncated(received: 2, announced: 5), .connectionLost),
        (.timedOut, .timedOut), (.malformed("no status line"), .unreadableResponse),
    ])
    func `says what became of the connection`(failure: HTTPClientFailure, words: TransportFailure) async throws {
        #expect(try await self.failure(over: FailingNetwork(failure: failure)) == words)
    }

    @Test func `says of a cancelled request that it is cancelled, and not that the connection is lost`() async throws {
        let task = Task { try await failure(over: WaitingNetwork()) }
        task.cancel()
        #expect(try await task.value == .cancelled)
    }
}
