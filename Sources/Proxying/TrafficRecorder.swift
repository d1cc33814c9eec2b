import Basics
package import Checking
import HTTPCodec

/// Keeps the exchanges with an upstream in memory, so that a backend can be made of them.
///
/// Nothing of it is written as it is. A class, because all loops add to it.
package final class TrafficRecorder: Sendable {
    private struct State {
        var capture = Capture(file: "recording")
        var bytes = 0
    }

    private let state = Lock(State())

    /// The most bytes that are kept: 256 MB.
    ///
    /// Later exchanges are counted as lost.
    private static let mostBytes = 256 << 20

    package init() {}

    /// The exchanges so far.
    package var capture: Capture { state.withLock { $0.capture } }

    func add(_ entry: Capture.Entry) {
        state.withLock { state in
            let size = entry.request.body.count + (entry.response?.body.count ?? 0) + 2_000
            guard state.bytes + size <= Self.mostBytes else {
                state.capture.lost += 1
                return
            }
            state.bytes += size
            state.capture.entries.append(entry)
        }
    }
}
