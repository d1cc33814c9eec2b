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
        request.fields.values(of: "Via").contains { value in
            value.split(separator: ",").contains { element in
                element.split { " \t".contains($0) }.dropFirst().first.map { $0 == pseudonym } ?? false
            }
        }
    }

    /// A Boolean value that indicates whether the client asks to speak another protocol.
    var upgrades: Bool { request.fields.contains("Connection", token: "upgrade") && request.fields.contains("Upgrade") }

    /// Fields that are about one connection (RFC 9110, section 7.6.1).
    private static let hopByHop: Set<String> = [
        "connection", "proxy-connection", "keep-alive", "te", "transfer-encoding", "upgrade", "proxy-authenticate",
        "proxy-authorization", "http2-settings",
    ]

    /// Fields that every recipient needs, so that `Connection` cannot make them fields of one connection.
    private static let required: Set<String> = ["content-length", "host"]

    private static func endToEnd(_ fields: HTTPFields) -> HTTPFields {
        let named = Set(
            fields.values(of: "Connection").flatMap { $0.split(separator: ",") }
                .map { $0.trimming { " \t".contains($0) }.lowercased() }
        ).subtracting(required)
        return fields.filter { !hopByHop.contains($0.lowercased()) && !named.contains($0.lowercased()) }
    }

    // MARK: The request

    /// The request for the upstream, without its body.
    ///
    /// Bodies are asked for without a content coding, so that their tokens can be read.
    var upstreamRequest: HTTPRequest {
        var fields: HTTPFields = ["Host": upstream.authority]
        for (name, value) in Self.endToEnd(request.fields) {
            switch name.lowercased() {
            case "host", "accept-encoding", ForwardedExchange.sessionField: continue
            // The client that has sent its body waits for nothing.
            case "expect" where !request.isBodyPending: continue
            case "origin" where value == ownBase: fields.append(name, upstream.origin)
            case "referer": fields.append(name, renamed(value, from: ownBase, to: upstream.origin))
            default: fields.append(name, value)
            }
        }
        fields.append("Accept-Encoding", "identity")
        fields.append("Via", "1.1 \(pseudonym)")
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

    private func renamed(_ url: String, from old: String, to new: String) -> String {
        guard let rest = Self.rest(of: url, behind: old) else { return url }
        return new + rest
    }

    /// The part of a URL behind the upstream's origin; `nil` for a URL of another server.
    ///
    /// Many servers behind a server that ends TLS name themselves with `http`.
    private func restBehindUpstream(of url: String) -> String? {
        if let rest = Self.rest(of: url, behind: upstream.origin) { return rest }
        guard upstream.way.url.isSecure else { return nil }
        return Self.rest(of: url, behind: "http" + upstream.origin.dropFirst("https".count))
    }

    /// The part of a URL behind its origin; `nil` for a URL of another origin.
    private static func rest(of url: String, behind origin: String) -> String? {
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

    /// The content coding of a response that the client does not take; `nil` if it takes all of them.
    ///
    /// A client that names no codings takes every one (RFC 9110, section 12.5.3).
    func unacceptedCoding(of fields: HTTPFields) -> String? {
        guard let accepted = request.fields.joinedValue(of: "Accept-Encoding") else { return nil }
        let codings = (fields.joinedValue(of: "Content-Encoding") ?? "").lowercased().split(separator: ",")
            .map { $0.trimming { " \t".contains($0) } }
        return codings.first {
            !$0.isEmpty && $0 != "identity" && !AcceptedEncoding.allows(String($0), accepted)
        }.map { $0.utf8.count > 12 ? "an unknown coding" : String($0) }
    }

    /// The origin of another server that a response sends the client to; the rest of the URL may contain secrets.
    func foreignTarget(of response: HTTPResponse) -> String? {
        guard 300..<400 ~= response.status.code, let location = response.fields["Location"] else { return nil }
        let lower = location.lowercased()
        guard lower.hasPrefix("http://") || lower.hasPrefix("https://") || lower.hasPrefix("//") else { return nil }
        let url = absolute(location)
        guard restBehindUpstream(of: url) == nil, Self.rest(of: url, behind: ownBase) == nil else { return nil }
        return (try? ServerURL(String(url.prefix { !"?#".contains($0) })))?.origin ?? "another server"
    }

    /// The fields of a response as the client gets them.
    func clientFields(of response: HTTPResponse) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in Self.endToEnd(response.fields) {
            switch name.lowercased() {
            case "location", "content-location": fields.append(name, clientURL(value))
            case "set-cookie": fields.append(name, clientCookie(value))
            case "access-control-allow-origin" where value == upstream.origin: fields.append(name, ownBase)
            default: fields.append(name, value)
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

    /// A cookie of the upstream for this server's host: of this host alone, below this server's paths, and without the
    /// attributes that require TLS where the client does not use it (RFC 6265, section 5.2).
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
            case "secure" where !request.isSecure, "partitioned" where !request.isSecure: continue
            case "samesite" where !request.isSecure && value.lowercased() == "none": continue
            case "path": kept.append("Path=\(withoutBasePath(String(value)))")
            default: kept.append(String(attribute))
            }
        }
        return kept.joined(separator: "; ")
    }
}
