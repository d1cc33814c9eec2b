package import Basics
package import HTTPCodec
package import ScenarioFormat

extension Exchange {
    /// An exchange that was captured somewhere else, of which less is known than of one that was played.
    package init(
        captured number: UInt64,
        time: VirtualTime,
        arrival: MonotonicTime,
        end: MonotonicTime?,
        request: HTTPRequest,
        response: HTTPResponse
    ) {
        self.init(number: number, time: time, arrival: arrival, end: end, outcome: .sent, request: request)
        self.response = response
    }
}
