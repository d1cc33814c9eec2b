import Basics
package import HTTPCodec
import HTTPServing
package import JSON
package import OpenAPI
package import Reports

/// Checks a live server against its contract: sends documented requests and judges what comes back.
///
/// An operation that changes something by the contract or by its method is left out unless the options allow it;
/// with them only what the run has created is changed and deleted. Nothing is sent to any other server.
package struct Verification: Sendable {
    /// After this number of requests without a response in a row, the rest is not sent.
    static let silenceLimit = 5

    let contract: Contract
    let url: ServerURL
    let options: VerificationOptions
    let credentials: VerificationCredentials
    let pause: @Sendable (Duration) async -> Void
    /// The time since a fixed moment.
    let elapsed: @Sendable () -> Duration

    /// - Parameters:
    ///   - elapsed: decides when a token is over; the time since now by default.
    ///   - pause: waits for a server that asks for it.
    package init(
        of contract: Contract,
        against url: ServerURL,
        options: VerificationOptions = VerificationOptions(),
        credentials: VerificationCredentials = VerificationCredentials(),
        elapsed: (@Sendable () -> Duration)? = nil,
        pause: @escaping @Sendable (Duration) async -> Void
    ) {
        self.contract = contract
        self.url = url
        self.options = options
        self.credentials = credentials
        self.pause = pause
        let start = ContinuousClock.now
        self.elapsed = elapsed ?? { start.duration(to: .now) }
    }

    /// Sends the requests one after the other and reports a check for each chosen operation.
    ///
    /// - Throws: when no server listens, signing in fails, or no operation is chosen.
    package func run() async throws(VerificationProblem) -> Report {
        let steps = VerificationPlan(try chosenOperations(), of: contract, options).steps
        var server = LiveServer(of: contract, at: url, below: basePath, options, pause: pause)
        var planner = RequestPlanner(contract, options, credentials, basePath: basePath)
        var (expiry, mayRenew) = (Duration?.none, true)
        if let signIn = options.signIn { expiry = try await renew(&planner, by: signIn, &server) }
        let judge = ResponseJudge(contract, options)
        var created = CreatedResources()
        var checks: [(number: Int, check: Report.Check)] = []
        var silence = 0
        var isFirst = true
        for step in steps {
            let operation = step.operation
            var check = Report.Check(group: contract.path, name: operation.label, place: place(of: operation))
            defer { checks.append((step.number, check)) }
            let resource = created.values(for: operation.path)
            switch step.decision {
            case .leave(let reason):
                check.skipped = reason
                continue
            case .sendToCreated(let creator) where resource.isEmpty:
                notJudged("\(creator.label) has created nothing that its response names with status 201", &check)
                continue
            case .send, .sendToCreated: break
            }
            switch planner.plan(operation, to: resource) {
            case .skipped(let reason): notJudged(reason, &check)
            case .request where silence >= Self.silenceLimit:
                notJudged("the server gave no response \(Self.silenceLimit) times in a row", &check)
            case .request(let planned):
                var request = planned
                if let signIn = options.signIn, let end = expiry, elapsed() >= end, !request.credentials.isEmpty {
                    expiry = try await renew(&planner, by: signIn, &server)
                    if case .request(let renewed) = planner.plan(operation, to: resource) { request = renewed }
                }
                var answer = await server.answer(to: request, for: operation)
                // A token that is not accepted any more says nothing about the operation; a new one does.
                if mayRenew, let signIn = options.signIn, answer.isRefused, !request.credentials.isEmpty {
                    expiry = try await renew(&planner, by: signIn, &server)
                    if case .request(let renewed) = planner.plan(operation, to: resource) {
                        request = renewed
                        answer = await server.answer(to: request, for: operation)
                    }
                    mayRenew = !answer.isRefused
                }
                if case .failed(let failure) = answer {
                    try refuseSilence(failure, isFirst: isFirst)
                    silence += 1
                } else {
                    silence = 0
                }
                isFirst = false
                if case .response(let response, _) = answer, let template = step.creates {
                    created.add(template, from: response, to: operation, at: request.path)
                }
                let credentials = planner.credentials
                VerifiedOperation(operation: operation, request: request, credentials: credentials, judge: judge)
                    .note(answer, in: &check, options)
                if let reason = check.skipped, check.findings.isEmpty { notJudged(reason, &check) }
            }
        }
        var report = Report(title: "verify")
        report.isStrict = options.isStrict
        report.checks = checks.sorted { $0.number < $1.number }.map(\.check)
        let requests = server.sent == 1 ? "1 request was" : "\(server.sent) requests were"
        report.summary = ["\(requests) sent to \(url.origin)\(basePath)"]
        return report
    }

    /// Leaves a check out that was meant to be made, which is a failure where the user is strict.
    private func notJudged(_ reason: String, _ check: inout Report.Check) {
        check.skipped = reason
        guard options.isStrict else { return }
        check.findings.append(Finding(.warning, id: "verify/not-judged", reason, at: check.place))
    }

    /// The user's path, or that of the contract's first server.
    var basePath: String {
        url.basePath ?? ServerURL.withoutSlashes(contract.servers.first?.basePath ?? "")
    }

    private func place(of operation: Operation) -> Place {
        var place = contract.sources.place(of: operation.position)
        place.operation = operation.label
        return place
    }

    /// A server that does not even take the first connection is not there.
    private func refuseSilence(_ failure: HTTPClientFailure, isFirst: Bool) throws(VerificationProblem) {
        guard isFirst else { return }
        switch failure {
        case .refused:
            throw VerificationProblem(
                "no server listens at \(url.origin)",
                advice: "start the server, or fix the address"
            )
        case .unreachable(let error):
            throw VerificationProblem("\(url.origin) cannot be reached (\(error))", advice: "fix the address")
        default: return
        }
    }

    /// Signs in, perhaps again.
    ///
    /// - Returns: when the token is no good any more, where the response says how long it lives.
    private func renew(
        _ planner: inout RequestPlanner,
        by signIn: SignInRequest,
        _ server: inout LiveServer
    ) async throws(VerificationProblem) -> Duration? {
        let begun = elapsed()
        let (token, lifetime) = try await token(from: signIn, &server)
        planner.credentials.token = token
        return lifetime.map { begun + $0 }
    }

    private func token(from signIn: SignInRequest, _ server: inout LiveServer) async throws(VerificationProblem)
        -> (String, Duration?)
    {
        var request = PlannedRequest(method: signIn.method, path: basePath + signIn.path)
        request.fields = options.fields.filter { !signIn.fields.contains($0) }
        for field in signIn.fields { request.fields.append(field.name, field.value) }
        request.body = signIn.body
        request.isRepeatable = OperationEffect(of: signIn.method) == .read
        if !signIn.body.isEmpty, !request.fields.contains("Content-Type") {
            request.fields.append("Content-Type", signIn.contentType)
        }
        let name = "\(signIn.method) \(signIn.path)"
        guard case .response(let response, _) = try await signInAnswer(request, &server, name) else {
            throw VerificationProblem("signing in with \(name) led nowhere")
        }
        guard response.status.isSuccessful else {
            throw VerificationProblem("signing in with \(name) was answered \(response.status.code)")
        }
        do throws(JSONSyntaxError) {
            let document = try JSONParser(duplicateNames: .lastWins).parse(response.body).root
            if let token = signIn.token.value(in: document)?.string, !token.isEmpty {
                return (token, Self.lifetime(beside: signIn.token, in: document))
            }
        } catch {
            throw VerificationProblem(
                "the response to \(name) is not valid JSON at \(error.position): \(error.sentence)"
            )
        }
        throw VerificationProblem(
            "the response to \(name) has no string at \(signIn.token)",
            advice: "fix --token-pointer"
        )
    }

    /// The lifetime of a token by the `expires_in` of its response (RFC 6749, section 5.1).
    private static func lifetime(beside token: JSONPointer, in document: JSONValue) -> Duration? {
        let object = JSONPointer(tokens: Array(token.tokens.dropLast())).value(in: document)
        let seconds = ["expires_in", "expiresIn"].lazy.compactMap { object?[$0] }.first
        return (seconds?.int ?? seconds?.string.flatMap { Int($0) }).flatMap { $0 > 0 ? .seconds($0) : nil }
    }

    private func signInAnswer(
        _ request: PlannedRequest,
        _ server: inout LiveServer,
        _ name: String
    ) async throws(VerificationProblem) -> LiveResponse {
        let answer = await server.answer(to: request, for: nil)
        if case .failed(let failure) = answer {
            try refuseSilence(failure, isFirst: true)
            throw VerificationProblem("signing in with \(name) got no response: \(failure)")
        }
        return answer
    }
}

