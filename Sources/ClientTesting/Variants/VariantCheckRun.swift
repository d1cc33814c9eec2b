import Basics
import Checking
import HTTPCodec
import JSON
import JSONSchema
import OpenAPI

/// One run of a test of response variants with one client.
struct VariantCheckRun<Adapter: ClientAdapter>: Sendable {
    private let adapter: Adapter
    private let contract: Contract
    private let options: VariantCheckOptions
    private let cache: SchemaVariantCache
    private let samples: SampleResponses
    private let call: ServedCall<Adapter>
    private let calls: [String: [ClientOperation<Adapter.Client>]]
    /// The calls that are made, in the order of the contract.
    private let chosen: [(documented: Operation, call: ClientOperation<Adapter.Client>)]
    /// The revision that the client was written for; then only newer variants are served.
    private let earlier: EarlierContract?

    init(
        _ adapter: Adapter,
        _ contract: Contract,
        _ options: VariantCheckOptions,
        _ variants: SchemaVariantCache?,
        _ earlier: EarlierContract?
    ) {
        self.adapter = adapter
        self.contract = contract
        self.options = options
        cache = variants ?? SchemaVariantCache(contract, seed: options.seed, limits: options.limits)
        samples = SampleResponses(contract, seed: options.seed)
        call = ServedCall(
            adapter: adapter,
            contract: contract,
            usual: UsualResponses(contract, samples: samples),
            requestLimit: options.requestLimit
        )
        var calls = adapter.calls
        // An operation may have got another id, which a client does not know.
        for documented in contract.operations where calls[documented.id] == nil {
            guard let known = earlier?.operation(documented)?.id, let renamed = calls[known] else { continue }
            calls[documented.id] = renamed.map { call in
                var call = call
                call.name = documented.id + call.name.dropFirst(call.id.count)
                call.id = documented.id
                return call
            }
        }
        self.calls = calls
        self.earlier = earlier
        chosen = contract.operations.filter { options.operations.fit($0.id, except: options.exceptions) }
            .flatMap { documented in (calls[documented.id] ?? []).map { (documented: documented, call: $0) } }
    }

    func result(progress: @escaping @Sendable (String) -> Void) async -> VariantCheckResult {
        let clock = ContinuousClock()
        let start = clock.now
        let checked = await AsyncSemaphore.results(of: chosen.count, hands: options.parallelRuns) { turns in
            var results: [(turn: Int, [VariantCheckedResponse])] = []
            while let turn = turns.next() {
                let (documented, call) = chosen[turn]
                progress(call.name)
                results.append((turn, await answers(of: documented, called: call, number: turn)))
            }
            return results
        }
        var result = VariantCheckResult(
            client: adapter.name,
            contract: contract.path,
            answers: checked.flatMap { $0 },
            drops: chosen.flatMap(\.call.dropsWithReasons),
            general: contract.obstacles.filter { options.checks.fit($0.id) },
            duration: clock.now - start
        )
        if let earlier { result.requests = await requests(since: earlier) }
        return result
    }

    /// Judges what each call sends, that of operations that are gone as well.
    private func requests(since earlier: EarlierContract) async -> [VariantCheckedRequests] {
        var judged: [VariantCheckedRequests] = []
        let present = Set(contract.operations.map(\.id))
        let gone = earlier.operationsGone(from: contract).filter { !present.contains($0.id) }
        for documented in contract.operations + gone
        where options.operations.fit(documented.id, except: options.exceptions) {
            for operation in calls[documented.id] ?? [] where !Task.isCancelled {
                let requests = await call.requests(of: operation)
                let findings = earlier.findings(in: requests, newer: call.usual.judge, call: operation.name)
                judged.append(
                    VariantCheckedRequests(
                        operation: operation.name,
                        label: documented.label,
                        findings: findings,
                        place: present.contains(documented.id)
                            ? contract.place(of: documented.position, operation: documented.label)
                            : Place(file: contract.path)
                    )
                )
            }
        }
        return judged
    }

