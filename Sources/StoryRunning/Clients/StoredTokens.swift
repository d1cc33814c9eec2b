package import JSONText

/// What clients have stored of what a story's server has given out: the newest token of each kind.
package struct StoredTokens: Sendable {
    /// In the order in which the devices have signed in; the first is the one that a story begins with.
    package var devices: [(name: String, tokens: JSONObject)]

    /// - Parameter document: what the admin API says about tokens.
    package init(_ document: JSONValue) {
        devices = (document["devices"]?.array ?? []).map { device in
            (device["device"]?.string ?? "", Self.newest(of: device["tokens"]?.array ?? []))
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
