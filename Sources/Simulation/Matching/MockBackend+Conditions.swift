import HTTPCodec
import JSON
import ScenarioFormat

extension Condition {
    /// A Boolean value that indicates whether it tests the whole body as JSON, which is missing if it is not JSON.
    var testsWholeBody: Bool {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.contains(where: \.testsWholeBody)
        case .not(let condition): condition.testsWholeBody
        case .request(.body(let pointer), _): pointer.tokens.isEmpty
        default: false
        }
    }
}

/// Matchers whose operands are only known while a request is answered.
extension MockBackend {
    /// Returns whether a value fits; an operand without a value fits nothing.
    ///
    /// A request whose matcher cannot be evaluated gets no response either.
    mutating func fits(_ matcher: Matcher, _ value: JSONValue?, in context: inout ExchangeContext) -> Bool {
        matcher.fits(value) {
            valueIfAny(of: $0, in: &context)
        } undecided: {
            context.undecided = $0
        }
    }
}

extension Matcher {
    /// Returns whether a value fits; an operand without a value fits nothing.
    ///
    /// - Parameter undecided: called with the expression of a matcher that takes too many steps.
    fileprivate func fits(
        _ value: JSONValue?,
        _ operand: (Placeholder) -> JSONValue?,
        undecided: (String) -> Void
    ) -> Bool {
        switch self {
        case .all(let matchers): return matchers.allSatisfy { $0.fits(value, operand, undecided: undecided) }
        case .not(let matcher): return !matcher.fits(value, operand, undecided: undecided)
        case .each(let matcher):
            return value?.array?.allSatisfy { matcher.fits($0, operand, undecided: undecided) } ?? false
        case .words(let matcher): return matcher.fits(value?.words, operand, undecided: undecided)
        case .made: return settled(operand).fits(value, isLoose: true, undecided: undecided)
        default: return fits(value, isLoose: false, undecided: undecided)
        }
    }

    /// The same for a matcher whose operands are known.
    func fits(_ value: JSONValue?, isLoose: Bool, undecided: (String) -> Void) -> Bool {
        do throws(TextPattern.Undecided) {
            return try fits(value, isLoose: isLoose)
        } catch {
            undecided(error.pattern)
            return false
        }
    }

    /// The same matcher with operands that are made of the values of placeholders.
    func settled(_ value: (Placeholder) -> JSONValue?) -> Matcher {
        switch self {
        case .all(let matchers):
            let settled = matchers.map { $0.settled(value) }
            return settled.count == 1 ? settled[0] : .all(settled)
        case .not(let matcher): return .not(matcher.settled(value))
        case .each(let matcher): return .each(matcher.settled(value))
        case .words(let matcher): return .words(matcher.settled(value))
        case .made(let relation, let template):
            return template.valueIfAny(value).map(relation.matcher) ?? .oneOf([])
        default: return self
        }
    }
}

extension Matcher.Relation {
    fileprivate func matcher(_ operand: JSONValue) -> Matcher {
        switch self {
        case .equals: .equals(operand)
        case .oneOf: .oneOf(operand.array ?? [operand])
        case .contains: .contains(operand)
        case .startsWith: .startsWith(operand.plainText)
        case .endsWith: .endsWith(operand.plainText)
        case .atLeast: .atLeast(operand.bound)
        case .atMost: .atMost(operand.bound)
        case .length: .length(operand.countRange)
        }
    }
}

extension JSONValue {
    /// The bound that values are compared with.
    fileprivate var bound: Matcher.Bound {
        number.map(Matcher.Bound.number) ?? .text(plainText)
    }

    /// A length, or the object that bounds it; what is neither leaves no length that fits.
    fileprivate var countRange: CountRange {
        guard let object else { return wholeNumber.map { CountRange(atLeast: $0, atMost: $0) } ?? .nothing }
        let (least, most) = (object["atLeast"], object["atMost"])
        guard (least ?? 0).wholeNumber != nil, (most ?? 0).wholeNumber != nil else { return .nothing }
        return CountRange(atLeast: least?.wholeNumber ?? 0, atMost: most?.wholeNumber ?? .max)
    }
}

extension CountRange {
    fileprivate static let nothing = CountRange(atLeast: 1, atMost: 0)
}

extension MockBackend {
    /// Tells whether a condition holds for a request and the session as it is.
    mutating func holds(_ condition: Condition, in context: inout ExchangeContext) -> Bool {
        switch condition {
        case .all(let conditions):
            for condition in conditions where !holds(condition, in: &context) { return false }
            return true
        case .any(let conditions):
            for condition in conditions where holds(condition, in: &context) { return true }
            return false
        case .not(let condition): return !holds(condition, in: &context)
        case .request(let part, let matcher): return fits(matcher, context.value(of: part), in: &context)
        case .repeated(let names): return context.request.repeats(oneOf: names)
        case .onlyQuery(let names): return context.request.hasOnly(names)
        case .token(let test):
            return fits(test, in: &context)
        case .proof(let state): return context.proof(&proofs, played.scenario.tokens).state == state
        case .state(let name, let values):
            return states.value(of: name, device: context.device, account: context.account).map(values.contains)
                ?? false
        case .found(let name, let isWanted):
            return (context.foundNumber(of: name).map { context.found[$0].items.exists } ?? false) == isWanted
        case .foundValue(let name, let pointer, let matcher):
            return fits(matcher, foundValue(name, at: pointer, in: &context), in: &context)
        case .upload(let name, let test):
            let parts = context.request.parts(name)
            return test.fits(parts) { fits($0, $1, in: &context) }
        case .inFlight(let least): return open.count >= least
        case .routeInFlight:
            return context.route.map { open.count(of: $0.id) > 0 } ?? false
        }
    }
}

extension UploadTest {
    /// Returns whether the parts of a request fit.
    fileprivate func fits(_ parts: [MultipartForm.Part], _ fits: (Matcher, JSONValue?) -> Bool) -> Bool {
        guard parts.count >= count.atLeast, parts.count <= count.atMost else { return false }
        for part in parts {
            if let size, !fits(size, .number(JSONNumber(part.body.count))) { return false }
            if let filename, !fits(filename, part.filename.map(JSONValue.string)) { return false }
            if let type, !fits(type, part.contentType.map(JSONValue.string)) { return false }
        }
        return true
    }
}