extension Verification {
    /// The operations that the options name, in the order of the contract.
    ///
    /// - Throws: when there is no operation, and when the `x-backlot-effect` of an operation is not valid.
    func chosenOperations() throws(VerificationProblem) -> [Operation] {
        let marks = contract.findings.filter { $0.place?.pointer?.contains("/x-backlot-") == true }
        if let finding = marks.first(where: { $0.severity >= .warning }) {
            throw VerificationProblem("nothing is sent, because a mark of the contract cannot be read: \(finding)")
        }
        let known = contract.operations.compactMap(\.operationID)
        for id in options.operationIDs where !known.containsExactly(id) {
            let meant = Suggestion.nearest(to: id, among: known)
            throw VerificationProblem(
                "\(contract.path) has no operation \"\(id.printable.shortened)\"",
                advice: meant.map { "did you mean \"\($0)\"?" }
            )
        }
        let chosen = contract.operations.filter { operation in
            let isNamed =
                options.operationIDs.isEmpty || operation.operationID.map(options.operationIDs.containsExactly) ?? false
            return isNamed && (options.filters.isEmpty || options.filters.contains { $0.fits(operation) })
        }
        guard !chosen.isEmpty else {
            throw VerificationProblem(
                contract.operations.isEmpty
                    ? "\(contract.path) documents no operation" : "no operation of \(contract.path) fits the filter"
            )
        }
        return chosen
    }
}

