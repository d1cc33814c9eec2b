#if canImport(Darwin)
    import CoreFoundation
    import Security
    import Signatures

    /// One side's configuration in Apple's Secure Transport.
    ///
    /// Unlike Network, which owns its sockets, this part of Security takes and returns bytes. It speaks TLS 1.2 and not
    /// 1.3, and Apple has deprecated it without a replacement for bytes.
    final class SecureTransportContext: TLSContext {
        // Core Foundation's types are not Sendable; these arrays are complete before the initializer returns, and are only
        // read afterward.
        private nonisolated(unsafe) let identity: CFArray?
        private nonisolated(unsafe) let anchors: CFArray?
        private let trust: TLSTrust?
        init(server: TLSIdentity) throws(TLSProblem) {
            let password = "backlot"
            let file = PKCS12.file(
                key: server.privateKey,
                certificates: server.chain,
                name: "Backlot",
                password: password
            )
            let options = Self.dictionary()
            Self.set(kSecImportExportPassphrase, Self.text(password), in: options)
            #if os(macOS)
                // Earlier versions would put the key into a keychain of the user.
                guard #available(macOS 15, *) else { throw TLSProblem("a server with TLS requires macOS 15") }
                Self.set(kSecImportToMemoryOnly, kCFBooleanTrue, in: options)
            #endif
            var items: CFArray?
            let status = SecPKCS12Import(Self.data(file), options, &items)
            guard status == errSecSuccess, let items, CFArrayGetCount(items) > 0,
                let item = CFArrayGetValueAtIndex(items, 0)
            else {
                throw TLSProblem("the certificate and its key cannot be used (Security error \(status))")
            }
            let entries = Unmanaged<CFDictionary>.fromOpaque(item).takeUnretainedValue()
            let key = Unmanaged.passUnretained(kSecImportItemIdentity).toOpaque()
            guard let found = CFDictionaryGetValue(entries, key) else {
                throw TLSProblem(
                    "the private key does not match the certificate; use the key with which the certificate was "
                        + "requested"
                )
            }
            let array = Self.array()
            CFArrayAppendValue(array, found)
            for bytes in server.chain.dropFirst() { try Self.append(bytes, to: array) }
            (identity, anchors, trust) = (array, nil, nil)
        }

        init(client trust: TLSTrust) throws(TLSProblem) {
            let anchors = Self.array()
            if case .authorities(let certificates) = trust {
                for bytes in certificates { try Self.append(bytes, to: anchors) }
            }
            (identity, self.anchors, self.trust) = (nil, anchors, trust)
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
                let names = Self.array()
                for name in SystemTLS.applicationProtocols {
                    let text = Self.text(name)
                    CFArrayAppendValue(names, Unmanaged.passUnretained(text).toOpaque())
                }
                SSLSetALPNProtocols(context, names)
            }
            return SecureTransportSession(context, trusting: trust, anchors)
        }

        private static func append(_ certificate: [UInt8], to array: CFMutableArray) throws(TLSProblem) {
            guard let certificate = SecCertificateCreateWithData(nil, data(certificate)) else {
                throw TLSProblem("a certificate is damaged")
            }
            CFArrayAppendValue(array, Unmanaged.passUnretained(certificate).toOpaque())
        }

        // Core Foundation copies the callbacks.
        private static func array() -> CFMutableArray {
            var callBacks = kCFTypeArrayCallBacks
            return CFArrayCreateMutable(nil, 0, &callBacks)
        }
        private static func dictionary() -> CFMutableDictionary {
            var (keys, values) = (kCFTypeDictionaryKeyCallBacks, kCFTypeDictionaryValueCallBacks)
            return CFDictionaryCreateMutable(nil, 0, &keys, &values)
        }
        private static func set(_ key: CFString, _ value: AnyObject, in dictionary: CFMutableDictionary) {
            CFDictionarySetValue(
                dictionary,
                Unmanaged.passUnretained(key).toOpaque(),
                Unmanaged.passUnretained(value).toOpaque()
            )
        }
        private static func data(_ bytes: [UInt8]) -> CFData { CFDataCreate(nil, bytes, bytes.count) }
        private static func text(_ text: String) -> CFString {
            CFStringCreateWithCString(nil, text, CFStringBuiltInEncodings.UTF8.rawValue)
        }
    }

    /// A connection of Secure Transport between two buffers.
    final class SecureTransportSession: TLSSession {
        private let context: SSLContext
        private let trust: TLSTrust?
        private let anchors: CFArray?
        private var input: [UInt8] = []
        private var output: [UInt8] = []
        private(set) var isHandshaking = true
        private var failure: TLSFailure?

        init(_ context: SSLContext, trusting trust: TLSTrust?, _ anchors: CFArray?) {
            (self.context, self.trust, self.anchors) = (context, trust, anchors)
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
            if let failure { return .failed(failure) }
            while isHandshaking {
                switch SSLHandshake(context) {
                case errSecSuccess: isHandshaking = false
                case errSSLPeerAuthCompleted:
                    guard isTrusted else { return fail(TLSFailure("the server's certificate is not trusted")) }
                case let status: return outcome(of: status)
                }
            }
            guard let start = room.baseAddress, room.count > 0 else { return .bytes(0) }
            var count = 0
            let status = SSLRead(context, start, room.count, &count)
            return count > 0 ? .bytes(count) : outcome(of: status)
        }

        private var isTrusted: Bool {
            if trust == .all { return true }
            var trust: SecTrust?
            guard SSLCopyPeerTrust(context, &trust) == errSecSuccess, let trust else { return false }
            if let anchors, CFArrayGetCount(anchors) > 0 {
                SecTrustSetAnchorCertificates(trust, anchors)
                SecTrustSetAnchorCertificatesOnly(trust, false)
            }
            return SecTrustEvaluateWithError(trust, nil)
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
                return fail(
                    alerts[status].map { TLSFailure(alert: $0) } ?? TLSFailure("Security error \(status)")
                )
            }
        }

        private func fail(_ failure: TLSFailure) -> TLSReadOutcome {
            self.failure = failure
            return .failed(failure)
        }

        func write(_ data: UnsafeRawBufferPointer) -> Int? {
            guard !isHandshaking, !data.isEmpty else { return 0 }
            var count = 0
            let status = SSLWrite(context, data.baseAddress, min(data.count, 16 << 10), &count)
            return status == errSecSuccess || status == errSSLWouldBlock ? count : nil
        }

        func takeRecords(into room: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(room.count, output.count)
            output.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            output.removeFirst(count)
            return count
        }

        func close() { SSLClose(context) }

        var applicationProtocol: String? {
            var names: CFArray?
            guard SSLCopyALPNProtocols(context, &names) == errSecSuccess, let names, CFArrayGetCount(names) > 0,
                let name = CFArrayGetValueAtIndex(names, 0)
            else { return nil }
            let text = Unmanaged<CFString>.fromOpaque(name).takeUnretainedValue()
            var buffer = [CChar](repeating: 0, count: 256)
            let isRead = CFStringGetCString(text, &buffer, buffer.count, CFStringBuiltInEncodings.UTF8.rawValue)
            return isRead
                ? String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
        }

        var peerCertificate: [UInt8]? {
            var trust: SecTrust?
            guard SSLCopyPeerTrust(context, &trust) == errSecSuccess, let trust,
                let chain = SecTrustCopyCertificateChain(trust), CFArrayGetCount(chain) > 0,
                let first = CFArrayGetValueAtIndex(chain, 0)
            else { return nil }
            let data = SecCertificateCopyData(Unmanaged<SecCertificate>.fromOpaque(first).takeUnretainedValue())
            return Array(UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: CFDataGetLength(data)))
        }
    }
#endif
