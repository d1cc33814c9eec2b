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
    /// `nil` for a server with a certificate of the user.
    private let authority: CertificateAuthority?
    private let names: [String]

    /// - Parameter hosts: Further names and addresses in the certificate.
    package init(_ authority: CertificateAuthority, hosts: [String] = []) throws(TLSProblem) {
        try self.init(authority.identity(for: hosts), by: authority, CertificateAuthority.names(with: hosts))
    }

    package init(
        _ identity: TLSIdentity,
        by authority: CertificateAuthority? = nil,
        _ names: [String] = CertificateAuthority.names(with: [])
    ) throws(TLSProblem) {
        context = try SystemTLS.server(identity)
        (self.identity, self.authority, self.names) = (identity, authority, names)
    }
}

/// A certificate that a scenario defines.
struct PlayedCertificate: Sendable {
    /// Numbers begin again when the session plays another scenario.
    fileprivate var number: Int
    fileprivate var behavior: TLSBehavior
    fileprivate var key: P256PrivateKey
    /// In seconds of the machine's clock since 1970; `nil` if the certificate does not depend on the virtual clock.
    fileprivate var validity: ClosedRange<Int64>?
    fileprivate var context: any TLSContext

    /// Returns whether the certificate is one of these, possibly with other dates.
    fileprivate func isOne(of tls: PlayedTLS) -> Bool { number == tls.number && behavior == tls.behavior }

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
        let lifetime = CertificateAuthority.lifetime - 1
        let validity = tls.validity(lasting: .seconds(lifetime)).map { validity in
            let lower = Self.encodable(now + validity.lowerBound.seconds - time.seconds)
            // A certificate is valid until the end of its last second.
            let upper = Self.encodable(now + validity.upperBound.seconds - time.seconds - 1)
            return lower...max(lower, upper)
        }
        if let last, last.isOne(of: tls), last.agrees(with: validity, at: now) { return .handshake(last.context) }
        let key = last.flatMap { $0.isOne(of: tls) ? $0.key : nil } ?? .random()
        let identity = try identity(tls.behavior, of: key, valid: validity, at: now)
        let context = try SystemTLS.server(identity, requiresTLS13: tls.behavior.minimum == .tls13)
        last = PlayedCertificate(
            number: tls.number,
            behavior: tls.behavior,
            key: key,
            validity: validity,
            context: context
        )
        return .handshake(context)
    }

    /// The nearest date that a certificate can contain, in seconds since 1970: the years 1900 to 9999.
    private static func encodable(_ date: Int64) -> Int64 { min(max(date, -2_208_988_800), 253_402_300_799) }

    private func identity(
        _ behavior: TLSBehavior,
        of key: P256PrivateKey,
        valid validity: ClosedRange<Int64>?,
        at now: Int64
    ) throws(TLSProblem) -> TLSIdentity {
        let isUnknown = behavior.kind == .unknownAuthority || behavior.kind == .selfSigned
        guard let authority = isUnknown ? CertificateAuthority(now: now) : authority else {
            if validity == nil, behavior.kind == .valid { return identity }
            throw TLSProblem(
                "the \"tls\" of the scenario requires a certificate by the authority of this machine; use --tls instead "
                    + "of --tls-certificate"
            )
        }
        return authority.identity(
            of: key,
            named: behavior.kind == .wrongName ? ["another-host.invalid"] : names,
            valid: validity ?? CertificateAuthority.validity(at: now),
            isSelfSigned: behavior.kind == .selfSigned
        )
    }
}
