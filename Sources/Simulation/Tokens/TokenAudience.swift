package import HTTPCodec
import JSON

extension HTTPRequest {
    /// The audience, the resources and the scope for which a request wants tokens; empty if it names none.
    ///
    /// One refresh token may be good for access tokens of several audiences, which do not replace each other (RFC 6749,
    /// section 6; RFC 8693, section 2.1; RFC 8707, section 2.2).
    package var tokenAudience: String {
        guard body.count <= 64 << 10 else { return "" }
        var named = query.map { QueryItems(parsing: $0).items.map { ($0.name, $0.value) } } ?? []
        if let type = fields["Content-Type"].flatMap({ MediaType(parsing: $0) }),
            type.subtype == "x-www-form-urlencoded"
        {
            named += QueryItems(parsingForm: body).items.map { ($0.name, $0.value) }
        } else if let object = (try? JSONParser(duplicateNames: .lastWins).parse(body))?.root.object {
            named += object.members.compactMap { member in member.value.string.map { (member.name, $0) } }
        }
        return named.filter { ["audience", "resource", "scope"].contains($0.0) }.map { "\($0.0)=\($0.1)" }.sorted()
            .joined(separator: " ")
    }
}
