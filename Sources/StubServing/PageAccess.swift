import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// Decides which web pages may send requests to the mock's own routes.
///
/// Any page that a browser on the developer's machine shows can send requests to loopback, and would take part in the
/// test. A browser tells from where a request comes: `Sec-Fetch-Site`, `Origin` and `Referer` (Fetch Metadata Request
/// Headers, section 2.3; Fetch, section 3.2). Pages from this machine, from an IP address and from names of the local
/// network are welcome, so that a web front end on another port and one on a phone work, and so are those that the
/// scenario's `cors` names; clients that are no browser send none of the fields, or their own address.
enum PageAccess {
    /// Why a request is refused; `nil` for one that is welcome.
    ///
    /// - Parameter rule: the scenario's own rule for pages of other origins.
    static func refusal(of request: HTTPRequest, rule: CrossOrigin?) -> Problem? {
        if let rule, rule.origins == nil { return nil }
        let named = rule?.origins ?? []
        let fields = request.fields
        for origin in fields.values(of: "Origin") where origin != "null" && !isWelcome(origin: origin, named) {
            return .foreignPage("The request comes from a page of \(origin).")
        }
        guard fields["Sec-Fetch-Site"] == "cross-site", !opensPage(request) else { return nil }
        // A page that hides where it comes from, or an image or a frame in one, which have no Origin.
        guard let page = fields.values(of: "Origin").first ?? fields["Referer"], isWelcome(origin: page, named) else {
            return .foreignPage("The browser says that another site's page has sent the request.")
        }
        return nil
    }

    /// Whether a user follows a link or is sent on to a page here, which the page before can neither read nor hide.
    private static func opensPage(_ request: HTTPRequest) -> Bool {
        request.method == .get && request.fields["Sec-Fetch-Mode"] == "navigate"
            && request.fields["Sec-Fetch-Dest"] == "document"
    }

    /// Whether pages of an origin, such as `http://localhost:3000`, are this machine's or the local network's.
    private static func isWelcome(origin: String, _ named: [String]) -> Bool {
        guard let scheme = origin.firstRange(of: "://") else { return false }
        let authority = origin[scheme.upperBound...].prefix { $0 != "/" }
        if named.contains(where: { $0.hasSameUTF8(as: String(origin[..<authority.endIndex])) }) { return true }
        return AdminAccess.isLocalName(AdminAccess.name(of: String(authority)))
    }
}

extension Problem {
    fileprivate static func foreignPage(_ detail: String) -> Problem {
        Problem(
            "foreign-page",
            status: 403,
            title: "Pages of other sites may not use this server",
            detail: "\(detail) Pages from this machine, IP addresses and names of the local network are welcome, "
                + "and those that \"cors\" of the scenario allows."
        )
    }
}