    /// - Parameter number: the operation's among all, so that operations share the variants of refusals.
    private func answers(
        of documented: Operation,
        called operation: ClientOperation<Adapter.Client>,
        number: Int
    ) async -> [VariantCheckedResponse] {
        var terms = VariantCheckTerms(operation)
        var call = call
        for (id, response) in await call.responsesThatEnd(operation, samples, cache) {
            call.usual = call.usual.answering(id, with: response)
        }
        if documented.method == .get {
            // The usual response is the last page to a call that ends with it.
            call.ending =
                await call.ending(of: operation, samples, cache)
                ?? CallEnding(response: call.usual.answer(of: documented))
        }
        var checked: [VariantCheckedResponse] = []
        var isWhole = false
        for response in documented.responses {
            guard let status = response.servedStatus(by: documented), status >= 200, !(300..<400 ~= status) else {
                continue
            }
            var answer = VariantCheckedResponse(
                operation: operation.name,
                label: documented.label,
                status: status,
                place: contract.place(of: response.position, operation: documented.label)
            )
            let variants = cache.variants(of: response, status: status)
            guard let sample = samples.answer(response, status: status, of: documented)?.response, !variants.isEmpty
            else {
                if let earlier, earlier.operation(documented)?.response(for: status) != nil { continue }
                answer.skipped = "no value that the contract allows was found"
                if response.variedContent == nil { answer.skipped = "the media types are neither JSON nor text" }
                checked.append(answer)
                continue
            }
            var check = ResponseVariantCheck(
                call,
                operation,
                sample: sample,
                schema: cache.schema(of: response),
                terms: terms,
                answer: answer
            )
            if let earlier {
                let new = variants.filter { variant in
                    var served = sample
                    served.body = variant.body
                    return variant.kind == .legal && earlier.forbids(served, to: documented)
                }
                guard !new.isEmpty else { continue }
                let old = earlier.legalVariants(of: documented, status: status)
                let control = check
                await serve(new, besides: old, to: &check)
                answer = check.answer
                guard check.isServed else {
                    answer.skipped = "the client does not send the request"
                    checked.append(answer)
                    continue
                }
                let causes = await newCauses(of: check, documented, old, control)
                answer.findings = await findings(of: check, causes, new, documented, response).filter(isWanted)
                checked.append(answer)
                continue
            }
            if status < 300 {
                await check.serveSuccess(variants)
                terms = check.terms
                isWhole = check.isServed
            } else {
                await check.serveRefusal(share(of: variants, number: number))
            }
            answer = check.answer
            guard check.isServed else {
                answer.skipped = "the client does not send the request"
                let isFirst = !checked.contains { $0.skipped == answer.skipped }
                if isFirst {
                    answer.findings = [VariantCheckWords.silence(of: documented, in: contract)].filter(isWanted)
                }
                checked.append(answer)
                continue
            }
            answer.findings = await findings(of: check, check.causes.all, variants, documented, response)
                .filter(isWanted)
            if check.pagedCount > 0 {
                let finding = VariantCheckWords.paged(check.pagedCount, operation.name, of: documented, in: contract)
                answer.findings += [finding].filter(isWanted)
            }
            checked.append(answer)
        }
        // The client's value is that of a success.
        if isWhole, earlier == nil, let index = checked.lastIndex(where: { $0.status < 300 }) {
            let idle = terms.idle
            let findings =
                idle.drops.map { VariantCheckWords.idle($0, "drops", of: documented, in: contract) }
                + idle.tolerances.map { VariantCheckWords.idle($0, "tolerances", of: documented, in: contract) }
            checked[index].findings += findings.filter(isWanted)
        }
        return checked
    }

    /// Serves what is new, for a refusal after one that is not.
    private func serve(
        _ new: [SchemaVariant],
        besides old: [SchemaVariant],
        to check: inout ResponseVariantCheck<Adapter>
    ) async {
        if check.answer.status < 300 {
            await check.serveSuccess(new)
        } else if old.isEmpty {
            await check.serveNewRefusal(new)
        } else {
            await check.serveRefusal(old.prefix(1) + new)
        }
    }

    /// The causes that are not there with what the earlier revision allows.
    ///
    /// - Parameter control: the test before anything was served.
    private func newCauses(
        of check: ResponseVariantCheck<Adapter>,
        _ documented: Operation,
        _ old: [SchemaVariant],
        _ control: ResponseVariantCheck<Adapter>
    ) async -> [VariantCheckCause] {
        guard !check.causes.all.isEmpty, !old.isEmpty else { return check.causes.all }
        var control = control
        if check.answer.status < 300 { await control.serveSuccess(old) } else { await control.serveRefusal(old) }
        let known = Set(control.causes.all.map(\.key))
        // A member that is new need not be kept by a client that does not know it.
        let places = Set(old.flatMap { $0.known.places().map($0.freedoms.general) })
        return check.causes.all.filter { cause in
            if cause.isLoss, !places.contains(cause.place) { return false }
            guard known.contains(cause.key) else { return true }
            // A value that was changed before, for another reason.
            guard cause.kind == .changed else { return false }
            var served = check.sample
            served.body = cause.variant.body
            let forbidden = earlier?.forbiddenPlaces(of: served, to: documented) ?? []
            return forbidden.contains { cause.place.isAround(cause.variant.freedoms.general($0)) }
        }
    }

    private func isWanted(_ finding: Finding) -> Bool { options.checks.fit(finding.id) }

    /// Some of the variants of a refusal, others for each operation: refusals are read by the same code everywhere.
    ///
    /// The shares of few operations are larger, so that together they have all variants.
    private func share(of variants: [SchemaVariant], number: Int) -> [SchemaVariant] {
        let legal = variants.filter { $0.kind == .legal }
        guard legal.count > options.refusalVariants, let first = legal.first, options.refusalVariants > 1 else {
            return legal
        }
        let rest = legal.dropFirst()
        let sharing = max(1, chosen.count)
        let count = max(options.refusalVariants - 1, (rest.count + sharing - 1) / sharing)
        let start = number * count % rest.count
        let chosen = (0..<count).map { rest[rest.startIndex + (start + $0) % rest.count] }
        return [first] + chosen
    }

    private func findings(
        of check: ResponseVariantCheck<Adapter>,
        _ causes: [VariantCheckCause],
        _ variants: [SchemaVariant],
        _ documented: Operation,
        _ response: DocumentedResponse
    ) async -> [Finding] {
        guard !causes.isEmpty else { return [] }
        var positions: [JSONPointer: JSONPosition] = [:]
        for variant in variants {
            let place = variant.freedoms.general(variant.place)
            if positions[place] == nil { positions[place] = variant.schemaPosition }
        }
        let words = VariantCheckWords(
            contract: contract,
            operation: documented,
            status: check.answer.status,
            response: response
        )
        var findings: [Finding] = []
        for (number, cause) in causes.enumerated() {
            // The first causes are looked at closely; what follows is mostly the same thing elsewhere.
            let smallest = number < Self.shrunkCauses ? await check.smallest(cause) : nil
            let position = positions[cause.place] ?? cause.variant.schemaPosition
            findings.append(words.finding(cause, smallest: smallest, at: position))
        }
        return findings
    }

    private static var shrunkCauses: Int { 12 }
}
