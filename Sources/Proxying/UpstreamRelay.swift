import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import Simulation
import StubServing

/// Carries one exchange over between a client and an upstream server, in both directions as fast as the slower side.
///
/// A class, because both connections refer to it.
final class UpstreamRelay: ClientRelay, UpstreamUser {
    private let forwarder: Forwarder
    private let exchange: ForwardedExchange
    private let host: any ForwardingHost
    private let upstream: Upstream
    private let head: ForwardedHead
    /// `nil` once the exchange has ended.
    private var client: (any RelayedClient)?
    private var connection: UpstreamConnection?
    private var parser = HTTPResponseParser(limits: Upstream.limits(body: .max))
    private var timer: TimerID?
    /// The request for the upstream, with its body if that has come already.
    private var request = HTTPRequest(method: .get, target: "/")
    private var isBodySent = false
    /// A Boolean value that indicates whether the client has sent a part of its body, so that it waits for no 100.
    private var hasBodyBegun = false
    private var hasReceived = false
    private var interimCount = 0
    /// The response whose head has come, with the kept part of its body.
    private var response: HTTPResponse?
    private var hasBegun = false
    /// The tokens that the upstream has sent and the client does not get.
    private var secrets: [String] = []
    /// The framing of the response's body by the upstream.
    private var framing = HTTPBodyFraming.none
    /// The framing of a body that is sent while it arrives.
    private var clientFraming: HTTPResponseWriter.Framing {
        if case .length(let length) = framing { .length(length) } else { .chunked }
    }
    /// The request with the upstream's tokens, where clients have others.
    private var outgoing: TokenVault.Outgoing?
    private var isStream = false
    private var isRaw = false
    /// The received body; `nil` once it is too long to be kept.
    private var body: [UInt8]? = []

    /// The number of waiting bytes at which the other side is not read anymore: 256 kB.
    private static let mostWaiting = 256 << 10
    /// The number of interim responses that a server may send before its response.
    private static let mostInterim = 100

    init(
        _ exchange: ForwardedExchange,
        to upstream: Upstream,
        of host: any ForwardingHost,
        by forwarder: Forwarder,
        for client: any RelayedClient
    ) {
        (self.exchange, self.upstream, self.host, self.forwarder) = (exchange, upstream, host, forwarder)
        self.client = client
        head = ForwardedHead(upstream: upstream, request: exchange.request, pseudonym: forwarder.pseudonym)
    }

    // MARK: The request

    func begin() {
        guard !head.isLoop else { return refuse(.upstreamLoop(upstream.origin)) }
        guard exchange.request.forwardsLeft != 0 else { return answer(exchange.request.lastResponse) }
        proceed()
    }

    /// Sends the request, unless a refresh has to end first.
    func proceed() {
        guard let client else { return }
        request = head.upstreamRequest
        if !exchange.request.isBodyPending {
            (request.body, request.trailers) = (exchange.request.body, exchange.request.trailers)
        }
        let isFirst = outgoing == nil
        outgoing = forwarder.outgoing(request, of: host)
        outgoing?.mayRenew = isFirst
        if let outgoing { request = outgoing.request }
        let now = client.events.now
        let relay = RelayOnLoop(self, client.events.handle)
        switch forwarder.step(for: exchange, outgoing, to: upstream, of: host, by: relay, at: now) {
        case .respond(let response): return renew(response)
        case .wait:
            if exchange.request.isBodyPending { client.isReadingBody = false }
        case .send:
            if exchange.request.isBodyPending { client.isReadingBody = true }
            let kept = idle(client).take(to: upstream, isRepeatable: isRepeatable, at: now)
            send(on: kept ?? UpstreamConnection(upstream, on: client.events))
        }
    }

    /// Passes on the response to the client's refresh, in which the tokens are replaced.
    func finishRefresh(_ result: UpstreamRefresh.Result) {
        guard client != nil else { return }
        (isBodySent, outgoing) = (true, nil)
        switch result {
        case .failure(let failure): fail(failure)
        case .success((let received, let secrets)):
            self.secrets += secrets
            begin(received)
            guard client != nil else { return }
            keep(received.body)
            finish(keepsAlive: false, trailers: received.trailers, isChunked: false)
        }
    }

    private func idle(_ client: any RelayedClient) -> IdleConnections {
        if let known = client.relayResources as? IdleConnections { return known }
        let new = IdleConnections()
        client.relayResources = new
        return new
    }

    /// A Boolean value that indicates whether the request can be sent again (RFC 9110, section 9.2.2).
    private var isRepeatable: Bool {
        !exchange.request.isBodyPending
            && ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"].contains(exchange.request.method.rawValue)
    }

