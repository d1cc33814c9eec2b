import ClientTesting
public import Foundation

/// Where a client finds itself when it is made.
public struct TestSetting: Sendable {
    /// The server's base URL, without a slash at its end.
    public let url: URL
    /// The base URLs of a story's other servers, by name.
    public let origins: [String: URL]
    /// What was stored before, by the kind of token; empty when nobody was signed in.
    public let tokens: [String: String]
    /// The name of the device in a story with several.
    public let device: String?
    /// The time in which the client lives; give it to everything that pauses or looks at the clock.
    public let clock: TestClock
    let network: ClientSetting.Network

    init(_ setting: ClientSetting) throws {
        url = try Self.url(setting.url)
        origins = try setting.origins.mapValues(Self.url)
        tokens = setting.tokens
        device = setting.device
        clock = TestClock(time: setting.time)
        network = setting.network
        if case .raw = network { SettingNetworks.shared.add(self) }
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw TestProblem("\(text) is no URL") }
        return url
    }
}
