#if !canImport(Darwin)
    import Basics
    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// The functions of OpenSSL 1.1 or 3 that TLS requires, found in the system's library when they are first needed.
    ///
    /// A class, because all connections share it. The constants of `ssl.h` are the same in both versions.
    final class OpenSSL: Sendable {
        typealias Object = OpaquePointer
        typealias Bytes = UnsafeRawPointer
        typealias Room = UnsafeMutableRawPointer

        let method: @convention(c) @Sendable () -> Object?
        let newContext: @convention(c) @Sendable (Object?) -> Object?
        let freeContext: @convention(c) @Sendable (Object?) -> Void
        let controlContext: @convention(c) @Sendable (Object?, Int32, Int, Room?) -> Int
        let setOptions: @convention(c) @Sendable (Object?, UInt64) -> UInt64
        /// Missing before OpenSSL 1.1.1, which introduced TLS 1.3 and its tickets.
        let setTicketCount: (@convention(c) @Sendable (Object?, Int) -> Int32)?
        let useCertificate: @convention(c) @Sendable (Object?, Object?) -> Int32
        let usePrivateKey: @convention(c) @Sendable (Object?, Object?) -> Int32
        let checkPrivateKey: @convention(c) @Sendable (Object?) -> Int32
        let chooseProtocol: @convention(c) @Sendable (Object?, ProtocolChoice, Room?) -> Void
        let offerProtocols: @convention(c) @Sendable (Object?, Bytes?, UInt32) -> Int32
        let setVerification: @convention(c) @Sendable (Object?, Int32, Room?) -> Void
        let trustSystem: @convention(c) @Sendable (Object?) -> Int32
        let certificateStore: @convention(c) @Sendable (Object?) -> Object?
        let newSession: @convention(c) @Sendable (Object?) -> Object?
        let freeSession: @convention(c) @Sendable (Object?) -> Void
        let controlSession: @convention(c) @Sendable (Object?, Int32, Int, Room?) -> Int
        let connect: @convention(c) @Sendable (Object?, Object?, Object?) -> Void
        let actAsServer: @convention(c) @Sendable (Object?) -> Void
        let actAsClient: @convention(c) @Sendable (Object?) -> Void
        let handshake: @convention(c) @Sendable (Object?) -> Int32
        let read: @convention(c) @Sendable (Object?, Room?, Int32) -> Int32
        let write: @convention(c) @Sendable (Object?, Bytes?, Int32) -> Int32
        let shutdown: @convention(c) @Sendable (Object?) -> Int32
        let errorKind: @convention(c) @Sendable (Object?, Int32) -> Int32
        let chosenProtocol:
            @convention(c) @Sendable (Object?, UnsafeMutablePointer<Bytes?>, UnsafeMutablePointer<UInt32>) -> Void
        let verificationResult: @convention(c) @Sendable (Object?) -> Int
        let setHost: @convention(c) @Sendable (Object?, UnsafePointer<CChar>) -> Int32
        let parameters: @convention(c) @Sendable (Object?) -> Object?
        let peerCertificate: @convention(c) @Sendable (Object?) -> Object?
        let newBuffer: @convention(c) @Sendable (Object?) -> Object?
        let memory: @convention(c) @Sendable () -> Object?
        let writeBuffer: @convention(c) @Sendable (Object?, Bytes?, Int32) -> Int32
        let readBuffer: @convention(c) @Sendable (Object?, Room?, Int32) -> Int32
        let setAddress: @convention(c) @Sendable (Object?, UnsafePointer<CChar>) -> Int32
        let readCertificate: Reader
        let writeCertificate:
            @convention(c) @Sendable (Object?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
        let freeCertificate: @convention(c) @Sendable (Object?) -> Void
        let readKey: Reader
        let freeKey: @convention(c) @Sendable (Object?) -> Void
        let addToStore: @convention(c) @Sendable (Object?, Object?) -> Int32
        let nextError: @convention(c) @Sendable () -> UInt
        let clearErrors: @convention(c) @Sendable () -> Void
        let errorText: @convention(c) @Sendable (UInt) -> UnsafePointer<CChar>?
        let verificationText: @convention(c) @Sendable (Int) -> UnsafePointer<CChar>?

        typealias Reader = @convention(c) @Sendable (Room?, UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> Object?
        typealias ProtocolChoice =
            @convention(c) (
                Object?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
                UnsafePointer<UInt8>?, UInt32, Room?
            ) -> Int32

        /// The library, loaded once.
        static let shared: Result<OpenSSL, TLSProblem> = {
            do throws(TLSProblem) {
                return .success(try OpenSSL(named: getenv(variable).map { String(cString: $0) }))
            } catch {
                return .failure(error)
            }
        }()

        /// The environment variable that names the library's file.
        private static let variable = "BACKLOT_LIBSSL"
        /// The names of the library, with the preferred one first; the last is of development packages.
        private static let names = ["libssl.so.3", "libssl.so.1.1", "libssl.so"]

        /// - Parameter file: the library's file; `nil` to search for it.
        init(named file: String?) throws(TLSProblem) {
            var reason = ""
            let handle = (file.map { [$0] } ?? Self.names).lazy.compactMap { name -> UnsafeMutableRawPointer? in
                let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)
                if handle == nil, reason.isEmpty { reason = dlerror().map { String(cString: $0) } ?? "" }
                return handle
            }.first
            guard let handle else {
                throw TLSProblem(
                    file.map { "\(Self.variable): the library \($0) cannot be loaded (\(reason))" }
                        ?? "TLS requires the library libssl of OpenSSL 3 or 1.1, which was not found (\(reason)); install "
                        + Self.packages + ", or set \(Self.variable) to its file"
                )
            }
            let find = Symbols(handle: handle)
            setTicketCount = try? find("SSL_CTX_set_num_tickets")
            (method, newContext, freeContext) = try (find("TLS_method"), find("SSL_CTX_new"), find("SSL_CTX_free"))
            (controlContext, setOptions) = try (find("SSL_CTX_ctrl"), find("SSL_CTX_set_options"))
            (useCertificate, usePrivateKey) = try (find("SSL_CTX_use_certificate"), find("SSL_CTX_use_PrivateKey"))
            checkPrivateKey = try find("SSL_CTX_check_private_key")
            (chooseProtocol, offerProtocols) = try (find("SSL_CTX_set_alpn_select_cb"), find("SSL_CTX_set_alpn_protos"))
            (setVerification, trustSystem) = try (find("SSL_CTX_set_verify"), find("SSL_CTX_set_default_verify_paths"))
            (certificateStore, newSession) = try (find("SSL_CTX_get_cert_store"), find("SSL_new"))
            (freeSession, controlSession, connect) = try (find("SSL_free"), find("SSL_ctrl"), find("SSL_set_bio"))
            (actAsServer, actAsClient) = try (find("SSL_set_accept_state"), find("SSL_set_connect_state"))
            (handshake, read, write) = try (find("SSL_do_handshake"), find("SSL_read"), find("SSL_write"))
            (shutdown, errorKind) = try (find("SSL_shutdown"), find("SSL_get_error"))
            (chosenProtocol, verificationResult) = try (find("SSL_get0_alpn_selected"), find("SSL_get_verify_result"))
            (setHost, parameters) = try (find("SSL_set1_host"), find("SSL_get0_param"))
            peerCertificate = try find("SSL_get1_peer_certificate", "SSL_get_peer_certificate")
            (newBuffer, memory, writeBuffer) = try (find("BIO_new"), find("BIO_s_mem"), find("BIO_write"))
            (readBuffer, setAddress) = try (find("BIO_read"), find("X509_VERIFY_PARAM_set1_ip_asc"))
            (readCertificate, writeCertificate) = try (find("d2i_X509"), find("i2d_X509"))
            (freeCertificate, readKey) = try (find("X509_free"), find("d2i_AutoPrivateKey"))
            (freeKey, addToStore) = try (find("EVP_PKEY_free"), find("X509_STORE_add_cert"))
            (nextError, clearErrors) = try (find("ERR_get_error"), find("ERR_clear_error"))
            (errorText, verificationText) = try (find("ERR_reason_error_string"), find("X509_verify_cert_error_string"))
        }

        /// The packages that contain the library.
        private static let packages =
            "the package libssl3 (Debian, Ubuntu, Alpine; libssl3t64 since Ubuntu 24.04 and Debian 13), openssl-libs "
            + "(Fedora, RHEL), libopenssl3 (openSUSE) or openssl (Arch)"

        /// Removes the library's errors of this thread, and returns the first as a failure.
        func takeFailure() -> TLSFailure {
            let code = nextError()
            defer { clearErrors() }
            guard code != 0 else { return TLSFailure("the TLS library reported no reason") }
            // The reason is in the lower bits; those of received alerts begin at 1000 (sslerr.h).
            let reason = code & 0xFFF
            if (1_000...1_255).contains(reason) { return TLSFailure(alert: UInt8(reason - 1_000)) }
            return TLSFailure(errorText(code).map { String(cString: $0) } ?? "TLS library error \(code)")
        }
    }

    /// The functions of a library by name.
    private struct Symbols {
        let handle: UnsafeMutableRawPointer

        /// - Parameter names: of the same function in different versions.
        func callAsFunction<Function>(_ names: String...) throws(TLSProblem) -> Function {
            guard let symbol = names.lazy.compactMap({ dlsym(handle, $0) }).first else {
                throw TLSProblem(
                    "this system's libssl is too old, because it lacks \(names[0]); OpenSSL 1.1 or 3 is required"
                )
            }
            return unsafeBitCast(symbol, to: Function.self)
        }
    }
#endif
