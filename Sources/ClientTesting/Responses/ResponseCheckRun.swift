import Basics
import Checking
import HTTPCodec
import JSONSchema
import OpenAPI

/// One run of a response check with one client.
struct ResponseCheckRun<Adapter: ClientAdapter>: Sendable {
    private let adapter: Adapter
    private let contract: Contract
    private let options: ResponseCheckOptions
    private let server: RespondingServer
    private let roles: ClientRoles
    private let judge: ResponseCheckEvaluator
    private let calls: [String: [ClientOperation<Adapter.Client>]]

    init(_ adapter: Adapter, _ contract: Contract, _ options: ResponseCheckOptions) {
        self.adapter = adapter
        self.contract = contract
        self.options = options
        server = RespondingServer(contract)
        roles = ClientRoles(adapter, contract, server.samples)
        judge = ResponseCheckEvaluator(contract: contract, roles: roles, network: options.network)
        calls = adapter.calls
    }

    func result(progress: @escaping @Sendable (String, String) -> Void) async throws -> ResponseCheckResult {
        let clock = ContinuousClock()
        let start = clock.now
        let plan = plan(with: server.samples)
        let endings = await endings()
        let cells = try await AsyncSemaphore.results(of: plan.count, hands: options.parallelRuns) { turns in
            var cells: [(turn: Int, ResponseCheckCell)] = []
            while let turn = turns.next() {
                try Task.checkCancellation()
                cells.append((turn, try await made(plan[turn], endings[plan[turn].name] ?? Endings(), progress)))
            }
            return cells
        }
        return ResponseCheckResult(
            client: adapter.name,
            contract: contract.path,
            cells: RepeatedFindings(plan).combined(cells),
            general: (contract.obstacles + general + idleAnswers(in: plan, cells)).filter { options.checks.fit($0.id) },
            omissions: chosen.compactMap { operation in
                adapter.omissions[operation.id].map { (operation.id, $0) }
            },
            answers: chosen.flatMap { calls[$0.id] ?? [] }.flatMap(\.answersWithReasons),
            network: options.network,
            duration: clock.now - start
        )
    }

    private var chosen: [Operation] {
        contract.operations.filter { options.operations.fit($0.id, except: options.exceptions) }
    }

    private func plan(with samples: SampleResponses) -> [ResponseCheckPlan.Cell] {
        let plan = ResponseCheckPlan(contract, samples, roles, options)
        let plain = contract.operations.filter { calls[$0.id]?.first?.role == .plain }
        let first = plain.first(where: roles.requiresToken) ?? plain.first(where: roles.isBehindToken)
        return chosen.flatMap { operation in
            (calls[operation.id] ?? []).flatMap { call in
                plan.cells(of: operation, called: call, isFirst: operation.id == first?.id && call.role == .plain)
            }
        }
    }

    /// The responses with which a call ends that asks an operation until it has a certain state, or loads one page after
    /// the other.
    private struct Endings {
        /// The responses by their operations' IDs.
        var responses: [String: HTTPResponse] = [:]
        /// A Boolean value that indicates whether the call asks its own operation again.
        var isPolling = false
    }

    /// The endings of the calls that have some, by the calls' names.
    private func endings() async -> [String: Endings] {
        let served = ServedCall(
            adapter: adapter,
            contract: contract,
            usual: server.usual,
            requestLimit: options.requestLimit,
            platform: options.network == .urlSession ? (server, options.quietTime) : nil
        )
        let limits = VariantLimits(legal: 60, evolution: 0, illegal: 0)
        let variants = SchemaVariantCache(contract, seed: server.samples.seed, limits: limits)
        var endings: [String: Endings] = [:]
        for call in chosen.flatMap({ calls[$0.id] ?? [] }) where !Task.isCancelled {
            var found = Endings(responses: await served.responsesThatEnd(call, server.samples, variants))
            if let ending = await served.ending(of: call, server.samples, variants) {
                found.responses[call.id] = ending.response
                found.isPolling = ending.isPolled
            }
            endings[call.name] = found
        }
        return endings
    }

