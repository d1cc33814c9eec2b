import Basics
package import JSON
import ScenarioFormat

/// The environment of a client with data about its story.
package struct ClientEnvironment: Sendable {
    /// By name, such as `BACKLOT_URL`, in the order in which they are documented.
    package private(set) var values: [(name: String, value: String)] = []

    package init() {}

    /// The prefixes with which xcodebuild and simctl let variables through to tests and to apps in a simulator.
    private static let prefixes = ["TEST_RUNNER_", "SIMCTL_CHILD_"]

    package mutating func set(_ name: String, _ value: String) {
        values.append(("BACKLOT_" + name, value))
    }

    /// Passes the tokens: the newest of each kind, of the first device and of each, and when the first of them expires;
    /// those of the first device also one by one.
    ///
    /// - Parameter document: what the admin API says about tokens.
    package mutating func set(tokens document: JSONValue) {
        let stored = StoredTokens(document)
        let devices = zip(stored.devices, stored.expiries).map { device, expiry in
            var tokens = device.tokens
            // The member that OAuth libraries store next to the tokens, for clients that use it.
            if let expiry { tokens["expires_at"] = .number(JSONNumber(Int(expiry.seconds))) }
            return (name: device.name, tokens: tokens)
        }
        set("TOKENS", JSONValue.object(devices.first?.tokens ?? JSONObject()).text())
        set("DEVICES", JSONValue.object(JSONObject(devices.map { ($0.name, JSONValue.object($0.tokens)) })).text())
        for token in stored.devices.first?.tokens.members ?? [] {
            if let value = token.value.string { set("TOKEN_" + Self.word(token.name), value) }
        }
    }

    /// Passes the URL of another server; characters that a variable's name cannot contain become underscores.
    package mutating func set(origin name: String, _ url: String) {
        set("ORIGIN_" + Self.word(name), url)
    }

    /// A name as a part of a variable's name.
    private static func word(_ name: String) -> String {
        let word = name.uppercased().unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "A"..."Z", "0"..."9": Character(scalar)
            default: "_"
            }
        }
        return String(word)
    }

    /// The variables laid over those of our own process, sorted by name, each as `NAME=value`.
    ///
    /// Tokens that our own process was given, as by `tokens --export`, are those of another server and left out.
    package func entries(over inherited: [String: String]) -> [String] {
        var all = inherited.filter { name, _ in
            !([""] + Self.prefixes).contains { name.hasPrefix($0 + "BACKLOT_TOKEN_") }
        }
        for (name, value) in values {
            all[name] = value
            for prefix in Self.prefixes { all[prefix + name] = value }
        }
        return all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }
}

/// The stored tokens of clients from a story's server: the newest token of each kind.
package struct StoredTokens: Sendable {
    /// In the order in which the devices have signed in; the first is the one that a story begins with.
    package var devices: [(name: String, tokens: JSONObject)]
    /// When the first of a device's tokens expires, on the session's clock; in the order of ``devices``.
    private(set) var expiries: [VirtualTime?]

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
