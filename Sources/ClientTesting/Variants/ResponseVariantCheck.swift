import Basics
import Checking
import HTTPCodec
import JSON
import JSONSchema
import OpenAPI

/// The test of all variants of one documented response of one operation.
struct ResponseVariantCheck<Adapter: ClientAdapter>: Sendable {
    let call: ServedCall<Adapter>
    let operation: ClientOperation<Adapter.Client>
    /// The response but for its body.
    let sample: HTTPResponse
    /// By which a smaller variant is still one of the same kind.
    let schema: Schema?
    private(set) var terms: VariantCheckTerms
    private(set) var causes = VariantCheckCauses()
    private(set) var answer: VariantCheckedResponse
    private var hangs = 0
    /// A Boolean value that indicates whether the operation itself was ever asked for.
    private(set) var isServed = false
    /// A Boolean value that indicates whether 202 says that the result of another success does not exist yet.
    private var isResultLater: Bool {
        call.contract.operations.contains { $0.id == operation.id && $0.hasResultLater }
    }
    /// A Boolean value that indicates whether the client has loaded a further page in the last call.
    private var isPaged = false
    /// A Boolean value that indicates whether the client takes the body for nothing that could be compared.
    private var takesNothing = false
    /// The URLs of bodies to which the client sends requests.
    private var links: Set<String> = []
    /// A Boolean value that indicates whether the last call ended with another response than the variant.
    private var endsElsewhere = false
    /// A Boolean value that indicates whether the last call ended with a request that an empty text of the body made
    /// impossible.
    private var hasEmptySegment = false
    /// The body of the last response of the last call if that was another operation's.
    private var lastBody: [UInt8]?
    /// The number of responses after which the client has loaded a further page, so that its value is that of two.
    private(set) var pagedCount = 0
    /// A Boolean value that indicates whether the client has returned a value for a response that the contract allows.
    private var hasReturnedValue = false
    /// The outcomes for responses that the contract allows.
    private var legalOutcomes: Set<String> = []

    init(
        _ call: ServedCall<Adapter>,
        _ operation: ClientOperation<Adapter.Client>,
        sample: HTTPResponse,
        schema: Schema?,
        terms: VariantCheckTerms,
        answer: VariantCheckedResponse
    ) {
        self.call = call
        self.operation = operation
        self.sample = sample
        self.schema = schema
        self.terms = terms
        self.answer = answer
    }

    private func made(_ body: [UInt8]) async -> ServedCall<Adapter>.Result {
        var response = sample
        response.body = body
        return await call.made(operation, served: response)
    }

    /// - Returns: `nil` when the client cannot be tried further: it hangs, or asks for something else.
    private mutating func outcome(of variant: SchemaVariant) async -> CallOutcome? {
        guard hangs < 2 else { return nil }
        let made = await made(variant.body)
        if made.isServed { isServed = true }
        guard isServed else { return nil }
        links.formUnion(made.links)
        endsElsewhere = made.endsElsewhere
        hasEmptySegment = made.hasEmptySegment
        lastBody = made.lastBody
        isPaged = made.isContinued
        let outcome = made.outcome
        answer.note(outcome, variant.kind)
        switch outcome {
        // Pages that a variant asks for without end take no real time.
        case .paging where hasReturnedValue: break
        case .hung, .looping, .paging: hangs += 1
        case .value where variant.kind == .legal: hasReturnedValue = true
        default: break
        }
        return outcome
    }

    // MARK: Successes

