import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The header fields and cookies of a captured response.
struct CapturedFields {
    let hosts: Set<String>
    /// The tokens that the response grants.
    let grants: [CapturedTokens.Grant]
    /// A Boolean value that indicates whether the backend has the rule for pages of other origins.
    let isExact: Bool
    var headers = JSONObject()
    private(set) var cookies = JSONObject()
    private var isCompressed = false
    private var hasRanges = false
    /// The parts that were left out.
    private(set) var left: [String] = []
    /// The differences from the captured response, as sentences.
    private var differences: [String] = []
    /// The differences that all responses of the capture may have, as sentences for the backend.
    private(set) var general: Set<String> = []
    /// The names of fields that were left out because servers and proxies write them.
    private(set) var passed: Set<String> = []
    private var names: [String: String] = [:]

    /// The comments for readers of the response.
    var comments: [String] { left.map { "left out: \($0)" } + differences }

    init(hosts: Set<String>, grants: [CapturedTokens.Grant], isExact: Bool) {
        (self.hosts, self.grants, self.isExact) = (hosts, grants, isExact)
    }

    /// Fields of a single message, which frame it or are written elsewhere.
    private static let framing: Set<String> = [
        "connection", "keep-alive", "transfer-encoding", "content-length", "upgrade", "date", "content-type",
        "sec-websocket-accept", "sec-websocket-protocol",
    ]

    /// Fields that servers and proxies write into every response, often with another value each time.
    private static let passing: Set<String> = [
        "server", "via", "age", "alt-svc", "x-powered-by", "x-request-id", "x-cache", "x-served-by",
        "x-timer", "strict-transport-security", "nel", "report-to", "server-timing", "content-md5", "expect-ct",
        "proxy-connection", "x-amz-cf-id", "x-amz-cf-pop", "cf-ray", "cf-cache-status", "x-amzn-trace-id",
        "x-amzn-requestid", "x-runtime", "traceparent",
    ]

    /// Returns whether a field of this name, in lower case, is a part of the draft.
    static func isKept(_ name: String) -> Bool {
        !framing.contains(name) && !passing.contains(name) && name != "set-cookie"
    }

