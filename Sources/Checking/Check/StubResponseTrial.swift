import Basics
import HTTPCodec
import JSON
import OpenAPI
import ScenarioFormat
import Simulation

/// Judges one response for one operation, with samples where the response shows what only a request or a session knows.
struct StubResponseTrial {
    /// The limit of samples that are tried for a value of the request.
    private static let attempts = 48

    let judge: ContractEvaluator
    let response: StubResponse
    let material: ResponseMaterial
    let operation: Operation
    let sampler: PlaceholderSampler
    /// The documented status whose response is the model; the response's own unless the contract has no such response.
    let status: Int

    var violations: [ContractViolation] {
        let (fields, guessed) = fields
        switch material.body {
        case .none:
            return kept(judge(fields, nil), guessed: guessed)
        case .json(let value):
            return kept(judge(fields, value), guessed: guessed)
        case .template(let template):
            return violations(of: template, fields, guessed: guessed)
        case .bytes(let bytes):
            return kept(judge(fields, bytes: bytes), guessed: guessed)
        case .upload:
            return uploadViolations(fields)
        case .text(let template):
            let (text, isGuessed) = rendered(template)
            let violations = judge(fields, bytes: Array(text.utf8)).map { violation in
                var violation = violation
                // A place in the rendered text is not one in the file.
                violation.position = .unknown
                return violation
            }
            return kept(violations, guessed: guessed).filter { !isGuessed || !$0.isAboutBody }
        }
    }

    private func judge(_ fields: HTTPFields, _ body: JSONValue?) -> [ContractViolation] {
        judge.violations(ofStatus: status, fields: fields, body: body, to: operation)
    }

    private func judge(_ fields: HTTPFields, bytes: [UInt8]) -> [ContractViolation] {
        let status = HTTPStatus(exactly: status) ?? 500
        return judge.violations(of: HTTPResponse(status: status, fields: fields, body: bytes), to: operation)
    }

    /// An upload may be of any type but a document's; of its bytes nothing is known.
    private func uploadViolations(_ fields: HTTPFields) -> [ContractViolation] {
        let documented = operation.response(for: status)?.content ?? []
        guard !documented.isEmpty else { return judge(fields, nil).filter { $0.part == .status } }
        let isFile = { (type: String) in MediaType(parsing: type)?.isJSON != true }
        let type = documented.map(\.mediaType).first(where: isFile)
        var fields = fields
        if !fields.contains("Content-Type") { fields.append("Content-Type", "image/jpeg") }
        return judge(fields, bytes: []).filter { violation in
            violation.part == .mediaType ? type == nil : !violation.isAboutBody
        }
    }

    // MARK: Header fields

    /// The fields as the server sends them, and the names of those whose value is a guess.
    private var fields: (HTTPFields, guessed: [String]) {
        var fields: HTTPFields = ["Date": HTTPDate.text(secondsSince1970: 1_768_469_400)]
        var guessed: [String] = []
        for header in response.headers {
            let (value, isGuessed) = rendered(header.value)
            fields.append(header.name, value)
            if isGuessed { guessed.append(header.name) }
        }
        if let type = material.contentType, !fields.contains("Content-Type") { fields.append("Content-Type", type) }
        if response.status == 405, !fields.contains("Allow") { fields.append("Allow", "GET") }
        return (fields, guessed)
    }

    private func rendered(_ template: TextTemplate) -> (text: String, isGuessed: Bool) {
        var text = ""
        var isGuessed = false
        for part in template.parts {
            switch part {
            case .literal(let literal): text += literal
            case .placeholder(let placeholder):
                let sample = sampler.sample(placeholder)
                if case .known = sample {} else { isGuessed = true }
                text += (sample.candidates.first ?? nil)?.plainText ?? ""
            }
        }
        return (text, isGuessed)
    }

    private func kept(_ violations: [ContractViolation], guessed: [String]) -> [ContractViolation] {
        violations.filter { violation in
            guard case .header(let name) = violation.part else { return true }
            return !guessed.contains { $0.lowercased() == name.lowercased() }
        }
    }

    // MARK: Placeholders in the body

    /// Tries samples for what the request brings until the contract is met; what remains then is not due to a guess.
    private func violations(
        of template: TreeTemplate,
        _ fields: HTTPFields,
        guessed: [String]
    ) -> [ContractViolation] {
        let full = template.placeholders.map { sampler.sample($0) }
        let mayDiffer = zip(template.placeholders, full).contains { placeholder, sample in
            if case .known = sample { false } else { placeholder.mayBeOmitted }
        }
        let violations = violations(of: template, fields, guessed: guessed, samples: full)
        guard mayDiffer else { return violations }
        let sparse = template.placeholders.map { sampler.sample($0, isSparse: true) }
        return violations + self.violations(of: template, fields, guessed: guessed, samples: sparse)
    }