    private func send(on connection: UpstreamConnection) {
        self.connection = connection
        connection.user = self
        var bytes: [UInt8] = []
        isBodySent = !exchange.request.isBodyPending
        if isBodySent, case .chunked = exchange.request.framing {
            var head = request
            head.body = []
            HTTPRequestWriter.append(head, to: &bytes)
            HTTPResponseWriter.appendChunk(request.body, to: &bytes)
            HTTPResponseWriter.appendLastChunk(trailers: request.trailers, to: &bytes)
        } else {
            HTTPRequestWriter.append(request, to: &bytes)
        }
        parser.expectResponse(to: request.method)
        connection.uses += 1
        wait()
        connection.send(bytes)
        if connection.uses == 1 { connection.open() }
        clientSent()
    }

    func clientSent() {
        guard let client, let connection else { return }
        let bytes = client.takeSent()
        if !bytes.isEmpty { hasBodyBegun = true }
        guard isRaw || !isBodySent else { return }
        if isRaw {
            if !bytes.isEmpty { connection.send(bytes) }
        } else {
            var framed: [UInt8] = []
            let end = client.bodyEnd
            if case .chunked = exchange.request.framing {
                HTTPResponseWriter.appendChunk(bytes, to: &framed)
                if let end {
                    request.trailers = end
                    let last = forwarder.outgoing(request, of: host)?.request ?? request
                    HTTPResponseWriter.appendLastChunk(trailers: last.trailers, to: &framed)
                }
            } else {
                framed = bytes
            }
            isBodySent = end != nil
            if !framed.isEmpty {
                wait()
                connection.send(framed)
            }
        }
        if connection.unsentCount > Self.mostWaiting { client.isReadingBody = false }
    }

    func upstreamHasRoom() {
        if response == nil { wait() }
        client?.isReadingBody = true
    }

    // MARK: The response

    func clientHasRoom() { connection?.isReading = true }

    func upstreamSent() {
        hasReceived = true
        while let connection, client != nil {
            if isRaw {
                let bytes = connection.input.bytes
                connection.input.consume(bytes.count)
                return pass(bytes)
            }
            switch parser.next(&connection.input) {
            case .interim(let interim): pass(interim: interim.response)
            case .head(let received): begin(received)
            case .complete(let received):
                if response == nil { begin(received) }
                guard client != nil else { return }
                if received.status.code == 101 {
                    isRaw = true
                    clientSent()
                    continue
                }
                keep(received.body)
                let isChunked = received.framing == .chunked
                return finish(keepsAlive: received.keepsAlive, trailers: received.trailers, isChunked: isChunked)
            case .failed(let error): return fail(HTTPClientFailure(error))
            case .needsMoreBytes:
                guard response != nil else { return }
                wait()
                return keep(parser.takeBody())
            }
        }
    }

    private func pass(interim response: HTTPResponse) {
        // The client has not asked for this one (RFC 9110, section 15.2).
        interimCount += 1
        guard interimCount <= Self.mostInterim else {
            return fail(.malformed("more than \(Self.mostInterim) interim responses came"))
        }
        guard response.status.code != 100 || exchange.request.expectsContinue && !hasBodyBegun else { return }
        wait()
        client?.send(interim: HTTPResponse(status: response.status, fields: head.clientFields(of: response)))
    }

    private func begin(_ received: HTTPReceivedResponse) {
        guard let client else { return }
        if received.status.code == 101, !head.upgrades {
            return refuse(.badUpstream(upstream.origin, "the server switched to a protocol that was not requested"))
        }
        let mustRead = forwarder.vault != nil && received.framing != .none
        if let coding = exchange.request.unacceptedCoding(of: received.fields, mustRead: mustRead) {
            return refuse(
                .badUpstream(upstream.origin, "the response is coded with \(coding), which was not requested")
            )
        }
        if let target = head.foreignTarget(of: received.response) {
            return refuse(.redirectedAway(upstream.origin, to: target))
        }
        if head.losesCookies(of: received.fields) {
            let line = "cookies of \(upstream.origin) whose names begin with __Host- or __Secure- require TLS"
            forwarder.say("\(line); start the proxy with --tls", by: host)
        }
        let response = HTTPResponse(status: received.status, fields: head.clientFields(of: received.response))
        self.response = response
        let type = received.fields["Content-Type"].flatMap { MediaType(parsing: $0) }
        isStream = type?.isStream == true
        wait()
        if received.status.code == 101 {
            cancelTimer()
            return client.beginUpgrade(note(response).response)
        }
        if isStream {
            self.response = note(response).response
            if forwarder.recorder == nil { body = nil }
        }
        framing = received.framing
        let isShort =
            switch framing {
            case .none: true
            case .length(let length): length <= ForwardedExchange.longestKept
            case .chunked, .untilClose:
                exchange.forwarding.fault != nil || exchange.forwarding.pacing != nil
                    || outgoing != nil && type?.mayHaveNames != false
            }
        // A short response waits for its last byte, so that its tokens are known before the client has them, and so that
        // its pacing and its fault know its length.
        if isStream || !isShort { start() }
    }

