/// One TLS connection as bytes: records in and out on one side, application data on the other; without a socket.
///
/// The system's own library implements it. A class, because the library's object is one; used from one thread at a time.
package protocol TLSSession: AnyObject {
    /// A Boolean value that indicates whether the handshake has not ended yet.
    var isHandshaking: Bool { get }
    /// The peer's certificate in DER; `nil` without one.
    var peerCertificate: [UInt8]? { get }

    /// Takes records from the peer.
    func receive(_ records: UnsafeRawBufferPointer)

    /// Continues the handshake, or decrypts data that was received; not called again after a failure.
    func read(into room: UnsafeMutableRawBufferPointer) -> TLSReadOutcome

    /// Encrypts data, at most a record's; 0 before the end of the handshake.
    ///
    /// - Returns: the number of bytes that were taken; `nil` if the connection is broken.
    func write(_ data: UnsafeRawBufferPointer) -> Int?

    /// Offers the records for the peer, if there are any, to a closure, which returns the number of bytes that it sent.
    func sendRecords(by send: (UnsafeRawBufferPointer) -> Int)

    /// Prepares the alert that ends the connection in order (RFC 8446, section 6.1).
    func close()
}

/// The result of reading from a TLS connection.
package enum TLSReadOutcome: Sendable, Hashable {
    /// This number of bytes, and whether the next read can give nothing without more records.
    case bytes(Int, isAll: Bool)
    /// Records from the peer are missing.
    case needsRecords
    /// The peer has ended the connection in order.
    case ended
    case failed(TLSFailure)
}

/// The configuration of one side of TLS connections, from which each of them is made.
package protocol TLSContext: Sendable {
    /// - Parameter host: The name or address that a client connects to, which the server's certificate must be for;
    ///   `nil` on the server's side.
    func makeSession(to host: String?) throws(TLSProblem) -> any TLSSession
}

/// The reason why TLS is not available, or not with a certificate: what was found, and what would be right.
package struct TLSProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence without a capital letter and a full stop.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    static let mismatch = TLSProblem(
        "the private key does not match the certificate; use the key with which the certificate was requested"
    )
}

/// The reason why a TLS connection failed.
package struct TLSFailure: Error, Sendable, Hashable {
    /// The alert that the peer sent (RFC 8446, section 6.2).
    package var alert: UInt8?
    /// A sentence without a capital letter and a full stop.
    package var sentence: String
    /// The name of the alert, or a word or a few for another reason.
    package var reason: String

    package init(_ sentence: String, reason: String? = nil) {
        (self.sentence, self.reason) = (sentence, reason ?? sentence)
    }

    /// A failure that the peer has reported.
    package init(alert: UInt8) {
        self.alert = alert
        reason = Self.names[alert] ?? "alert \(alert)"
        let name = Self.names[alert].map { " (\($0))" } ?? ""
        sentence = "the peer sent the alert \(alert)\(name)"
        if isOfCertificate { sentence = "the peer rejected the certificate\(name)" }
    }

    /// A Boolean value that indicates whether the peer rejected this side's certificate.
    package var isOfCertificate: Bool { alert.map { (42...46).contains($0) || $0 == 48 } ?? false }

    /// RFC 8446, section 6; RFC 5246, section 7.2.
    private static let names: [UInt8: String] = [
        10: "unexpected_message", 20: "bad_record_mac", 22: "record_overflow", 40: "handshake_failure",
        42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked", 45: "certificate_expired",
        46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied", 50: "decode_error",
        51: "decrypt_error", 70: "protocol_version", 71: "insufficient_security", 80: "internal_error",
        86: "inappropriate_fallback", 90: "user_canceled", 109: "missing_extension", 110: "unsupported_extension",
        112: "unrecognized_name", 116: "certificate_required", 120: "no_application_protocol",
    ]

    /// - Parameter reason: The library's words, after a colon and a space.
    static func untrusted(_ reason: String = "") -> TLSFailure {
        TLSFailure("the server's certificate is not trusted\(reason)")
    }
    static let endOfHandshake = TLSFailure("the peer closed the connection during the handshake", reason: "closed")
    static let intended = TLSFailure("the scenario ended the handshake", reason: "scenario")
    package static let handshakeTimedOut = TLSFailure("the handshake did not finish in time", reason: "timeout")
    package static let tooManyHandshakes = TLSFailure("too many handshakes were unfinished", reason: "crowded")
    /// A client that checks the certificate after the handshake ends the connection like one that connects in advance.
    package static let unused = TLSFailure("the client closed the connection without a request", reason: "unused")
}

/// The response to a client that begins a handshake.
package enum TLSAnswer: Sendable {
    case handshake(any TLSContext)
    /// The response of a server without TLS.
    case refusal
    case silence
    case close
    /// The alert `handshake_failure`.
    case alert
}

/// The first byte of a client that speaks TLS, and the response to one that must not.
package enum TLSRecord {
    /// The type of a record of the handshake (RFC 8446, section 5.1).
    package static let handshake: UInt8 = 22

    /// A record with the alert `handshake_failure`, for a server without TLS.
    package static let refusal: [UInt8] = [21, 3, 1, 0, 2, 2, 40]
}

/// The certificates that a client accepts from servers.
package enum TLSTrust: Sendable, Hashable {
    /// Those of the authorities that the system trusts, and of the authorities with these certificates in DER.
    case authorities([[UInt8]])
    /// Every certificate, even for another host.
    case all

    package static let system = TLSTrust.authorities([])
}

/// The TLS library of this system: libssl on Linux, Security on Apple's platforms.
package enum SystemTLS {
    #if canImport(Darwin)
        private typealias Context = SecureTransportContext
    #else
        private typealias Context = OpenSSLContext
    #endif

    /// - Throws: ``TLSProblem`` without a library, or with a certificate and key that it cannot use.
    ///
    /// - Parameter requiresTLS13: A Boolean value that indicates whether clients with TLS 1.2 are refused.
    package static func server(
        _ identity: TLSIdentity,
        requiresTLS13: Bool = false
    ) throws(TLSProblem) -> any TLSContext { try Context(server: identity, requiresTLS13: requiresTLS13) }

    package static func client(_ trust: TLSTrust) throws(TLSProblem) -> any TLSContext { try Context(client: trust) }

    /// The reason why TLS is not available on this machine; `nil` where it is.
    package static var problem: TLSProblem? {
        #if canImport(Darwin)
            nil
        #else
            if case .failure(let problem) = OpenSSL.shared { problem } else { nil }
        #endif
    }

    /// The protocols that are offered by ALPN, with the preferred one first.
    static let applicationProtocols = ["http/1.1"]
}