/// The reason why a server could not be verified at all.
package struct VerificationProblem: Error, Sendable, Hashable {
    /// The finding and what would be right, without a closing full stop.
    package var sentence: String
    /// The remedy, without a closing full stop.
    package var advice: String?

    package init(_ sentence: String, advice: String? = nil) {
        self.sentence = sentence
        self.advice = advice
    }
}

/// The limits of a verification, and the values that it sends.
package struct VerificationOptions: Sendable {
    /// A Boolean value that indicates whether operations that change something are sent, too.
    package var allowsWrites = false
    /// A Boolean value that indicates whether a value that breaks its `format` is an error, and not only worth a note.
    package var assertsFormats = false
    /// A Boolean value that indicates whether an operation that could not be judged is a failure, as every warning is.
    package var isStrict = false
    /// Only operations with these ids; all when empty.
    package var operationIDs: [String] = []
    /// Only operations that one of these fits; all when empty.
    package var filters: [OperationFilter] = []
    /// Values of parameters by name, in any place.
    package var parameters: [(name: String, value: String)] = []
    /// Fields for every request.
    package var fields = HTTPFields()
    package var signIn: SignInRequest?
    /// The longest time that one response may take.
    package var timeout = Duration.seconds(10)
    /// The most requests that are sent, with sign-in, redirects and repetitions.
    package var maximumRequests = 1_000
    /// The longest wait that the server may ask for with 429 and Retry-After.
    package var maximumWait = Duration.seconds(30)
    /// The seed of made values.
    package var seed: UInt64 = 1

    package init() {}
}

/// A request that comes first and brings a token.
package struct SignInRequest: Sendable {
    package var method: HTTPMethod
    /// With its query, below the server's URL.
    package var path: String
    /// Fields of this request alone.
    package var fields: HTTPFields
    package var body: [UInt8]
    package var contentType: String
    /// The place of the token in the response.
    package var token: JSONPointer

    package init(
        method: HTTPMethod,
        path: String,
        fields: HTTPFields = HTTPFields(),
        body: [UInt8] = [],
        contentType: String = "application/json",
        token: JSONPointer
    ) {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
        self.contentType = contentType
        self.token = token
    }
}

/// Chooses operations by method and path: `GET /v1/*`, `/pets`, `* /pets/{id}`.
///
/// A star matches any number of characters, slashes too.
package struct OperationFilter: Sendable, Hashable {
    private var method: NamePattern
    private var path: NamePattern

    package static let expectation = "a method and a path, such as 'GET /v1/*'"

    /// - Returns: `nil` for a text that is neither a path nor a method and a path.
    package init?(_ text: String) {
        let words = text.split(separator: " ")
        guard let path = words.last, words.count <= 2, path.first == "/" || path.first == "*" else { return nil }
        method = NamePattern(words.count == 2 ? words[0] : "*")
        self.path = NamePattern(path)
    }

    func fits(_ operation: Operation) -> Bool {
        method.fits(operation.method.rawValue) && path.fits(operation.path)
    }
}

/// A pattern for names: a star matches any number of characters.
package struct NamePattern: Sendable, Hashable {
    private let pattern: [UInt8]

    package init(_ text: some StringProtocol) {
        pattern = Array(text.utf8)
    }

    /// Goes back to the last star only, so the time is bounded by the product of the lengths.
    package func fits(_ name: String) -> Bool {
        let star = UInt8(ascii: "*")
        let text = Array(name.utf8)
        var (inPattern, inText) = (0, 0)
        var retry: (pattern: Int, text: Int)?
        while inText < text.count {
            if inPattern < pattern.count, pattern[inPattern] == star {
                inPattern += 1
                retry = (inPattern, inText)
            } else if inPattern < pattern.count, pattern[inPattern] == text[inText] {
                inPattern += 1
                inText += 1
            } else if let last = retry {
                inPattern = last.pattern
                inText = last.text + 1
                retry = (last.pattern, inText)
            } else {
                return false
            }
        }
        return pattern[inPattern...].allSatisfy { $0 == star }
    }
}
