import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The header fields and cookies of a captured response.
struct CapturedFields {
    let hosts: Set<String>
    /// The tokens that the response grants.
    let grants: [CapturedTokens.Grant]
    var headers = JSONObject()
    private(set) var cookies = JSONObject()
    private(set) var isCompressed = false
    private(set) var hasRanges = false
    /// The parts that were left out.
    private(set) var left: [String] = []
    private var names: [String: String] = [:]

    init(hosts: Set<String>, grants: [CapturedTokens.Grant]) {
        (self.hosts, self.grants) = (hosts, grants)
    }

    /// Fields that a server writes itself, and those of a single connection or request.
    private static let passing: Set<String> = [
        "connection", "keep-alive", "transfer-encoding", "content-length", "trailer", "upgrade", "date", "server",
        "via",
        "age", "alt-svc", "content-type", "x-powered-by", "x-request-id", "x-cache", "x-served-by",
        "x-timer", "strict-transport-security", "nel", "report-to", "server-timing", "content-md5", "expect-ct",
        "proxy-connection", "x-amz-cf-id", "x-amz-cf-pop", "cf-ray", "cf-cache-status", "x-amzn-trace-id",
        "x-amzn-requestid", "x-runtime", "traceparent",
    ]

    mutating func read(_ fields: HTTPFields, _ redaction: inout Redaction) {
        for (name, value) in fields {
            let lowercased = name.lowercased()
            switch lowercased {
            case "set-cookie": read(cookie: value, &redaction)
            case "content-encoding":
                if value.lowercased() == "gzip" {
                    isCompressed = true
                } else if value.lowercased() != "identity" {
                    leaveOut("the content coding \(value.printable.shortened)")
                }
            case "accept-ranges": hasRanges = value.lowercased() == "bytes"
            case _ where Self.passing.contains(lowercased): break
            case _ where lowercased.hasPrefix("access-control-"):
                leaveOut("the fields Access-Control-…; \"cors\": true sends them")
            case "location", "content-location", "link":
                add(name, reference(value, isList: lowercased == "link", &redaction))
            default: read(name, value, &redaction)
            }
        }
    }

    private mutating func leaveOut(_ what: String) {
        if !left.contains(what) { left.append(what) }
    }

    private mutating func read(_ name: String, _ value: String, _ redaction: inout Redaction) {
        for grant in grants {
            guard case .header(let field, let scheme) = grant.place, field == name.lowercased() else { continue }
            return add(name, "\(scheme.map { $0 + " " } ?? ""){{token.\(grant.kind)}}", isTemplate: true)
        }
        let shown = redaction.text(value, named: name)
        guard shown.utf8.elementsEqual(value.utf8) else {
            return leaveOut("the header field \(name.printable.shortened), whose value may be private")
        }
        add(name, value)
    }

    private mutating func add(_ name: String, _ value: String, isTemplate: Bool = false) {
        guard HTTPFields.isName(name), HTTPFields.isValue(value) else {
            return leaveOut("the header field \(name.printable.shortened), which HTTP does not allow")
        }
        let text = JSONValue.string(isTemplate ? value : DraftText.literal(value))
        if let first = names[name.lowercased()], let known = headers[first] {
            headers[first] = .array((known.array ?? [known]) + [text])
        } else {
            names[name.lowercased()] = name
            headers[name] = text
        }
    }

    // MARK: URLs

    /// A URL, or the URLs in angle brackets of a list, with the backend's own ones relative to it.
    private mutating func reference(_ value: String, isList: Bool, _ redaction: inout Redaction) -> String {
        guard isList else { return url(value, &redaction) }
        var result = ""
        var rest = value[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            result += rest[...open]
            result += url(String(rest[rest.index(after: open)..<close]), &redaction)
            rest = rest[close...]
        }
        return result + rest
    }

    private mutating func url(_ text: String, _ redaction: inout Redaction) -> String {
        guard let url = CapturedURL(text) else { return redaction.plain(text) }
        let fragment = text.firstIndex(of: "#").map { String(text[$0...]) } ?? ""
        let isOwn = hosts.contains(url.host)
        let parts = url.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var target = redaction.plain(parts[0])
        if parts.count > 1 {
            // A URL may have a signature in it.
            let items = parts[1].split(separator: "&", omittingEmptySubsequences: false).filter { item in
                let name = String(item.prefix { $0 != "=" })
                return !Secrets.isSecret(name)
                    && !["signature", "sig", "hmac", "policy"].contains { TokenNames.plain(name).hasSuffix($0) }
            }
            if items.count < parts[1].split(separator: "&", omittingEmptySubsequences: false).count {
                leaveOut("secrets in the query of a URL within a header field")
            }
            if !items.isEmpty { target += "?" + redaction.plain(items.joined(separator: "&")) }
        }
        return (isOwn ? target : "\(url.scheme)://\(url.host)\(target)") + redaction.plain(fragment)
    }

    // MARK: Cookies

    private mutating func read(cookie text: String, _ redaction: inout Redaction) {
        let parts = text.split(separator: ";").map { part in
            part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { String($0.drop { $0 == " " }) }
        }
        guard let first = parts.first, first.count == 2, HTTPFields.isName(first[0]), redaction.isPlain(first[0]) else {
            return leaveOut("a cookie whose name may be private")
        }
        let kind = grants.first { $0.place == .cookie(first[0]) }?.kind
        let value = JSONValue.string(kind.map { "{{token.\($0)}}" } ?? Redaction.placeholder)
        if kind == nil { leaveOut("the value of the cookie \(first[0].printable), which may be private") }
        var cookie: Draft<DraftKeys.Cookie> = [.value: value]
        for part in parts.dropFirst() {
            let argument = part.count > 1 ? part[1] : ""
            switch part.first?.lowercased() {
            case "path" where argument != "/" && !argument.isEmpty && redaction.isPlain(argument):
                cookie[.path] = .string(argument)
            case "max-age":
                if let seconds = Int(argument), seconds < 10 * 365 * 86_400 {
                    cookie[.lifetime] = .string("\(max(0, seconds))s")
                }
            case "httponly": cookie[.httpOnly] = true
            case "secure":
                leaveOut(
                    "the attribute Secure of the cookie \(first[0].printable), because the mock does not support TLS"
                )
            case "samesite":
                let word = argument.prefix(1).uppercased() + argument.dropFirst().lowercased()
                if ["Strict", "Lax"].contains(word) { cookie[.sameSite] = .string(word) }
            default: break
            }
        }
        cookies[first[0]] = cookie.object.count == 1 ? value : cookie.json
    }
}