    mutating func serveSuccess(_ variants: [SchemaVariant]) async {
        var linkPlaces: [JSONPointer] = []
        /// The outcome of the first legal variant, which the others change.
        var baseOutcome: CallOutcome?
        for variant in await withoutErrors(variants)
        where isConcerned(by: variant) && !variant.hasOtherURL(at: linkPlaces) {
            guard let outcome = await outcome(of: variant) else { return }
            if !links.isEmpty {
                linkPlaces += variant.value.places().filter { place in
                    place.value(in: variant.value)?.string.map(links.contains) == true && !linkPlaces.contains(place)
                }
            }
            switch variant.kind {
            // The outcome is that of another response.
            case _ where endsElsewhere && (answer.status == 202 || variant.kind != .illegal && !outcome.isValue): break
            case _ where hasValueOfLastBody(outcome): break
            // No server sends an empty ID, and a parameter of a path is not empty.
            case .legal where hasEmptySegment && outcome.isRefusal && variant.hasEmptyText: break
            case .legal where isPaged && outcome.isValue: pagedCount += 1
            // The body names more pages than a call may load here.
            case .legal where outcome.isPaging && hasReturnedValue: pagedCount += 1
            case .legal where answer.status == 202 && outcome.isRefusal && isResultLater: break
            case .legal:
                legalOutcomes.insert("\(outcome)")
                baseOutcome = baseOutcome ?? outcome
                if await throwsReportedError(of: variant, outcome) { continue }
                judgeLegal(variant, outcome)
            case .evolution where !outcome.isValue:
                if !hasSameReason(outcome, baseOutcome, in: variant) { note(.evolution, variant) }
            case .evolution where dropsElements(of: variant, outcome):
                if !terms.drops(variant.place) { note(.evolutionLoss, variant) }
            case .illegal where outcome.isValue: judgeAccepted(variant, outcome)
            default: break
            }
        }
        if legalOutcomes.count == 1 { causes.uniteRefusals() }
        if takesNothing { causes.uniteLosses() }
    }

    /// The variants that say nothing of an error, for a client that throws because an optional member reports one.
    private func withoutErrors(_ variants: [SchemaVariant]) async -> [SchemaVariant] {
        guard let schema, let base = variants.first, base.kind == .legal else { return variants }
        let members = ReportedErrors(in: base.value).members
        func accepts(_ value: JSONValue) -> Bool? { try? schema.accepts(value, going: .response) }
        guard !members.isEmpty, let plain = base.leavingOut(members), accepts(plain.value) == true,
            await throwsReportedError(of: base, await made(base.body).outcome),
            await made(plain.body).outcome.isValue
        else { return variants }
        return variants.compactMap { variant in
            guard let plain = variant.leavingOut(members) else { return nil }
            return accepts(plain.value) == (variant.kind == .legal) ? plain : nil
        }
    }

    /// Returns whether the client throws an error that the body of a successful response reports.
    ///
    /// Such a client reads the member that reports the error, so it fails in another way if the member has a wrong type.
    /// Otherwise it may fail because it cannot read the member at all.
    private func throwsReportedError(of variant: SchemaVariant, _ outcome: CallOutcome) async -> Bool {
        guard case .failed(let failure) = outcome, failure.decoding == nil,
            let member = ReportedErrors(in: variant.value).places.first
        else { return false }
        let wrong: JSONValue = member.value(in: variant.value)?.number == nil ? 0 : "text"
        let unreadable = await made(variant.value.replacing(member, with: wrong).utf8()).outcome
        guard case .failed(let other) = unreadable, other.decoding == nil else { return true }
        return unreadable.kind.exact != outcome.kind.exact
    }

    /// Returns whether the client has skipped an element of an array because it does not know a value in it.
    private func dropsElements(of variant: SchemaVariant, _ outcome: CallOutcome) -> Bool {
        guard let returned = outcome.json else { return false }
        let root = terms.root.tokens.count
        return variant.place.tokens.indices.contains { count in
            guard count >= root else { return false }
            let place = JSONPointer(tokens: Array(variant.place.tokens.prefix(count)))
            guard let sent = place.value(in: variant.value)?.array, let kept = value(at: place, in: returned)?.array
            else { return false }
            return kept.count < sent.count
        }
    }

    /// Returns whether the client has made its value of the last response, which was another operation's: a call that
    /// creates a job may return the job that is done.
    private func hasValueOfLastBody(_ outcome: CallOutcome) -> Bool {
        guard let returned = outcome.json, let body = lastBody.flatMap({ try? JSONParser().parse($0).root }) else {
            return false
        }
        return [body, terms.root.value(in: body) ?? .null].contains { (value: JSONValue) -> Bool in
            // Members that were not sent do not count as differences.
            value.size > 0 && value.size >= returned.size
                && ValueComparison(value, returned, at: JSONPointer()).differences.isEmpty
        }
    }

    /// Returns whether a client can be checked against a variant: it does not have to refuse values next to its
    /// value.
    private func isConcerned(by variant: SchemaVariant) -> Bool {
        guard variant.kind == .illegal else { return true }
        if terms.root.isAround(variant.place) { return !(takesNothing && variant.place.isRoot) }
        return variant.place.isAround(terms.root) && !takesNothing
    }

