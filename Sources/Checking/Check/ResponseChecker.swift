import Basics
import HTTPCodec
import JSON
import OpenAPI
import ScenarioFormat
import Simulation

/// Checks one response against every operation that it can belong to, and says what is wrong at its place in the files.
struct ResponseChecker {
    /// The limit of accounts that fill a response that shows an account's data.
    private static let accounts = 16
    /// A response with at most this number of violations is meant to be the documented one.
    private static let nearly = 2

    let loaded: LoadedScenario
    let judge: ContractEvaluator
    let surveyed: SurveyedResponse
    /// A session with only the story's past.
    let session: Session
    /// The devices that may get the response, and what it may show them; looked up once for all operations.
    private var samples: [(account: Account?, found: FoundSamples.Sample)] = []
    /// The number of violations that are on purpose.
    private(set) var deliberate = 0

    init(_ surveyed: SurveyedResponse, in loaded: LoadedScenario, with session: Session, by judge: ContractEvaluator) {
        self.loaded = loaded
        self.session = session
        self.judge = judge
        self.surveyed = surveyed
    }

    var response: StubResponse { surveyed.response }

    mutating func findings(fixtures: inout ParsedFixtures) -> [Finding] {
        let material = ResponseMaterial(response, in: loaded, fixtures: &fixtures)
        samples = samples(for: material)
        var findings: [Finding] = []
        for found in surveyed.isModelled ? modelledViolations(of: material) : violations(of: material) {
            let others = found.operations.dropFirst()
            var finding = finding(found.violation, to: found.operations[0], material)
            if let other = others.first {
                let more = others.count > 1 ? " and \(others.count - 1) more" : ""
                finding.advice = "this finding also applies to \(other.label)\(more)".printable
            }
            findings.append(finding)
        }
        let gaps = gaps(in: material)
        guard let reason = response.breaks else { return findings + gaps }
        return excused(findings, reason) + gaps
    }

    /// A violation, and the operations that it was found for.
    private struct Found {
        var violation: ContractViolation
        var operations: [Operation]
    }

    private func violations(of material: ResponseMaterial) -> [Found] {
        struct Key: Hashable {
            var id: String
            var part: ContractViolation.Part
            var position: JSONPosition
            /// Another rule of the contract is another violation, except for what every operation has its own of.
            var pointer: String
        }
        var numbers: [Key: Int] = [:]
        var found: [Found] = []
        for operation in surveyed.operations {
            for violation in violations(of: material, to: operation, as: response.status) {
                let key = Key(
                    id: violation.id,
                    part: violation.part,
                    position: violation.position,
                    pointer: violation.isAboutBody ? violation.contractPointer : ""
                )
                if let number = numbers[key] {
                    if found[number].operations.last?.uri != operation.uri {
                        found[number].operations.append(operation)
                    }
                } else {
                    numbers[key] = found.count
                    found.append(Found(violation: violation, operations: [operation]))
                }
            }
        }
        return found
    }

    private func violations(
        of material: ResponseMaterial,
        to operation: Operation,
        as status: Int
    ) -> [ContractViolation] {
        samples.flatMap { account, found in
            StubResponseTrial(
                judge: judge,
                response: response,
                material: material,
                operation: operation,
                sampler: PlaceholderSampler(
                    scenario: loaded.scenario,
                    account: account,
                    operation: operation,
                    found: found
                ),
                status: status
            )
            .violations
        }
    }

    /// The finding about an undocumented response, if it is nearly one of the documented errors.
    private func modelledViolations(of material: ResponseMaterial) -> [Found] {
        var best: [Found]?
        var seen: Set<[String]> = []
        for operation in surveyed.operations {
            for response in operation.responses {
                guard case .code(let status) = response.status, status >= 400 else { continue }
                guard seen.insert(response.content.map { $0.schema?.uri ?? $0.mediaType }).inserted else { continue }
                let found = violations(of: material, to: operation, as: status)
                    .filter(\.isAboutShape).map { Found(violation: $0, operations: [operation]) }
                if found.isEmpty { return [] }
                if found.count < best?.count ?? .max { best = found }
            }
        }
        // A response unlike every error of the contract is of another kind, which the contract does not document.
        return best.flatMap { $0.count <= Self.nearly ? $0 : nil } ?? []
    }

