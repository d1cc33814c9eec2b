import Basics
import HTTPCodec
import JSON
import OpenAPI
import Reports

/// One run of a verification: stages of operations, each of which may use what the stages before it brought.
struct VerificationRun {
    private typealias Step = VerificationPlan.Step

    private let verification: Verification
    private let session: VerificationSession
    private let steps: [Step]
    private let judge: ResponseJudge
    private var planner: RequestPlanner
    private var created = CreatedResources()
    /// In the order of the contract.
    private var checks: [Report.Check]
    private var server: LiveServer

    private var options: VerificationOptions { verification.options }

    init(_ verification: Verification, _ operations: [Operation], by way: ServerWay) {
        let (contract, options) = (verification.contract, verification.options)
        self.verification = verification
        let tokens = verification.credentials.tokenRequests(for: operations, of: contract, at: verification.url)
        session = VerificationSession(verification, by: way, signIns: options.signIn + tokens)
        steps = VerificationPlan(operations, of: contract, options).steps
        judge = ResponseJudge(contract, options)
        planner = RequestPlanner(contract, options, basePath: verification.basePath)
        server = LiveServer(session)
        checks = operations.map { operation in
            var place = contract.sources.place(of: operation.position)
            place.operation = operation.label
            return Report.Check(group: contract.path, name: operation.label, place: place)
        }
    }

    consuming func play() -> VerificationOutcome {
        do throws(VerificationProblem) {
            try session.signIn(on: &server)
        } catch {
            session.stop(error)
        }
        for stage in stages { play(stage) }
        return VerificationOutcome(
            report: report,
            problem: session.problem,
            isInterrupted: verification.isInterrupted()
        )
    }

    private var report: Report {
        var report = Report(title: "verify")
        report.isStrict = options.isStrict
        report.checks = checks
        let base = verification.url.origin + verification.basePath
        report.summary = ["\(session.sent == 1 ? "1 request was" : "\(session.sent) requests were") sent to \(base)"]
        if let problem = session.problem {
            report.findings.append(Finding(.error, id: "verify/stopped", problem.sentence, advice: problem.advice))
        }
        if session.foundNothing {
            let message = "every response has status 404, so the base path is probably missing or wrong"
            let advice =
                verification.basePath.isEmpty
                ? "if all paths on the server begin with /api, verify against \(verification.url.origin)/api"
                : "the base path is \(verification.basePath); --against \(verification.url.origin)/ removes it"
            report.findings.append(Finding(.warning, id: "verify/base-path", message, advice: advice))
        }
        if verification.isInterrupted() { report.summary.append("the run was interrupted") }
        return report
    }

    /// One operation each; with more connections, those that change nothing together, ordered by the number of values
    /// that earlier responses may give them.
    private var stages: [[Step]] {
        guard options.concurrency > 1 else { return steps.map { [$0] } }
        var stages: [[Step]] = []
        for step in steps {
            if let last = stages.last?.last, last.mayRunBeside(step) {
                stages[stages.count - 1].append(step)
            } else {
                stages.append([step])
            }
        }
        return stages
    }

    /// An operation whose requests are made.
    private struct Job {
        var step: Step
        var requests: RequestPlanner.PlannedRequests
    }

    private mutating func play(_ stage: [Step]) {
        var jobs: [Job] = []
        for step in stage {
            let resource = created.values(for: step.operation.path)
            switch step.decision {
            case .leave(let reason):
                checks[step.number].skipped = reason
                continue
            case .sendToCreated(let creator) where resource.isEmpty:
                notJudged("\(creator.label) returned no 201 response that identifies a created item", step)
                continue
            case .send, .sendToCreated: break
            }
            switch planner.plan(step.operation, to: resource) {
            case .skipped(let reason): notJudged(reason, step)
            case .requests(let requests): jobs.append(Job(step: step, requests: requests))
            }
        }
        let results = results(of: jobs)
        for (job, result) in zip(jobs, results) { note(result, of: job) }
        let done = (stage.last.map(\.order) ?? 0) + 1
        if let label = stage.last?.operation.label {
            verification.progress(VerificationProgress(label: label, done: done, total: steps.count))
        }
    }

    /// The results of the requests of one operation.
    private enum Result {
        case notSent(String)
        /// The exchanges, and the time that they took.
        case sent(Exchanges, Duration)
    }

    private struct Exchanges {
        var first: LiveExchange
        var optional: [LiveExchange] = []
        var unauthorized: LiveExchange?
        var invalid: [(exchange: LiveExchange, request: RequestPlanner.InvalidRequest)] = []
    }

