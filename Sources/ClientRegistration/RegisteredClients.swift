import ClientServices
package import ClientTesting
import Foundation
import HTTPCodec
import HTTPServing
import JSON

/// The clients of this package that `backlot test` knows.
package enum RegisteredClients {
    /// In the order in which they are tested and reported.
    package static let all: [any ClientAdapter] = [
        SmeemAdapter(), WhipItAdapter(), KiwITAdapter(), RunwithUAdapter(),
    ]
}

/// An app under test: its service, and where it keeps the tokens.
protocol AppClient: Sendable {
    associatedtype Service: AppService where Service.Reason: NamedReason
    typealias Failure = ServiceFailure<Service.Reason>

    var service: Service { get }
    var store: MemoryTokenStore { get }
}

extension AppClient {
    /// A Boolean value that indicates whether the app takes its user for signed in.
    var isSignedIn: Bool {
        get async { (try? await service.isSignedIn) ?? false }
    }

    /// The app's session state and stored tokens.
    var session: ObservedSession {
        get async { ObservedSession(isSignedIn: await isSignedIn, tokens: await store.tokens()) }
    }
}

extension ClientOperation where Client: AppClient {
    /// An operation that comes back with a value, or with none.
    static func value(
        _ id: String,
        role: Role = .plain,
        root: JSONPointer = JSONPointer(),
        drops: [Drop] = [],
        tolerances: [Drop] = [],
        answers: [Answer] = [],
        accompanying: Set<String> = [],
        _ call: @escaping @Sendable (Client.Service) async throws -> (some Encodable & Sendable)?
    ) -> ClientOperation {
        ClientOperation(
            id,
            role: role,
            root: root,
            drops: drops,
            tolerances: tolerances,
            answers: answers,
            accompanying: accompanying
        ) { client in
            guard let value = try await call(client.service) else { return .nothing }
            return try CallValue(value)
        }
    }

    /// An operation that only comes back.
    static func done(
        _ id: String,
        role: Role = .plain,
        root: JSONPointer = JSONPointer(),
        drops: [Drop] = [],
        answers: [Answer] = [],
        _ call: @escaping @Sendable (Client.Service) async throws -> Void
    ) -> ClientOperation {
        ClientOperation(id, role: role, root: root, drops: drops, answers: answers) { client in
            try await call(client.service)
            return .nothing
        }
    }
}

/// A reason with a short name for tables.
protocol NamedReason: RefusalReason {
    var name: String { get }
}

extension NamedReason {
    /// The name of the case, without its associated values.
    var caseName: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}

extension ServiceFailure where Reason: NamedReason {
    /// The error's name in tables.
    var name: String {
        switch self {
        case .refused(let reason): reason.name
        case .transport(.other): "transport(other)"
        case .transport(let failure): "transport(\(failure))"
        case .sessionEnded(let reason): "sessionEnded(\(reason))"
        case .unreadable: "unreadable"
        case .signedOut: "signedOut"
        case .storage: "storage"
        case .unsendable: "unsendable"
        }
    }

    /// The error of the decoder, if the response cannot be decoded.
    var decodingError: DecodingError? {
        guard case .unreadable(let response) = self else { return nil }
        return response.reason
    }
}

/// An adapter whose client is a service of this package.
protocol AppAdapter: ClientAdapter where Client: AppClient {}

extension AppAdapter {
    package func session(of client: Client) async -> ObservedSession { await client.session }

    package func name(of error: any Error) -> String { (error as? Client.Failure)?.name ?? "\(error)" }

    package func decodingError(in error: any Error) -> DecodingError? {
        (error as? Client.Failure)?.decodingError ?? error as? DecodingError
    }
}

/// The time of a test, for a service.
struct BridgedClock: ServiceClock {
    let time: any ClientTime

    var now: Date { Date(timeIntervalSince1970: time.now()) }

    func sleep(seconds: TimeInterval) async throws {
        try await time.sleep(seconds: seconds)
    }
}

/// A transport that waits an hour for each response, because a busy machine may delay it in real time.
private struct PatientTransport: Transport {
    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        var request = request
        request.timeout = 3_600
        return try await URLSessionTransport().send(request)
    }
}

extension ClientSetting {
    /// The transport of a service in this setting.
    var transport: any Transport {
        switch network {
        case .raw(let network): BridgedTransport(network: network)
        case .urlSession: PatientTransport()
        }
    }
}

extension CallValue {
    /// A service's value, encoded again.
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
        else { throw .other("\(request.url) is not a valid request URL") }
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
            // The result of the connection does not matter to a request that no caller waits for any more.
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

extension MemoryTokenStore {
    /// A store with the tokens that the story has given to the app before it was opened.
    init(_ setting: ClientSetting) {
        guard let access = setting.tokens["access"], let refresh = setting.tokens["refresh"] else {
            self.init()
            return
        }
        self.init(Tokens(access: access, refresh: refresh))
    }
}

extension ObservedSession {
    /// An app's session state and stored tokens.
    init(isSignedIn: Bool, tokens: Tokens?) {
        self.init(
            isSignedIn: isSignedIn,
            tokens: tokens.map { ["access": $0.access, "refresh": $0.refresh] } ?? [:]
        )
    }
}
