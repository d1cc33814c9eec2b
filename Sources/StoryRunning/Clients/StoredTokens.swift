package import JSON
import ScenarioFormat

/// What clients have stored of what a story's server has given out: the newest token of each kind.
package struct StoredTokens: Sendable {
    /// In the order in which the devices have signed in; the first is the one that a story begins with.
    package var devices: [(name: String, tokens: JSONObject)]
    /// When the first of a device's tokens expires, on the session's clock; in the order of ``devices``.
    var expiries: [VirtualTime?]

    /// - Parameter document: what the admin API says about tokens.
    package init(_ document: JSONValue) {
        let all = document["devices"]?.array ?? []
        devices = all.map { ($0["device"]?.string ?? "", Self.newest(of: $0["tokens"]?.array ?? [])) }
        expiries = all.map { device in
            var moments: [String: VirtualTime] = [:]
            for token in device["tokens"]?.array ?? [] {
                guard let kind = token["kind"]?.string, let text = token["expiresAt"]?.string else { continue }
                moments[kind] = VirtualTime(text)
            }
            return moments.values.min()
        }
    }

    private static func newest(of tokens: [JSONValue]) -> JSONObject {
        var values = JSONObject()
        for token in tokens {
            guard let kind = token["kind"]?.string, let value = token["value"] else { continue }
            values[kind] = value
        }
        return values
    }
}
