package import Basics
import HTTPCodec
import JSON
package import JSONSchema
package import OpenAPI
import ScenarioFormat

/// The variants of a project's contracts, to look at them or to keep one as a fixture.
package struct VariantCatalog {
    private let contracts: [Contract]

    /// - Parameter paths: contracts, and folders with contracts; the project's when empty.
    package init(_ paths: [String], files: any FileReading) throws(CheckProblem) {
        var contracts: [Contract] = []
        for file in try CheckedFiles(files, in: ["Contracts"]).find(paths) where file.kind == .contract {
            guard let project = ProjectRoot(enclosing: file.path, files: files) else { continue }
            do {
                contracts.append(try ContractLoader(files: files, project: project).load(file.path))
            } catch {
                let reason = error.findings.first { $0.severity == .error }?.message ?? "it contains errors"
                throw CheckProblem(sentence: "\(file.path.printable) cannot be used: \(reason)")
            }
        }
        guard !contracts.isEmpty else { throw CheckProblem(sentence: "these files contain no contract") }
        self.contracts = contracts
    }

    /// The variants of every documented response of an operation, in the order of the contract.
    package func variants(of id: String) throws(CheckProblem) -> [NumberedVariant] {
        let (contract, operation) = try find(id)
        let cache = SchemaVariantCache(contract)
        var all: [NumberedVariant] = []
        for response in operation.responses {
            guard let status = response.servedStatus(by: operation) else { continue }
            for (index, variant) in cache.variants(of: response, status: status).enumerated() {
                all.append(
                    NumberedVariant(operation: operation.id, status: status, number: index + 1, variant: variant)
                )
            }
        }
        guard !all.isEmpty else {
            throw CheckProblem(sentence: "\(operation.id.printable) has no response with a JSON or text body")
        }
        return all
    }

    /// One variant by an operation, a status, and its number or label: `getMe 200 #7`, `getMe /data/badge is null`.
    ///
    /// Without a status it is one of the first response that has such a variant.
    package func variant(_ text: String) throws(CheckProblem) -> NumberedVariant {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        // An operation without an id is called by its method and path.
        for count in [1, 2] where words.count > count {
            let id = words.prefix(count).joined(separator: " ")
            let isNamed = count == 1 ? contracts.contains { $0.has(id) } : words[0].allSatisfy(\.isUppercase)
            guard isNamed else { continue }
            var rest = words.dropFirst(count)
            let status = rest.first.flatMap { Int($0) }
            if status != nil { rest = rest.dropFirst() }
            let all = try variants(of: id)
            let variants = all.filter { status == nil || $0.status == status }
            if let status, variants.isEmpty { throw missing(status, of: id, among: all) }
            guard !rest.isEmpty else { throw nameless(text) }
            return try choose(rest.joined(separator: " "), among: variants, of: id)
        }
        _ = try find(String(words.first ?? ""))
        throw nameless(text)
    }

    private func nameless(_ text: String) -> CheckProblem {
        CheckProblem(sentence: "\"\(text)\" does not name a variant; `\(text) #1` is the first variant".printable)
    }

    private func missing(_ status: Int, of id: String, among variants: [NumberedVariant]) -> CheckProblem {
        var statuses: [String] = []
        for variant in variants where statuses.last != "\(variant.status)" { statuses.append("\(variant.status)") }
        return CheckProblem(
            sentence: "\(id) has no variant for status \(status), only for \(statuses.joined(lastBy: "and"))".printable
        )
    }

    private func choose(
        _ name: String,
        among variants: [NumberedVariant],
        of id: String
    ) throws(CheckProblem) -> NumberedVariant {
        if name.hasPrefix("#"), let number = Int(name.dropFirst()) {
            if let found = variants.first(where: { $0.number == number }) { return found }
            let highest = variants.map(\.number).max() ?? 0
            throw CheckProblem(sentence: "\(id.printable) has no variant #\(number); the last variant is #\(highest)")
        }
        if let found = variants.first(where: { $0.variant.label.exact == name.exact }) { return found }
        let meant = Int(name).map { "#\($0)" } ?? Suggestion.nearest(to: name, among: variants.map(\.variant.label))
        let advice = meant.map { "; did you mean \"\($0)\"?" } ?? ""
        throw CheckProblem(sentence: "\(id) has no variant \"\(name)\"\(advice)".printable)
    }

    private func find(_ id: String) throws(CheckProblem) -> (Contract, Operation) {
        var found: [(contract: Contract, operation: Operation)] = []
        for contract in contracts {
            let operation = contract.operations.first { $0.id.exact == id.exact }
            if let operation { found.append((contract, operation)) }
        }
        guard let first = found.first else {
            let all = contracts.flatMap(\.operations)
            let meant =
                all.first { $0.label.exact == id.exact }?.id
                ?? Suggestion.nearest(to: id, among: all.map(\.id))
            let advice = meant.map { "; did you mean \($0)?" } ?? ""
            throw CheckProblem(sentence: "no contract contains an operation \"\(id)\"\(advice)".printable)
        }
        guard found.count == 1 else {
            let paths = found.map(\.contract.path).joined(lastBy: "and")
            throw CheckProblem(
                sentence: "\(id) is an operation in \(paths); specify one contract".printable
            )
        }
        return first
    }
}