    private mutating func judgeLegal(_ variant: SchemaVariant, _ outcome: CallOutcome) {
        switch outcome {
        case .value(.nothing):
            takesNothing = true
            compare(variant, nil)
        // The client has made its value of the response's head.
        case .value(.json) where variant.body.isEmpty: break
        case .value(.json(let bytes)):
            do {
                compare(variant, try JSONParser().parse(bytes).root)
            } catch {
                note(.changed, variant, words: "the client's own value is not valid JSON")
            }
        case .failed(let failure):
            let isJSON = (try? JSONParser().parse(variant.body)) != nil
            let reason = failure.decoding.map { DecodingReason($0, isJSON: isJSON) }
            let kind = VariantCheckCause.Kind.refused(
                general(reason, in: variant),
                outcome: failure.name.withoutDetails(of: reason)
            )
            note(kind, variant, at: place(of: reason, in: variant))
        case .hung, .looping, .paging:
            note(.refused(nil, outcome: "\(outcome)"), variant)
        }
    }

    private mutating func compare(_ variant: SchemaVariant, _ returned: JSONValue?) {
        for difference in differences(of: variant, returned) where !terms.drops(difference.place) {
            note(.changed, variant, at: difference.place, words: difference.words)
        }
    }

    private func differences(of variant: SchemaVariant, _ returned: JSONValue?) -> [ValueComparison.Difference] {
        let root = terms.root
        let freedoms = variant.freedoms
        var differences = ValueComparison(root.value(in: variant.known), returned, at: root, freedoms).differences
        // A member that is absent must not come back as something else.
        let place = variant.place
        if let returned, root.isAround(place), place != root, place.value(in: variant.known) == nil,
            let made = value(at: place, in: returned)
        {
            differences += ValueComparison(nil, made, at: place, freedoms).differences
        }
        return differences.filter { !isKeptToken(at: $0.place, of: variant, returned) }
    }

    /// Returns whether a call that refreshes returns a stored token in place of one that the response does not have: it
    /// stays valid (RFC 6749, section 6).
    private func isKeptToken(at place: JSONPointer, of variant: SchemaVariant, _ returned: JSONValue?) -> Bool {
        guard operation.role == .refresh, place.value(in: variant.known)?.isNull ?? true,
            let kept = returned.flatMap({ value(at: place, in: $0) })?.string
        else { return false }
        return call.adapter.tokens.values.contains(kept)
    }

    /// The value at a place of the body in what the client has returned.
    private func value(at place: JSONPointer, in returned: JSONValue) -> JSONValue? {
        returned.kept(at: place.tokens.dropFirst(terms.root.tokens.count))
    }

    private mutating func judgeAccepted(_ variant: SchemaVariant, _ outcome: CallOutcome) {
        let value = variant.place.value(in: variant.value)
        if terms.drops(variant.place) || value?.isNull ?? true && terms.tolerates(variant.place) { return }
        // The element that it is in was refused alone.
        if dropsElements(of: variant, outcome) { return }
        // Decoders read an absent member like null, which the contract allows here.
        if value == nil, mayBeNull(variant.place, in: variant.value) { return }
        // A wider type, such as a date with fractions of a second for an integer, loses nothing but what its arithmetic
        // rounds.
        if let number = value?.number?.double, let value, let returned = returned(for: variant, outcome),
            value == returned || value.meansTheSame(as: returned)
                || returned.number.map({ abs($0.double - number) < 0.001 }) == true
        {
            return
        }
        note(.acceptedIllegal, variant)
    }

    /// The value at the place of a variant in what the client has made of the variant.
    private func returned(for variant: SchemaVariant, _ outcome: CallOutcome) -> JSONValue? {
        outcome.json.flatMap { value(at: variant.place, in: $0) }
    }

    private func mayBeNull(_ place: JSONPointer, in value: JSONValue) -> Bool {
        (try? schema?.accepts(value.replacing(place, with: .null), going: .response)) == true
    }

    // MARK: Refusals

    /// Serves a refusal that the client did not know when it was written: any error will do, the same each time.
    mutating func serveNewRefusal(_ variants: [SchemaVariant]) async {
        for variant in variants.prefix(1) {
            switch await outcome(of: variant) {
            case .value where !operation.answers.contains { $0.status == answer.status }: note(.wrongSuccess, variant)
            case let outcome? where outcome.isEndless: note(.refused(nil, outcome: "\(outcome)"), variant)
            default: break
            }
        }
        await serveRefusal(variants)
    }

