import Basics
import HTTPCodec

/// What time it is on the server, as far as its responses tell.
final class ServerTime: Sendable {
    private struct Sight {
        var date: Int64
        /// How long the device had been running when the request was sent: the response is not older than that.
        var asked: Duration
    }

    private let newest = Lock<Sight?>(nil)

    func note(_ response: HTTPResponse, asked: Duration) {
        guard let date = response.fields["Date"].flatMap({ HTTPDate.parse($0) }) else { return }
        newest.withLock { newest in
            if let known = newest, known.asked > asked { return }
            newest = Sight(date: date, asked: asked)
        }
    }

    /// Seconds since 1970, rather late than early; `nil` before the first response.
    func now(_ uptime: Duration) -> Int64? {
        newest.withLock { $0.map { $0.date + (uptime - $0.asked).components.seconds } }
    }
}
