import BacklotTestServer

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension TestSetting {
    /// A session for clients that take one: its requests travel as those of ``send(_:)`` do.
    public var session: URLSession { Self.sharedSession }

    /// What a session of the client's own begins with, so that its requests travel as those of ``send(_:)`` do.
    ///
    /// Requests for hosts that are not the setting's travel as usual.
    public var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [InProcessProtocol.self] + (configuration.protocolClasses ?? [])
        return configuration
    }

    /// One for all settings, which are told apart by their URLs: sessions are never quite released.
    private static let sharedSession: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [InProcessProtocol.self]
        return URLSession(configuration: configuration)
    }()
}
