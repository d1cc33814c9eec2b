import Foundation

/// What servers say to people: the body of every refusal, and of some good answers.
struct ServerMessage: Codable, Sendable {
    var message: String
}

extension TransportResponse {
    /// What the server says to people; `nil` when nobody can read that.
    var message: String? { (try? JSONDecoder().decode(ServerMessage.self, from: body))?.message }
}
