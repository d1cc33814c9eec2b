package import Basics
package import Checking
import EventLoops
package import HTTPCodec
package import HTTPServing
import JSON
package import ScenarioFormat
package import Simulation
package import StubServing

/// Sends requests on to upstream servers.
///
/// A class, because the sessions of a server share it.
package final class Forwarder: RequestForwarder {
    /// The name of this server in `Via`, by which a loop is found.
    let pseudonym: String
    /// The longest wait for a byte of an upstream.
    let timeout: Duration
    private let trust: ServerTrust
    private let kinds: [CapturedTokens.DeclaredKind]
    /// The names of the places of these kinds.
    private let declaredNames: Set<String>
    let recorder: TrafficRecorder?
    let vault: TokenVault?
    /// Compares the responses of upstreams with those of a scenario; `nil` to compare none.
    package let comparison: MockComparison?
    private let wallTime: @Sendable () -> VirtualTime
    /// By base URL.
    private let learners = Lock<[String: TokenLearner]>([:])
    private let upstreams = Lock<[String: Upstream]>([:])
    private let said = Lock<Set<String>>([])

    /// - Parameters:
    ///   - kinds: the kinds of token that the names in messages do not show.
    ///   - recorder: keeps the exchanges; `nil` to keep none.
    ///   - keepsTokens: whether clients get tokens of this server in place of the upstream's.
    ///   - comparison: compares responses with those of a scenario.
    ///   - wallTime: returns the real time.
    package init(
        trust: ServerTrust = ServerTrust(),
        timeout: Duration = .seconds(30),
        kinds: [CapturedTokens.DeclaredKind] = [],
        recorder: TrafficRecorder? = nil,
        keepsTokens: Bool = false,
        comparison: MockComparison? = nil,
        wallTime: @escaping @Sendable () -> VirtualTime = {
            VirtualTime(seconds: Int64(WallClock.secondsSince1970()))
        }
    ) {
        (self.wallTime, self.comparison) = (wallTime, comparison)
        vault = keepsTokens ? TokenVault() : nil
        (self.trust, self.timeout, self.kinds, self.recorder) = (trust, timeout, kinds, recorder)
        declaredNames = Set(kinds.flatMap { $0.places.map(\.name) })
        pseudonym = "backlot-" + String(UInt64.random(in: .min ... .max), radix: 36)
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

    package var replacesTokens: Bool { vault != nil }

    package func refusal(of upstream: String) -> Finding? {
        do throws(VerificationProblem) {
            _ = try self.upstream(upstream)
            return nil
        } catch {
            return Finding(.error, id: "scenario/upstream", error.sentence, advice: error.advice)
        }
    }

    package func remarks(on request: HTTPRequest) -> ForwardingRemarks {
        let survey = MessageSurvey(request, declared: declaredNames)
        return ForwardingRemarks(
            purpose: survey.purpose(of: request),
            candidates: survey.items.map(\.value).filter { 8...16_384 ~= $0.utf8.count },
            refreshTokens: survey.refreshTokens,
            secrets: survey.secrets,
            hidesBody: !survey.isComplete
        )
    }

    package func producer(for exchange: ForwardedExchange, of host: any ForwardingHost) -> (any ResponseProducer)? {
        guard let upstream = try? self.upstream(exchange.upstream) else { return nil }
        return UpstreamProducer(forwarder: self, exchange: exchange, upstream: upstream, host: host)
    }

    /// Prints a line when it applies for the first time.
    func say(_ line: String, by host: any ForwardingHost) {
        if said.withLock({ $0.count < 100 && $0.insert(line).inserted }) { host.say(line) }
    }

    // MARK: Tokens

    /// A request for the upstream, with the upstream's tokens; `nil` where clients have these themselves.
    func outgoing(_ request: HTTPRequest, of host: any ForwardingHost) -> TokenVault.Outgoing? {
        guard let outgoing = vault?.outgoing(request) else { return nil }
        if let binding = outgoing.binding {
            let line = "the tokens of a client are left as they are, because its \(binding)"
            say(line, by: host)
        }
        return outgoing
    }

    /// The next step of a request.
    enum Step {
        case send
        /// The response to a refresh that the upstream need not see.
        case respond(HTTPResponse)
        /// A refresh is under way, after which the relay continues.
        case wait
    }

    /// Decides whether a request can be sent, and begins the refresh that it is, or that has to come before it.
    ///
    /// - Parameter relay: The relay of the request.
    func step(
        for exchange: ForwardedExchange,
        _ outgoing: TokenVault.Outgoing?,
        to upstream: Upstream,
        of host: any ForwardingHost,
        by relay: RelayOnLoop,
        at now: MonotonicTime
    ) -> Step {
        guard let vault, let outgoing, let family = outgoing.family, outgoing.binding == nil else { return .send }
        let isHidden = exchange.forwarding.purpose != .refresh || exchange.request.isBodyPending
        if !isHidden,
            let response = vault.renewal(for: outgoing, of: exchange, at: moment(exchange, now))
        {
            return .respond(response)
        }
        guard let refresh = isHidden ? vault.refresh(before: outgoing, at: upstream.way.url, now) : exchange else {
            return .send
        }
        if vault.hasSpent(family) { return .respond(Problem.refused("refresh", .superseded).response) }
        guard vault.beginRefresh(of: family, before: outgoing, waiting: relay) else { return .wait }
        let own = UpstreamRefresh(exchange: refresh, family: family, upstream: upstream, isHidden: isHidden, start: now)
        do throws(SystemError) {
            try LoopThread.start { [self] in
                let result = perform(own, of: host)
                vault.endRefresh(of: family) { relay.perform { isHidden ? $0.proceed() : $0.finishRefresh(result) } }
            }
            return .wait
        } catch {
            vault.endRefresh(of: family)
            return .send
        }
    }

    /// Refreshes the upstream's tokens, on a thread that may wait.
    ///
    /// It does not end with its client: the upstream's new tokens would be lost.
    private func perform(_ refresh: UpstreamRefresh, of host: any ForwardingHost) -> UpstreamRefresh.Result {
        let (exchange, upstream, isHidden) = (refresh.exchange, refresh.upstream, refresh.isHidden)
        let head = ForwardedHead(upstream: upstream, request: exchange.request, pseudonym: pseudonym)
        var request = head.upstreamRequest
        request.body = exchange.request.body
        guard let outgoing = vault?.outgoing(request.sentWhole) else { return .failure(.closedWithoutResponse) }
        var isSent = false
        do throws(HTTPClientFailure) {
            let limits = Upstream.limits(body: ForwardedExchange.longestKept)
            let client = try upstream.way.connect(timeout: timeout, limits: limits)
            defer { client.close() }
            isSent = true
            var received = try client.exchange(outgoing.request)
            if let reason = received.response.damage(limit: limits.body) { throw .malformed(reason) }
            received.response = (try? received.response.decoded(limit: limits.body)) ?? received.response
            let own = withOwnTokens(received.response, to: exchange, outgoing, keepsTokens: isHidden, at: refresh.start)
            if let own { received.response = own.response }
            received.framing = .length(received.body.count)
            if isHidden {
                let isUnknown = exchange.isGuess && !received.body.contains("invalid_grant".utf8)
                if 400..<500 ~= received.status.code { vault?.noteSpent(of: refresh.family, isUnknown: isUnknown) }
                let result = "\(exchange.route) \(received.status.code)".printable
                say("the upstream's access token has expired: \(result)", by: host)
            }
            return .success((received, own?.secrets ?? []))
        } catch {
            if isSent { vault?.noteSpent(of: refresh.family) }
            say("\(exchange.route): \(error.descriptionWithoutBytes)".printable, by: host)
            return .failure(error)
        }
    }

    /// A response with the client's tokens; `nil` for one without tokens of the upstream.
    ///
    /// - Parameter keepsTokens: Whether the client keeps its tokens, because it does not get the response.
    func withOwnTokens(
        _ response: HTTPResponse,
        to exchange: ForwardedExchange,
        _ outgoing: TokenVault.Outgoing?,
        keepsTokens: Bool = false,
        at now: MonotonicTime
    ) -> TokenVault.Incoming? {
        guard let vault, let outgoing else { return nil }
        var response = response
        var entry = entry(of: exchange, response)
        let received = MessageSurvey(response, declared: declaredNames)
        let single = received.bodyOfSingleNames
        if let single { response.replaceBody(by: single) }
        let sent = MessageSurvey(entry.request, declared: declaredNames).items
        entry.strings = (sent, received.items)
        // Refusals may also contain tokens, except those that the client has sent.
        let isRefusal = response.status.code >= 400
        if isRefusal { entry.response?.status = .ok }
        let found = CapturedTokens([entry], CapturedRoutes([entry]), declared: kinds).grants[0].filter { grant in
            !isRefusal || !sent.contains { $0.value.contains(grant.value) }
        }
        let grants = found.map { grant in
            TokenVault.Grant(
                kind: grant.kind,
                value: grant.value,
                lifetime: CapturedTokens.lifetime(of: grant, in: entry),
                isCookie: grant.place.isCookie
            )
        }
        var incoming = vault.incoming(
            response,
            grants,
            to: outgoing,
            of: exchange,
            keepsTokens: keepsTokens,
            at: moment(exchange, now)
        )
        if single != nil { incoming.isChanged = true }
        return incoming.isChanged ? incoming : nil
    }

    private func moment(_ exchange: ForwardedExchange, _ now: MonotonicTime) -> TokenVault.Moment {
        TokenVault.Moment(monotonic: now, real: wallTime(), session: exchange.forwarding.time)
    }

    private func entry(
        of exchange: ForwardedExchange,
        _ response: HTTPResponse,
        hasBody: Bool? = nil
    ) -> Capture.Entry {
        var (request, response) = (exchange.request, response)
        if let decoded = try? request.decoded(limit: ForwardedExchange.longestKept) { request = decoded }
        // A recording is played at another address than that of this server.
        response.fields = response.fields.compactMapValues { name, value in
            HTTPFields.replacingURLs(in: value, of: name) { url in
                ForwardedHead.rest(of: url, behind: request.base).map { $0.hasPrefix("/") ? $0 : "/" + $0 } ?? url
            }
        }
        let upstream = try? upstream(exchange.upstream)
        var entry = Capture.Entry(
            // The tokens of clients behind a vault follow the clock of the session.
            at: vault == nil || hasBody == nil ? wallTime() : exchange.forwarding.time,
            scheme: upstream?.way.url.isSecure == false ? "http" : "https",
            host: upstream?.authority ?? exchange.upstream,
            request: request,
            response: response
        )
        (entry.lacksRequestBody, entry.lacksResponseBody) = (request.isBodyPending, hasBody == false)
        return entry
    }

    /// The effect of a response on the session of its client.
    ///
    /// - Parameters:
    ///   - response: The response as the client gets it.
    ///   - outgoing: The request with the upstream's tokens, if clients have others.
    ///   - secrets: The tokens that the upstream has sent in it.
    ///   - hasBody: Whether the response has its body, or has none.
    ///   - isStream: Whether the response is recorded later, when its body has come.
    func answer(
        _ response: HTTPResponse,
        to exchange: ForwardedExchange,
        _ outgoing: TokenVault.Outgoing?,
        secrets: [String],
        hasBody: Bool,
        isStream: Bool,
        of host: any ForwardingHost
    ) -> UpstreamAnswer {
        var entry = entry(of: exchange, response, hasBody: hasBody)
        let sent = MessageSurvey(entry.request, declared: declaredNames)
        let received = MessageSurvey(response, declared: declaredNames)
        if !isStream { recorder?.add(entry, hiding: sent.secrets + received.secrets + secrets) }
        entry.strings = (sent.items, received.items)
        let learner = learners.withLock { learners in
            let learner = learners[exchange.upstream] ?? TokenLearner(kinds, detectsReuse: vault != nil)
            learners[exchange.upstream] = learner
            return learner
        }
        var lesson = learner.learn(entry, keeping: response, at: vault == nil ? nil : exchange.forwarding.time)
        lesson.answer.secrets = received.secrets + secrets
        lesson.answer.hidesBody = !received.isComplete
        if let comparison {
            let hidden = sent.secrets + lesson.answer.secrets + lesson.answer.grants.map(\.value)
            let found = comparison.compare(entry, exchange.forwarding, secrets: hidden, at: wallTime())
            for finding in found { host.say("\(finding)") }
        }
        if lesson.answer.isRefusal, exchange.forwarding.purpose != .refresh, let outgoing {
            vault?.noteRefusal(of: outgoing)
        }
        if let learned = lesson.learned { host.learn(learned, from: exchange, saying: lesson.lines) }
        return lesson.answer
    }

    package func record(_ response: HTTPResponse, to exchange: ForwardedExchange, secrets: [String], hasBody: Bool) {
        guard let recorder else { return }
        let entry = entry(of: exchange, response, hasBody: hasBody)
        let sent = MessageSurvey(entry.request, declared: declaredNames).secrets
        recorder.add(entry, hiding: sent + MessageSurvey(response, declared: declaredNames).secrets + secrets)
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
