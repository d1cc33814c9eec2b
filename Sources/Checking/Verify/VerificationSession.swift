import Basics
import HTTPCodec
import HTTPServing
import JSON
import OpenAPI

/// The state that all connections of a verification share: credentials, cookies, and what was sent so far.
///
/// A class, because several threads use it.
final class VerificationSession: Sendable {
    private struct State {
        var credentials: VerificationCredentials
        var cookies = CookieJar()
        var sent = 0
        /// The number of requests without a response in a row.
        var silence = 0
        var hasAnswered = false
        /// The number of sign-ins.
        var generation = 0
        /// The moment at which the token expires, where its response says it.
        var expiry: Duration?
        /// A Boolean value that indicates whether another sign-in may help where a request is refused.
        var mayRenew = true
        var problem: VerificationProblem?
        /// The number of final responses, and of those with 404.
        var responses = 0
        var notFound = 0
    }

    let verification: Verification
    let way: ServerWay
    private let signIns: [SignInRequest]
    private let state: Lock<State>
    /// Held by the thread that signs in.
    private let signingIn = Lock(())

    /// - Parameter signIns: the requests that sign in, in their order.
    init(_ verification: Verification, by way: ServerWay, signIns: [SignInRequest]) {
        (self.verification, self.way) = (verification, way)
        self.signIns = signIns
        state = Lock(State(credentials: verification.credentials))
    }

    var credentials: VerificationCredentials { state.withLock { $0.credentials } }
    var sent: Int { state.withLock { $0.sent } }
    /// The reason why nothing more is sent.
    var problem: VerificationProblem? { state.withLock { $0.problem } }

    /// A Boolean value that indicates whether every response of several had status 404.
    var foundNothing: Bool { state.withLock { $0.responses > 1 && $0.responses == $0.notFound } }

    // MARK: What is sent

    /// Counts a request, unless the limit is reached.
    func maySend() -> Bool {
        state.withLock { state in
            guard state.sent < verification.options.maximumRequests else { return false }
            state.sent += 1
            return true
        }
    }

    /// The reason why no further request is sent; `nil` when one may be.
    var refusal: String? {
        if verification.isInterrupted() { return "the run was interrupted" }
        return state.withLock { state in
            if let problem = state.problem { return problem.sentence }
            guard state.silence >= Verification.silenceLimit else { return nil }
            return "the server sent no response \(Verification.silenceLimit) times in a row"
        }
    }

    /// Takes note of what came back, so that a server that is not there is not asked for everything.
    private func note(_ answer: LiveResponse) throws(VerificationProblem) {
        let isFirst = state.withLock { state in
            defer { state.hasAnswered = true }
            state.silence = answer.isSilence ? state.silence + 1 : 0
            if let status = answer.response?.status {
                state.responses += 1
                if status == .notFound { state.notFound += 1 }
            }
            return !state.hasAnswered
        }
        if isFirst, case .failed(let failure, _) = answer { try refuseAbsence(failure) }
    }

    /// A server that does not even take the first connection is not there.
    private func refuseAbsence(_ failure: HTTPClientFailure) throws(VerificationProblem) {
        let origin = verification.url.origin
        switch failure {
        case .refused:
            throw VerificationProblem(
                "no server listens at \(origin)",
                advice: "start the server, or fix the address"
            )
        case .unreachable(let error):
            throw VerificationProblem("\(origin) cannot be reached (\(error))", advice: "fix the address")
        case .tls(let sentence):
            throw VerificationProblem(
                "no TLS connection to \(origin) was established: \(sentence)",
                advice: failure.advice
            )
        case .proxy(let sentence): throw VerificationProblem(sentence, advice: failure.advice)
        default: return
        }
    }

    /// Ends the run.
    func stop(_ problem: VerificationProblem) {
        state.withLock { if $0.problem == nil { $0.problem = problem } }
    }

    // MARK: Credentials

    /// Adds the credentials that there are at this moment.
    ///
    /// - Returns: the number of sign-ins that brought them about.
    private func authorize(_ request: inout PlannedRequest, for operation: Operation) -> Int {
        state.withLock { state in
            request.credentials = state.credentials.credentials(
                for: operation,
                schemes: verification.contract.securitySchemes
            )
            request.take(state.cookies)
            return state.generation
        }
    }

    func takeCookies(from response: HTTPResponse, to path: String) {
        guard !signIns.isEmpty else { return }
        state.withLock { $0.cookies.take(from: response, to: path) }
    }

    /// Sends a request with credentials, which are renewed once where they are refused or have expired.
    func exchange(
        _ planned: PlannedRequest,
        for operation: Operation,
        on server: inout LiveServer
    ) throws(VerificationProblem) -> LiveExchange {
        var request = planned
        var generation = authorize(&request, for: operation)
        if !signIns.isEmpty, request.isAuthorized, isExpired {
            try renew(after: generation, on: &server)
            generation = authorize(&request, for: operation)
        }
        var answer = server.answer(to: request, for: operation)
        if !signIns.isEmpty, request.isAuthorized {
            // A refused token does not show whether the operation is right; a new one does.
            if request.isRefused(by: answer), state.withLock({ $0.mayRenew }) {
                try renew(after: generation, on: &server)
                _ = authorize(&request, for: operation)
                answer = server.answer(to: request, for: operation)
                let isRefused = request.isRefused(by: answer)
                state.withLock { $0.mayRenew = !isRefused }
            } else if answer.response?.status.isSuccessful == true {
                state.withLock { $0.mayRenew = true }
            }
        }
        try note(answer)
        return LiveExchange(request: request, answer: answer)
    }