    /// The devices that may get the response, and what it may show them of what the route has found.
    ///
    /// There is just one account, or none, where the response shows nothing of it. What is the same for all is tried
    /// out for the first account alone.
    private func samples(for material: ResponseMaterial) -> [(account: Account?, found: FoundSamples.Sample)] {
        let shown = material.placeholders + response.headers.flatMap(\.value.placeholders)
        let showsData = shown.flatMap(\.sources).contains { if case .accountData = $0 { true } else { false } }
        var accounts = loaded.scenario.accounts.prefix(Self.accounts).map(Optional.init)
        if accounts.isEmpty { accounts = [nil] }
        var samples: [(account: Account?, found: FoundSamples.Sample)] = []
        for (number, account) in accounts.enumerated() {
            let found = FoundSamples(surveyed, in: session, for: account?.name)
            guard number == 0 || showsData || found.differByAccount else { break }
            let all = found.all
            samples += (number == 0 || found.differByAccount ? all : Array(all.prefix(1))).map { (account, $0) }
        }
        return samples
    }

    // MARK: What is not there

    /// Items that lack what the response shows of them, so that no response can be made where one of them is found.
    private func gaps(in material: ResponseMaterial) -> [Finding] {
        let found = samples.map(\.found)
        return material.placeholders.compactMap { placeholder in
            guard case .found(let name, let pointer) = placeholder.source, placeholder.fallback == nil,
                !placeholder.mayBeOmitted, placeholder.alternatives.isEmpty
            else { return nil }
            var lacking: [JSONValue] = []
            for value in found.compactMap({ $0[name] }) where pointer.value(in: value) == nil {
                if !lacking.contains(where: { $0.beginning == value.beginning }) { lacking.append(value) }
            }
            guard let first = lacking.first else { return nil }
            let items = lacking.count == 1 ? "this item has" : "this item and \(lacking.count - 1) more have"
            return Finding(
                .warning,
                id: "check/no-value",
                "\(surveyed.label) shows {{\(placeholder.text)}}, but \(items) no value".printable,
                at: loaded.sources.place(of: first.beginning ?? bodyPosition),
                advice: "write {{\(placeholder.text) ?? omit}}, or a default".printable
            )
        }
    }

    // MARK: On purpose

    /// The findings of a response that breaks its contract on purpose: notes; or an error when it breaks nothing.
    private mutating func excused(_ findings: [Finding], _ reason: String) -> [Finding] {
        let violations = findings.filter { $0.severity > .note }
        guard !violations.isEmpty else {
            let member = response.tree.object?.member(named: "breaks")
            let place = loaded.sources.place(of: member?.namePosition ?? response.position)
            return findings + [
                Finding(
                    .error,
                    id: "check/breaks-nothing",
                    "the response is marked with \"breaks\" (\(reason)), but the contract allows the response"
                        .printable,
                    at: place,
                    advice: "remove \"breaks\""
                )
            ]
        }
        deliberate += violations.count
        return findings.map { finding in
            var finding = finding
            finding.severity = .note
            finding.advice = "this violation is deliberate: \(reason)".printable
            return finding
        }
    }
}

extension ResponseChecker {
    /// A violation as a finding, at the place that has to be changed.
    func finding(
        _ violation: ContractViolation,
        to operation: Operation,
        _ material: ResponseMaterial
    ) -> Finding {
        var place = place(of: violation, material)
        if case .body(let pointer) = violation.part { place.pointer = pointer.description }
        var contract = violation.contractPlace
        contract.operation = nil
        contract.pointer = contract.pointer ?? violation.contractPointer
        var related = [RelatedPlace(contract, "this is the requirement in the contract")]
        let isElsewhere = violation.position.isKnown && violation.position.document != response.position.document
        if violation.isAboutBody, isElsewhere || material.file != nil && place.file == material.file {
            let response = loaded.sources.place(of: response.bodyMember?.namePosition ?? response.position)
            related.append(RelatedPlace(response, "\(operation.label) sends the value here".printable))
        }
        var finding = Finding(
            violation.severity,
            id: violation.id,
            violation.message.printable,
            at: place,
            related: related
        )
        finding.subject = violation.subject
        return finding
    }

    private func place(of violation: ContractViolation, _ material: ResponseMaterial) -> Place {
        switch violation.part {
        case .body where violation.position.isKnown:
            if material.isRaw { return Place(file: material.file, position: violation.position.text) }
            return loaded.sources.place(of: violation.position)
        case .header(let name):
            return loaded.sources.place(of: header(named: name) ?? response.position)
        case .mediaType:
            return loaded.sources.place(of: header(named: "Content-Type") ?? bodyPosition)
        case .body:
            return loaded.sources.place(of: bodyPosition)
        default:
            return loaded.sources.place(of: response.statusPosition)
        }
    }

    var bodyPosition: JSONPosition { response.bodyMember?.value.position ?? response.position }

    private func header(named name: String) -> JSONPosition? {
        response.tree["headers"]?.object?.members.first { $0.name.lowercased() == name.lowercased() }?.namePosition
    }
}
