import ScenarioFormat

extension BacklotServer {
    /// How a connection breaks instead of carrying a response.
    public enum Fault: String, Sendable, Hashable, CaseIterable {
        /// The connection is reset before any byte.
        case reset
        /// The connection closes without a byte.
        case empty
        /// The head and a part of the body arrive, then the connection closes.
        case truncated
        /// A chunked body whose chunk size is not a number.
        case malformedChunk
        /// Bytes that are not HTTP.
        case garbage
        /// Nothing arrives, and the connection stays open.
        case never
        /// The server does its work, and the response is lost on the way.
        case lost
    }

    /// Lets the next requests of a route meet a fault.
    ///
    /// - Parameters:
    ///   - route: as the story has it: `POST /refresh`.
    ///   - times: how many requests.
    /// - Throws: ``StoryProblem`` when the story has no such route.
    public func arm(_ fault: Fault, on route: String, times: Int = 1) throws {
        try change(["fault": JSON(fault.rawValue), "route": JSON(route), "times": JSON(times)])
    }
}
