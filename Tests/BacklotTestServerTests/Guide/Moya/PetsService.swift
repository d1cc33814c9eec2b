import Foundation

struct PetsEndPoint: TargetType {
    enum Call: Sendable {
        case pets(access: String)
        case refresh(String)
    }

    var baseURL: URL
    var call: Call

    var path: String {
        switch call {
        case .pets: "pets"
        case .refresh: "refresh"
        }
    }

    var method: String {
        switch call {
        case .pets: "GET"
        case .refresh: "POST"
        }
    }

    var headers: [String: String] {
        switch call {
        case .pets(let access): ["Authorization": "Bearer \(access)"]
        case .refresh: ["Content-Type": "application/json"]
        }
    }

    var body: Data? {
        switch call {
        case .pets: nil
        case .refresh(let token): try? JSONEncoder().encode(["refreshToken": token])
        }
    }

    var sampleData: Data {
        switch call {
        case .pets: Data(#"[{ "id": 1, "name": "Miez" }]"#.utf8)
        case .refresh: Data(#"{ "accessToken": "access", "refreshToken": "refresh" }"#.utf8)
        }
    }
}

enum ServiceError: Error, Equatable {
    case client
    case server
    case user
}

final class PetsService {
    struct Pet: Decodable, Equatable { var id: Int, name: String }
    struct Tokens: Decodable { var accessToken: String, refreshToken: String }

    private let baseURL: URL
    private let provider: Provider<PetsEndPoint>
    private var tokens: Tokens

    init(baseURL: URL, tokens: Tokens, provider: Provider<PetsEndPoint> = Provider()) {
        self.baseURL = baseURL
        self.tokens = tokens
        self.provider = provider
    }

    func pets() async throws -> [Pet] {
        do {
            return try await send(.pets(access: tokens.accessToken))
        } catch ServiceError.client {
            tokens = try await send(.refresh(tokens.refreshToken))
            return try await send(.pets(access: tokens.accessToken))
        }
    }

    private func send<Value: Decodable>(_ call: PetsEndPoint.Call) async throws -> Value {
        let endPoint = PetsEndPoint(baseURL: baseURL, call: call)
        guard let (status, data) = try? await provider.request(endPoint) else { throw ServiceError.user }
        switch status {
        case 200..<300: return try JSONDecoder().decode(Value.self, from: data)
        case 400..<500: throw ServiceError.client
        default: throw ServiceError.server
        }
    }
}
