#if !canImport(Darwin)
    import CLinux
    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// The library of OpenSSL 1.1 or 3, found on the system when TLS is first needed.
    enum OpenSSL {
        /// The library's functions, loaded once.
        static let shared = Result { () throws(TLSProblem) in
            try load(file: getenv(variable).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 })
        }

        /// The environment variable that names the library's file.
        private static let variable = "BACKLOT_LIBSSL"
        /// The names of the library, with the preferred one first; the last is of development packages.
        private static let names = ["libssl.so.3", "libssl.so.1.1", "libssl.so"]
        /// The packages that contain the library.
        private static let packages =
            "the package libssl3 (Debian, Ubuntu, Alpine; libssl3t64 since Ubuntu 24.04 and Debian 13), openssl-libs "
            + "(Fedora, RHEL), libopenssl3 (openSUSE) or openssl (Arch)"

        /// - Parameter file: the library's file; `nil` to search for it.
        private static func load(file: String?) throws(TLSProblem) -> clinux_openssl {
            var reason = ""
            for name in file.map({ [$0] }) ?? names {
                if let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) {
                    var functions = clinux_openssl()
                    guard let missing = clinux_openssl_find(&functions, library) else { return functions }
                    let place = file == nil ? "this system's \(name)" : "\(variable): the library \(name)"
                    throw TLSProblem("\(place) lacks \(String(cString: missing)); OpenSSL 1.1 or 3 is required")
                }
                if reason.isEmpty { reason = dlerror().map { String(cString: $0) } ?? "" }
            }
            throw TLSProblem(
                file.map { "\(variable): the library \($0) cannot be loaded (\(reason))" }
                    ?? "TLS requires the library libssl of OpenSSL 3 or 1.1, which was not found (\(reason)); install "
                    + "\(packages), or set \(variable) to its file"
            )
        }
    }

    extension SystemTLS {
        /// Encrypts blocks with triple DES in the mode CBC (NIST SP 800-67; SP 800-38A, section 6.2).
        static func tripleDES(_ blocks: [UInt8], key: [UInt8], vector: [UInt8]) throws(TLSProblem) -> [UInt8] {
            let library = try OpenSSL.shared.get()
            library.ERR_clear_error()
            let context = library.EVP_CIPHER_CTX_new()
            defer { library.EVP_CIPHER_CTX_free(context) }
            var result = blocks
            var count: Int32 = 0
            guard context != nil,
                library.EVP_EncryptInit_ex(context, library.EVP_get_cipherbyname("des-ede3-cbc"), nil, key, vector)
                    == 1,
                library.EVP_EncryptUpdate(context, &result, &count, blocks, Int32(clamping: blocks.count)) == 1,
                count == blocks.count
            else { throw TLSProblem("libssl cannot encrypt with triple DES: \(library.takeFailure().sentence)") }
            return result
        }
    }

    extension clinux_openssl {
        /// Removes the library's errors of this thread, and returns the first as a failure.
        func takeFailure() -> TLSFailure {
            let code = ERR_get_error()
            defer { ERR_clear_error() }
            guard code != 0 else { return TLSFailure("the TLS library reported no reason") }
            // The reason is in the lower bits; those of received alerts begin at 1000 (sslerr.h).
            let reason = code & 0xFFF
            if (1_000...1_255).contains(reason) { return TLSFailure(alert: UInt8(reason - 1_000)) }
            return TLSFailure(ERR_reason_error_string(code).map { String(cString: $0) } ?? "TLS library error \(code)")
        }
    }
#endif
