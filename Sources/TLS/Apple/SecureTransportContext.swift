#if canImport(Darwin)
    import CommonCrypto
    import CoreFoundation
    package import Security
    import Signatures

    /// One side's configuration in Apple's Secure Transport.
    ///
    /// Unlike Network, which owns its sockets, this part of Security takes and returns bytes. It speaks TLS 1.2 and not
    /// 1.3, and Apple has deprecated it without a replacement for bytes.
    final class SecureTransportContext: TLSContext {
        // Core Foundation's types are not Sendable; this array is complete before the initializer returns, and is only
        // read afterward. On the client's side, `nil`.
        private nonisolated(unsafe) let identity: CFArray?
        private let trust: TLSTrust

        init(server: TLSIdentity, requiresTLS13: Bool) throws(TLSProblem) {
            if requiresTLS13 { throw TLSProblem("TLS 1.3 is not available on this platform") }
            let password = CFObjects.text(PKCS12.password)
            var options: [(CFString, AnyObject)] = [(kSecImportExportPassphrase, password)]
            #if os(macOS)
                // Earlier versions would put the key into a keychain of the user.
                guard #available(macOS 15, *) else { throw TLSProblem("a server with TLS requires macOS 15") }
                options.append((kSecImportToMemoryOnly, kCFBooleanTrue))
            #endif
            var items: CFArray?
            let status = SecPKCS12Import(CFObjects.data(try PKCS12.file(server)), CFObjects.dictionary(options), &items)
            guard status == errSecSuccess, let item: CFDictionary = CFObjects.first(of: items) else {
                throw TLSProblem("the certificate and its key cannot be used (Security error \(status))")
            }
            let key = Unmanaged.passUnretained(kSecImportItemIdentity).toOpaque()
            guard let found = CFDictionaryGetValue(item, key) else { throw .mismatch }
            let identity = Unmanaged<AnyObject>.fromOpaque(found).takeUnretainedValue()
            let others = try CFObjects.certificates(Array(server.chain.dropFirst()))
            (self.identity, trust) = (CFObjects.array([identity] + others), .system)
        }

        init(client trust: TLSTrust) throws(TLSProblem) {
            if case .authorities(let certificates) = trust { _ = try CFObjects.certificates(certificates) }
            (identity, self.trust) = (nil, trust)
        }

        func makeSession(to host: String?) throws(TLSProblem) -> any TLSSession {
            let side: SSLProtocolSide = identity == nil ? .clientSide : .serverSide
            guard let context = SSLCreateContext(nil, side, .streamType) else {
                throw TLSProblem("the Security framework cannot begin a connection")
            }
            SSLSetProtocolVersionMin(context, .tlsProtocol12)
            if let identity { SSLSetCertificate(context, identity) }
            if let host {
                SSLSetPeerDomainName(context, host, host.utf8.count)
                SSLSetSessionOption(context, .breakOnServerAuth, true)
                SSLSetALPNProtocols(context, CFObjects.array(SystemTLS.applicationProtocols.map(CFObjects.text)))
            }
            return SecureTransportSession(context, trusting: trust)
        }
    }

    /// Objects of Core Foundation from values, and back.
    enum CFObjects {
        static func data(_ bytes: [UInt8]) -> CFData { CFDataCreate(nil, bytes, bytes.count) }
        static func text(_ text: String) -> CFString {
            CFStringCreateWithCString(nil, text, CFStringBuiltInEncodings.UTF8.rawValue)
        }
        // Core Foundation copies the callbacks.
        static func array(_ objects: [AnyObject]) -> CFArray {
            var callBacks = kCFTypeArrayCallBacks
            let array: CFMutableArray = CFArrayCreateMutable(nil, 0, &callBacks)
            for object in objects { CFArrayAppendValue(array, Unmanaged.passUnretained(object).toOpaque()) }
            return array
        }
        static func dictionary(_ entries: [(key: CFString, value: AnyObject)]) -> CFDictionary {
            var (keys, values) = (kCFTypeDictionaryKeyCallBacks, kCFTypeDictionaryValueCallBacks)
            let dictionary: CFMutableDictionary = CFDictionaryCreateMutable(nil, 0, &keys, &values)
            for entry in entries {
                let value = Unmanaged.passUnretained(entry.value).toOpaque()
                CFDictionarySetValue(dictionary, Unmanaged.passUnretained(entry.key).toOpaque(), value)
            }
            return dictionary
        }
        static func first<Object: AnyObject>(of array: CFArray?) -> Object? {
            guard let array, CFArrayGetCount(array) > 0, let first = CFArrayGetValueAtIndex(array, 0) else {
                return nil
            }
            return Unmanaged<Object>.fromOpaque(first).takeUnretainedValue()
        }
        static func certificates(_ certificates: [[UInt8]]) throws(TLSProblem) -> [AnyObject] {
            try certificates.map { (bytes) throws(TLSProblem) in
                guard let certificate = SecCertificateCreateWithData(nil, data(bytes)) else {
                    throw TLSProblem("a certificate is damaged")
                }
                return certificate
            }
        }
    }

    extension SystemTLS {
        /// Returns whether the system trusts a certificate if it also trusts these authorities, given in DER.
        package static func accepts(_ trust: SecTrust, authorities: [[UInt8]]) -> Bool {
            guard let anchors = try? CFObjects.certificates(authorities) else { return false }
            if !anchors.isEmpty {
                SecTrustSetAnchorCertificates(trust, CFObjects.array(anchors))
                // The system's authorities remain trusted.
                SecTrustSetAnchorCertificatesOnly(trust, false)
            }
            return SecTrustEvaluateWithError(trust, nil)
        }

        /// Encrypts blocks with triple DES in the mode CBC (NIST SP 800-67; SP 800-38A, section 6.2).
        static func tripleDES(_ blocks: [UInt8], key: [UInt8], vector: [UInt8]) throws(TLSProblem) -> [UInt8] {
            var (result, count) = (blocks, 0)
            let (operation, cipher) = (CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithm3DES))
            let size = blocks.count
            let status = CCCrypt(operation, cipher, 0, key, key.count, vector, blocks, size, &result, size, &count)
            guard status == kCCSuccess, count == size else {
                throw TLSProblem("CommonCrypto cannot encrypt with triple DES (error \(status))")
            }
            return result
        }
    }

    /// A connection of Secure Transport between two buffers.
    final class SecureTransportSession: TLSSession {
        private let context: SSLContext
        private let trust: TLSTrust
        private var input: [UInt8] = []
        private var output: [UInt8] = []
        private(set) var isHandshaking = true

        init(_ context: SSLContext, trusting trust: TLSTrust) {
            (self.context, self.trust) = (context, trust)
            // Called only within the calls below, while the session lives.
            SSLSetConnection(context, Unmanaged.passUnretained(self).toOpaque())
            SSLSetIOFuncs(
                context,
                { connection, room, count in
                    let session = Unmanaged<SecureTransportSession>.fromOpaque(connection).takeUnretainedValue()
                    let taken = min(count.pointee, session.input.count)
                    session.input.withUnsafeBytes {
                        room.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(room), byteCount: taken)
                    }
                    session.input.removeFirst(taken)
                    defer { count.pointee = taken }
                    return taken < count.pointee ? errSSLWouldBlock : errSecSuccess
                },
                { connection, bytes, count in
                    let session = Unmanaged<SecureTransportSession>.fromOpaque(connection).takeUnretainedValue()
                    session.output += UnsafeRawBufferPointer(start: bytes, count: count.pointee)
                    return errSecSuccess
                }
            )
        }

        func receive(_ records: UnsafeRawBufferPointer) { input += records }

        func read(into room: UnsafeMutableRawBufferPointer) -> TLSReadOutcome {
            while isHandshaking {
                switch SSLHandshake(context) {
                case errSecSuccess: isHandshaking = false
                case errSSLPeerAuthCompleted:
                    guard isTrusted else { return .failed(.untrusted()) }
                case let status: return outcome(of: status)
                }
            }
            guard let start = room.baseAddress, room.count > 0 else { return .bytes(0, isAll: false) }
            var count = 0
            let status = SSLRead(context, start, room.count, &count)
            return count > 0 ? .bytes(count, isAll: status == errSSLWouldBlock) : outcome(of: status)
        }

        private var isTrusted: Bool {
            guard case .authorities(let authorities) = trust else { return true }
            var trust: SecTrust?
            guard SSLCopyPeerTrust(context, &trust) == errSecSuccess, let trust else { return false }
            return SystemTLS.accepts(trust, authorities: authorities)
        }

        private func outcome(of status: OSStatus) -> TLSReadOutcome {
            switch status {
            case errSSLWouldBlock: return .needsRecords
            case errSSLClosedGraceful, errSSLClosedNoNotify: return .ended
            default:
                // The errors of received alerts are consecutive (SecureTransport.h).
                let alerts: [OSStatus: UInt8] = [
                    errSSLPeerHandshakeFail: 40, errSSLPeerBadCert: 42, errSSLPeerUnsupportedCert: 43,
                    errSSLPeerCertRevoked: 44, errSSLPeerCertExpired: 45, errSSLPeerCertUnknown: 46,
                    errSSLPeerUnknownCA: 48, errSSLPeerProtocolVersion: 70,
                ]
                return .failed(alerts[status].map { TLSFailure(alert: $0) } ?? TLSFailure("Security error \(status)"))
            }
        }

        func write(_ data: UnsafeRawBufferPointer) -> Int? {
            guard !isHandshaking, !data.isEmpty else { return 0 }
            var count = 0
            let status = SSLWrite(context, data.baseAddress, min(data.count, 16 << 10), &count)
            return status == errSecSuccess || status == errSSLWouldBlock ? count : nil
        }

        func sendRecords(by send: (UnsafeRawBufferPointer) -> Int) {
            if !output.isEmpty { output.removeFirst(output.withUnsafeBytes(send)) }
        }

        func close() { SSLClose(context) }

        var peerCertificate: [UInt8]? {
            var trust: SecTrust?
            guard SSLCopyPeerTrust(context, &trust) == errSecSuccess, let trust,
                let first: SecCertificate = CFObjects.first(of: SecTrustCopyCertificateChain(trust))
            else { return nil }
            let data = SecCertificateCopyData(first)
            return Array(UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: CFDataGetLength(data)))
        }
    }
#endif