    mutating func read(_ fields: HTTPFields, _ redaction: inout Redaction) {
        for (name, value) in fields {
            let lowercased = name.lowercased()
            switch lowercased {
            case "set-cookie": read(cookie: value, &redaction)
            case "content-encoding":
                switch ContentCoding(value) {
                case .gzip: isCompressed = true
                case .identity: add(name, value)
                default: leaveOut("the content coding \(value.printable.shortened)")
                }
            case "accept-ranges" where value.lowercased() == "bytes": hasRanges = true
            case "sec-websocket-extensions": leaveOut("the WebSocket extensions")
            case "trailer": leaveOut("the field Trailer, because responses have no trailer fields")
            case _ where Self.framing.contains(lowercased): break
            case _ where Self.passing.contains(lowercased): passed.insert(lowercased)
            case _ where lowercased.hasPrefix("access-control-"):
                guard !isExact else { break }
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

    mutating func differ(_ sentence: String) {
        if !differences.contains(sentence) { differences.append(sentence) }
    }

    /// Adds the fields and cookies to a response that has its body, and the keys by which the server negotiates.
    mutating func finish(_ object: inout DraftRoute, of response: HTTPResponse, to request: HTTPRequest) {
        let hasBody = object[.empty] == nil && object[.webSocket] == nil
        if hasRanges {
            if hasBody, response.status == 200, request.method == .get {
                object[.ranges] = true
            } else {
                add("Accept-Ranges", "bytes")
            }
        }
        if isCompressed, hasBody {
            object[.gzip] = true
            let isStrong = response.fields["ETag"].map { !$0.hasPrefix("W/") } ?? false
            if isStrong || !response.fields.contains("Vary", token: "Accept-Encoding")
                || !request.fields.contains("Accept-Encoding", token: "gzip")
            {
                differ(
                    "the body is compressed for clients that accept gzip, with Vary: Accept-Encoding and a weak ETag"
                )
            }
        } else if isCompressed {
            leaveOut("the content coding gzip of a response without a body")
        }
        if request.method == .head, let length = response.fields["Content-Length"], length != "0" {
            differ("Content-Length is 0 instead of \(length.printable.shortened)")
        }
        if object[.events] != nil {
            general.insert("event streams are sent in chunks, even if the captured streams were not")
        } else if response.status.code >= 200, !response.fields.contains("Content-Length") {
            general.insert("bodies are framed by Content-Length, even if the captured bodies were not")
        }
        if !headers.isEmpty { object[.headers] = .object(headers) }
        if !cookies.isEmpty { object[.cookies] = .object(cookies) }
    }

    /// Sets the media type of a body that is sent as UTF-8.
    mutating func set(contentType type: String, ofText isText: Bool, isASCII: Bool) {
        var type = type
        if isText, let media = MediaType(parsing: type),
            let charset = media.parameters.first(where: { $0.name == "charset" })?.value,
            !Self.reads(charset, likeUTF8WhereASCII: isASCII)
        {
            type = "\(media.essence); charset=utf-8"
            differ("the body is sent in UTF-8 instead of \(charset.printable.shortened)")
        }
        headers["Content-Type"] = .string(DraftText.literal(type))
    }

    /// Returns whether a text has the same bytes in an encoding as in UTF-8.
    private static func reads(_ charset: String, likeUTF8WhereASCII isASCII: Bool) -> Bool {
        let name = charset.lowercased()
        let containsASCII = ["iso-8859-", "windows-125", "latin1"].contains { name.hasPrefix($0) }
        return ["utf-8", "utf8", "us-ascii", "ascii"].contains(name) || isASCII && containsASCII
    }

    private mutating func read(_ name: String, _ value: String, _ redaction: inout Redaction) {
        for grant in grants {
            guard case .header(let field, let scheme) = grant.place, field == name.lowercased() else { continue }
            return add(name, "\(scheme.map { $0 + " " } ?? ""){{token.\(grant.kind)}}", isTemplate: true)
        }
        let shown = redaction.text(value, named: name)
        guard shown.exact == value.exact else {
            return leaveOut("the header field \(name.printable.shortened), whose value may be private")
        }
        add(name, value)
    }

    private mutating func add(_ name: String, _ value: String, isTemplate: Bool = false) {
        guard HTTPFields.isName(name), HTTPFields.isValue(value) else {
            return leaveOut("the header field \(name.printable.shortened), which HTTP does not allow")
        }
        if value.utf8.contains(where: { $0 >= 0x80 }) {
            differ(
                "the value of \(name.printable.shortened) is sent in UTF-8; the captured value may have used "
                    + "another encoding"
            )
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
        if isOwn { general.insert("in header fields, URLs of this server are made relative") }
        let parts = url.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var target = redaction.plain(parts[0])
        if parts.count > 1 {
            // A URL may have a signature in it.
            let items = parts[1].split(separator: "&", omittingEmptySubsequences: false).filter { item in
                let name = String(item.prefix { $0 != "=" })
                return !TokenNames.saySecret(name)
                    && !["sig", "hmac", "policy"].contains { TokenNames.plain(name).hasSuffix($0) }
            }
            if items.count < parts[1].split(separator: "&", omittingEmptySubsequences: false).count {
                leaveOut("secrets in the query of a URL in a header field")
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
        let isCleared = kind == nil && first[1].isEmpty
        let value = JSONValue.string(kind.map { "{{token.\($0)}}" } ?? (isCleared ? "" : Redaction.placeholder))
        if kind == nil, !isCleared { leaveOut("the value of the cookie \(first[0].printable), which may be private") }
        func leaveOutAttribute(_ attribute: String, _ reason: String = "") {
            leaveOut("the attribute \(attribute) of the cookie \(first[0].printable)\(reason)")
        }
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
                leaveOutAttribute("Secure", "; add \"secure\": true if you serve the backend with --tls")
            case "samesite":
                let word = argument.prefix(1).uppercased() + argument.dropFirst().lowercased()
                if ["Strict", "Lax"].contains(word) {
                    cookie[.sameSite] = .string(word)
                } else {
                    leaveOutAttribute("SameSite=\(word.printable.shortened)")
                }
            case "domain": leaveOutAttribute("Domain", ", because the mock has another host")
            case "expires" where !parts.contains { $0.first?.lowercased() == "max-age" }:
                leaveOutAttribute("Expires")
            default: break
            }
        }
        general.insert("cookies without a path have the path /, and Expires follows the session's clock")
        cookies[first[0]] = cookie.object.count == 1 ? value : cookie.json
    }
}
