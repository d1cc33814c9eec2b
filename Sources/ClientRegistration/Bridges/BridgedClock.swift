import ClientServices
import ClientTesting
import Foundation

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