    /// The response with the changes of the scenario.
    private func adapted(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.status = exchange.forwarding.status ?? response.status
        for name in Set(exchange.forwarding.fields.map(\.name)) { response.fields.remove(name) }
        for (name, value) in exchange.forwarding.fields { response.fields.append(name, value) }
        return response
    }

    /// Responds to a refresh in place of the upstream.
    private func renew(_ response: HTTPResponse) {
        (isBodySent, outgoing) = (true, nil)
        body = response.body
        self.response = response
        self.response?.body = []
        finish(keepsAlive: false, trailers: HTTPFields(), isChunked: false)
    }

    /// Sends the head of the response.
    ///
    /// A fault that was meant for the whole response breaks it off here; the pacing is left out.
    private func start() {
        guard var response, !hasBegun else { return }
        if !isStream, let client,
            let own = forwarder.withOwnTokens(response, to: exchange, outgoing, at: client.events.now)
        {
            response = own.response
            secrets += own.secrets
        }
        response = adapted(response)
        self.response = response
        if let fault = exchange.forwarding.fault {
            response.body = body.take() ?? []
            if !isStream { response = note(response).response }
            return breakOff(response, by: fault)
        }
        hasBegun = true
        client?.begin(response, framing: clientFraming)
        // Sent at once, because the body may take its time.
        client?.send([])
    }

    /// Breaks the response off, whose body has come in part or whole.
    private func breakOff(_ response: HTTPResponse, by fault: WireFault) {
        cancelTimer()
        connection.take()?.close()
        let length = response.body.count
        var delivery = Delivery(pacing: exchange.forwarding.pacing, fault: fault)
        if case .truncated = fault {
            if isStream || length == 0, framing != .none {
                client?.begin(response, framing: clientFraming)
                client.take()?.end(trailers: HTTPFields(), isWhole: false)
                return
            }
            // Never all of it, or nothing would be missing.
            let kept = min(length - 1, Int(Double(length) * exchange.forwarding.keep))
            delivery.fault = .truncated(bodyBytes: max(0, kept))
        }
        respond(with: OutgoingResponse(response, delivery: delivery, exchange: exchange.handle))
    }

    private func keep(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        if hasBegun { pass(bytes) }
        body?.append(contentsOf: bytes)
        guard body?.count ?? 0 > ForwardedExchange.longestKept else { return }
        if !hasBegun {
            let kept = body ?? []
            start()
            pass(kept)
        }
        body = nil
    }

    private func pass(_ bytes: [UInt8]) {
        guard let client, !bytes.isEmpty else { return }
        client.send(bytes)
        if client.unsentCount > Self.mostWaiting { connection?.isReading = false }
    }

    private func finish(keepsAlive: Bool, trailers: HTTPFields, isChunked: Bool) {
        guard var response, let client else { return }
        response.body = body ?? []
        if !hasBegun, let reason = response.damage(limit: ForwardedExchange.longestKept) {
            return refuse(.badUpstream(upstream.origin, reason))
        }
        var replacement: HTTPResponse?
        if isStream { recordStream() } else { (response, replacement) = note(response) }
        release(keepsAlive)
        if !hasBegun {
            if let replacement { return respond(with: OutgoingResponse(replacement, exchange: exchange.handle)) }
            if let fault = exchange.forwarding.fault { return breakOff(response, by: fault) }
            // A response to HEAD need not state a length (RFC 9110, section 9.3.2).
            let isBodyless = exchange.request.method == .head
            if !isBodyless, let pacing = exchange.forwarding.pacing {
                let delivery = Delivery(pacing: pacing)
                return respond(with: OutgoingResponse(response, delivery: delivery, exchange: exchange.handle))
            }
            hasBegun = true
            let length = HTTPResponseWriter.Framing.length(response.body.count)
            client.begin(response, framing: isChunked ? .chunked : isBodyless ? .untilClose : length)
            client.send(response.body)
        }
        self.client = nil
        client.end(trailers: trailers, isWhole: true)
    }