extension Contract {
    fileprivate func has(_ id: String) -> Bool { operations.contains { $0.id.exact == id.exact } }
}

/// A variant of a documented response, by a name under which it can be asked for again.
package struct NumberedVariant: Sendable {
    /// The operation's id.
    package var operation: String
    package var status: Int
    /// From one, among the response's variants.
    package var number: Int
    package var variant: SchemaVariant

    /// The name that selects it: `getMe 200 #7`.
    package var name: String { "\(operation) \(status) #\(number)" }

    /// Its special property: `/data/badge is null`.
    package var label: String { variant.label }

    /// `legal`, `evolution` or `illegal`.
    package var kind: String { variant.kind.rawValue }

    /// The text of a fixture with this body, in which nothing is read as a placeholder.
    ///
    /// A body that is about the way in which JSON is written is not changed.
    package var fixture: [UInt8] {
        guard variant.body == variant.value.utf8() else { return variant.body }
        return JSONLayout.lines.utf8(DraftText.literal(variant.value))
    }
}

/// The variants of a contract's responses, each schema's made once.
///
/// A class, because all who serve variants share what was made. Formats count: a text that does not match its format
/// is not a valid variant.
package final class SchemaVariantCache: Sendable {
    private let contract: Contract
    private let seed: UInt64
    private let limits: VariantLimits
    private let made = Lock<[String: [SchemaVariant]]>([:])

    package init(_ contract: Contract, seed: UInt64 = 1, limits: VariantLimits = VariantLimits()) {
        self.contract = contract.assertingFormats()
        self.seed = seed
        self.limits = limits
    }

    /// The compiled schema of a response's body, formats included.
    package func schema(of response: DocumentedResponse) -> Schema? {
        response.variedContent?.schema.flatMap(contract.schemas.schema)
    }

    /// The variants of a documented response, the rich one first.
    ///
    /// - Returns: one without any body where the contract documents none; none where no value was found, and for media
    ///   types that are neither JSON nor text.
    package func variants(of response: DocumentedResponse, status: Int) -> [SchemaVariant] {
        guard response.hasBody(with: status) else {
            return [SchemaVariant("the body is empty", .legal, .null, body: [], schemaPosition: response.position)]
        }
        guard let content = response.variedContent, let schema = schema(of: response) else { return [] }
        let key = "\(content.schema?.uri ?? "") \(response.uri)"
        if let known = made.withLock({ $0[key] }) { return known }
        let examples = content.examples.map { (name: $0.name ?? "of the contract", value: $0.value) }
        var variants = VariantSampler().variants(
            of: schema,
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
    package var variedContent: MediaTypeContent? {
        content.byPreference.first { $0.concreteType.isJSON || $0.mediaType.hasPrefix("text/plain") }
    }
}

extension SchemaVariant {
    /// The variant as a text that is not JSON; `nil` where its value is not a text.
    fileprivate var asPlainText: SchemaVariant? {
        guard let text = value.string, kind == .legal else { return nil }
        var variant = self
        variant.body = Array(text.utf8)
        return variant
    }
}
