import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Signatures

/// The result of checking the proof of possession of a request (RFC 9449).
struct CheckedProof {
    var state: ProofState
    /// The thumbprint of the client's key, where the proof is valid.
    var thumbprint: String?
    var problem: String?
}

extension CheckedProof {
    /// A part of the proof; `nil` where it has no such part.
    func value(of aspect: Placeholder.ProofAspect) -> JSONValue? {
        switch aspect {
        case .nonce: nil
        case .problem: problem.map(JSONValue.string)
        case .jkt: thumbprint.map(JSONValue.string)
        case .cnf: thumbprint.map { ["jkt": .string($0)] }
        case .scheme: state == .valid ? "DPoP" : nil
        }
    }
}

/// Checks proofs of possession, accepts each of them once, and makes the nonces that they must contain.
struct ProofChecker: Sendable {
    /// The key of the nonces.
    private let secret: [UInt8]
    /// The accepted proofs, by `jti`, and when each may be forgotten.
    private var accepted: [String: VirtualTime] = [:]
    /// The number of accepted proofs from which those that may be forgotten are removed.
    private static let mostAccepted = 4_096

    init(secret: [UInt8]) { self.secret = secret }

    /// Checks the proof of a request; an accepted one is not accepted again in another request (section 11.1).
    mutating func check(_ request: HTTPRequest, by rules: ProofRules, at now: VirtualTime) -> CheckedProof {
        let texts = request.fields.values(of: "DPoP")
        guard let text = texts.first else { return CheckedProof(state: .missing, problem: "the proof is missing") }
        guard texts.count == 1 else {
            return CheckedProof(state: .invalid, problem: "the request contains \(texts.count) proofs")
        }
        do throws(PossessionProofError) {
            let proof = try PossessionProof.checked(
                text,
                for: PossessionProof.Request(
                    method: request.method.rawValue,
                    uri: "//\(request.fields["Host"] ?? "localhost")\(request.path)",
                    now: Int(now.seconds),
                    tolerance: Int(rules.tolerance.components.seconds),
                    accessToken: PossessionProof.boundToken(in: request.fields["Authorization"])
                )
            )
            if let lifetime = rules.nonceLifetime, !isNonce(proof.nonce ?? "", lasting: lifetime, at: now) {
                return CheckedProof(state: .nonce, problem: PossessionProofError.wrongNonce.sentence)
            }
            if accepted.count >= Self.mostAccepted { accepted = accepted.filter { $0.value > now } }
            guard accepted[proof.id].map({ $0 <= now }) ?? true else {
                return CheckedProof(state: .invalid, problem: "the proof has already been used")
            }
            accepted[proof.id] = now + rules.tolerance * 2
            return CheckedProof(state: .valid, thumbprint: proof.thumbprint)
        } catch {
            return CheckedProof(state: .invalid, problem: error.sentence)
        }
    }

    /// The server's nonce of a second: the second and its authentication code.
    func nonce(of second: Int64) -> String {
        let code = SHA256.authenticationCode(of: Array("nonce \(second)".utf8), key: secret)
        return "\(second).\(Base64.encodeURL(Array(code.prefix(16))))"
    }

    /// Returns whether a text is a nonce that the server gave and whose lifetime has not ended.
    private func isNonce(_ text: String, lasting lifetime: Duration, at time: VirtualTime) -> Bool {
        guard let second = text.split(separator: ".", maxSplits: 1).first.flatMap({ Int64($0) }),
            text.exact == nonce(of: second).exact
        else { return false }
        let age = VirtualTime(seconds: time.seconds) - VirtualTime(seconds: second)
        return age >= .zero && age < max(lifetime, .seconds(1))
    }
}

extension ExchangeContext {
    /// The result of checking the request's proof, which is checked once.
    mutating func proof(_ checker: inout ProofChecker, _ rules: TokenRules) -> CheckedProof {
        if let known = proof { return known }
        let checked = checker.check(request.request, by: rules.proofs, at: now)
        proof = checked
        return checked
    }

    /// A part of the request's proof, or what the next one needs.
    mutating func proofValue(
        _ aspect: Placeholder.ProofAspect,
        _ checker: inout ProofChecker,
        _ rules: TokenRules
    ) -> JSONValue? {
        guard case .nonce = aspect else { return proof(&checker, rules).value(of: aspect) }
        return rules.proofs.nonceLifetime == nil ? nil : .string(checker.nonce(of: now.seconds))
    }
}

extension PossessionProof {
    /// Checks a proof.
    ///
    /// The scheme that the client uses is unknown here, because a TLS proxy may be in front; both are accepted.
    fileprivate static func checked(
        _ text: String,
        for request: PossessionProof.Request
    ) throws(PossessionProofError) -> PossessionProof {
        var request = request
        let address = request.uri
        request.uri = "https:\(address)"
        do throws(PossessionProofError) {
            return try PossessionProof(checking: text, for: request)
        } catch .otherRequest("htu", _) {
            request.uri = "http:\(address)"
            return try PossessionProof(checking: text, for: request)
        }
    }

    /// The token of the scheme DPoP (section 7.1).
    fileprivate static func boundToken(in field: String?) -> String? {
        guard let field, field.utf8.count > 5, field.prefix(5).lowercased() == "dpop " else { return nil }
        return String(field.dropFirst(5).drop { $0 == " " })
    }
}
