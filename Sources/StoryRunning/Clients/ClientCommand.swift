import Basics
package import JSON
import ScenarioFormat

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The command that starts a client: a program and its arguments, as they stand after `--`.
package struct ClientCommand: Sendable, Hashable {
    /// The program comes first; there is always one.
    package var words: [String]

    package init(_ words: [String]) {
        self.words = words
    }

    /// What stands for a value that is known only once a story is run.
    package enum Placeholder: String, Sendable, CaseIterable {
        /// The base URL of the story's server.
        case url
        /// The URL of its admin API.
        case admin
        /// The story's id.
        case story

        var text: String { "{\(rawValue)}" }
    }

    /// The words with their placeholders replaced; what was put in is not looked at again.
    func words(_ value: (Placeholder) -> String) -> [String] {
        words.map { word in
            var text = ""
            var rest = word[...]
            while let brace = rest.firstIndex(of: "{") {
                text += rest[..<brace]
                rest = rest[brace...]
                let found = Placeholder.allCases.first { rest.hasPrefix($0.text) }
                text += found.map(value) ?? "{"
                rest = rest.dropFirst(found?.text.count ?? 1)
            }
            return text + rest
        }
    }

    /// Why the program cannot be started, as a sentence; `nil` when there is no reason against it.
    ///
    /// - Parameter path: the folders to look in, with colons between them, as `PATH` has them.
    package func problem(searching path: String?) -> (sentence: String, advice: String)? {
        guard let program = words.first, !program.isEmpty else {
            return ("there is no command to run", "name the client's command after --")
        }
        guard program.utf8.contains(UInt8(ascii: "/")) else { return problem(of: program, searching: path ?? "") }
        switch ProgramFile(program) {
        case .executable: return nil
        case .missing: return ("there is no file \"\(program)\"", "name the client's command after --")
        case .folder: return ("\"\(program)\" is a folder and no command", "name the client's command after --")
        case .notExecutable:
            return ("\"\(program)\" is not executable", "make it so with chmod +x, or name its interpreter before it")
        }
    }

    private func problem(of program: String, searching path: String) -> (sentence: String, advice: String)? {
        let folders = path.split(separator: ":", omittingEmptySubsequences: false).map { $0.isEmpty ? "." : String($0) }
        let found = folders.map { ProgramFile($0 + "/" + program) }
        guard !found.contains(.executable) else { return nil }
        let isHere = ProgramFile("./" + program) != .missing
        return (
            "there is no command \"\(program)\" in the folders of PATH",
            isHere ? "did you mean ./\(program)?" : "name the client's command after --"
        )
    }

    /// The command as it can be typed into a shell.
    package var shellLine: String { words.map(\.shellWord).joined(separator: " ") }
}

extension String {
    /// The text as one word of a POSIX shell.
    package var shellWord: String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-".unicodeScalars)
        guard isEmpty || !unicodeScalars.allSatisfy(plain.contains) else { return self }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}

/// What a client learns about its story through the environment.
package struct ClientEnvironment: Sendable {
    /// By name, such as `BACKLOT_URL`, in the order in which they are documented.
    package private(set) var values: [(name: String, value: String)] = []

    package init() {}

    /// The prefixes with which xcodebuild and simctl let variables through to tests and to apps in a simulator.
    static let prefixes = ["TEST_RUNNER_", "SIMCTL_CHILD_"]

    package mutating func set(_ name: String, _ value: String) {
        values.append(("BACKLOT_" + name, value))
    }

    /// Passes the tokens: the newest of each kind, of the first device and of each, and when the first of them expires.
    ///
    /// - Parameter document: what the admin API says about tokens.
    package mutating func set(tokens document: JSONValue) {
        let stored = StoredTokens(document)
        let devices = zip(stored.devices, stored.expiries).map { device, expiry in
            var tokens = device.tokens
            // The member that OAuth libraries store beside the tokens, for clients that use it.
            if let expiry { tokens["expires_at"] = .number(JSONNumber(Int(expiry.seconds))) }
            return (name: device.name, tokens: tokens)
        }
        set("TOKENS", JSONValue.object(devices.first?.tokens ?? JSONObject()).text())
        set("DEVICES", JSONValue.object(JSONObject(devices.map { ($0.name, JSONValue.object($0.tokens)) })).text())
    }

    /// Passes the URL of another server; whatever a variable's name cannot have becomes an underscore.
    package mutating func set(origin name: String, _ url: String) {
        let word = name.uppercased().unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "A"..."Z", "0"..."9": Character(scalar)
            default: "_"
            }
        }
        set("ORIGIN_" + String(word), url)
    }

    /// The variables laid over those of our own process, sorted by name, each as `NAME=value`.
    func entries(over inherited: [String: String]) -> [String] {
        var all = inherited
        for (name, value) in values {
            all[name] = value
            for prefix in Self.prefixes { all[prefix + name] = value }
        }
        return all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }
}

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

/// What is at the place of a program.
enum ProgramFile {
    case executable
    case notExecutable
    case folder
    case missing

    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .missing
            return
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            self = .folder
        } else {
            self = access(path, X_OK) == 0 ? .executable : .notExecutable
        }
    }
}