    private func violations(
        of template: TreeTemplate,
        _ fields: HTTPFields,
        guessed: [String],
        samples: [PlaceholderSample]
    ) -> [ContractViolation] {
        var values = samples.map { $0.candidates.first ?? nil }
        func attempt() -> [ContractViolation] {
            kept(judge(fields, template.filled(with: values)), guessed: guessed)
        }
        var best = attempt()
        let open = samples.indices.filter { samples[$0].candidates.count > 1 }
        guard !open.isEmpty, !best.isEmpty else { return best }
        var attempts = 0
        for number in open {
            var choice = values[number]
            for candidate in samples[number].candidates.dropFirst() where attempts < Self.attempts {
                values[number] = candidate
                attempts += 1
                let violations = attempt()
                if violations.count < best.count { (best, choice) = (violations, candidate) }
                if best.isEmpty { return [] }
            }
            values[number] = choice
        }
        let places = template.places()
        let guesses = open.map { (place: places[$0], sample: samples[$0]) }
        return best.filter { violation in !guesses.contains { violation.isDoubtful(because: $0.sample, at: $0.place) } }
    }
}

extension ContractViolation {
    package var isAboutBody: Bool { if case .body = part { true } else { false } }

    /// A Boolean value that indicates whether the body is built otherwise than documented, and does not only say
    /// something else.
    var isAboutShape: Bool {
        isAboutBody && !contractPointer.hasSuffix("/const") && !contractPointer.hasSuffix("/enum")
    }

    /// Returns whether a guessed value may be what the contract does not allow.
    ///
    /// That a value is not a text is certain; what else is said of a guessed value, and which alternative its parents
    /// choose, is not.
    fileprivate func isDoubtful(because sample: PlaceholderSample, at place: JSONPointer) -> Bool {
        guard case .body(let pointer) = part else { return false }
        let keyword = contractPointer.split(separator: "/").last.map(String.init) ?? ""
        if place.isAtOrBelow(pointer), place != pointer {
            return ["anyOf", "oneOf", "not", "if", "then", "else", "uniqueItems"].contains(keyword)
        }
        guard pointer.isAtOrBelow(place) else { return false }
        return !sample.hasCertainType || pointer != place || keyword != "type"
    }
}

extension JSONPointer {
    /// Returns whether this is another place or one inside it.
    fileprivate func isAtOrBelow(_ other: JSONPointer) -> Bool {
        tokens.count >= other.tokens.count && zip(tokens, other.tokens).allSatisfy { $0.exact == $1.exact }
    }
}

/// The found values that a response can show, as far as they are known before there is a request.
struct FoundSamples {
    /// The value of each name.
    typealias Sample = [String: JSONValue]

    /// The limit of samples that are judged for a response; a collection is rarely longer, and alike items say no more.
    private static let most = 2_000

    /// The names in their order, and every value that each may have in this response.
    private let names: [(name: String, values: [JSONValue])]
    /// A Boolean value that indicates whether another account may find something else.
    let differByAccount: Bool

    /// - Parameters:
    ///   - session: one with only the story's past.
    ///   - account: who asks.
    init(_ surveyed: SurveyedResponse, in session: Session, for account: String?) {
        var names: [(name: String, values: [JSONValue])] = []
        var differ = false
        for find in surveyed.shownFinds where !surveyed.response.isChanging(find) {
            let prospects = session.backend.prospects(of: find.selection, for: account)
            let values = prospects.values.filter { surveyed.isPossible(where: find.name, is: $0) }
            guard !values.isEmpty else { continue }
            names.append((find.name, values))
            differ = differ || prospects.differsByAccount
        }
        self.names = names
        differByAccount = differ
    }

    /// Every value of every name at least once; one sample without any where nothing is known.
    var all: [Sample] {
        let first = Sample(names.compactMap { name in name.values.first.map { (name.name, $0) } }) { $1 }
        var samples = [first]
        for name in names {
            for value in name.values.dropFirst() where samples.count < Self.most {
                var sample = first
                sample[name.name] = value
                samples.append(sample)
            }
        }
        return samples
    }
}

extension StubResponse {
    /// Returns whether what is shown under a name was given other members before.
    fileprivate func isChanging(_ find: Find) -> Bool {
        changes.contains { event in
            guard case .change(.update(let target, let edit)) = event.action,
                !edit.set.isEmpty || !edit.unset.isEmpty
            else { return false }
            switch target {
            case .found(let name): return name.exact == find.name.exact
            case .selected(let selection): return selection.collection.exact == find.selection.collection.exact
            }
        }
    }
}
