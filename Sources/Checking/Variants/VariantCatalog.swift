package import Basics
import Checking
import JSONSchema
import OpenAPI

/// The variants of a project's contracts, for those who want to look at them or keep one as a fixture.
package struct VariantCatalog {
    private let contracts: [Contract]

    /// - Parameter paths: contracts, and folders with contracts; the project's when there is none.
    package init(_ paths: [String], files: any FileReading) throws(CheckProblem) {
        var contracts: [Contract] = []
        for file in try CheckedFiles(files, in: ["Contracts"]).find(paths) where file.kind == .contract {
            guard let project = ProjectRoot(enclosing: file.path, files: files) else { continue }
            do {
                contracts.append(try ContractLoader(files: files, project: project).load(file.path))
            } catch {
                let reason = error.findings.first { $0.severity == .error }?.message ?? "it has errors"
                throw CheckProblem(sentence: "\(file.path.printable) cannot be used: \(reason)")
            }
        }
        guard !contracts.isEmpty else { throw CheckProblem(sentence: "there is no contract among these files") }
        self.contracts = contracts
    }

    /// The variants of every documented answer of an operation, in the order of the contract.
    package func variants(of id: String) throws(CheckProblem) -> [NumberedVariant] {
        let (contract, operation) = try find(id)
        let shelf = SchemaVariantCache(contract)
        var all: [NumberedVariant] = []
        for response in operation.responses {
            guard let status = response.servedStatus(by: operation) else { continue }
            for (index, variant) in shelf.variants(of: response, status: status).enumerated() {
                all.append(
                    NumberedVariant(operation: operation.id, status: status, number: index + 1, variant: variant)
                )
            }
        }
        guard !all.isEmpty else {
            throw CheckProblem(sentence: "no answer of \(operation.id.printable) has a body of JSON or text")
        }
        return all
    }

    /// One variant by an operation, a status, and its number or label: `getMe 200 #7`, `getMe /data/badge is null`.
    ///
    /// Without a status it is one of the first answer that has such a variant.
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
        CheckProblem(sentence: "\"\(text)\" names no variant; `\(text) #1` would be the first one".printable)
    }

    private func missing(_ status: Int, of id: String, among variants: [NumberedVariant]) -> CheckProblem {
        var statuses: [String] = []
        for variant in variants where statuses.last != "\(variant.status)" { statuses.append("\(variant.status)") }
        return CheckProblem(
            sentence: "\(id) has no variant of a \(status), only of \(statuses.joined(lastBy: "and"))".printable
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
            throw CheckProblem(sentence: "\(id.printable) has no variant #\(number); the last one there is #\(highest)")
        }
        if let found = variants.first(where: { $0.variant.label.utf8.elementsEqual(name.utf8) }) { return found }
        let meant = Int(name).map { "#\($0)" } ?? Suggestion.nearest(to: name, among: variants.map(\.variant.label))
        let advice = meant.map { "; did you mean \"\($0)\"?" } ?? ""
        throw CheckProblem(sentence: "\(id) has no variant \"\(name)\"\(advice)".printable)
    }

    private func find(_ id: String) throws(CheckProblem) -> (Contract, Operation) {
        var found: [(contract: Contract, operation: Operation)] = []
        for contract in contracts {
            let operation = contract.operations.first { $0.id.utf8.elementsEqual(id.utf8) }
            if let operation { found.append((contract, operation)) }
        }
        guard let first = found.first else {
            let all = contracts.flatMap(\.operations)
            let meant =
                all.first { $0.label.utf8.elementsEqual(id.utf8) }?.id
                ?? Suggestion.nearest(to: id, among: all.map(\.id))
            let advice = meant.map { "; did you mean \($0)?" } ?? ""
            throw CheckProblem(sentence: "no contract has an operation \"\(id)\"\(advice)".printable)
        }
        guard found.count == 1 else {
            let paths = found.map(\.contract.path).joined(lastBy: "and")
            throw CheckProblem(
                sentence: "\(id) is an operation of \(paths): name the contract that is meant".printable
            )
        }
        return first
    }
}

extension Contract {
    fileprivate func has(_ id: String) -> Bool { operations.contains { $0.id.utf8.elementsEqual(id.utf8) } }
}
