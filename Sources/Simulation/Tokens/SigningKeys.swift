import Basics
import JSON
import ScenarioFormat
import Signatures

/// The keys of a session's JSON Web Tokens (RFC 7515): one of each algorithm signs, and older ones may be published.
///
/// The names of the keys depend on the session's secret, so that sessions do not accept each other's tokens although
/// they share the fixed RSA keys.
struct SigningKeys: Sendable {
    /// The key of HS256.
    let secret: [UInt8]
    /// The maximum number of replaced keys that are published; the oldest ones are no longer accepted then.
    static let mostRetired = 100
    /// The number of times that the keys have been replaced.
    private(set) var generation = 0
    /// The generations before, and until when they are published.
    private var retired: [(generation: Int, end: VirtualTime)] = []

    init(secret: [UInt8]) { self.secret = secret }

    /// The keys of a session.
    ///
    /// Sessions of one scenario must not accept each other's tokens; the default one keeps the plain key, so that its tokens
    /// are good after a restart.
    init(of session: String, key: [UInt8]) {
        self.init(
            secret: session == Session.defaultName
                ? key : SHA256.authenticationCode(of: Array("session \(session)".utf8), key: key)
        )
    }

    /// Lets other keys sign from now on.
    ///
    /// The RSA keys are three that take turns; a key that signs again is published once.
    mutating func rotate(keepingFor overlap: Duration, at time: VirtualTime) {
        retired.removeAll { $0.end <= time }
        if retired.count >= Self.mostRetired { retired.removeFirst() }
        retired.append((generation, time + overlap))
        generation += 1
    }

    /// Makes a token of a payload that is already JSON text.
    ///
    /// - Parameter secret: the secret that signs with HS256 instead of the session's secret.
    func sign(_ payload: [UInt8], _ algorithm: SignatureAlgorithm, secret: String? = nil) -> String {
        if let secret, algorithm == .hs256 {
            let header = JSONWebSignature.encodedHeader(JSONObject([("typ", "JWT")]), algorithm: algorithm)
            return JSONWebSignature.compact(payload, encodedHeader: header, key: SigningKey.secret(Array(secret.utf8)))
        }
        guard let key = key(algorithm, generation), let signingKey = key.signingKey else { return "" }
        var header = JSONObject([("typ", "JWT")])
        if let id = key.id { header["kid"] = .string(id) }
        let encoded = JSONWebSignature.encodedHeader(header, algorithm: algorithm)
        guard key.verificationKey.isPublic else {
            return JSONWebSignature.compact(payload, encodedHeader: encoded, key: signingKey)
        }
        return SignedTokens.shared.token(header: encoded, payload: payload, key: signingKey)
    }

    /// The text of a new token.
    ///
    /// - Parameters:
    ///   - claims: those that the scenario adds to a JSON Web Token, as one object.
    ///   - seed: the start of every random choice, on which an opaque token depends.
    func value(of token: Token, _ kind: TokenKind, claims: JSONValue?, seed: UInt64) -> String {
        switch kind.format {
        case .opaque:
            let secret = Array("\(token.id) \(seed) \(token.issued.microseconds)".utf8)
            return Base64.encodeURL(Array(SHA256.authenticationCode(of: secret, key: self.secret).prefix(24)))
        case .jwt:
            var payload = Array("{".utf8)
            if claims?["iat"] == nil { payload += Array("\"iat\":\(token.issued.seconds),".utf8) }
            payload += Array("\"exp\":\(token.expires.seconds)".utf8)
            if let claims = claims?.utf8(.compact), claims.count > 2 {
                payload.append(UInt8(ascii: ","))
                payload += claims.dropFirst().dropLast()
            }
            if kind.hasIdentifier { payload += Array(",\"jti\":\"\(token.id)\"".utf8) }
            payload.append(UInt8(ascii: "}"))
            let secret = token.memory["client"]?.string.flatMap { kind.secrets[$0] }
            return sign(payload, kind.algorithm, secret: secret)
        }
    }

