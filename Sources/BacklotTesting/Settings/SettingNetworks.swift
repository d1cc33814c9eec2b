import Basics
import Foundation

/// The settings that requests of a `URLSession` may be meant for, by the origin that they are sent to.
///
/// A class, because whatever loads a request knows nothing but the request.
final class SettingNetworks: Sendable {
    static let shared = SettingNetworks()

    private struct State {
        var settings: [String: TestSetting] = [:]
        /// Origins in the order in which they came.
        var origins: [String] = []
    }

    /// Settings end without a word; so many are kept, and more than are ever in use at one time.
    private static let limit = 4_096

    private let state = Lock(State())

    /// From now on requests to the setting's servers are its own.
    func add(_ setting: TestSetting) {
        let origins = ([setting.url] + setting.origins.keys.sorted().compactMap { setting.origins[$0] })
            .compactMap(\.originAndTarget?.origin)
        state.withLock { state in
            for origin in origins where state.settings.updateValue(setting, forKey: origin) == nil {
                state.origins.append(origin)
            }
            guard state.origins.count > Self.limit else { return }
            let old = state.origins.prefix(state.origins.count - Self.limit / 2)
            for origin in old { state.settings[origin] = nil }
            state.origins.removeFirst(old.count)
        }
    }

    /// The setting that a URL belongs to.
    func setting(of url: URL?) -> TestSetting? {
        guard let origin = url?.originAndTarget?.origin else { return nil }
        return state.withLock { $0.settings[origin] }
    }
}
