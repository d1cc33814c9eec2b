import Testing

@testable import BacklotTestServer

/// The decision of the session delegate; only Apple's platforms have the delegate itself.
@Suite struct AuthorityTrustTests {
    @Test(arguments: [true, false])
    func `A server's certificate is accepted if the system trusts it together with the authority`(isTrusted: Bool) {
        var evaluated: [String] = []
        let accepted = AuthorityDecision(authority: [1, 2]).accepted("trust") { trust, authority in
            evaluated.append("\(trust) \(authority)")
            return isTrusted
        }
        #expect(accepted == (isTrusted ? "trust" : nil))
        #expect(evaluated == ["trust [1, 2]"])
    }

    @Test func `Other challenges, and those of a server without TLS, are left to the default handling`() {
        for (authority, trust) in [([1, 2], nil), (nil, "trust"), (nil, nil)] as [([UInt8]?, String?)] {
            let accepted = AuthorityDecision(authority: authority).accepted(trust) { _, _ in
                Issue.record("nothing is evaluated")
                return true
            }
            #expect(accepted == nil)
        }
    }
}
