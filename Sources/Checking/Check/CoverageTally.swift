import Basics
import JSON
import JSONSchema
import OpenAPI
import Reports
import ScenarioFormat

/// The documented responses that stub responses of scenarios cover.
struct CoverageTally {
    private struct PlayedResponse: Hashable {
        var operation: String
        var status: DocumentedResponse.Status
    }

    /// A contract that scenarios name, and what they do with it.
    private struct Line {
        var path: String
        var contract: Contract
        var played: Set<PlayedResponse> = []
        /// The operations that have a route.
        var routed: Set<String> = []
        /// A Boolean value that indicates whether a whole backend serves it, without leaving the rest to the contract's
        /// own examples and schemas.
        var isWhole = false
    }

    private var lines: [Line] = []
    private var numbers: [String: Int] = [:]

    /// Counts the operations of a contract from now on, and the routes that a scenario has for them.
    ///
    /// - Parameter isBackend: whether the scenario is a backend's own file, which has all that its stories change.
    mutating func begin(_ path: String, _ contract: Contract, with scenario: Scenario, isBackend: Bool) {
        let number = numbers[path] ?? lines.count
        if number == lines.count {
            numbers[path] = number
            lines.append(Line(path: path, contract: contract))
        }
        if isBackend, scenario.fill == .off { lines[number].isWhole = true }
    }

    /// Notes that a route serves requests of these operations.
    mutating func route(_ path: String, _ operations: [Operation]) {
        guard let number = numbers[path] else { return }
        lines[number].routed.formUnion(operations.map(\.uri))
    }

    mutating func cover(_ path: String, _ surveyed: SurveyedResponse) {
        guard surveyed.exceptions == nil, !surveyed.isModelled, let number = numbers[path] else { return }
        for operation in surveyed.operations {
            guard let response = operation.response(for: surveyed.response.status) else { continue }
            lines[number].played.insert(PlayedResponse(operation: operation.uri, status: response.status))
        }
    }

    var coverage: [Coverage] { lines.flatMap { line in line.contract.operations.map { coverage(of: $0, in: line) } } }

    private func coverage(of operation: Operation, in line: Line) -> Coverage {
        let answers = operation.responses.map { response in
            let isPlayed = line.played.contains(PlayedResponse(operation: operation.uri, status: response.status))
            return Coverage.Answer(
                response.status.description,
                isPlayed ? .response : response.hasExample(in: line.contract) ? .example : .nothing
            )
        }
        return Coverage(
            contract: line.path,
            operation: operation.label,
            answers: answers,
            place: line.contract.sources.place(of: operation.position)
        )
    }

    /// The operations that the backends leave out of their contracts, by contract.
    var gaps: [(contract: String, findings: [Finding])] {
        lines.filter(\.isWhole).map { line in
            (line.path, line.contract.operations.compactMap { gap(at: $0, in: line) })
        }
    }

    private func gap(at operation: Operation, in line: Line) -> Finding? {
        let place = line.contract.sources.place(of: operation.position)
        guard line.routed.contains(operation.uri) else {
            return Finding(
                .warning,
                id: "contract/unplayed-operation",
                "no scenario contains a route for \(operation.label)".printable,
                at: place,
                advice: "add \"\(operation.label)\" to the backend's \"routes\"".printable
            )
        }
        let missing = coverage(of: operation, in: line).missing
        guard !missing.isEmpty else { return nil }
        let statuses = missing.joined(separator: ", ")
        return Finding(
            .warning,
            id: "contract/no-example",
            "\(operation.label) \(statuses) has neither a stub response nor an example in the contract".printable,
            at: place,
            advice: "add a stub response, or an \"example\" next to the schema"
        )
    }
}

extension DocumentedResponse {
    /// Returns whether the contract shows what the body is like: by its examples, or by those of its schema.
    fileprivate func hasExample(in contract: Contract) -> Bool {
        content.contains { content in
            !content.examples.isEmpty
                || content.schema.flatMap(contract.schemas.id).map {
                    contract.schemas.program.hasExample($0)
                } ?? false
        }
    }
}

extension SchemaProgram {
    /// The limit of references that are followed from a schema to the one that has an example.
    private static let references = 16

    fileprivate func hasExample(_ id: SchemaID) -> Bool {
        var facts = facts(of: id)
        for _ in 0..<Self.references {
            if facts.annotations.example != nil || !facts.annotations.examples.isEmpty { return true }
            guard let next = facts.choices.reference else { return false }
            facts = self.facts(of: next)
        }
        return false
    }
}

extension ArraySlice<Report.Check> {
    /// Takes what is said of a place for intended where a response next to says why it shows that to break the contract.
    ///
    /// A story that stores something odd marks the response that it is about; others may show the same item.
    ///
    /// - Returns: how many violations were excused.
    mutating func excuseWhatIsStoredOnPurpose() -> Int {
        var reasons: [FindingPlace: String] = [:]
        for finding in flatMap(\.findings) {
            guard finding.severity == .note, let advice = finding.advice, let place = FindingPlace(finding) else {
                continue
            }
            reasons[place] = advice
        }
        guard !reasons.isEmpty else { return 0 }
        var excused = 0
        for index in indices {
            for number in self[index].findings.indices {
                let finding = self[index].findings[number]
                guard finding.severity > .note, let advice = FindingPlace(finding).flatMap({ reasons[$0] }) else {
                    continue
                }
                self[index].findings[number].severity = .note
                self[index].findings[number].advice = advice
                excused += 1
            }
        }
        return excused
    }
}

/// A place in a file where a rule is broken.
private struct FindingPlace: Hashable {
    var file: String
    var position: TextPosition
    var id: String

    /// `nil` where a response as a whole is meant, of which there is only one.
    init?(_ finding: Finding) {
        guard let place = finding.place, let file = place.file, let position = place.position, place.pointer != nil
        else { return nil }
        (self.file, self.position, id) = (file, position, finding.id)
    }
}