    private func made(
        _ planned: ResponseCheckPlan.Cell,
        _ endings: Endings,
        _ progress: @Sendable (String, String) -> Void
    ) async throws -> ResponseCheckCell {
        var cell = ResponseCheckCell(
            operation: planned.name,
            label: planned.operation.label,
            answer: planned.answer.label,
            skipped: planned.answer.skipped,
            place: judge.place(of: planned)
        )
        guard cell.skipped == nil,
            let operation = calls[planned.operation.id]?.first(where: { $0.role == planned.role })
        else { return cell }
        progress(cell.operation, cell.answer)
        var script = planned.answer.script
        // The call's own operation has its last page after its response.
        script.answers.merge(endings.responses.mapValues { [.response($0)] }) { planned, ending in
            planned.last?.status.map { 200..<300 ~= $0 } == true ? planned + ending : planned
        }
        var call = ClientCall(operation, of: adapter, answered: script)
        call.observesStart = !roles.isSessionDocumented
        call.isMadeTwice = planned.answer.kind == .notModified
        call.isOnPlatform = options.network == .urlSession
        call.isOffline = planned.answer.isOffline
        // The platform's networking has internal pauses that cannot be observed.
        call.quietTime = call.isOnPlatform ? options.quietTime * 3 : options.quietTime
        let made = try await call.made(with: server)
        let terms = ResponseCheckEvaluator.Terms(
            answers: Set(operation.answers.map(\.status)),
            accompanying: operation.accompanying,
            isPolling: endings.isPolling
        )
        let verdict = judge.calling(planned).verdict(on: made, in: planned, terms)
        cell.outcome = "\(made.outcome)"
        cell.findings = verdict.findings.filter { options.checks.fit($0.id) }
        cell.excuses = verdict.excuses
        cell.requests = made.requests
        cell.duration = made.duration
        return cell
    }

    /// Reports each error that an adapter calls a result, although the call never returns one.
    private func idleAnswers(in plan: [ResponseCheckPlan.Cell], _ cells: [ResponseCheckCell]) -> [Finding] {
        chosen.flatMap { operation in
            (calls[operation.id] ?? []).flatMap { call in
                call.answers.compactMap { answer -> Finding? in
                    let outcomes = zip(plan, cells).compactMap { planned, cell in
                        planned.name == call.name && planned.answer.kind == .refusal(answer.status) ? cell.outcome : nil
                    }
                    let isDocumented = operation.response(for: answer.status) != nil
                    guard !isDocumented || !outcomes.isEmpty, !outcomes.contains("\(CallOutcome.value(.nothing))")
                    else {
                        return nil
                    }
                    let reason =
                        isDocumented
                        ? "the call ends with \(outcomes[0])" : "the contract does not document \(answer.status)"
                    return Finding(
                        .warning,
                        id: ResponseCheckFault.idleAnswer.rawValue,
                        "\(call.name) is declared to treat \(answer.status) as a result, but \(reason)",
                        at: judge.place(of: operation),
                        advice: "remove answering(\(answer.status), because:), or correct its status"
                    )
                }
            }
        }
    }

    // MARK: What belongs to no call

    /// One line for all operations that a client does not claim to have.
    private func note(on missing: [Operation]) -> [Finding] {
        guard let first = missing.first else { return [] }
        return [
            Finding(
                .note,
                id: ResponseCheckFault.noAdapter.rawValue,
                "\(adapter.name) has no call for \(missing.count) of \(chosen.count) operations: "
                    + missing.map(\.id).joined(upTo: 5),
                at: judge.place(of: first),
                advice: "add a call for each operation, or leave the operations out with omitting(_:because:)"
            )
        ]
    }

    private var general: [Finding] {
        let missing = chosen.filter { calls[$0.id] == nil && adapter.omissions[$0.id] == nil }
        var findings =
            adapter.isComplete
            ? missing.map { operation in
                Finding(
                    .error,
                    id: ResponseCheckFault.noAdapter.rawValue,
                    "\(adapter.name) has neither a call for \(operation.id) nor a reason for omitting the operation",
                    at: judge.place(of: operation),
                    advice: "add a call for the operation, or leave the operation out with omitting(_:because:)"
                )
            } : note(on: missing)
        let known = contract.operations.map(\.id)
        let named =
            adapter.operations.map { ($0.id, "is adapted") }
            + adapter.omissions.keys.sorted().map { ($0, "is omitted") }
        for (id, words) in named where !known.contains(id) && options.operations.fit(id, except: options.exceptions) {
            findings.append(
                Finding(
                    .error,
                    id: ResponseCheckFault.noOperation.rawValue,
                    "\(id) \(words) but is not an operation in the contract",
                    at: Place(file: contract.path),
                    advice: Suggestion.nearest(to: id, among: known).map { "did you mean \($0)?" }
                )
            )
        }
        return findings + repeated
    }

    /// Operations that are adapted more than once in one role, of which only the first is ever called.
    private var repeated: [Finding] {
        var seen: Set<String> = []
        var told: Set<String> = []
        return zip(adapter.operations, adapter.operationNames).compactMap { operation, name in
            guard options.operations.fit(operation.id, except: options.exceptions), !seen.insert(name).inserted,
                told.insert(name).inserted
            else { return nil }
            let advice =
                operation.role == .plain
                ? "keep one of the calls, or correct the operation"
                : "keep one of the calls; an operation can be adapted once for each role, such as "
                    + "Call(\"\(operation.id)\", .signIn) and Call(\"\(operation.id)\", .refresh)"
            return Finding(
                .error,
                id: ResponseCheckFault.adaptedTwice.rawValue,
                "\(name) is adapted more than once, and only the first call is used",
                at: contract.operations.first { $0.id == operation.id }.map(judge.place) ?? Place(file: contract.path),
                advice: advice
            )
        }
    }
}
