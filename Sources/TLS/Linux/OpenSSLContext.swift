#if !canImport(Darwin)
    import CLinux

    /// One side's configuration in OpenSSL, which many threads may use once it is made (`ssl(7)`).
    final class OpenSSLContext: TLSContext {
        fileprivate let library: clinux_openssl
        // A pointer is not Sendable; this one never changes, and OpenSSL allows all threads to share a context (SSL_CTX_new(3)).
        fileprivate nonisolated(unsafe) let context: OpaquePointer
        fileprivate let isServer: Bool
        private let verifiesHost: Bool

        // Commands and flags of ssl.h and tls1.h, which are the same in both versions.
        private static let mode: Int32 = 33
        private static let sessionCacheMode: Int32 = 44
        private static let chainCertificate: Int32 = 89
        private static let minimumVersion: Int32 = 123
        /// Partial writes, moving write buffers, and no buffers while a connection is idle.
        private static let modes = 1 | 2 | 16
        /// No tickets: each handshake shows the certificate; no compression; no renegotiation.
        private static let options: UInt64 = 1 << 14 | 1 << 17 | 1 << 30

        private init(isServer: Bool, verifiesHost: Bool = false) throws(TLSProblem) {
            library = try OpenSSL.shared.get()
            library.ERR_clear_error()
            guard let context = library.SSL_CTX_new(library.TLS_method()) else {
                throw TLSProblem("libssl cannot be used: \(library.takeFailure().sentence)")
            }
            (self.context, self.isServer, self.verifiesHost) = (context, isServer, verifiesHost)
            _ = library.SSL_CTX_ctrl(context, Self.minimumVersion, 0x0303, nil)
            _ = library.SSL_CTX_ctrl(context, Self.mode, Self.modes, nil)
            _ = library.SSL_CTX_ctrl(context, Self.sessionCacheMode, 0, nil)
            _ = library.SSL_CTX_set_options(context, Self.options)
            _ = library.SSL_CTX_set_num_tickets?(context, 0)
        }

        deinit { library.SSL_CTX_free(context) }

        convenience init(server identity: TLSIdentity, requiresTLS13: Bool) throws(TLSProblem) {
            try self.init(isServer: true)
            if requiresTLS13, library.SSL_CTX_ctrl(context, Self.minimumVersion, 0x0304, nil) != 1 {
                throw TLSProblem("this version of libssl does not support TLS 1.3")
            }
            for (index, bytes) in identity.chain.enumerated() {
                let certificate = try read(bytes, "certificate", by: library.d2i_X509)
                defer { library.X509_free(certificate) }
                let isUsed =
                    index == 0
                    ? library.SSL_CTX_use_certificate(context, certificate) == 1
                        // With 1, the context keeps another reference.
                    : library.SSL_CTX_ctrl(context, Self.chainCertificate, 1, .init(certificate)) == 1
                guard isUsed else {
                    throw TLSProblem("the certificate cannot be used: \(library.takeFailure().sentence)")
                }
            }
            let key = try read(identity.privateKey, "private key", by: library.d2i_AutoPrivateKey)
            defer { library.EVP_PKEY_free(key) }
            guard library.SSL_CTX_use_PrivateKey(context, key) == 1, library.SSL_CTX_check_private_key(context) == 1
            else { throw .mismatch }
            library.SSL_CTX_set_alpn_select_cb(
                context,
                { _, name, count, offered, size, _ in
                    guard case .success(let library) = OpenSSL.shared else { return 2 }
                    let own = OpenSSLContext.applicationProtocols
                    // The name that is chosen is one of the first list, which outlives the call.
                    let choice = library.SSL_select_next_proto(name, count, offered, size, own, UInt32(own.count))
                    // Otherwise with the alert no_application_protocol.
                    return choice == 1 ? 0 : 2
                },
                nil
            )
        }

        convenience init(client trust: TLSTrust) throws(TLSProblem) {
            try self.init(isServer: false, verifiesHost: trust != .all)
            library.SSL_CTX_set_verify(context, trust == .all ? 0 : 1, nil)
            _ = library.SSL_CTX_set_default_verify_paths(context)
            if case .authorities(let certificates) = trust {
                for bytes in certificates {
                    let certificate = try read(bytes, "certificate", by: library.d2i_X509)
                    defer { library.X509_free(certificate) }
                    _ = library.X509_STORE_add_cert(library.SSL_CTX_get_cert_store(context), certificate)
                }
            }
            let names = Self.applicationProtocols
            _ = library.SSL_CTX_set_alpn_protos(context, names, UInt32(names.count))
        }

        /// The offered protocols, each with its length in front (RFC 7301, section 3.1).
        private static let applicationProtocols = SystemTLS.applicationProtocols.flatMap {
            [UInt8(clamping: $0.utf8.count)] + Array($0.utf8)
        }

        /// Reads an object, which the caller frees.
        private func read(
            _ bytes: [UInt8],
            _ kind: String,
            by function: (UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int) ->
                OpaquePointer?
        ) throws(TLSProblem) -> OpaquePointer {
            library.ERR_clear_error()
            let object = bytes.withUnsafeBufferPointer { bytes in
                var start = bytes.baseAddress
                return function(nil, &start, bytes.count)
            }
            guard let object else { throw TLSProblem("the \(kind) is damaged: \(library.takeFailure().sentence)") }
            return object
        }

        func makeSession(to host: String?) throws(TLSProblem) -> any TLSSession {
            library.ERR_clear_error()
            guard let session = OpenSSLSession(self) else {
                throw TLSProblem("libssl cannot begin a connection: \(library.takeFailure().sentence)")
            }
            if let host, !session.name(host: host, isVerified: verifiesHost) {
                throw TLSProblem("libssl cannot check the certificate against the host \"\(host)\"")
            }
            return session
        }
    }

    /// A connection of OpenSSL between two buffers in memory.
    final class OpenSSLSession: TLSSession {
        /// Has the library, and must not end before the session.
        private let owner: OpenSSLContext
        private let session: OpaquePointer
        /// Owned by the session.
        private let input: OpaquePointer
        private let output: OpaquePointer
        private(set) var isHandshaking = true

        // SSL_ERROR_…, SSL_CTRL_SET_TLSEXT_HOSTNAME and BIO_CTRL_INFO of ssl.h, tls1.h and bio.h.
        private static let wantsRead: Int32 = 2
        private static let wantsWrite: Int32 = 3
        private static let ended: Int32 = 6
        private static let serverName: Int32 = 55
        private static let information: Int32 = 3

        init?(_ owner: OpenSSLContext) {
            let library = owner.library
            guard let session = library.SSL_new(owner.context) else { return nil }
            guard let input = library.BIO_new(library.BIO_s_mem()), let output = library.BIO_new(library.BIO_s_mem())
            else {
                library.SSL_free(session)
                return nil
            }
            library.SSL_set_bio(session, input, output)
            (self.owner, self.session, self.input, self.output) = (owner, session, input, output)
        }

        deinit { owner.library.SSL_free(session) }

        /// Names the server: by SNI, which addresses are not (RFC 6066, section 3), and for the check of its certificate.
        ///
        /// - Returns: `false` if the certificate could not be checked, so that no connection may be made: libssl checks
        ///   no name if it cannot read the address (X509_VERIFY_PARAM_set1_ip_asc).
        fileprivate func name(host: String, isVerified: Bool) -> Bool {
            let isAddress = host.utf8.contains(UInt8(ascii: ":")) || host.utf8.allSatisfy { 0x2E...0x39 ~= $0 }
            if isAddress {
                let parameters = owner.library.SSL_get0_param(session)
                return !isVerified || owner.library.X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1
            }
            _ = host.withCString { owner.library.SSL_ctrl(session, Self.serverName, 0, .init(mutating: $0)) }
            return !isVerified || owner.library.SSL_set1_host(session, host) == 1
        }

        func receive(_ records: UnsafeRawBufferPointer) {
            _ = owner.library.BIO_write(input, records.baseAddress, Int32(clamping: records.count))
        }

        func read(into room: UnsafeMutableRawBufferPointer) -> TLSReadOutcome {
            owner.library.ERR_clear_error()
            if isHandshaking {
                let result = owner.isServer ? owner.library.SSL_accept(session) : owner.library.SSL_connect(session)
                guard result == 1 else { return outcome(of: result) }
                isHandshaking = false
            }
            var count = 0
            while count < room.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
                let result = owner.library.SSL_read(session, rest.baseAddress, Int32(clamping: rest.count))
                guard result > 0 else {
                    if count == 0 { return outcome(of: result) }
                    // Any other reason is met again by the next call.
                    return .bytes(count, isAll: owner.library.SSL_get_error(session, result) == Self.wantsRead)
                }
                count += Int(result)
            }
            return .bytes(count, isAll: false)
        }

        private func outcome(of result: Int32) -> TLSReadOutcome {
            switch owner.library.SSL_get_error(session, result) {
            case Self.wantsRead, Self.wantsWrite: return .needsRecords
            case Self.ended: return .ended
            default:
                let verification = owner.library.SSL_get_verify_result(session)
                var failure = owner.library.takeFailure()
                if !owner.isServer, isHandshaking, verification != 0, failure.alert == nil {
                    let reason = owner.library.X509_verify_cert_error_string(verification)
                    failure = .untrusted(reason.map { ": \(String(cString: $0))" } ?? "")
                }
                return .failed(failure)
            }
        }

        func write(_ data: UnsafeRawBufferPointer) -> Int? {
            guard !isHandshaking, !data.isEmpty else { return 0 }
            owner.library.ERR_clear_error()
            let result = owner.library.SSL_write(session, data.baseAddress, Int32(clamping: data.count))
            if result > 0 { return Int(result) }
            let kind = owner.library.SSL_get_error(session, result)
            return kind == Self.wantsRead || kind == Self.wantsWrite ? 0 : nil
        }

        func sendRecords(by send: (UnsafeRawBufferPointer) -> Int) {
            var start: UnsafeMutableRawPointer?
            let count = owner.library.BIO_ctrl(output, Self.information, 0, &start)
            guard count > 0 else { return }
            // A buffer of OpenSSL drops what is read from it.
            withUnsafeTemporaryAllocation(
                byteCount: send(UnsafeRawBufferPointer(start: start, count: count)),
                alignment: 1
            ) { _ = owner.library.BIO_read(output, $0.baseAddress, Int32($0.count)) }
        }

        func close() {
            owner.library.ERR_clear_error()
            _ = owner.library.SSL_shutdown(session)
            owner.library.ERR_clear_error()
        }

        var peerCertificate: [UInt8]? {
            guard let certificate = owner.library.SSL_get1_peer_certificate(session) else { return nil }
            defer { owner.library.X509_free(certificate) }
            let count = owner.library.i2d_X509(certificate, nil)
            guard count > 0 else { return nil }
            return [UInt8](unsafeUninitializedCapacity: Int(count)) { bytes, written in
                var start = bytes.baseAddress
                written = max(0, Int(owner.library.i2d_X509(certificate, &start)))
            }
        }
    }
#endif
