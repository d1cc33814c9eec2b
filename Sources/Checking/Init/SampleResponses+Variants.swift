package import JSON
package import OpenAPI
package import Simulation

extension SampleResponses {
    /// Everything that the contract shows for a documented answer: each media type, each valid example.
    ///
    /// - Returns: answers by what tells them apart, `nil` for the only one.
    package func variants(
        of response: DocumentedResponse,
        status: Int,
        of operation: Operation
    ) -> [(name: String?, answer: SampleResponse)] {
        guard ![204, 205, 304].contains(status), !response.content.isEmpty else {
            return answer(response, status: status, of: operation).map { [(nil, $0)] } ?? []
        }
        var variants: [(name: String?, answer: SampleResponse)] = []
        for content in response.content {
            var chance = Chance(
                seed: seed,
                stream: StableHash("\(operation.label) \(status) \(content.mediaType)").value
            )
            let type = response.content.count > 1 ? content.mediaType : nil
            let examples = validExamples(of: content)
            let bodies =
                examples.isEmpty
                ? [(name: nil, body: body(content, using: &chance))]
                : examples.map { (name: examples.count > 1 ? $0.name : nil, body: body(content, $0.value)) }
            for (name, body) in bodies {
                guard let (body, mediaType) = body,
                    let answer = answer(response, status: status, body: body, mediaType: mediaType, using: &chance)
                else { continue }
                let parts = [type, name].compactMap(\.self)
                variants.append((parts.isEmpty ? nil : parts.joined(separator: " "), answer))
            }
        }
        return variants
    }

    private func validExamples(of content: MediaTypeContent) -> [NamedExample] {
        guard let reference = content.schema else { return content.examples }
        guard let schema = contract.schemas.schema(reference) else { return [] }
        return content.examples.filter { schema.surelyAccepts($0.value) }
    }
}
