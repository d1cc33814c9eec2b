/// Where a program finds the servers of its story.
struct ServerAddress: Sendable {
    /// The port of the backend.
    var port: UInt16
    /// The ports of the story's other servers, by name.
    var otherPorts: [String: UInt16]

    /// - Returns: `nil` where the environment is not that of `backlot run`.
    init?(_ environment: [String: String]) {
        guard let port = environment["BACKLOT_URL"].flatMap(Self.port) else { return nil }
        self.port = port
        otherPorts = [:]
        for (name, url) in environment where name.hasPrefix("BACKLOT_ORIGIN_") {
            otherPorts[name.dropFirst("BACKLOT_ORIGIN_".count).lowercased()] = Self.port(of: url)
        }
    }

    /// The port that a base URL ends with.
    private static func port(of url: String) -> UInt16? { url.split(separator: ":").last.flatMap { UInt16($0) } }
}
