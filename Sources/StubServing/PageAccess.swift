import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// Decides which web pages may send requests to the mock's own routes.
///
/// Any page that a browser on the developer's machine shows can send requests to loopback, and would take part in the
/// test. A browser tells from where a request comes: `Sec-Fetch-Site`, `Origin` and `Referer` (Fetch Metadata Request
/// Headers, section 2.3; Fetch, section 3.2). Pages from this machine, from an IP address and from names of the local
/// network are welcome, so that a web front end on another port and one on a phone work. A scenario with `cors` says
/// itself which pages may read its responses, as a server does; clients that are not browsers send none of the fields,
/// or their own address.
///
/// A page can have its own host name point to this machine (DNS rebinding), and its requests then look like those of a
/// page from here. So a browser may use only those names of this server that are local ones, the one that it listens on,
/// and those of the pages that `cors` names.
enum PageAccess {
    /// Returns the reason why a request is refused; `nil` for one that is welcome.
    ///
    /// - Parameters:
    ///   - rule: the scenario's own rule for pages of other origins.
    ///   - host: what the server listens on.
    static func refusal(of request: HTTPRequest, rule: CrossOrigin?, host: String) -> Problem? {
        if let rule, rule.origins == nil { return nil }
        let named = rule?.origins ?? []
        let fields = request.fields
        if isBrowser(fields), let authority = request.authority, !isWelcome(host: authority, named, besides: host) {
            return .foreignHost(authority)
        }
        // Pages that the rule does not name get a response without the fields that let them read it.
        if rule != nil { return nil }
        for origin in fields.values(of: "Origin") where origin != "null" && !isWelcome(origin: origin, named) {
            return .foreignPage("The request comes from a page at \(origin).")
        }
        guard fields["Sec-Fetch-Site"] == "cross-site", !opensPage(request) else { return nil }
        // A page that hides where it comes from, or an image or a frame in one, which have no Origin.
        guard let page = fields.values(of: "Origin").first ?? fields["Referer"], isWelcome(origin: page, named) else {
            return .foreignPage("According to the browser, a page on another site sent the request.")
        }
        return nil
    }

    /// Returns whether a browser has sent the request: every one of them says so, unless a page has it say something
    /// else, and then fields tell that only browsers send.
    private static func isBrowser(_ fields: HTTPFields) -> Bool {
        let isCalledSo = fields["User-Agent"]?.utf8.starts(with: "Mozilla/".utf8) ?? false
        return isCalledSo || ["Sec-Fetch-Site", "Sec-Fetch-Mode", "Origin", "Referer"].contains(where: fields.contains)
    }

    private static func isWelcome(host authority: String, _ named: [String], besides own: String) -> Bool {
        let name = AdminAccess.name(of: authority)
        if AdminAccess.isLocalName(name) || name.lowercased() == own.lowercased() { return true }
        return named.contains { origin in
            guard let scheme = origin.firstRange(of: "://") else { return false }
            return AdminAccess.name(of: String(origin[scheme.upperBound...])).lowercased() == name.lowercased()
        }
    }

    /// Returns whether a user follows a link or is sent on to a page here, which the page before can neither read nor
    /// hide.
    private static func opensPage(_ request: HTTPRequest) -> Bool {
        request.method == .get && request.fields["Sec-Fetch-Mode"] == "navigate"
            && request.fields["Sec-Fetch-Dest"] == "document"
    }

    /// Returns whether pages of an origin, such as `http://localhost:3000`, are this machine's or the local network's.
    private static func isWelcome(origin: String, _ named: [String]) -> Bool {
        guard let scheme = origin.firstRange(of: "://") else { return false }
        let authority = origin[scheme.upperBound...].prefix { $0 != "/" }
        if named.contains(where: { $0.exact == String(origin[..<authority.endIndex]).exact }) { return true }
        return AdminAccess.isLocalName(AdminAccess.name(of: String(authority)))
    }
}

extension Problem {
    fileprivate static func foreignHost(_ authority: String) -> Problem {
        Problem(
            "foreign-host",
            status: 403,
            title: "A browser cannot use this server with this host name",
            detail:
                "The Host field is \(authority.shortened). The server allows the names of this machine and of the "
                + "local network, the name that it listens on, and the hosts that the scenario's \"cors\" allows."
        )
    }

    fileprivate static func foreignPage(_ detail: String) -> Problem {
        Problem(
            "foreign-page",
            status: 403,
            title: "Pages on other sites cannot use this server",
            detail: "\(detail) The server allows pages from this machine, from IP addresses and names of the local "
                + "network, and from origins that the scenario's \"cors\" allows."
        )
    }
}