    /// In the order of the jobs.
    private mutating func results(of jobs: [Job]) -> [Result] {
        let session = session
        guard jobs.count > 1 else { return jobs.map { Self.result(of: $0, session, on: &server) } }
        let next = Lock(0)
        let results = Lock([Result?](repeating: nil, count: jobs.count))
        let workers = (0..<min(options.concurrency, jobs.count)).map { _ in
            DeepStack.Work {
                var server = LiveServer(session)
                while true {
                    let number = next.withLock { next in
                        defer { next += 1 }
                        return next
                    }
                    guard number < jobs.count else { return }
                    let result = Self.result(of: jobs[number], session, on: &server)
                    results.withLock { $0[number] = result }
                }
            }
        }
        for worker in workers { _ = worker.wait() }
        return results.withLock { $0 }.map { $0 ?? .notSent("the system cannot start another thread") }
    }

    private static func result(of job: Job, _ session: VerificationSession, on server: inout LiveServer) -> Result {
        if let reason = session.refusal { return .notSent(reason) }
        let operation = job.step.operation
        let begun = ContinuousClock.now
        func sent(_ exchanges: Exchanges) -> Result { .sent(exchanges, begun.duration(to: .now)) }
        do throws(VerificationProblem) {
            var exchanges = Exchanges(first: try session.exchange(job.requests.first, for: operation, on: &server))
            if let reduced = job.requests.reduced, VerifiedOperation.isInvalid(exchanges.first.answer) {
                // A request that was refused as not valid has changed nothing.
                let second = try session.exchange(reduced, for: operation, on: &server)
                if VerifiedOperation.isAccepted(second.answer) {
                    exchanges.optional.append(exchanges.first)
                    exchanges.first = second
                }
            }
            guard job.requests.first.isRepeatable, exchanges.optional.isEmpty,
                VerifiedOperation.isAccepted(exchanges.first.answer)
            else {
                return sent(exchanges)
            }
            if let full = job.requests.full {
                let exchange = try session.exchange(full, for: operation, on: &server)
                exchanges.optional.append(exchange)
                if VerifiedOperation.isRejected(exchange.answer) {
                    for request in job.requests.single where session.refusal == nil {
                        exchanges.optional.append(try session.exchange(request, for: operation, on: &server))
                    }
                }
            }
            for invalid in job.requests.invalid where session.refusal == nil {
                let exchange = try session.exchange(invalid.request, for: operation, on: &server)
                exchanges.invalid.append((exchange, invalid))
            }
            if session.verification.options.checksSecurity, exchanges.first.request.isAuthorized,
                !operation.security.isEmpty, operation.security.allSatisfy({ !$0.isEmpty })
            {
                exchanges.unauthorized = session.exchangeUnauthorized(job.requests.first, for: operation, on: &server)
            }
            return sent(exchanges)
        } catch {
            session.stop(error)
            return .notSent(error.sentence)
        }
    }

    private mutating func note(_ result: Result, of job: Job) {
        let (step, operation) = (job.step, job.step.operation)
        switch result {
        case .notSent(let reason): notJudged(reason, step)
        case .sent(let exchanges, let duration):
            let request = exchanges.first.request
            if let response = exchanges.first.answer.response {
                if let template = step.creates {
                    created.add(template, from: response, to: operation, at: request.path)
                }
                planner.seen.add(response, to: operation, asked: request)
            }
            let verified = VerifiedOperation(
                operation: operation,
                credentials: session.credentials,
                judge: judge,
                options: options
            )
            var check = checks[step.number]
            verified.note(exchanges.first, in: &check)
            for exchange in exchanges.optional { verified.noteOptional(exchange, in: &check) }
            for (exchange, request) in exchanges.invalid { verified.noteInvalid(exchange, request, in: &check) }
            if let exchange = exchanges.unauthorized { verified.noteUnauthorized(exchange, in: &check) }
            check.duration = duration
            checks[step.number] = check
            if let reason = check.skipped, check.findings.isEmpty { notJudged(reason, step) }
        }
    }

    /// Leaves a check out that was meant to be made, which is a failure where the user is strict.
    private mutating func notJudged(_ reason: String, _ step: Step) {
        checks[step.number].skipped = reason
        guard options.isStrict else { return }
        let place = checks[step.number].place
        checks[step.number].findings.append(Finding(.warning, id: "verify/not-judged", reason, at: place))
    }
}
