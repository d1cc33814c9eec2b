import TLS

/// The certificates that are accepted from servers: those that the system trusts, unless it says otherwise.
package struct ServerTrust: Sendable {
    /// Certificates of further authorities, in DER.
    package var authorities: [[UInt8]] = []
    /// Hosts whose certificates are not checked.
    package var insecureHosts: [String] = []

    package init() {}

    /// Makes the context of connections to a server; `nil` for plain HTTP.
    func context(for url: ServerURL) throws(VerificationProblem) -> (any TLSContext)? {
        guard url.isSecure else { return nil }
        let isInsecure = insecureHosts.contains { $0.lowercased() == url.host.lowercased() }
        do throws(TLSProblem) {
            return try SystemTLS.client(
                isInsecure ? .all : authorities.isEmpty ? .system : .authorities(authorities)
            )
        } catch {
            throw VerificationProblem("\(url.origin) cannot be reached with TLS: \(error)")
        }
    }
}
