/// The algorithms of signatures that this package makes and verifies (RFC 7518, section 3.1).
package enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// HMAC with SHA-256.
    case hs256 = "HS256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// ECDSA with P-256 and SHA-256.
    case es256 = "ES256"
}

/// A key that signs.
package enum SigningKey: Sendable, Hashable {
    case secret([UInt8])
    case rsa(RSAPrivateKey)
    case p256(P256PrivateKey)

    package var algorithm: SignatureAlgorithm { verificationKey.algorithm }

    /// The key that verifies the signatures: the public half, or the secret itself.
    package var verificationKey: VerificationKey {
        switch self {
        case .secret(let bytes): .secret(bytes)
        case .rsa(let key): .rsa(key.publicKey)
        case .p256(let key): .p256(key.publicKey)
        }
    }

    package func signature(of message: [UInt8]) -> [UInt8] {
        switch self {
        case .secret(let bytes): SHA256.authenticationCode(of: message, key: bytes)
        case .rsa(let key): key.signature(of: message)
        case .p256(let key): key.signature(of: message)
        }
    }
}

/// A key that verifies signatures of its one algorithm, so that a token cannot choose another one for it.
package enum VerificationKey: Sendable, Hashable {
    case secret([UInt8])
    case rsa(RSAPublicKey)
    case p256(P256PublicKey)

    package var algorithm: SignatureAlgorithm {
        switch self {
        case .secret: .hs256
        case .rsa: .rs256
        case .p256: .es256
        }
    }

    /// A Boolean value that indicates whether everyone may know the key.
    package var isPublic: Bool { algorithm != .hs256 }

    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch self {
        case .secret(let bytes): SHA256.authenticationCode(of: message, key: bytes) == signature
        case .rsa(let key): key.verifies(signature, of: message)
        case .p256(let key): key.verifies(signature, of: message)
        }
    }
}
