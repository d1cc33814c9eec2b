import HTTPServing
import HTTPWire

/// Carries requests over loopback, each on a connection of its own, whose thread waits for the answer.
struct SocketTransport: Transport {
    /// The port of the backend.
    let port: UInt16
    /// The ports of the story's other servers, by name.
    var otherPorts: [String: UInt16] = [:]

    func send(_ request: Request) async throws(TransportError) -> HTTPResponse {
        let known = request.origin.map { otherPorts[$0] } ?? port
        guard let port = known else { throw .broken }
        let result = await OwnThread.run { () -> Result<HTTPResponse, TransportError> in
            do throws(HTTPClientFailure) {
                let client = try HTTPClient(port: port)
                return .success(try client.exchange(request.http).response)
            } catch {
                return .failure(error == .timedOut ? .timedOut : .broken)
            }
        }
        return try result.get()
    }
}
