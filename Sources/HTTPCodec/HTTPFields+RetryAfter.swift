import Basics

extension HTTPFields {
    /// The delay for which a client is to wait before it sends the request again: `Retry-After` (RFC 9110, section 10.2.3).
    ///
    /// A date is compared with the server's own clock, which the `Date` field shows.
    ///
    /// - Parameter time: the server's time in seconds since 1970, for a response without `Date`.
    /// - Returns: `nil` for a response that asks for no delay, or in an unknown way.
    package func retryDelay(at time: Int64? = nil) -> Duration? {
        guard let text = self["Retry-After"] else { return nil }
        if 1...9 ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            return Int(text).map { .seconds($0) }
        }
        guard let now = self["Date"].flatMap({ HTTPDate.parse($0) }) ?? time else { return nil }
        return HTTPDate.parse(text, now: now).map { .seconds(Swift.max(0, $0 - now)) }
    }
}