    /// The claims of a token that one of this session's keys has signed; nil for any other text.
    func claims(of text: String) -> JSONObject? {
        guard let token = try? JSONWebSignature(unverified: text) else { return nil }
        return (try? token.verify(with: keys(for: token))) == nil ? nil : token.claims
    }

    /// Returns the reason why a text is not a token that one of the published keys has signed; nil where it is one or
    /// no JWT at all.
    func problem(of text: String) -> String? {
        guard let token = try? JSONWebSignature(unverified: text) else { return nil }
        do throws(JSONWebSignatureError) {
            try token.verify(with: keys(for: token))
            return nil
        } catch {
            return error.sentence
        }
    }

    /// The keys of the token's algorithm alone: to make one of another takes a multiplication on a curve.
    private func keys(for token: JSONWebSignature) -> JSONWebKeySet {
        guard let algorithm = token.header["alg"]?.string.flatMap(SignatureAlgorithm.init(rawValue:)) else {
            return JSONWebKeySet([])
        }
        let generations = [generation] + retired.map(\.generation)
        return JSONWebKeySet(generations.compactMap { key(algorithm, $0) })
    }

    /// The document of public keys (RFC 7517, section 5), the one that signs first.
    func document(for rules: TokenRules, at time: VirtualTime) -> JSONValue {
        let used = Set(rules.kinds.filter { !$0.isForeign && $0.format == .jwt }.map(\.algorithm))
        let generations = [generation] + retired.filter { time < $0.end }.map(\.generation).reversed()
        var keys: [JSONValue] = []
        for algorithm in SignatureAlgorithm.allCases where used.contains(algorithm) {
            for key in generations.compactMap({ self.key(algorithm, $0)?.publicJSON }) where !keys.contains(key) {
                keys.append(key)
            }
        }
        return ["keys": .array(keys)]
    }

    private func key(_ algorithm: SignatureAlgorithm, _ generation: Int) -> JSONWebKey? {
        var key: JSONWebKey
        switch algorithm {
        case .hs256: return JSONWebKey(SigningKey.secret(secret))
        case .rs256:
            let keys = TestKeys.rsa
            guard !keys.isEmpty else { return nil }
            key = keys[generation % keys.count]
        case .es256: key = SignedTokens.shared.p256(seed: "\(Base64.encodeURL(secret)) \(generation)")
        }
        let name = Array((key.id ?? "").utf8)
        key.id = Base64.encodeURL(Array(SHA256.authenticationCode(of: name, key: secret).prefix(12)))
        return key
    }
}

/// Tokens that were signed, so that none is signed again as long as nothing in it changes.
///
/// A signature depends on key and text alone here (RS256; ES256 by RFC 6979), so the cache is never wrong. It is shared
/// by all sessions: those of tests begin at the same moment and sign the same tokens. It is a class because they share it.
private final class SignedTokens: Sendable {
    static let shared = SignedTokens()
    /// The number of tokens that are kept; then all are dropped.
    private static let capacity = 512

    private struct Text: Hashable {
        var header: String
        var payload: [UInt8]
    }

    private let tokens = Lock([Text: String]())
    private let keys = Lock([String: JSONWebKey]())

    func token(header: String, payload: [UInt8], key: SigningKey) -> String {
        let text = Text(header: header, payload: payload)
        if let known = tokens.withLock({ $0[text] }) { return known }
        let token = JSONWebSignature.compact(payload, encodedHeader: header, key: key)
        tokens.withLock {
            if $0.count >= Self.capacity { $0.removeAll(keepingCapacity: true) }
            $0[text] = token
        }
        return token
    }

    /// The key of a seed, which takes a multiplication on the curve to make.
    func p256(seed: String) -> JSONWebKey {
        if let known = keys.withLock({ $0[seed] }) { return known }
        let key = TestKeys.p256(seed: seed)
        keys.withLock {
            if $0.count >= Self.capacity { $0.removeAll(keepingCapacity: true) }
            $0[seed] = key
        }
        return key
    }
}
