import Basics
import HTTPCodec
import JSON
package import JSONSchema
package import OpenAPI

/// The variants of a contract's answers, each schema's made once.
///
/// A class, because all who serve variants share what was made. Formats count: a text that is not of its format is no
/// legal variant.
package final class SchemaVariantCache: Sendable {
    private let contract: Contract
    private let seed: UInt64
    private let limits: VariantLimits
    private let sampler: VariantSampler
    private let schemas: [String: Schema]
    private let made = Lock<[String: [SchemaVariant]]>([:])

    package init(_ contract: Contract, seed: UInt64 = 1, limits: VariantLimits = VariantLimits()) {
        self.contract = contract
        self.seed = seed
        self.limits = limits
        sampler = VariantSampler(registry: contract.schemas.registry)
        var compiler = SchemaCompiler(registry: contract.schemas.registry, formats: .assertion)
        var handles: [(uri: String, handle: SchemaHandle)] = []
        var seen: Set<String> = []
        for response in contract.operations.flatMap(\.responses) {
            guard let uri = response.sweptContent?.schema?.uri, seen.insert(uri).inserted else { continue }
            if let handle = compiler.compile(uri) { handles.append((uri, handle)) }
        }
        let program = compiler.finish()
        schemas = Dictionary(uniqueKeysWithValues: handles.map { ($0.uri, program.schema($0.handle)) })
    }

    /// The compiled schema of an answer's body, formats included.
    package func schema(of response: DocumentedResponse) -> Schema? {
        response.sweptContent?.schema.flatMap { schemas[$0.uri] }
    }

    /// The variants of a documented answer, the rich one first.
    ///
    /// - Returns: one without any body where the contract documents none; none where no value was found, and for media
    ///   types that are neither JSON nor text.
    package func variants(of response: DocumentedResponse, status: Int) -> [SchemaVariant] {
        guard ![204, 205, 304].contains(status), !response.content.isEmpty else {
            return [SchemaVariant("the body is empty", .legal, .null, body: [], schemaPosition: response.position)]
        }
        guard let content = response.sweptContent, let uri = content.schema?.uri, let schema = schemas[uri] else {
            return []
        }
        let key = "\(uri) \(response.uri)"
        if let known = made.withLock({ $0[key] }) { return known }
        let examples = content.examples.map { (name: $0.name ?? "of the contract", value: $0.value) }
        var variants = sampler.variants(
            of: uri,
            validBy: schema,
            examples: examples,
            going: .response,
            seed: seed,
            limits: limits
        )
        if !content.concreteType.isJSON { variants = variants.compactMap(\.asPlainText) }
        made.withLock { $0[key] = variants }
        return variants
    }
}

extension DocumentedResponse {
    /// The content whose variants are made: JSON, or else plain text.
    package var sweptContent: MediaTypeContent? {
        content.byPreference.first { $0.concreteType.isJSON || $0.mediaType.hasPrefix("text/plain") }
    }
}

extension SchemaVariant {
    /// The variant as a text that is no JSON; `nil` where its value is not a text.
    fileprivate var asPlainText: SchemaVariant? {
        guard let text = value.string, kind == .legal else { return nil }
        var variant = self
        variant.body = Array(text.utf8)
        return variant
    }
}
