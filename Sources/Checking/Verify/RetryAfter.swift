import Basics
import HTTPCodec

/// The wait that a server asks for (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// - Returns: `nil` when the server does not say, or says it in an unknown way.
    static func wait(in response: HTTPResponse) -> Duration? {
        guard let text = response.fields["Retry-After"] else { return nil }
        if text.utf8.count <= 9, !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            return Int(text).map { Duration.seconds($0) }
        }
        // A date is read by the server's own clock, which may be far from ours.
        guard let then = HTTPDate.parse(text), let now = response.fields["Date"].flatMap({ HTTPDate.parse($0) }) else {
            return nil
        }
        return .seconds(max(0, then - now))
    }
}
