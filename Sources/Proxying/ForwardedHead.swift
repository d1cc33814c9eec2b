import Basics
import Checking
import HTTPCodec
import StubServing

/// The heads of messages as an intermediary passes them on (RFC 9110, section 7.6).
struct ForwardedHead {
    let upstream: Upstream
    let request: HTTPRequest
    /// The name of this server in `Via`.
    let pseudonym: String

    /// A Boolean value that indicates whether the request has passed this server before.
    var isLoop: Bool {
        let servers = request.fields.elements(of: "Via").map { $0.split { " \t".contains($0) }.dropFirst().first }
        return servers.contains(pseudonym[...])
    }

    /// A Boolean value that indicates whether the client asks to speak another protocol.
    var upgrades: Bool { request.fields.contains("Connection", token: "upgrade") && request.fields.contains("Upgrade") }

    // MARK: The request

    /// The request for the upstream, without its body.
    ///
    /// Bodies are asked for without a content coding, so that their tokens can be read.
    var upstreamRequest: HTTPRequest {
        let base = upstream.origin + upstream.basePath
        var fields = request.fields.endToEnd.compactMapValues { name, value in
            switch name.lowercased() {
            case "accept-encoding", ForwardedExchange.sessionField: nil
            // The client that has sent its body waits for nothing.
            case "expect" where !request.isBodyPending: nil
            case "origin" where value == ownBase: upstream.origin
            case "referer": Self.rest(of: value, behind: ownBase).map { base + $0 } ?? value
            case "max-forwards": request.forwardsLeft.map { "\($0 > 0 ? $0 - 1 : 0)" } ?? value
            default: value
            }
        }
        fields.set("Host", upstream.authority)
        fields.append("Accept-Encoding", "identity")
        fields.append("Via", "\(request.version == .http10 ? "1.0" : "1.1") \(pseudonym)")
        if request.fields.contains("TE", token: "trailers") {
            fields.append("TE", "trailers")
            fields.append("Connection", "TE")
        }
        if upgrades, let protocols = request.fields.joinedValue(of: "Upgrade") {
            fields.append("Upgrade", protocols)
            fields.append("Connection", "Upgrade")
        }
        if case .chunked = request.framing { fields.append("Transfer-Encoding", "chunked") }
        let target =
            request.target.hasPrefix("/") ? request.target : request.path + (request.query.map { "?\($0)" } ?? "")
        return HTTPRequest(
            method: request.method,
            target: target == "*" ? "*" : upstream.basePath + target,
            fields: fields
        )
    }

    /// The base URL of this server, as the client has used it.
    private var ownBase: String { request.base }

    /// A Boolean value that indicates whether the client uses TLS, perhaps with a server in front of this one.
    private var isSecure: Bool { ownBase.hasPrefix("https:") }

    /// The part of a URL behind the upstream's origin; `nil` for a URL of another server.
    ///
    /// Many servers behind a server that ends TLS name themselves with `http`.
    private func restBehindUpstream(of url: String) -> String? {
        if let rest = Self.rest(of: url, behind: upstream.origin) { return rest }
        guard upstream.way.url.isSecure else { return nil }
        return Self.rest(of: url, behind: "http" + upstream.origin.dropFirst("https".count))
    }

    /// The part of a URL behind its origin; `nil` for a URL of another origin.
    static func rest(of url: String, behind origin: String) -> String? {
        let port = origin.lowercased().hasPrefix("https:") ? ":443" : ":80"
        let origin = origin.hasSuffix(port) ? String(origin.dropLast(port.count)) : origin
        guard url.utf8.count >= origin.utf8.count, url.prefix(origin.count).lowercased() == origin.lowercased() else {
            return nil
        }
        var rest = url.dropFirst(origin.count)
        // An origin leaves out the default port of its scheme (RFC 9110, section 4.2.3).
        if rest.hasPrefix(port) { rest = rest.dropFirst(port.count) }
        return rest.isEmpty || "/?#".contains(rest.first ?? "/") ? String(rest) : nil
    }

    // MARK: The response

    /// The origin of another server that a response sends the client to; the rest of the URL may contain secrets.
    func foreignTarget(of response: HTTPResponse) -> String? {
        guard 300..<400 ~= response.status.code, let location = response.fields["Location"] else { return nil }
        let lower = location.lowercased()
        guard lower.hasPrefix("http://") || lower.hasPrefix("https://") || lower.hasPrefix("//") else { return nil }
        let url = absolute(location)
        guard restBehindUpstream(of: url) == nil, Self.rest(of: url, behind: ownBase) == nil else { return nil }
        if CapturedStrings.names(url, in: request) { return nil }
        return (try? ServerURL(String(url.prefix { !"?#".contains($0) })))?.origin ?? "another server"
    }

    /// The fields of a response as the client gets them.
    func clientFields(of response: HTTPResponse) -> HTTPFields {
        var fields = response.fields.endToEnd.compactMapValues { name, value in
            switch name.lowercased() {
            case "set-cookie": clientCookie(value)
            case "access-control-allow-origin" where value == upstream.origin: ownBase
            default: HTTPFields.replacingURLs(in: value, of: name, by: clientURL)
            }
        }
        if response.status.code == 101, let protocols = response.fields.joinedValue(of: "Upgrade") {
            fields.append("Upgrade", protocols)
        }
        return fields
    }

    /// A URL with its scheme, which a reference may leave out (RFC 3986, section 4.2).
    private func absolute(_ url: String) -> String {
        url.hasPrefix("//") ? upstream.origin.prefix { $0 != "/" } + url : url
    }

    /// A URL of the upstream as the client reaches it.
    func clientURL(_ url: String) -> String {
        if let rest = restBehindUpstream(of: absolute(url)) { return ownBase + withoutBasePath(rest) }
        return url.hasPrefix("/") && !url.hasPrefix("//") ? withoutBasePath(url) : url
    }

    private func withoutBasePath(_ path: String) -> String {
        guard !upstream.basePath.isEmpty, path.hasPrefix(upstream.basePath) else { return path }
        let rest = path.dropFirst(upstream.basePath.count)
        guard let first = rest.first else { return "/" }
        return "/?#".contains(first) ? String(rest) : path
    }

    /// A Boolean value that indicates whether the client refuses a cookie, because it does not use TLS.
    func losesCookies(of fields: HTTPFields) -> Bool { !isSecure && fields.setSecureCookie }

    /// A cookie of the upstream without Domain, with the path as the client sees it, and without the attributes that
    /// require TLS where the client does not use it (RFC 6265, section 5.2).
    private func clientCookie(_ cookie: String) -> String {
        let parts = cookie.split(separator: ";", omittingEmptySubsequences: false)
        var kept: [String] = []
        for (index, part) in parts.enumerated() {
            let attribute = part.trimming { " \t".contains($0) }
            let name = attribute.prefix { $0 != "=" }.lowercased()
            let value = attribute.dropFirst(name.count + 1)
            switch name {
            case _ where index == 0: kept.append(String(attribute))
            case "domain": continue
            case "secure" where !isSecure, "partitioned" where !isSecure: continue
            case "samesite" where !isSecure && value.lowercased() == "none": continue
            case "path": kept.append("Path=\(withoutBasePath(String(value)))")
            default: kept.append(String(attribute))
            }
        }
        return kept.joined(separator: "; ")
    }
}
