import HTTPCodec
import OpenAPI

/// Something that the platform's own networking does by itself, for which no client is blamed.
package struct PlatformFact: Sendable, Hashable {
    /// A stable name, such as `urlsession/follows-redirects`.
    package var id: String
    /// What it does, as a sentence without a closing full stop.
    package var what: String
    /// Where it was seen.
    package var source: String

    private static let measured = "measured with URLSession of Swift 6.3 on Linux against a scripted server"

    private init(_ name: String, _ what: String) {
        id = "urlsession/\(name)"
        self.what = what
        source = Self.measured
    }

    static let followsRedirects = PlatformFact(
        "follows-redirects",
        "follows redirects by itself: 302 turns POST into GET, and 307 loses the body"
    )
    static let resendsWithoutBody = PlatformFact(
        "resends-without-body",
        "sends a request with a body once more, without the body, when a kept connection breaks"
    )
    static let resends = PlatformFact("resends", "sends GET once more when a kept connection breaks")
    static let formContentType = PlatformFact(
        "form-content-type",
        "says application/x-www-form-urlencoded of a body for which nobody names a media type"
    )
    static let refusesGetWithBody = PlatformFact("get-without-body", "sends no GET with a body (URLError -1103)")
    static let wholeSeconds = PlatformFact(
        "whole-seconds",
        "cuts time-outs down to whole seconds, counts them from the last byte, and fails at once below one second"
    )
    static let sixConnections = PlatformFact("six-connections", "opens six connections to a host at most")

    /// In the order in which reports list them.
    package static let all = [
        followsRedirects, resends, resendsWithoutBody, formContentType, refusesGetWithBody, wholeSeconds,
        sixConnections,
    ]
}

extension PlatformFact {
    /// What excuses that a request breaks the contract.
    static func excusing(
        _ violation: ContractViolation,
        of exchange: RecordedRequest,
        repeating isRepeated: Bool,
        in answer: ResponseCheckResponse
    ) -> PlatformFact? {
        if case .other(300..<400) = answer.kind { return .followsRedirects }
        let bodyIsMissing = ["contract/missing-body", "contract/missing-media-type"].contains(violation.id)
        if isRepeated, bodyIsMissing, exchange.request.body.isEmpty { return .resendsWithoutBody }
        let type = exchange.request.fields["Content-Type"].flatMap(MediaType.init(parsing:))
        if violation.part == .mediaType, type?.essence == "application/x-www-form-urlencoded" {
            return .formContentType
        }
        return nil
    }
}
