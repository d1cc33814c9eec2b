import Basics
package import JSON

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// One answer: what is sent, how, and what it changes.
package struct StubResponse: Sendable {
    package var status: Int
    package var headers: [HeaderTemplate]
    package var body: ResponseBody
    package var latency: Latency?
    package var pacing: Pacing?
    package var negotiation = Negotiation()
    package var fault: Fault?
    package var grants: [Grant]
    package var signIn: SignIn?
    /// The data that the granted tokens keep, as one object; exchanged tokens pass on theirs.
    package var memory: TreeTemplate?
    package var changes: [Event]
    package var position: JSONPosition
    /// The reason why the response deliberately violates the contract; `nil` for one that does not.
    package var breaks: String?
    /// Where its body was read from, when it is a fixture.
    package var fixture: FixtureReference?
    /// The object that it was read from, for the place of a key; it shares the scenario's storage.
    package var tree: JSONValue
}

/// A header field whose value may hold placeholders.
package struct HeaderTemplate: Sendable {
    package var name: String
    package var value: TextTemplate
}

/// The bytes of a response, final where they can be.
package enum ResponseBody: Sendable {
    case none
    /// Rendered once, when the scenario was loaded.
    case bytes([UInt8], contentType: String)
    /// The tree keeps the positions of its values; the other form is what is written.
    case json(TreeTemplate, written: ValueTemplate)
    case text(TextTemplate)
    /// JSON of which members may be left out.
    case tree(TreeTemplate)
    /// The bytes of the uploaded file that the route has found under a name.
    case content(of: String)
    /// A body that comes event by event.
    case events(EventStream)
    /// No body: the connection becomes a WebSocket.
    case webSocket(WebSocketScript)
}

extension ResponseBody {
    /// The placeholders in it, in their order.
    package var placeholders: [Placeholder] {
        switch self {
        case .none, .bytes, .content: []
        case .json(_, let template): template.placeholders
        case .text(let template): template.placeholders
        case .tree(let template): template.placeholders
        case .events(let stream): stream.placeholders
        case .webSocket(let script): script.placeholders
        }
    }
}

/// A sign-in: for which device and which account.
package struct SignIn: Sendable {
    package var device: TextTemplate?
    package var account: TextTemplate?
}

/// The latency of a response, with its clock.
package struct Latency: Sendable, Hashable {
    /// The distribution of the wait.
    package enum Distribution: Sendable, Hashable {
        case fixed(Duration)
        case uniform(Duration, Duration)
        /// The logarithm of the wait is normal; a draw beyond the maximum is drawn again.
        case logNormal(median: Duration, sigma: Double, maximum: Duration?)
    }

    package var distribution: Distribution
    /// A Boolean value that indicates whether the wait passes on the virtual clock.
    package var isVirtual: Bool
}

/// The delivery of a body in delayed pieces.
package enum Pacing: Sendable, Hashable {
    case dribble(chunks: Int, over: Duration)
    case bandwidth(bytesPerSecond: Int)
}

/// A connection that breaks.
package struct Fault: Sendable, Hashable {
    /// The failure from the client's view.
    package enum Kind: String, Sendable, CaseIterable {
        /// A TCP reset before any byte.
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
        /// The server does all of its work, and the response is lost on the way.
        case lost
    }

    package var kind: Kind
    package var probability: Double
    /// The part of the body that arrives before a truncation.
    package var keep: Double
    /// A Boolean value that indicates whether grants and changes take place before the connection breaks.
    package var commits: Bool
}

extension Fault.Kind {
    /// A Boolean value that indicates whether the server has done its work by the time this fault strikes, unless the
    /// scenario says otherwise.
    ///
    /// A connection that breaks before any response breaks before the work; a broken answer follows work done.
    package var commitsByNature: Bool {
        switch self {
        case .reset, .empty, .never: false
        case .truncated, .malformedChunk, .garbage, .lost: true
        }
    }
}

/// The fixture that a response's body was read from, so that a checker can read it again with the place of every value.
package struct FixtureReference: Sendable, Hashable {
    /// The file's path as the user would write it.
    package var path: String
    /// Its document number in the loaded scenario's ``Basics/SourceMap``.
    package var document: Int32
    /// The place where the scenario names it.
    package var position: JSONPosition
}

/// A response's support for clients that already have a part or a version of it.
package struct Negotiation: Sendable, Hashable {
    /// The source of the version (RFC 9110, section 8.8).
    package enum Validator: Sendable, Hashable {
        /// The bytes of the body.
        case body
        /// The items that the route found by a name, in their visible form.
        case found(String)
    }

    package var validator: Validator?
    /// A Boolean value that indicates whether a part of the body can be asked for (RFC 9110, section 14).
    package var allowsRanges = false
    /// A Boolean value that indicates whether the body is sent compressed to those who accept it (RFC 9110, section
    /// 8.4).
    package var allowsGzip = false

    package init() {}

    /// A Boolean value that indicates whether it is sent the same way to everybody.
    package var isPlain: Bool { validator == nil && !allowsRanges && !allowsGzip }
}

/// The origins whose pages may send requests (Fetch standard, "CORS protocol").
package struct CrossOrigin: Sendable, Hashable {
    /// `nil` for every origin.
    package var origins: [String]?
    /// The fields that may be sent; none for those that a preflight asks for.
    package var headers: [String]
    package var exposed: [String]
    package var allowsCredentials: Bool
    package var maximumAge: Duration?
}

/// The log-normal distribution, as latency has it: most waits are short, and some are very long.
package enum LogNormal {
    /// The quantile of the standard normal distribution at 0.99.
    private static let quantile99 = 2.326_347_874_040_841

    /// The standard deviation of the logarithm that puts one wait in a hundred beyond `p99`.
    package static func sigma(median: Duration, p99: Duration) -> Double {
        log(Double(p99.wholeMicroseconds) / Double(median.wholeMicroseconds)) / quantile99
    }

    /// Turns two evenly drawn numbers into one wait (Box and Muller, 1958).
    ///
    /// The result is rounded to whole microseconds, so that the last bit of a platform's logarithm does not show.
    ///
    /// - Parameters:
    ///   - first: a number above 0 and at most 1.
    ///   - second: a number from 0 to 1.
    package static func sample(median: Duration, sigma: Double, _ first: Double, _ second: Double) -> Duration {
        let normal = (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
        let wait = Double(median.wholeMicroseconds) * exp(sigma * normal)
        return .microseconds(Int64(min(wait, 1e15).rounded()))
    }
}
