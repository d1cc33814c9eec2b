#if !canImport(Darwin)
    /// One side's configuration in OpenSSL, which many threads may use once it is made (`ssl(7)`).
    final class OpenSSLContext: TLSContext {
        let library: OpenSSL
        // A pointer is not Sendable; this one never changes, and OpenSSL allows all threads to share a context (SSL_CTX_new(3)).
        private nonisolated(unsafe) let context: OpenSSL.Object
        private let isServer: Bool
        private let verifiesHost: Bool

        // Commands and flags of ssl.h and tls1.h.
        private static let extraChainCertificate: Int32 = 14
        private static let mode: Int32 = 33
        private static let sessionCacheMode: Int32 = 44
        private static let minimumVersion: Int32 = 123
        static let serverName: Int32 = 55
        /// Partial writes, moving write buffers, and no buffers while a connection is idle.
        private static let modes = 1 | 2 | 16
        /// No tickets: each handshake shows the certificate; no compression; no renegotiation.
        private static let options: UInt64 = 1 << 14 | 1 << 17 | 1 << 30

        private init(isServer: Bool, verifiesHost: Bool = false) throws(TLSProblem) {
            library = try OpenSSL.shared.get()
            library.clearErrors()
            guard let context = library.newContext(library.method()) else {
                throw TLSProblem("libssl cannot be used: \(library.takeFailure().sentence)")
            }
            self.context = context
            self.isServer = isServer
            self.verifiesHost = verifiesHost
            _ = library.controlContext(context, Self.minimumVersion, 0x0303, nil)
            _ = library.controlContext(context, Self.mode, Self.modes, nil)
            _ = library.controlContext(context, Self.sessionCacheMode, 0, nil)
            _ = library.setOptions(context, Self.options)
            _ = library.setTicketCount?(context, 0)
        }

        deinit { library.freeContext(context) }

        convenience init(server identity: TLSIdentity, requiresTLS13: Bool) throws(TLSProblem) {
            try self.init(isServer: true)
            if requiresTLS13, library.controlContext(context, Self.minimumVersion, 0x0304, nil) != 1 {
                throw TLSProblem("this version of libssl does not support TLS 1.3")
            }
            for (index, bytes) in identity.chain.enumerated() { try use(bytes, isLeaf: index == 0) }
            try useKey(identity.privateKey)
            library.chooseProtocol(
                context,
                { _, output, length, offered, count, _ in
                    // Each name has its length in front (RFC 7301, section 3.1).
                    let names = UnsafeBufferPointer(start: offered, count: Int(count))
                    for wanted in SystemTLS.applicationProtocols {
                        var start = 0
                        while start < names.count {
                            let end = min(names.count, start + 1 + Int(names[start]))
                            if names[(start + 1)..<end].elementsEqual(wanted.utf8) {
                                output?.pointee = offered.map { $0 + start + 1 }
                                length?.pointee = names[start]
                                return 0
                            }
                            start = end
                        }
                    }
                    // The alert no_application_protocol.
                    return 2
                },
                nil
            )
        }

        convenience init(client trust: TLSTrust) throws(TLSProblem) {
            try self.init(isServer: false, verifiesHost: trust != .all)
            library.setVerification(context, trust == .all ? 0 : 1, nil)
            _ = library.trustSystem(context)
            if case .authorities(let certificates) = trust {
                let store = library.certificateStore(context)
                for bytes in certificates {
                    let certificate = try read(bytes, "certificate", by: library.readCertificate)
                    defer { library.freeCertificate(certificate) }
                    _ = library.addToStore(store, certificate)
                }
            }
            let names = SystemTLS.applicationProtocols.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
            _ = names.withUnsafeBytes { library.offerProtocols(context, $0.baseAddress, UInt32($0.count)) }
        }

        private func read(
            _ bytes: [UInt8],
            _ kind: String,
            by function: OpenSSL.Reader
        ) throws(TLSProblem) -> OpenSSL.Object {
            library.clearErrors()
            let object = bytes.withUnsafeBufferPointer { bytes in
                var start = bytes.baseAddress
                return function(nil, &start, bytes.count)
            }
            guard let object else { throw TLSProblem("the \(kind) is damaged: \(library.takeFailure().sentence)") }
            return object
        }

        private func use(_ bytes: [UInt8], isLeaf: Bool) throws(TLSProblem) {
            let certificate = try read(bytes, "certificate", by: library.readCertificate)
            guard isLeaf else {
                // The context owns it from now on.
                let pointer = UnsafeMutableRawPointer(certificate)
                if library.controlContext(context, Self.extraChainCertificate, 0, pointer) == 1 { return }
                library.freeCertificate(certificate)
                throw TLSProblem("the chain cannot be used: \(library.takeFailure().sentence)")
            }
            defer { library.freeCertificate(certificate) }
            guard library.useCertificate(context, certificate) == 1 else {
                throw TLSProblem("the certificate cannot be used: \(library.takeFailure().sentence)")
            }
        }

        private func useKey(_ bytes: [UInt8]) throws(TLSProblem) {
            let key = try read(bytes, "private key", by: library.readKey)
            defer { library.freeKey(key) }
            guard library.usePrivateKey(context, key) == 1, library.checkPrivateKey(context) == 1 else {
                throw TLSProblem(
                    "the private key does not match the certificate (\(library.takeFailure().sentence)); use the key "
                        + "with which the certificate was requested"
                )
            }
        }

        func makeSession(to host: String?) throws(TLSProblem) -> any TLSSession {
            guard let session = OpenSSLSession(library, context, isServer: isServer, holding: self) else {
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
        private let library: OpenSSL
        /// The context, which must not end earlier.
        private let context: OpenSSLContext
        private let session: OpenSSL.Object
        /// Owned by the session.
        private let input: OpenSSL.Object
        private let output: OpenSSL.Object
        private let isServer: Bool
        private(set) var isHandshaking = true
        private var failure: TLSFailure?

        /// SSL_ERROR_… of ssl.h.
        private static let wantsRead: Int32 = 2
        private static let wantsWrite: Int32 = 3
        private static let ended: Int32 = 6

        init?(_ library: OpenSSL, _ context: OpenSSL.Object, isServer: Bool, holding owner: OpenSSLContext) {
            library.clearErrors()
            guard let session = library.newSession(context) else { return nil }
            guard let input = library.newBuffer(library.memory()), let output = library.newBuffer(library.memory())
            else {
                library.freeSession(session)
                return nil
            }
            library.connect(session, input, output)
            if isServer { library.actAsServer(session) } else { library.actAsClient(session) }
            (self.library, self.context, self.session) = (library, owner, session)
            (self.input, self.output, self.isServer) = (input, output, isServer)
        }

        deinit { library.freeSession(session) }

        /// Names the server: by SNI, which addresses are not (RFC 6066, section 3), and for the check of its certificate.
        ///
        /// - Returns: `false` if the certificate could not be checked, so that no connection may be made: libssl checks
        ///   no name if it cannot read the address (X509_VERIFY_PARAM_set1_ip_asc).
        func name(host: String, isVerified: Bool) -> Bool {
            let isAddress = host.utf8.contains(UInt8(ascii: ":")) || host.utf8.allSatisfy { 0x2E...0x39 ~= $0 }
            return host.withCString { text in
                if !isAddress {
                    _ = library.controlSession(
                        session,
                        OpenSSLContext.serverName,
                        0,
                        UnsafeMutableRawPointer(mutating: text)
                    )
                }
                guard isVerified else { return true }
                return isAddress
                    ? library.setAddress(library.parameters(session), text) == 1 : library.setHost(session, text) == 1
            }
        }

        func receive(_ records: UnsafeRawBufferPointer) {
            _ = library.writeBuffer(input, records.baseAddress, Int32(clamping: records.count))
        }

        func read(into room: UnsafeMutableRawBufferPointer) -> TLSReadOutcome {
            if let failure { return .failed(failure) }
            if isHandshaking {
                library.clearErrors()
                let result = library.handshake(session)
                guard result == 1 else { return outcome(of: result) }
                isHandshaking = false
            }
            var count = 0
            while count < room.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
                if count == 0 { library.clearErrors() }
                let result = library.read(session, rest.baseAddress, Int32(clamping: rest.count))
                guard result > 0 else {
                    // What ended the reading is met again by the next call.
                    if count > 0 { break }
                    return outcome(of: result)
                }
                count += Int(result)
            }
            return .bytes(count)
        }

        private func outcome(of result: Int32) -> TLSReadOutcome {
            switch library.errorKind(session, result) {
            case Self.wantsRead, Self.wantsWrite: return .needsRecords
            case Self.ended: return .ended
            default:
                let verification = library.verificationResult(session)
                var failure = library.takeFailure()
                if !isServer, isHandshaking, verification != 0, failure.alert == nil {
                    let reason = library.verificationText(verification).map { String(cString: $0) } ?? ""
                    failure = TLSFailure("the server's certificate is not trusted: \(reason)")
                }
                self.failure = failure
                return .failed(failure)
            }
        }

        func write(_ data: UnsafeRawBufferPointer) -> Int? {
            guard !isHandshaking, !data.isEmpty else { return 0 }
            library.clearErrors()
            let result = library.write(session, data.baseAddress, Int32(clamping: data.count))
            if result > 0 { return Int(result) }
            let kind = library.errorKind(session, result)
            return kind == Self.wantsRead || kind == Self.wantsWrite ? 0 : nil
        }

        func takeRecords(into room: UnsafeMutableRawBufferPointer) -> Int {
            max(0, Int(library.readBuffer(output, room.baseAddress, Int32(clamping: room.count))))
        }

        func close() {
            library.clearErrors()
            _ = library.shutdown(session)
            library.clearErrors()
        }

        var applicationProtocol: String? {
            var start: UnsafeRawPointer?
            var count: UInt32 = 0
            library.chosenProtocol(session, &start, &count)
            guard let start, count > 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
        }

        var peerCertificate: [UInt8]? {
            guard let certificate = library.peerCertificate(session) else { return nil }
            defer { library.freeCertificate(certificate) }
            let count = library.writeCertificate(certificate, nil)
            guard count > 0 else { return nil }
            return [UInt8](unsafeUninitializedCapacity: Int(count)) { bytes, written in
                var start = bytes.baseAddress
                written = max(0, Int(library.writeCertificate(certificate, &start)))
            }
        }
    }
#endif
