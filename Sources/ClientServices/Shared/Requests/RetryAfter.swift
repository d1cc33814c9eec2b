import Foundation

extension TransportResponse {
    /// The seconds for which the server asks to wait (RFC 9110, section 10.2.3); `nil` when it asks for none, or not in
    /// a way that the standard knows.
    ///
    /// A date is one of the server's clock, which its `Date` field shows, and which may be far from the device's.
    ///
    /// - Parameter now: the device's time, for a server that sends no `Date`.
    func retryAfter(at now: Date) -> TimeInterval? {
        guard let text = fields["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) { return TimeInterval(text) }
        let now = fields["Date"].flatMap { Date(httpDate: $0, now: now) } ?? now
        return Date(httpDate: text, now: now).map { max(0, $0.timeIntervalSince(now)) }
    }
}

extension ServiceProblem {
    /// The seconds for which the server asks to wait; `nil` when it asks for none.
    func retryAfter(at now: Date) -> TimeInterval? {
        guard case .status(let response) = self else { return nil }
        return response.retryAfter(at: now)
    }
}

/// The attempts that are left when a server is too busy, or its response was lost.
struct RetryPauses: Sendable {
    /// Seconds before each further attempt.
    private var pauses: ArraySlice<TimeInterval> = [0.3, 0.6, 1]
    /// The longest wait that the server may ask for before it is an error, in seconds.
    private static let longestPause: TimeInterval = 60

    /// Waits for the next attempt; `false` if no attempt is left.
    ///
    /// - Parameter asked: the seconds for which the server asks to wait.
    mutating func pause(for asked: TimeInterval?, on clock: any ServiceClock) async throws(ServiceProblem) -> Bool {
        let asked = asked ?? 0
        guard asked <= Self.longestPause, let pause = pauses.popFirst() else { return false }
        do {
            try await clock.sleep(seconds: max(asked, pause))
        } catch {
            throw .transport(.cancelled)
        }
        return true
    }
}

extension Date {
    /// The moment of a date in any of the three forms that HTTP has (RFC 9110, section 5.6.7).
    ///
    /// The name of the day is not compared with the date.
    ///
    /// - Parameter now: decides the century of a year with two digits, which is never more than 50 years ahead.
    init?(httpDate text: String, now: Date) {
        let words = text.split(separator: " ")
        var date: [Substring]
        let time: Substring
        switch words.count {
        case 6 where words[5] == "GMT":  // Sun, 06 Nov 1994 08:49:37 GMT
            (date, time) = (Array(words[1...3]), words[4])
        case 4 where words[3] == "GMT":  // Sunday, 06-Nov-94 08:49:37 GMT
            (date, time) = (words[1].split(separator: "-", omittingEmptySubsequences: false), words[2])
            guard date.count == 3, date[2].utf8.count == 2, let year = Int(date[2]), year >= 0 else { return nil }
            let first = GregorianDay(now, in: TimeZone(secondsFromGMT: 0) ?? .current).year - 49
            date[2] = "\(first + ((year - first) % 100 + 100) % 100)"
        case 5:  // Sun Nov  6 08:49:37 1994
            (date, time) = ([words[2], words[1], words[4]], words[3])
        default:
            return nil
        }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard date[2].utf8.count == 4, let month = months.firstIndex(of: String(date[1])),
            let moment = Moment(rawValue: "\(date[2])-\(month + 1)-\(date[0])T\(time)Z").date
        else { return nil }
        self = moment
    }
}
