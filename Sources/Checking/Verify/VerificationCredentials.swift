import Basics
import HTTPCodec
import OpenAPI

/// The secrets that a verification may use; they never appear in reports.
package struct VerificationCredentials: Sendable {
    /// For the schemes bearer, oauth2 and openIdConnect.
    package var token: String?
    /// `user:password`, for the scheme basic.
    package var basic: String?
    /// Keys by the name that ``variable(of:)`` gives their scheme.
    private var keys: [String: String]

    private static let tokenVariable = "BACKLOT_TOKEN"
    private static let basicVariable = "BACKLOT_BASIC"
    private static let keyPrefix = "BACKLOT_APIKEY_"

    /// Takes what the environment has; an empty variable counts as unset.
    package init(environment: [String: String] = [:]) {
        let values = environment.filter { !$0.value.isEmpty }
        token = values[Self.tokenVariable]
        basic = values[Self.basicVariable]
        keys = values.filter { $0.key.utf8.starts(with: Self.keyPrefix.utf8) }
    }

    /// The environment variable of an API key: `BACKLOT_APIKEY_` and the scheme's name in capitals, with an underscore
    /// for what is neither letter nor digit.
    package static func variable(of scheme: String) -> String {
        let bytes = scheme.utf8.map { byte -> UInt8 in
            switch byte {
            case 0x61...0x7A: byte - 0x20
            case 0x41...0x5A, 0x30...0x39: byte
            default: UInt8(ascii: "_")
            }
        }
        return keyPrefix + String(decoding: bytes, as: UTF8.self)
    }

    /// Adds the credentials of the first alternative that there is enough for.
    func add(to request: inout PlannedRequest, for operation: Operation, schemes: [SecurityScheme]) {
        for alternative in operation.security {
            let found = alternative.map { requirement in
                schemes.first { $0.name.utf8.elementsEqual(requirement.scheme.utf8) }.flatMap(credential)
            }
            let present = found.compactMap(\.self)
            guard present.count == found.count else { continue }
            for credential in present { request.credentials.append(credential) }
            return
        }
    }

    /// The settings that an operation without credentials needs.
    func missingVariables(for operation: Operation, schemes: [SecurityScheme]) -> [String] {
        guard let first = operation.security.first else { return [] }
        return first.compactMap { requirement in
            schemes.first { $0.name.utf8.elementsEqual(requirement.scheme.utf8) }
        }
        .filter { credential(for: $0) == nil }
        .compactMap { scheme in
            switch scheme.kind {
            case .apiKey: Self.variable(of: scheme.name)
            case .http("basic"): Self.basicVariable
            case .http("bearer"), .oauth2, .openIDConnect: Self.tokenVariable
            case .http, .mutualTLS: nil
            }
        }
    }

    private func credential(for scheme: SecurityScheme) -> Credential? {
        switch scheme.kind {
        case .apiKey(let location, let name):
            keys[Self.variable(of: scheme.name)].flatMap { Credential(location: location, name: name, value: $0) }
        case .http("basic"):
            basic.map { Credential(field: "Basic " + Base64.encode(Array($0.utf8))) }
        case .http("bearer"), .oauth2, .openIDConnect:
            token.map { Credential(field: "Bearer " + $0) }
        case .http, .mutualTLS: nil
        }
    }
}

/// One secret, and where it goes.
struct Credential {
    var location: Parameter.Location
    var name: String
    var value: String

    /// - Returns: `nil` for a key in the path, whose place is unknown.
    init?(location: Parameter.Location, name: String, value: String) {
        guard location != .path else { return nil }
        (self.location, self.name, self.value) = (location, name, value)
    }

    init(field: String) {
        (location, name, value) = (.header, "Authorization", field)
    }
}