    /// Sends a request without credentials.
    func exchangeUnauthorized(_ planned: PlannedRequest, for operation: Operation, on server: inout LiveServer)
        -> LiveExchange
    {
        LiveExchange(request: planned, answer: server.answer(to: planned, for: operation))
    }

    private var isExpired: Bool {
        guard let expiry = state.withLock({ $0.expiry }) else { return false }
        return verification.elapsed() >= expiry
    }

    /// Signs in again, unless another connection has done so since.
    private func renew(after generation: Int, on server: inout LiveServer) throws(VerificationProblem) {
        try signingIn.withLock { _ throws(VerificationProblem) in
            guard state.withLock({ $0.generation }) == generation else { return }
            try signInNow(on: &server)
        }
    }

    /// Signs in for the first time, where that is asked for.
    func signIn(on server: inout LiveServer) throws(VerificationProblem) {
        guard !signIns.isEmpty else { return }
        try renew(after: 0, on: &server)
    }

    private func signInNow(on server: inout LiveServer) throws(VerificationProblem) {
        let begun = verification.elapsed()
        state.withLock { state in
            state.cookies = CookieJar()
            state.expiry = nil
        }
        for (number, request) in signIns.enumerated() {
            let response = try response(to: request, on: &server)
            let isLast = number == signIns.count - 1 || signIns[number + 1].scheme != nil
            guard let token = try Self.token(in: response, to: request) else {
                guard isLast, state.withLock({ $0.cookies.isEmpty }) else { continue }
                throw VerificationProblem(
                    "the response to \(request.name) contains no token with a usual name, and sets no cookie",
                    advice: "specify the token's location with --token-pointer"
                )
            }
            state.withLock { state in
                state.credentials.take(token.value, for: request.scheme)
                guard let end = token.lifetime.map({ begun + $0 }) else { return }
                state.expiry = state.expiry.map { min($0, end) } ?? end
            }
        }
        state.withLock { $0.generation += 1 }
    }

    private func response(to signIn: SignInRequest, on server: inout LiveServer) throws(VerificationProblem)
        -> HTTPResponse
    {
        var request = PlannedRequest(
            method: signIn.method,
            path: signIn.isAbsolute ? signIn.path : verification.basePath + signIn.path
        )
        request.fields = verification.options.fields.filter { !signIn.fields.contains($0) }
        for field in signIn.fields { request.fields.append(field.name, field.value) }
        request.body = signIn.body
        request.isRepeatable = OperationEffect(of: signIn.method) == .read
        if !signIn.body.isEmpty, !request.fields.contains("Content-Type") {
            request.fields.append("Content-Type", signIn.contentType)
        }
        request.take(state.withLock { $0.cookies })
        let answer = server.answer(to: request, for: nil)
        switch answer {
        case .response(let message):
            let status = message.response.status
            guard status.code < 400 else {
                throw VerificationProblem(
                    "the response to the sign-in \(signIn.name) has status \(status)",
                    advice: ServerWords.quote(message.response, without: signIn.secrets)
                )
            }
            return message.response
        case .failed(let failure, _):
            try refuseAbsence(failure)
            throw VerificationProblem("the sign-in \(signIn.name) received no response: \(failure)")
        case .sentAway(let target):
            throw VerificationProblem(
                "the sign-in \(signIn.name) was redirected to another server, \(target.printable.shortened)"
            )
        case .sentToWrite, .redirectedTooOften, .askedToWait, .exhausted:
            throw VerificationProblem("the sign-in \(signIn.name) received no final response")
        }
    }

    /// The token in the response to a sign-in; `nil` where none is expected.
    private static func token(
        in response: HTTPResponse,
        to signIn: SignInRequest
    ) throws(VerificationProblem) -> SignInToken? {
        do throws(JSONSyntaxError) {
            let document = try JSONParser(duplicateNames: .lastWins).parse(response.body).root
            if let token = SignInToken(in: document, at: signIn.token) { return token }
        } catch {
            guard signIn.token != nil else { return nil }
            throw VerificationProblem(
                "the response to \(signIn.name) is not valid JSON at \(error.position): \(error.sentence)"
            )
        }
        guard let place = signIn.token else { return nil }
        throw VerificationProblem(
            "the response to \(signIn.name) contains no string at \(place)",
            advice: "fix --token-pointer"
        )
    }
}

/// A request that was sent, and the result.
struct LiveExchange {
    var request: PlannedRequest
    var answer: LiveResponse
}

/// The words of a server about a failure, for advice.
enum ServerWords {
    private static let longest = 200

    /// Quotes the body of a response, shortened.
    ///
    /// - Parameter secrets: texts of which no part may be shown.
    /// - Returns: `nil` where there is no text, for a page of HTML, and where a secret is in it.
    static func quote(_ response: HTTPResponse, without secrets: [String] = []) -> String? {
        guard let type = response.fields["Content-Type"].flatMap({ MediaType(parsing: $0) }),
            type.isJSON || type.type == "text" && type.subtype != "html",
            let text = String(validUTF8: response.body.prefix(4 * longest)) ?? Self.cut(response.body)
        else { return nil }
        let line = text.split { $0.isWhitespace }.joined(separator: " ")
        guard !line.isEmpty, !secrets.contains(where: { !$0.isEmpty && line.contains($0) }) else { return nil }
        let shown = line.count > longest ? line.prefix(longest) + "…" : line[...]
        return "the response body: \(String(shown).printable)"
    }

    /// The text of a body whose beginning ends within a character.
    private static func cut(_ body: [UInt8]) -> String? {
        (1...3).lazy.compactMap { String(validUTF8: body.prefix(4 * longest - $0)) }.first
    }
}
