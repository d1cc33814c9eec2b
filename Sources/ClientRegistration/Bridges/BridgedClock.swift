import ClientServices
import ClientTesting
import Foundation
import HTTPCodec
import HTTPServing

/// The time of a test, for a service.
struct BridgedClock: ServiceClock {
    let time: any ClientTime

    var now: Date { Date(timeIntervalSince1970: time.now()) }

    func sleep(seconds: TimeInterval) async throws {
        try await time.sleep(seconds: seconds)
    }
}

extension ClientSetting {
    /// What carries the requests of a service in this setting.
    var transport: any Transport {
        switch network {
        case .raw(let network): BridgedTransport(network: network)
        case .urlSession: URLSessionTransport()
        }
    }
}

extension CallValue {
    /// A service's value, as it is encoded again.
    init(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self = .json(Array(try encoder.encode(value)))
    }
}

/// Sends a service's requests over the raw client of a test.
struct BridgedTransport: Transport {
    let network: any RawNetwork

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        guard let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme, let host = parts.percentEncodedHost
        else { throw .other("\(request.url) is no URL to send to") }
        let origin = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        let target = path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
        var fields = HTTPFields()
        for field in request.fields.all { fields.append(field.name, field.value) }
        let message = HTTPCodec.HTTPRequest(
            method: HTTPCodec.HTTPMethod(rawValue: request.method.rawValue),
            target: target,
            fields: fields,
            body: Array(request.body ?? Data())
        )
        let response: HTTPResponse
        do throws(HTTPClientFailure) {
            response = try await network.send(message, to: origin, timeout: request.timeout)
        } catch {
            // Whatever became of the connection of a request that nobody waits for any more.
            if Task.isCancelled { throw .cancelled }
            throw TransportFailure(error)
        }
        var received = HeaderFields()
        for field in response.fields { received.append(field.name, field.value) }
        return TransportResponse(status: response.status.code, fields: received, body: Data(response.body))
    }
}

extension TransportFailure {
    init(_ failure: HTTPClientFailure) {
        self =
            switch failure {
            case .timedOut: .timedOut
            case .refused, .unreachable: .unreachable
            case .malformed: .unreadableResponse
            default: .connectionLost
            }
    }
}
