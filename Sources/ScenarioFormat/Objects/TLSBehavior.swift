import JSON

/// The TLS of a scenario's servers: the certificate that clients receive, or a handshake that fails.
package struct TLSBehavior: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case valid, expired, notYetValid, wrongName, unknownAuthority, selfSigned
        /// The server does not respond to the handshake, and the connection stays open.
        case hang
        /// The server closes the connection.
        case close
        /// The server sends the alert `handshake_failure`.
        case alert

        /// A Boolean value that indicates whether the handshake fails before clients receive a certificate.
        package var breaksHandshake: Bool { [.hang, .close, .alert].contains(self) }
    }

    package enum Version: String, Sendable, CaseIterable {
        case tls12 = "1.2"
        case tls13 = "1.3"
    }

    package var kind = Kind.valid
    /// The end of the certificate, counted from the scenario's start or the event; `nil` for one that does not depend
    /// on the virtual clock.
    package var expires: Duration?
    package var minimum = Version.tls12

    /// A Boolean value that indicates whether only this machine's authority can sign the certificate, because its dates
    /// or its names differ from those of the server's own certificate.
    package var needsAuthority: Bool {
        switch kind {
        case .expired, .notYetValid, .wrongName: true
        case .valid: expires != nil
        case .unknownAuthority, .selfSigned, .hang, .close, .alert: false
        }
    }
}

extension TLSBehavior: ModelObject {
    static let keys = Keys(
        "tls",
        "\"tls\"",
        "the TLS of the servers",
        rules: [
            idle("expires") { $0.breaksHandshake || $0 == .expired || $0 == .notYetValid },
            idle("minimum", for: \.breaksHandshake),
        ],
        discussion: """
            `hang`, `close` and `alert` break the handshake. A certificate of the kind `expired` has expired a day \
            before the start or the event, and one of the kind `notYetValid` becomes valid a day after it, both on the \
            virtual clock. An event creates a new key, and a certificate that only moves with the clock keeps its key.
            """
    ) {
        Key("kind", \.kind, .word, "The kind of certificate or failure.")
        Key("expires", \.expires, .signedDuration, "The certificate's end after the start or the event.")
            .otherwise("independent of the clock").example("14d")
        Key("minimum", \.minimum, .word, "The minimum version of TLS.")
    }

    private static func idle(_ key: String, for isIdle: (Kind) -> Bool) -> ObjectRule {
        let kinds = Kind.allCases.filter(isIdle).map { JSONValue.string($0.rawValue) }
        return .idle(key, unless: .not(.member("kind", .oneOf(kinds))), "for this kind")
    }
}

extension ValueType<TLSBehavior> {
    /// The TLS of the servers, or only its kind.
    static var tls: Self {
        let part: Self = choice(.of(.word) { (kind: TLSBehavior.Kind) in TLSBehavior(kind: kind) }, .object)
        return of(part) { behavior, tree, builder in
            builder.noted.tls.append((behavior, tree.position))
            return behavior
        }.shared("tlsOrKind")
    }
}
