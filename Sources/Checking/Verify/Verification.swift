import Basics
import HTTPCodec
import HTTPServing
import JSON
package import OpenAPI
package import Reports

/// Holds a live server against its contract: sends documented requests and judges what comes back.
///
/// Methods that may change something are left out unless the options allow them; nothing is sent to any other server.
package struct Verification: Sendable {
    /// After so many requests without a response in a row, the rest is not sent.
    static let silenceLimit = 5

    let contract: Contract
    let url: ServerURL
    let options: VerificationOptions
    let credentials: VerificationCredentials
    let pause: @Sendable (Duration) async -> Void

    /// - Parameter pause: waits for a server that asks for it.
    package init(
        of contract: Contract,
        against url: ServerURL,
        options: VerificationOptions = VerificationOptions(),
        credentials: VerificationCredentials = VerificationCredentials(),
        pause: @escaping @Sendable (Duration) async -> Void
    ) {
        self.contract = contract
        self.url = url
        self.options = options
        self.credentials = credentials
        self.pause = pause
    }

    /// Sends the requests one after the other and reports a check for each chosen operation.
    ///
    /// - Throws: when nobody listens, signing in fails, or no operation is chosen.
    package func run() async throws(VerificationProblem) -> Report {
        let operations = try chosenOperations()
        var server = LiveServer(url, options, pause: pause)
        var credentials = credentials
        if let signIn = options.signIn { credentials.token = try await token(from: signIn, &server) }
        var planner = RequestPlanner(contract, options, credentials, basePath: basePath)
        let judge = ContractEvaluator(contract)
        var report = Report(title: "verify")
        var silence = 0
        for operation in operations {
            var check = Report.Check(group: contract.path, name: operation.label, place: place(of: operation))
            switch planner.plan(operation) {
            case .skipped(let reason): check.skipped = reason
            case .request where silence >= Self.silenceLimit:
                check.skipped = "the server gave no response \(Self.silenceLimit) times in a row"
            case .request(let request):
                let answer = await server.answer(to: request, for: operation)
                if case .failed(let failure) = answer {
                    try refuseSilence(failure, isFirst: report.checks.allSatisfy { $0.skipped != nil })
                    silence += 1
                } else {
                    silence = 0
                }
                VerifiedOperation(operation, request, credentials, judge).note(answer, in: &check, options)
            }
            report.checks.append(check)
        }
        let requests = server.sent == 1 ? "1 request was" : "\(server.sent) requests were"
        report.summary = ["\(requests) sent to \(url.origin)\(basePath)"]
        return report
    }

    /// The user's path, or that of the contract's first server.
    private var basePath: String {
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

    private func token(from signIn: SignInRequest, _ server: inout LiveServer) async throws(VerificationProblem)
        -> String
    {
        var request = PlannedRequest(method: signIn.method, path: basePath + signIn.path)
        request.fields = options.fields.filter { !signIn.fields.contains($0) }
        for field in signIn.fields { request.fields.append(field.name, field.value) }
        request.body = signIn.body
        if !signIn.body.isEmpty, !request.fields.contains("Content-Type") {
            request.fields.append("Content-Type", signIn.contentType)
        }
        let name = "\(signIn.method) \(signIn.path)"
        guard case .response(let response) = try await signInAnswer(request, &server, name) else {
            throw VerificationProblem("signing in with \(name) led nowhere")
        }
        guard response.status.isSuccessful else {
            throw VerificationProblem("signing in with \(name) was answered \(response.status.code)")
        }
        do throws(JSONSyntaxError) {
            let document = try JSONParser(duplicateNames: .lastWins).parse(response.body).root
            if let token = signIn.token.value(in: document)?.string, !token.isEmpty { return token }
        } catch {
            throw VerificationProblem(
                "the response to \(name) is not valid JSON at \(error.position): \(error.sentence)"
            )
        }
        throw VerificationProblem(
            "the response to \(name) has no text at \(signIn.token)",
            advice: "fix --token-pointer"
        )
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
    func chosenOperations() throws(VerificationProblem) -> [Operation] {
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
