import Checking
import HTTPCodec

@testable import Proxying

/// A redirect of an upstream, by default `https://127.0.0.1`, to which nothing connects.
struct ForwardedHeadCase {
    /// The location as the client of `http://localhost:9847` gets it.
    let location: String?
    /// A Boolean value that indicates whether it leads to another server.
    let isForeign: Bool

    init(_ location: String, of url: String = "https://127.0.0.1") throws {
        let upstream = Upstream(try ServerTrust().way(to: ServerURL(url)))
        let request = HTTPRequest(method: .get, target: "/", fields: ["Host": "localhost:9847"])
        let head = ForwardedHead(upstream: upstream, request: request, pseudonym: "backlot")
        let response = HTTPResponse(status: 302, fields: ["Location": location])
        self.location = head.clientFields(of: response)["Location"]
        isForeign = head.foreignTarget(of: response) != nil
    }
}
