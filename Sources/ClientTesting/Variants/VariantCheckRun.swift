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
    private let operations: [String: ClientOperation<Adapter.Client>]

    init(_ adapter: Adapter, _ contract: Contract, _ options: VariantCheckOptions, _ variants: SchemaVariantCache?) {
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
        operations = Dictionary(adapter.operations.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func result(progress: @escaping @Sendable (String) -> Void) async -> VariantCheckResult {
        let clock = ContinuousClock()
        let start = clock.now
        let chosen = contract.operations.filter {
            operations[$0.id] != nil && options.operations.fit($0.id, except: options.exceptions)
        }
        let swept = await AsyncSemaphore.results(of: chosen.count, hands: options.lanes) { turns in
            var results: [(turn: Int, [VariantCheckedResponse])] = []
            while let turn = turns.next() {
                progress(chosen[turn].id)
                results.append((turn, await answers(of: chosen[turn], number: turn)))
            }
            return results
        }
        return VariantCheckResult(
            client: adapter.name,
            contract: contract.path,
            answers: swept.flatMap { $0 },
            drops: chosen.compactMap { operations[$0.id] }.flatMap(\.dropsWithReasons),
            duration: clock.now - start
        )
    }

    /// - Parameter number: the operation's among all, so that operations share the variants of refusals.
    private func answers(of documented: Operation, number: Int) async -> [VariantCheckedResponse] {
        guard let operation = operations[documented.id] else { return [] }
        var terms = VariantCheckTerms(operation)
        var swept: [VariantCheckedResponse] = []
        var isWhole = false
        for response in documented.responses {
            guard let status = response.servedStatus(by: documented), status >= 200, !(300..<400 ~= status) else {
                continue
            }
            var answer = VariantCheckedResponse(
                operation: documented.id,
                label: documented.label,
                status: status,
                place: contract.place(of: response.position, operation: documented.label)
            )
            let variants = cache.variants(of: response, status: status)
            guard let sample = samples.answer(response, status: status, of: documented)?.response, !variants.isEmpty
            else {
                answer.skipped = "no value was found that the contract allows"
                if response.sweptContent == nil { answer.skipped = "its media types are neither JSON nor text" }
                swept.append(answer)
                continue
            }
            var sweep = ResponseVariantCheck(
                call,
                operation,
                sample: sample,
                schema: cache.schema(of: response),
                terms: terms,
                answer: answer
            )
            if status < 300 {
                await sweep.serveSuccess(variants)
                terms = sweep.terms
                isWhole = sweep.isServed
            } else {
                await sweep.serveRefusal(share(of: variants, number: number))
            }
            answer = sweep.answer
            guard sweep.isServed else {
                answer.skipped = "the client has not asked for it"
                let isFirst = !swept.contains { $0.skipped == answer.skipped }
                if isFirst {
                    answer.findings = [VariantCheckWords.silence(of: documented, in: contract)].filter(isWanted)
                }
                swept.append(answer)
                continue
            }
            answer.findings = await findings(of: sweep, variants, documented, response).filter(isWanted)
            swept.append(answer)
        }
        if isWhole, let last = swept.indices.last {
            let idle = terms.idle
            let findings =
                idle.drops.map { VariantCheckWords.idle($0, "drops", of: documented, in: contract) }
                + idle.tolerances.map { VariantCheckWords.idle($0, "tolerances", of: documented, in: contract) }
            swept[last].findings += findings.filter(isWanted)
        }
        return swept
    }

    private func isWanted(_ finding: Finding) -> Bool { options.checks.fit(finding.id) }

    /// Some of the variants of a refusal, others for each operation: refusals are read by the same code everywhere.
    private func share(of variants: [SchemaVariant], number: Int) -> [SchemaVariant] {
        let legal = variants.filter { $0.kind == .legal }
        guard legal.count > options.refusalVariants, let first = legal.first, options.refusalVariants > 1 else {
            return legal
        }
        let rest = legal.dropFirst()
        let count = options.refusalVariants - 1
        let start = number * count % rest.count
        let chosen = (0..<count).map { rest[rest.startIndex + (start + $0) % rest.count] }
        return [first] + chosen
    }

    private func findings(
        of sweep: ResponseVariantCheck<Adapter>,
        _ variants: [SchemaVariant],
        _ documented: Operation,
        _ response: DocumentedResponse
    ) async -> [Finding] {
        let causes = sweep.causes.all
        guard !causes.isEmpty else { return [] }
        var positions: [JSONPointer: JSONPosition] = [:]
        for variant in variants where positions[variant.place.general] == nil {
            positions[variant.place.general] = variant.schemaPosition
        }
        let words = VariantCheckWords(
            contract: contract,
            operation: documented,
            status: sweep.answer.status,
            response: response
        )
        var findings: [Finding] = []
        for (number, cause) in causes.enumerated() {
            // The first causes are looked at closely; what follows is mostly the same thing elsewhere.
            let smallest = number < Self.shrunkCauses ? await sweep.smallest(cause) : nil
            let position = positions[cause.place] ?? cause.variant.schemaPosition
            findings.append(words.finding(cause, smallest: smallest, at: position))
        }
        return findings
    }

    private static var shrunkCauses: Int { 12 }
}
