import Checking
import HTTPCodec
import JSONSchema
import OpenAPI

extension ServedCall {
    /// Finds responses with which a call ends that asks another operation again and again until it has a certain state.
    ///
    /// The usual response may have a state such as `queued`, so the contract's examples and the variants of the response
    /// are tried until the call returns a value.
    ///
    /// - Returns: the responses by the operation's id; empty for a call that ends with the usual responses, and for one
    ///   that ends with none.
    func responsesThatEnd(
        _ operation: ClientOperation<Adapter.Client>,
        _ samples: SampleResponses,
        _ variants: SchemaVariantCache
    ) async -> [String: HTTPResponse] {
        let polled = contract.operations.filter { other in
            other.method == .get && other.id != operation.id && operation.accompanying.contains(other.id)
        }
        guard !polled.isEmpty, let begun = await beginning(of: operation, samples, variants) else { return [:] }
        for other in polled {
            var answered = self
            for response in Self.candidates(for: other, samples, variants).prefix(Self.candidateLimit) {
                answered.usual = usual.answering(other.id, with: response)
                // A call that hangs takes real time.
                let outcome = await answered.made(operation, served: begun).outcome
                if outcome.isHung { return [:] }
                if outcome.isValue { return [other.id: response] }
            }
        }
        return [:]
    }

    /// Returns a success of a call's own operation after which the call does not end with the usual responses of the
    /// others: the usual one, or one that the contract shows, such as a job that is queued.
    ///
    /// - Returns: `nil` if the call ends after each.
    private func beginning(
        of operation: ClientOperation<Adapter.Client>,
        _ samples: SampleResponses,
        _ variants: SchemaVariantCache
    ) async -> HTTPResponse? {
        guard let documented = contract.operations.first(where: { $0.id == operation.id }) else { return nil }
        let shown = Self.candidates(for: documented, samples, variants).prefix(Self.beginningLimit)
        for response in [usual.answer(of: documented)] + shown {
            let outcome = await made(operation, served: response).outcome
            if outcome.isHung { return nil }
            if outcome.isRefusal || outcome.isEndless { return response }
        }
        return nil
    }

    /// Finds the last page for a call that loads one page after the other, or the response for which a call waits that asks
    /// again and again.
    ///
    /// - Returns: `nil` for a call that asks once, and for one that ends with no response.
    func ending(
        of operation: ClientOperation<Adapter.Client>,
        _ samples: SampleResponses,
        _ variants: SchemaVariantCache
    ) async -> CallEnding? {
        guard let documented = contract.operations.first(where: { $0.id == operation.id }), documented.method == .get
        else { return nil }
        let first = await made(operation, served: usual.answer(of: documented))
        // A client that notices that the pages repeat stops with an error.
        guard first.outcome.isEndless || first.isPaged && first.outcome.isRefusal, !first.outcome.isHung else {
            return nil
        }
        var isPolled = false
        if case .looping = first.outcome { isPolled = true }
        var answered = self
        for response in Self.candidates(for: documented, samples, variants).prefix(Self.candidateLimit) {
            answered.ending = CallEnding(response: response, isPolled: isPolled)
            guard let outcome = await answered.outcome(of: operation), !outcome.isHung else { return nil }
            if outcome.isValue { return answered.ending }
        }
        return nil
    }

    /// The responses of one operation that are tried, each of which may cost as many requests as a call may send.
    private static var candidateLimit: Int { 100 }

    /// The responses of a call's own operation that are tried, of which most end it.
    private static var beginningLimit: Int { 8 }

    private func outcome(of operation: ClientOperation<Adapter.Client>) async -> CallOutcome? {
        guard let documented = contract.operations.first(where: { $0.id == operation.id }) else { return nil }
        return await made(operation, served: usual.answer(of: documented)).outcome
    }

    /// The successes of an operation, those that the contract shows first.
    private static func candidates(
        for operation: Operation,
        _ samples: SampleResponses,
        _ variants: SchemaVariantCache
    ) -> [HTTPResponse] {
        let successes = operation.servedResponses.filter { 200..<300 ~= $0.status }
        let shown = successes.flatMap { response, status in
            samples.variants(of: response, status: status, of: operation).map(\.answer.response)
                .flatMap { [$0, $0.withoutOptionalFields(of: response)] }
        }
        let varied = successes.flatMap { response, status -> [HTTPResponse] in
            guard let sample = samples.answer(response, status: status, of: operation)?.response else { return [] }
            let legal = variants.variants(of: response, status: status).filter { $0.kind == .legal }
            // A call waits for another value of an enumeration or a flag, rather than for a text or a number.
            return (legal.filter(\.mayChoose) + legal.filter { !$0.mayChoose }).map { variant in
                var varied = sample
                varied.body = variant.body
                return varied
            }
        }
        return shown + varied
    }
}

extension HTTPResponse {
    /// The response without the fields that the contract does not require, such as a `Link` to the next page.
    fileprivate func withoutOptionalFields(of documented: DocumentedResponse) -> HTTPResponse {
        var response = self
        for header in documented.headers where !header.isRequired { response.fields.remove(header.name) }
        return response
    }
}