    mutating func serveRefusal(_ variants: [SchemaVariant]) async {
        var usual: CallOutcome?
        for variant in variants where variant.kind == .legal {
            guard let outcome = await outcome(of: variant) else { return }
            guard let usual else {
                usual = outcome
                continue
            }
            if outcome.isLike(usual, isChosen: variant.mayChoose) { continue }
            // Another case of the same type may be for a body that says less, or for one that says more.
            note(.otherError(outcome: outcome.kind, usual: usual.kind), variant, isRare: outcome.hasType(of: usual))
        }
    }

    // MARK: Causes

    private mutating func note(
        _ kind: VariantCheckCause.Kind,
        _ variant: SchemaVariant,
        at place: JSONPointer? = nil,
        words: String = "",
        isRare: Bool = false
    ) {
        var cause = VariantCheckCause(
            kind: kind,
            place: variant.freedoms.general(place ?? variant.place),
            variant: variant,
            words: words
        )
        cause.isRare = isRare || variant.isRare
        causes.note(cause)
    }

    /// A decoder's reason without what differs between bodies: the numbers of elements, the keys of maps, and the text that
    /// it quotes.
    private func general(_ reason: DecodingReason?, in variant: SchemaVariant) -> DecodingReason? {
        guard var general = reason, let place = place(of: reason, in: variant) else { return nil }
        general.path = variant.freedoms.general(place).tokens.suffix(general.path.count)
        if let text = place.value(in: variant.value)?.string, !text.isEmpty {
            general.words = general.words.replacing(text, with: "…")
        }
        return general
    }

    /// Returns whether both are failures with the same reason, so that what differs between the bodies is not the cause.
    private func hasSameReason(_ one: CallOutcome, _ two: CallOutcome?, in variant: SchemaVariant) -> Bool {
        guard case .failed(let one) = one, case .failed(let two)? = two else { return false }
        let reasons = [one, two].map { failure in
            general(failure.decoding.map { DecodingReason($0, isJSON: true) }, in: variant)
        }
        return reasons[0] == reasons[1] && (reasons[0] != nil || one.name.exact == two.name.exact)
    }

    /// Where the decoder has stopped, in the response's body.
    private func place(of reason: DecodingReason?, in variant: SchemaVariant) -> JSONPointer? {
        guard let reason else { return nil }
        let path = JSONPointer(tokens: reason.path)
        let root = terms.root
        // The path may begin at the body or at the client's value.
        let isWhole = root.isRoot || root.isAround(path) || path.isAround(root)
        return variant.written(isWhole ? path : JSONPointer(tokens: root.tokens + path.tokens))
    }

    /// The smallest value that fails for the same reason; `nil` where the way of writing is what matters, and for calls that
    /// do not end, each of which takes real time.
    func smallest(_ cause: VariantCheckCause) async -> JSONValue? {
        guard hangs == 0, let schema, cause.variant.kind == .legal, cause.variant.body == cause.variant.value.utf8()
        else {
            return nil
        }
        var shrinking = ValueShrinking { value in
            (try? schema.accepts(value, going: .response)) == true
        } fails: { value in
            await isStill(cause, value)
        }
        return await shrinking.smallest(from: cause.variant.value)
    }

    private func isStill(_ cause: VariantCheckCause, _ value: JSONValue) async -> Bool {
        let outcome = await made(value.utf8()).outcome
        // The value has no members that no schema knows, except where they matter.
        var variant = cause.variant
        (variant.value, variant.known) = (value, value)
        switch (cause.kind, outcome) {
        case (.refused(let reason, let name), .failed(let failure)):
            let found = failure.decoding.map { DecodingReason($0, isJSON: true) }
            return general(found, in: variant) == reason && failure.name.withoutDetails(of: found) == name
        case (.otherError(let kind, _), _): return outcome.kind.exact == kind.exact
        case (.changed, .value):
            return differences(of: variant, outcome.json).contains {
                variant.freedoms.general($0.place) == cause.place
            }
        default: return false
        }
    }
}

extension CallOutcome {
    /// The value that the client has returned, if it is JSON.
    fileprivate var json: JSONValue? {
        guard case .value(.json(let bytes)) = self else { return nil }
        return try? JSONParser().parse(bytes).root
    }
}

