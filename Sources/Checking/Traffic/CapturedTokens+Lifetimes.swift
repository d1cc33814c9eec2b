import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension CapturedTokens {
    /// The lifetime of a token as the token itself, its cookie or the response says; `nil` where none does.
    ///
    /// - Parameter now: The time by which a JSON Web Token without `iat` was issued; `nil` for that of the response.
    package static func lifetime(of grant: Grant, in entry: Capture.Entry, issued now: Int64? = nil) -> Duration? {
        let date = entry.response?.fields["Date"].flatMap { HTTPDate.parse($0) } ?? entry.start.seconds
        if let claims = TokenClaims(grant.value), let end = claims.end {
            let begin = claims.begin ?? Int(now ?? date)
            return end >= begin ? .seconds(end - begin) : nil
        }
        if case .cookie(let name) = grant.place {
            let cookies = entry.response?.fields.values(of: "Set-Cookie") ?? []
            return cookies.lazy.compactMap { lifetime(ofCookie: $0, named: name, from: date) }.first
        }
        guard let body = entry.response?.body,
            let root = (try? JSONParser(duplicateNames: .lastWins).parse(body))?.root
        else { return nil }
        var members: [StatedEnd] = []
        collect(root, [], from: date, &members)
        let own = members.filter { $0.path.contains(grant.kind.lowercased()) }
        if let first = own.first { return first.lifetime }
        guard grant.kind != "refresh" else { return nil }
        let others = members.filter { !$0.path.contains("refresh") && !$0.path.contains("access") }
        var place: [String] = []
        if case .body(let pointer) = grant.place { place = JSONPointer(pointer)?.tokens ?? [] }
        // A date of something else, such as a trial, is rarely next to a token.
        return (others.first { place.starts(with: $0.outer) } ?? others.first { $0.path.hasSuffix("expiresin") })?
            .lifetime
    }

    /// The time until a token expires by its `exp`; `nil` for other texts, and after the end.
    package static func remainder(of value: String, in entry: Capture.Entry) -> Duration? {
        guard let end = TokenClaims(value)?.end else { return nil }
        let date = entry.response?.fields["Date"].flatMap { HTTPDate.parse($0) } ?? entry.start.seconds
        return until(Int64(end), from: date)
    }

    /// A member of a response that says how long a token is valid, or until when.
    private struct StatedEnd {
        /// The names of the objects around it.
        var outer: [String]
        /// All names together, in the form of ``TokenNames/plain(_:)``.
        var path: String
        var lifetime: Duration
    }

    /// Names of durations, such as `expires_in` (RFC 6749, section 5.1), and of moments.
    private static let ends = [
        "expiresin", "expiresinseconds", "ttl", "maxage", "expiresat", "expires", "expiry", "expirydate", "expiration",
        "expirationtime", "expirationdate", "validuntil",
    ]

    private static func collect(
        _ value: JSONValue,
        _ outer: [String],
        from date: Int64,
        _ members: inout [StatedEnd]
    ) {
        guard let object = value.object, outer.count < 4 else { return }
        for member in object.members {
            let name = TokenNames.plain(member.name)
            if ends.contains(where: name.hasSuffix), let lifetime = lifetime(member.value, from: date) {
                let path = (outer.map(TokenNames.plain) + [name]).joined()
                members.append(StatedEnd(outer: outer, path: path, lifetime: lifetime))
            }
            collect(member.value, outer + [member.name], from: date, &members)
        }
    }

    /// Reads seconds, a duration as `15m`, or a moment in seconds or milliseconds since 1970, by RFC 3339 or as an HTTP date.
    private static func lifetime(_ value: JSONValue, from date: Int64) -> Duration? {
        let text = value.string ?? ""
        if let number = value.int ?? Int(text) {
            switch number {
            case 0..<1_000_000_000: return .seconds(number)
            case 1_000_000_000..<100_000_000_000: return until(Int64(number), from: date)
            default: return number < 0 ? nil : until(Int64(number / 1_000), from: date)
            }
        }
        if let duration = DurationText.parse(text), duration >= .zero { return duration }
        return (RFC3339.parse(text)?.secondsSince1970 ?? HTTPDate.parse(text)).flatMap { until($0, from: date) }
    }

    private static func until(_ end: Int64, from date: Int64) -> Duration? {
        end >= date ? .seconds(end - date) : nil
    }

    /// `Max-Age`, else `Expires` (RFC 6265, section 4.1.2).
    private static func lifetime(ofCookie cookie: String, named name: String, from date: Int64) -> Duration? {
        let attributes = CapturedStrings.pairs(cookie, between: ";")
        guard let first = attributes.first, first.0.exact == name.exact else { return nil }
        func value(of name: String) -> String? { attributes.dropFirst().first { $0.0.lowercased() == name }?.1 }
        if let age = value(of: "max-age") { return Int(age).flatMap { 0...1_000_000_000 ~= $0 ? .seconds($0) : nil } }
        return value(of: "expires").flatMap { HTTPDate.parse($0) }.flatMap { until($0, from: date) }
    }
}
