import Basics
import EventLoops
package import Signatures

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The certificate authority of this machine, which signs the certificates of local servers.
///
/// A program with its key can impersonate every server to the devices that trust it. The key is therefore different on
/// each machine, only its user can read it, and it signs nothing but certificates for servers.
package struct CertificateAuthority: Sendable {
    /// The certificate in DER.
    package let certificate: [UInt8]
    private let key: P256PrivateKey

    /// The files of an authority in a folder of the user.
    package struct Store: Sendable, Hashable {
        /// The key and the certificate, which only the user can read.
        package var keyFile: String
        /// The certificate alone, which other programs read.
        package var certificateFile: String

        package init(folder: String) {
            keyFile = FilePath.join(folder, "authority-key.pem")
            certificateFile = FilePath.join(folder, "authority.pem")
        }

        /// The store of this user: in the folder for data of the XDG Base Directory Specification, or in Application
        /// Support on Apple's platforms.
        ///
        /// - Parameter variable: The environment; that of this process by default.
        package static func ofUser(
            _ variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }
        ) throws(TLSProblem) -> Store {
            let home = variable("HOME").flatMap { $0.isEmpty ? nil : $0 }
            #if canImport(Darwin)
                let data = home.map { FilePath.join($0, "Library/Application Support") }
            #else
                let named = variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
                let data = named ?? home.map { FilePath.join($0, ".local/share") }
            #endif
            guard let data else {
                throw TLSProblem(
                    "the certificate authority has no folder, because the variable HOME is not set; set HOME"
                )
            }
            return Store(folder: FilePath.join(data, "backlot"))
        }

        /// Reads the authority; nil if missing.
        package func read() throws(TLSProblem) -> CertificateAuthority? {
            guard DiskFiles().resolve(keyFile) != nil else { return nil }
            let identity = try TLSIdentity(certificateFile: keyFile, keyFile: keyFile)
            guard let key = P256PrivateKey(pkcs8: identity.privateKey),
                identity.chain[0].contains(key.publicKey.x + key.publicKey.y),
                Certificate.validity(of: identity.chain[0]) != nil
            else { throw TLSProblem("\(keyFile) is damaged; remove the authority with: backlot certificate --remove") }
            return CertificateAuthority(certificate: identity.chain[0], key: key)
        }

        /// Reads the authority, which is created if missing, and writes the file with the certificate alone.
        package func authority(now: Int64 = WallClock.secondsSince1970()) throws(TLSProblem) -> CertificateAuthority {
            if try read() == nil { try create(now: now) }
            guard let authority = try read() else {
                throw TLSProblem("\(keyFile) is a link to a file that does not exist; remove the link")
            }
            guard authority.validity.upperBound > now else {
                throw TLSProblem(
                    "the certificate authority in \(keyFile) has expired; remove it with backlot certificate --remove, and "
                        + "trust the next authority"
                )
            }
            let text = Array(authority.pem.utf8)
            if let old = try? DiskFiles().read(certificateFile), old == text { return authority }
            do throws(FileProblem) {
                try DiskFiles().write(text, to: certificateFile)
            } catch {
                throw TLSProblem("the certificate cannot be written to \(certificateFile): \(error.reason)")
            }
            return authority
        }

        private func create(now: Int64) throws(TLSProblem) {
            let new = CertificateAuthority(now: now)
            let text = TLSIdentity(chain: [new.certificate], privateKey: new.key.pkcs8).pem
            do throws(FileProblem) {
                try DiskFiles().makeFolder(FilePath.folder(of: keyFile))
                // Of processes that create it at the same time, the first one wins.
                _ = try DiskFiles().writePrivately(Array(text.utf8), to: keyFile)
            } catch {
                throw TLSProblem("the certificate authority cannot be written to \(keyFile): \(error.reason)")
            }
        }

        /// Removes both files; false if there was no authority.
        package func remove() -> Bool {
            unlink(certificateFile)
            return unlink(keyFile) == 0
        }
    }
}

extension CertificateAuthority {
    /// A new authority, valid for ten years.
    package init(now: Int64) {
        let key = P256PrivateKey.random()
        let name = Self.name(of: key)
        certificate =
            Certificate(
                of: key.publicKey,
                subject: name,
                valid: (now - 3_600)...(now + 10 * 365 * 86_400),
                issuer: (name, key)
            ).bytes
        self.key = key
    }

    /// The seconds since 1970 of the first and the last moment of validity.
    package var validity: ClosedRange<Int64> { Certificate.validity(of: certificate) ?? 0...0 }
    /// SHA-256 of the certificate, in pairs of hexadecimal digits.
    package var fingerprint: String {
        SHA256.hash(certificate).map { String(UInt16($0) + 256, radix: 16, uppercase: true).dropFirst() }
            .joined(separator: ":")
    }
    package var name: String { Self.name(of: key) }
    package var pem: String { PEM.text(certificate) }

    /// A name that lists of trusted authorities show; a new authority has a new one.
    private static func name(of key: P256PrivateKey) -> String {
        let digits = key.publicKey.identifier.prefix(3).map { String(UInt16($0) + 256, radix: 16).dropFirst() }
        return "Backlot certificate authority \(digits.joined())"
    }

    /// The validity of a server's certificate that is created at a time, in seconds since 1970.
    package static func validity(at now: Int64 = WallClock.secondsSince1970()) -> ClosedRange<Int64> {
        // An hour earlier, for devices whose clock is slow.
        (now - 3_600)...(now - 3_600 + Certificate.longestLifetime - 1)
    }

    /// The names and addresses of this machine, after those of further hosts.
    package static func names(with hosts: [String] = []) -> [String] {
        hosts + ["localhost", "*.local", "127.0.0.1", "::1"]
    }

    /// A certificate for a server, and its key.
    ///
    /// - Parameters:
    ///   - hosts: Names or addresses; a name may begin with `*.`.
    ///   - isSelfSigned: A Boolean value that indicates whether the key signs it, and not the authority.
    package func identity(
        named hosts: [String] = Self.names(),
        of key: P256PrivateKey = .random(),
        valid validity: ClosedRange<Int64> = Self.validity(),
        isSelfSigned: Bool = false
    ) -> TLSIdentity {
        let names = hosts.map { host in
            SocketAddress(host, port: 0).map { DER.address($0.bytes) } ?? .host(host)
        }
        let certificate = Certificate(
            of: key.publicKey,
            subject: hosts[0],
            names: names,
            valid: validity,
            issuer: isSelfSigned ? (hosts[0], key) : (name, self.key)
        )
        let chain = isSelfSigned ? [certificate.bytes] : [certificate.bytes, self.certificate]
        return TLSIdentity(chain: chain, privateKey: key.pkcs8)
    }
}
