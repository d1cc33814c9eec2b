package import JSON

/// A kind of token that a scenario may declare, and where the guess comes from.
struct TokenKindGuess: Sendable {
    var name: String
    /// The security schemes that it stands for, the one that it is named after first.
    var schemes: [String]
    /// Where it travels, each as a scenario's `in` says it.
    var carriers: [JSONValue]
    package var role: TokenRole?
    /// How many routes want it.
    var useCount = 1
    /// The first route that hands it out; `nil` when none does.
    var grantedBy: String?
    /// As an answer tells it.
    var lifetime: String?
    /// What it is guessed from, when that is no security scheme.
    var source: String?

    init(name: String, schemes: [String], carriers: [JSONValue]) {
        self.name = name
        self.schemes = schemes
        self.carriers = carriers
    }

    /// Whether it travels as bearer tokens and keys do, and not as a name with a password.
    var isBearer: Bool {
        carriers.first.map { $0["scheme"]?.string.map { $0.lowercased() == "bearer" } ?? true } ?? false
    }

    /// The standings that let a request pass.
    var accepted: [String] { grantedBy == nil ? ["valid", "unknown"] : ["valid"] }

    /// The kind as a scenario declares it.
    func json(rejecting response: JSONValue?) -> JSONValue {
        var json: JSONObject = ["$comment": .string(comment)]
        json["lifetime"] = .string(lifetime ?? guessedLifetime)
        json["in"] = carriers.count == 1 ? carriers[0] : .array(carriers)
        if let response { json["reject"] = ["*": response] }
        return .object(json)
    }

    private var guessedLifetime: String {
        guard grantedBy != nil else { return "365d" }
        return role == .refresh ? "14d" : "1h"
    }

    private var comment: String {
        let names = schemes.map { "\"\($0)\"" }.joined(separator: ", ")
        let schemes = schemes.count == 1 ? "the security scheme \(names)" : "the security schemes \(names)"
        let origin = "Guessed from \(source ?? schemes)"
        guard let grantedBy else { return "\(origin). No response hands it out, so routes take any (unknown)." }
        let lives = lifetime == nil ? "Its lifetime is a guess, too." : "Its lifetime is that of the example."
        return "\(origin). \(grantedBy) hands it out. \(lives)"
    }
}

/// What a token is for.
package enum TokenRole: Sendable, Hashable {
    case access
    case refresh
}

/// A place in an answer that seems to hold a token.
package struct FoundToken: Sendable {
    package var role: TokenRole
    /// Through objects only.
    package var pointer: JSONPointer
    /// The kind of token; empty until it is known.
    package var kind = ""

    func named(_ kind: String) -> FoundToken {
        FoundToken(role: role, pointer: pointer, kind: kind)
    }
}

/// The tokens that a route seems to hand out.
struct GrantGuess: Sendable {
    var kinds: [String]
    var tokens: [FoundToken]

    /// As a scenario's `grants` says it.
    var json: JSONValue { .object(JSONObject(kinds.map { ($0, JSONValue.string("new")) })) }
}