    /// Takes in the response, and returns it with the client's tokens, and the response that the contract puts in its place.
    @discardableResult
    private func note(_ response: HTTPResponse) -> (response: HTTPResponse, replacement: HTTPResponse?) {
        var sent = response
        let decoded = isStream ? nil : decoded(response)
        var read = decoded ?? response
        if let client, outgoing != nil, !hasBegun {
            if let own = forwarder.withOwnTokens(read, to: exchange, outgoing, at: client.events.now) {
                (read, sent) = (own.response, own.response)
                secrets += own.secrets
            }
            let path = exchange.request.path
            if let own = OwnMetadata.response(inPlaceOf: read, path: path, head.clientURL) { (read, sent) = (own, own) }
        }
        (read, sent) = (adapted(read), adapted(sent))
        let answer = forwarder.answer(
            read,
            to: exchange,
            outgoing,
            secrets: secrets,
            hasBody: decoded != nil,
            isStream: isStream,
            of: host
        )
        return (sent, host.note(answer, of: exchange))
    }

    /// Records what has come of a stream, whose head was noted when it began.
    private func recordStream() {
        guard isStream, var response = response.take() else { return }
        response.body = body ?? []
        let decoded = decoded(response)
        forwarder.record(decoded ?? response, to: exchange, secrets: secrets, hasBody: decoded != nil)
    }

    /// A response whose body can be read; `nil` for one whose body is too long, or is coded in an unknown way.
    private func decoded(_ response: HTTPResponse) -> HTTPResponse? {
        body == nil ? nil : try? response.decoded(limit: ForwardedExchange.longestKept)
    }

    /// Keeps the connection for a later exchange, or closes it.
    private func release(_ keepsAlive: Bool) {
        cancelTimer()
        guard let connection = connection.take() else { return }
        if keepsAlive, isBodySent, connection.isUsable, let client {
            idle(client).keep(connection, at: client.events.now)
        } else {
            connection.close()
        }
    }

    // MARK: Failures

    func upstreamEnded(_ failure: HTTPClientFailure?) {
        guard let connection, client != nil else { return }
        if isRaw { return endRaw() }
        if failure == nil {
            switch parser.endOfStream(&connection.input) {
            case .complete(let received):
                if response == nil { begin(received) }
                guard client != nil else { return }
                keep(parser.takeBody() + received.body)
                return finish(keepsAlive: false, trailers: received.trailers, isChunked: false)
            case .failed(let error): return retryOrFail(HTTPClientFailure(error))
            default: return retryOrFail(.closedWithoutResponse)
            }
        }
        retryOrFail(failure ?? .closedWithoutResponse)
    }

    private func endRaw() {
        cancelTimer()
        connection = nil
        client.take()?.end(trailers: HTTPFields(), isWhole: true)
    }

    /// Sends a request again whose kept connection was closed before the server could have read it.
    private func retryOrFail(_ failure: HTTPClientFailure) {
        guard let client, let old = connection, old.uses > 1, !hasReceived, isRepeatable else { return fail(failure) }
        old.close()
        parser = HTTPResponseParser(limits: Upstream.limits(body: .max))
        send(on: UpstreamConnection(upstream, on: client.events))
    }

    private func fail(_ failure: HTTPClientFailure) {
        guard hasBegun else {
            if failure == .timedOut { return refuse(.slowUpstream(upstream.origin)) }
            let advice = upstream.advice(after: failure)
            return refuse(.badUpstream(upstream.origin, failure.descriptionWithoutBytes, advice: advice))
        }
        cancelTimer()
        connection.take()?.close()
        recordStream()
        body = nil
        if let response { note(response) }
        client.take()?.end(trailers: HTTPFields(), isWhole: false)
    }

    private func refuse(_ problem: Problem) {
        forwarder.say("\(problem.status): \(problem.detail)".printable, by: host)
        answer(problem.response)
    }

    /// Responds in place of the upstream.
    private func answer(_ response: HTTPResponse) {
        cancelTimer()
        let answer = UpstreamAnswer(response, isLost: connection?.hasSent == true)
        connection.take()?.close()
        _ = host.note(answer, of: exchange)
        respond(with: OutgoingResponse(response, exchange: exchange.handle))
    }

    private func respond(with response: OutgoingResponse) { client.take()?.respond(with: response) }

    func clientLeft() {
        recordStream()
        cancelTimer()
        client = nil
        connection.take()?.close()
    }

    // MARK: Time

    /// Begins the wait for the next bytes of the server again.
    private func wait() {
        cancelTimer()
        guard let client, !isStream, !isRaw else { return }
        timer = client.events.schedule(at: client.events.now.advanced(by: forwarder.timeout)) { [weak self] in
            guard let self else { return }
            timer = nil
            // A client that does not read, or does not send the rest of its body, keeps the server waiting.
            let waitsForBody = !isBodySent && connection?.isOpen == true && connection?.unsentCount == 0
            if connection?.isReading == false || client.unsentCount > 0 || waitsForBody { return wait() }
            fail(.timedOut)
        }
    }

    private func cancelTimer() {
        if let timer { client?.events.cancel(timer) }
        timer = nil
    }
}
