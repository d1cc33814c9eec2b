import Basics
import EventLoops
import ScenarioFormat
import Signatures
import Simulation
package import TLS

/// The certificates of a server: the ordinary one, and those that scenarios define.
package struct ServerCertificates: Sendable {
    /// Has the ordinary certificate.
    let context: any TLSContext
    private let identity: TLSIdentity
    private let names: [String]
    /// `nil` for a server with a certificate of the user.
    package let authority: CertificateAuthority?
    /// The file with the certificate that clients must trust; `nil` if none is known.
    package private(set) var authorityFile: String?

    /// Certificates of the authority of this machine, which is created if it is missing.
    ///
    /// - Parameter hosts: Further names and addresses in the certificate.
    package init(hosts: [String] = []) throws(TLSProblem) {
        // Before an authority is created that nothing could use.
        if let problem = SystemTLS.problem { throw problem }
        let store = try CertificateAuthority.Store.ofUser()
        try self.init(store.authority(), hosts: hosts)
        authorityFile = store.certificateFile
    }

    package init(_ authority: CertificateAuthority, hosts: [String] = []) throws(TLSProblem) {
        let names = CertificateAuthority.names(with: hosts)
        try self.init(authority.identity(named: names), named: names, by: authority)
    }

    /// - Parameters:
    ///   - names: The names in the certificates that scenarios define.
    ///   - authority: The authority that signs them; `nil` for a server with a certificate of the user.
    package init(
        _ identity: TLSIdentity,
        named names: [String] = CertificateAuthority.names(),
        by authority: CertificateAuthority? = nil
    ) throws(TLSProblem) {
        context = try SystemTLS.server(identity)
        (self.identity, self.names, self.authority) = (identity, names, authority)
    }
}

/// A certificate that a scenario defines.
struct PlayedCertificate: Sendable {
    fileprivate var tls: PlayedTLS
    fileprivate var key: P256PrivateKey
    /// In seconds of the machine's clock since 1970; `nil` if the certificate does not depend on the virtual clock.
    fileprivate var validity: ClosedRange<Int64>?
    fileprivate var context: any TLSContext

    /// Returns whether the certificate is for the same TLS, possibly with other dates.
    fileprivate func isFor(_ tls: PlayedTLS) -> Bool {
        // Numbers begin again when the session plays another scenario.
        tls.number == self.tls.number && tls.behavior == self.tls.behavior
    }

    /// Returns whether the certificate has nearly the same dates, and is expired or not like one with these dates.
    fileprivate func agrees(with validity: ClosedRange<Int64>?, at now: Int64) -> Bool {
        guard let validity, let own = self.validity else { return validity == self.validity }
        return abs(validity.upperBound - own.upperBound) <= Self.tolerance
            && validity.contains(now) == own.contains(now)
    }

    /// The maximum difference, in seconds, for which a certificate is not renewed: a stopped clock moves its end.
    private static let tolerance: Int64 = 60
}

extension ServerCertificates {
    /// Responds to a client that begins a handshake.
    ///
    /// - Parameters:
    ///   - time: The virtual time.
    ///   - last: The last certificate of the session. It keeps its key when only its dates change.
    func answer(
        for tls: PlayedTLS,
        at time: VirtualTime,
        last: inout PlayedCertificate?
    ) throws(TLSProblem) -> TLSAnswer {
        switch tls.behavior.kind {
        case .hang: return .silence
        case .close: return .close
        case .alert: return .alert
        case .valid, .expired, .notYetValid, .wrongName, .unknownAuthority, .selfSigned: break
        }
        let now = WallClock.secondsSince1970()
        let validity = tls.validity.map { validity in
            let lower = now + validity.lowerBound.seconds - time.seconds
            // A certificate is valid until the end of its last second.
            return lower...max(lower, now + validity.upperBound.seconds - time.seconds - 1)
        }
        let known = last.flatMap { $0.isFor(tls) ? $0 : nil }
        if let known, known.agrees(with: validity, at: now) { return .handshake(known.context) }
        let key = known?.key ?? .random()
        let identity = try identity(tls.behavior, of: key, valid: validity, at: now)
        let context = try SystemTLS.server(identity, requiresTLS13: tls.behavior.minimum == .tls13)
        last = PlayedCertificate(tls: tls, key: key, validity: validity, context: context)
        return .handshake(context)
    }

    /// The reason why this server cannot play a behavior, and the remedy; `nil` if it can.
    func obstacle(to behavior: TLSBehavior) -> (sentence: String, advice: String)? {
        if behavior.needsAuthority, authority == nil {
            return (
                "the server's certificate is from a file, and this \"tls\" requires certificates signed by the authority "
                    + "of this machine",
                "use --tls instead of --tls-certificate"
            )
        }
        guard behavior.minimum == .tls13 else { return nil }
        do throws(TLSProblem) {
            _ = try SystemTLS.server(identity, requiresTLS13: true)
            return nil
        } catch {
            return (error.description, "remove \"minimum\"")
        }
    }

    private func identity(
        _ behavior: TLSBehavior,
        of key: P256PrivateKey,
        valid validity: ClosedRange<Int64>?,
        at now: Int64
    ) throws(TLSProblem) -> TLSIdentity {
        let isUnknown = behavior.kind == .unknownAuthority || behavior.kind == .selfSigned
        guard let authority = isUnknown ? CertificateAuthority(now: now) : authority else {
            // An event that arrived later than the scenario may require the authority.
            if let obstacle = obstacle(to: behavior) { throw TLSProblem("\(obstacle.sentence); \(obstacle.advice)") }
            return identity
        }
        return authority.identity(
            named: behavior.kind == .wrongName ? ["another-host.invalid"] : names,
            of: key,
            valid: validity ?? CertificateAuthority.validity(at: now),
            isSelfSigned: behavior.kind == .selfSigned
        )
    }
}