extension JSONValue {
    /// The number of members or elements.
    fileprivate var size: Int { object?.count ?? array?.count ?? 0 }
}

extension SchemaVariant {
    /// A Boolean value that indicates whether some text in the value is empty.
    fileprivate var hasEmptyText: Bool { value.places().contains { $0.value(in: value)?.string?.isEmpty == true } }

    /// A place of a decoder that has converted names from snake case, with the names in the value.
    fileprivate func written(_ place: JSONPointer) -> JSONPointer {
        var written = JSONPointer()
        for token in place.tokens {
            let names = written.value(in: value)?.object?.names ?? []
            // The variant may be about a member that is absent.
            let absent = self.place.tokens.dropFirst(written.tokens.count).prefix(written.isAround(self.place) ? 1 : 0)
            let name = names.contains { $0.exact == token.exact } ? token : nil
            written = written.appending(name ?? (names + absent).first { $0.inCamelCase.exact == token.exact } ?? token)
        }
        return written
    }

    /// Returns whether a text at one of the places is not a URL to which a client can send a request.
    fileprivate func hasOtherURL(at places: [JSONPointer]) -> Bool {
        kind != .illegal && places.contains { $0.value(in: value)?.string?.isLink == false }
    }

    /// The variant without some members.
    ///
    /// - Returns: `nil` for a variant that is about one of them, or about the layout of its text.
    fileprivate func leavingOut(_ members: [JSONPointer]) -> SchemaVariant? {
        guard body == value.utf8(), !members.contains(where: { $0.isAround(place) }) else { return nil }
        var variant = self
        for member in members {
            variant.value = variant.value.replacing(member, with: nil)
            variant.known = variant.known.replacing(member, with: nil)
        }
        variant.body = variant.value.utf8()
        return variant
    }
}

extension String {
    /// The name of an outcome; one that repeats the decoder's own words would differ from body to body.
    fileprivate func withoutDetails(of reason: DecodingReason?) -> String {
        reason == nil ? self : String(prefix { $0 != "(" && $0 != ":" })
    }
}

/// Makes a value smaller as long as it still fails in the same way: without members and elements, with shorter texts.
struct ValueShrinking {
    /// The values that may still be tried.
    var allowance = 150
    /// A Boolean value that indicates whether a smaller value may still be served.
    let isLegal: (JSONValue) -> Bool
    /// A Boolean value that indicates whether it still fails.
    let fails: (JSONValue) async -> Bool

    /// The smallest value that was found.
    mutating func smallest(from value: JSONValue) async -> JSONValue {
        var value = value
        var isSmaller = true
        while isSmaller, allowance > 0 {
            isSmaller = false
            for place in value.places() {
                for candidate in Self.smaller(value, at: place) where allowance > 0 && isLegal(candidate) {
                    allowance -= 1
                    guard await fails(candidate) else { continue }
                    value = candidate
                    isSmaller = true
                    break
                }
            }
        }
        return value
    }

    private static func smaller(_ value: JSONValue, at place: JSONPointer) -> [JSONValue] {
        guard let here = place.value(in: value) else { return [] }
        var candidates: [JSONValue] = []
        if !place.isRoot { candidates.append(value.replacing(place, with: nil)) }
        switch here.content {
        case .array(let elements) where elements.count > 1:
            let half = elements.count / 2
            candidates.append(value.replacing(place, with: .array(Array(elements.prefix(half)))))
            candidates.append(value.replacing(place, with: .array(Array(elements.suffix(half)))))
        case .string(let text) where !text.isEmpty:
            let scalars = text.unicodeScalars
            for count in [0, 1, scalars.count / 2] where count < scalars.count {
                let short = String(String.UnicodeScalarView(scalars.prefix(count)))
                candidates.append(value.replacing(place, with: .string(short)))
            }
        default: break
        }
        return candidates
    }
}

extension JSONValue {
    /// All places inside of a value, the outer ones first, and not more than about 2,000.
    func places() -> [JSONPointer] {
        var places = [JSONPointer()]
        var next = 0
        while next < places.count, places.count < 2_000 {
            let place = places[next]
            next += 1
            switch place.value(in: self)?.content {
            case .object(let object): places += object.names.map(place.appending)
            case .array(let elements): places += elements.indices.map(place.appending)
            default: break
            }
        }
        return places
    }
}
