import Foundation

/// What can be seen of a JSON Web Token (RFC 7519) without its key.
struct WebToken: Sendable {
    /// When it ceases to be good, by its own account; `nil` when it does not say so.
    let expiry: Date?

    init(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Data(base64URL: parts[1]),
            let claims = try? JSONDecoder().decode(Claims.self, from: payload)
        else {
            expiry = nil
            return
        }
        expiry = claims.exp.map(Date.init(timeIntervalSince1970:))
    }

    func hasExpired(at moment: Date) -> Bool {
        expiry.map { $0 <= moment } ?? false
    }

    private struct Claims: Decodable {
        var exp: TimeInterval?
    }
}

extension Data {
    /// Decodes the alphabet of URLs, without padding (RFC 4648, section 5).
    fileprivate init?(base64URL text: Substring) {
        var usual = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while usual.utf8.count % 4 != 0 { usual += "=" }
        self.init(base64Encoded: usual)
    }
}
