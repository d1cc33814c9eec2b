package import Basics
package import Checking
import EventLoops
package import HTTPCodec
package import HTTPServing
import JSON
import ScenarioFormat
import Simulation
package import StubServing

/// Sends requests on to upstream servers.
///
/// A class, because the sessions of a server share it.
package final class Forwarder: RequestForwarder {
    /// The name of this server in `Via`, by which a loop is found.
    let pseudonym: String
    /// The longest wait for a sign of an upstream.
    let timeout: Duration
    private let trust: ServerTrust
    private let kinds: [CapturedTokens.DeclaredKind]
    private let recorder: TrafficRecorder?
    /// By base URL.
    private let learners = Lock<[String: TokenLearner]>([:])
    private let upstreams = Lock<[String: Upstream]>([:])

    /// - Parameters:
    ///   - kinds: the kinds of token that the names in messages do not show.
    ///   - recorder: keeps the exchanges; `nil` to keep none.
    package init(
        trust: ServerTrust = ServerTrust(),
        timeout: Duration = .seconds(30),
        kinds: [CapturedTokens.DeclaredKind] = [],
        recorder: TrafficRecorder? = nil
    ) {
        (self.trust, self.timeout, self.kinds, self.recorder) = (trust, timeout, kinds, recorder)
        var generator = SystemRandomNumberGenerator()
        pseudonym = "backlot-" + String(UInt64.random(in: .min ... .max, using: &generator), radix: 36)
    }

    /// The server of a base URL, which is looked up once.
    private func upstream(_ text: String) throws(VerificationProblem) -> Upstream {
        if let known = upstreams.withLock({ $0[text] }) { return known }
        let way = try trust.way(to: ServerURL(text))
        if let proxy = way.proxy {
            throw VerificationProblem(
                "\(text) would be reached by the proxy \(proxy.host), which is not supported",
                advice: "add the host to the variable no_proxy"
            )
        }
        let new = Upstream(way)
        return upstreams.withLock { upstreams in
            if let known = upstreams[text] { return known }
            upstreams[text] = new
            return new
        }
    }

    package func refusal(of upstream: String) -> Finding? {
        do throws(VerificationProblem) {
            _ = try self.upstream(upstream)
            return nil
        } catch {
            return Finding(.error, id: "scenario/upstream", error.sentence, advice: error.advice)
        }
    }

    package func remarks(on request: HTTPRequest) -> ForwardingRemarks {
        let items = CapturedStrings.request(request)
        return ForwardingRemarks(
            purpose: SecretValues.purpose(of: request, items),
            candidates: items.map(\.value).filter { 8...16_384 ~= $0.utf8.count },
            secrets: items.filter(SecretValues.isSecret).map(\.value)
        )
    }

    package func producer(
        for exchange: ForwardedExchange,
        of host: any ForwardingHost
    ) -> (any ResponseProducer)? {
        guard let upstream = try? self.upstream(exchange.upstream) else { return nil }
        return UpstreamProducer(forwarder: self, exchange: exchange, upstream: upstream, host: host)
    }

    /// The effect of a response on the session of its client.
    ///
    /// - Parameter hasBody: whether the response has its body, or has none.
    func answer(
        _ response: HTTPResponse,
        to exchange: ForwardedExchange,
        hasBody: Bool,
        of host: any ForwardingHost
    ) -> UpstreamAnswer {
        let now = VirtualTime(seconds: Int64(WallClock.secondsSince1970()))
        var request = exchange.request
        if let decoded = try? request.decoded(limit: ForwardedExchange.longestKept) { request = decoded }
        let url = try? ServerURL(exchange.upstream)
        var entry = Capture.Entry(
            at: now,
            scheme: url?.isSecure == false ? "http" : "https",
            host: url?.host ?? exchange.upstream,
            request: request,
            response: response
        )
        (entry.lacksRequestBody, entry.lacksResponseBody) = (request.isBodyPending, !hasBody)
        recorder?.add(entry)
        let learner = learners.withLock { learners in
            let learner = learners[exchange.upstream] ?? TokenLearner(kinds)
            learners[exchange.upstream] = learner
            return learner
        }
        let lesson = learner.learn(entry, keeping: response)
        if let learned = lesson.learned { host.learn(learned, from: exchange, saying: lesson.lines) }
        return lesson.answer
    }
}

/// One request, until its time has come.
struct UpstreamProducer: ResponseProducer {
    let forwarder: Forwarder
    let exchange: ForwardedExchange
    let upstream: Upstream
    let host: any ForwardingHost

    func makeRelay(for client: any RelayedClient) -> any ClientRelay {
        UpstreamRelay(exchange, to: upstream, of: host, by: forwarder, for: client)
    }
}
