import Basics

/// Rules for the messages that an intermediary passes on (RFC 9110, section 7.6).
extension HTTPFields {
    /// Fields that are about one connection (RFC 9110, section 7.6.1).
    package static let hopByHop: Set<String> = [
        "connection", "proxy-connection", "keep-alive", "te", "transfer-encoding", "upgrade", "proxy-authenticate",
        "proxy-authorization", "http2-settings",
    ]

    /// Fields that every recipient needs, so that `Connection` cannot make them fields of one connection.
    private static let required: Set<String> = ["content-length", "host"]

    /// The fields that are not about one connection.
    package var endToEnd: HTTPFields {
        let named = Set(elements(of: "Connection").map { $0.lowercased() }).subtracting(Self.required)
        return filter { !Self.hopByHop.contains($0.lowercased()) && !named.contains($0.lowercased()) }
    }

    /// Returns the value of a field whose URLs are replaced: `Location`, `Content-Location`, `Link` (RFC 8288, section
    /// 3) or `Refresh`; other values stay as they are.
    package static func replacingURLs(in value: String, of name: String, by url: (String) -> String) -> String {
        let parts: [Substring]
        let mark: Character
        switch name.lowercased() {
        case "location", "content-location": return url(value)
        case "link": (mark, parts) = ("<", value.split(separator: "<", omittingEmptySubsequences: false))
        case "refresh":
            (mark, parts) = ("=", value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false))
        default: return value
        }
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            let quote = part.prefix { "'\" ".contains($0) }
            let old = part.dropFirst(quote.count).prefix { $0 != ">" }
            return "\(text)\(mark)\(quote)\(url(String(old)))\(part.dropFirst(quote.count + old.count))"
        }
    }

    /// A Boolean value that indicates whether a cookie is set whose name requires TLS (RFC 6265bis, section 4.1.3).
    package var setSecureCookie: Bool {
        values(of: "Set-Cookie").contains { ["__host-", "__secure-"].contains(where: $0.lowercased().hasPrefix) }
    }
}

extension HTTPRequest {
    /// The request without the cookies that have one of these values.
    package func withoutCookies(of values: Set<String>) -> HTTPRequest {
        guard !values.isEmpty, fields.contains("Cookie") else { return self }
        var request = self
        request.fields = fields.compactMapValues { name, value in
            guard name.lowercased() == "cookie" else { return value }
            let kept = value.split(separator: ";").map { String($0.trimming { $0 == " " }) }.filter { piece in
                let found = Cookies(of: ["Cookie": piece]).pairs.first?.value ?? ""
                return !values.contains(found) && !values.contains(PercentEncoding.decode(found) ?? "")
            }
            return kept.isEmpty ? nil : kept.joined(separator: "; ")
        }
        return request
    }
}

extension HTTPResponse {
    /// Returns the reason why the body is not coded as the response says; `nil` for a coding that is not decoded here.
    package func damage(limit: Int) -> String? {
        guard !body.isEmpty, fields.contains("Content-Encoding") else { return nil }
        do {
            _ = try ContentCoding.decode(body, codedBy: fields, limit: limit)
            return nil
        } catch {
            switch error {
            case .malformed, .truncated: return error.sentence
            case .unknown, .tooLarge, .tooMany, .tooManyValues: return nil
            }
        }
    }
}

extension HTTPRequest {
    /// The content coding of a response that the client does not take; `nil` if it takes all of them.
    ///
    /// A client that names no codings takes every one (RFC 9110, section 12.5.3).
    ///
    /// - Parameter mustRead: Whether this server has to read the body.
    package func unacceptedCoding(of response: HTTPFields, mustRead: Bool) -> String? {
        let accepted = fields.joinedValue(of: "Accept-Encoding") ?? "*"
        return response.elements(of: "Content-Encoding").map { $0.lowercased() }.first {
            $0 != "identity" && (mustRead && ContentCoding($0) == nil || !AcceptedEncoding.allows($0, accepted))
        }.map { $0.utf8.count > 12 ? "an unknown coding" : $0 }
    }

    /// The number of servers that may pass the request on; `nil` for any number (RFC 9110, section 7.6.2).
    package var forwardsLeft: UInt64? {
        guard method == .trace || method == .options else { return nil }
        return fields["Max-Forwards"].flatMap { UInt64($0) }
    }

    /// The response of the server that may not pass the request on: TRACE gets the request back, without its query and
    /// the fields that may contain secrets.
    package var lastResponse: HTTPResponse {
        guard method == .trace else { return HTTPResponse(status: .noContent) }
        let shown = fields.filter { ["host", "max-forwards", "via"].contains($0.lowercased()) }
        var response = HTTPResponse(status: .ok, fields: ["Content-Type": "message/http"])
        let request = HTTPRequest(method: .trace, target: path, version: version, fields: shown)
        HTTPRequestWriter.append(request, to: &response.body)
        return response
    }

    /// The request with a body of known length, without the fields that are about one connection.
    package var sentWhole: HTTPRequest {
        var whole = self
        whole.fields = fields.filter { !HTTPFields.hopByHop.union(["expect"]).contains($0.lowercased()) }
        if !body.isEmpty { whole.fields.set("Content-Length", "\(body.count)") }
        return whole
    }
}

extension HTTPResponse {
    /// Replaces the body, and removes the fields about the former one (RFC 9530; RFC 9110, section 8.8.3).
    package mutating func replaceBody(by body: [UInt8]) {
        self.body = body
        for name in ["Content-Digest", "Repr-Digest", "Digest", "Content-MD5", "ETag"] { fields.remove(name) }
    }
}
