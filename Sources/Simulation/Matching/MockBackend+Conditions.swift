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
    /// Tells whether a value fits; an operand without a value fits nothing.
    mutating func fits(_ matcher: Matcher, _ value: JSONValue?, in context: inout ExchangeContext) -> Bool {
        switch matcher {
        case .all(let matchers):
            for matcher in matchers where !fits(matcher, value, in: &context) { return false }
            return true
        case .not(let matcher): return !fits(matcher, value, in: &context)
        case .each(let matcher):
            guard let elements = value?.array else { return false }
            for element in elements where !fits(matcher, element, in: &context) { return false }
            return true
        case .words(let matcher): return fits(matcher, value?.words, in: &context)
        case .made: return fits(settled(matcher, in: &context), value, isLoose: true, in: &context)
        default: return fits(matcher, value, isLoose: false, in: &context)
        }
    }

    /// The same for a matcher whose operands are known; where its evaluation fails, the request gets no answer either.
    func fits(
        _ matcher: Matcher,
        _ value: JSONValue?,
        isLoose: Bool,
        in context: inout ExchangeContext
    ) -> Bool {
        do throws(TextPattern.Undecided) {
            return try matcher.fits(value, isLoose: isLoose)
        } catch {
            context.undecided = error.pattern
            return false
        }
    }

    mutating func fits(_ matcher: Matcher, text: String?, in context: inout ExchangeContext) -> Bool {
        fits(matcher, text.map(JSONValue.string), in: &context)
    }

    /// The same matcher with operands that are made, so that many values can be compared with them.
    mutating func settled(_ matcher: Matcher, in context: inout ExchangeContext) -> Matcher {
        matcher.settled { valueIfAny(of: $0, in: &context) }
    }
}

extension Matcher {
    /// The same matcher with operands that are made of the values of placeholders.
    fileprivate func settled(_ value: (Placeholder) -> JSONValue?) -> Matcher {
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
        case .proof(let state): return proof(in: &context).state == state
        case .state(let name, let values):
            return states.value(of: name, device: context.device, account: context.account).map(values.contains)
                ?? false
        case .found(let name, let isWanted):
            return (context.foundNumber(of: name).map { context.found[$0].items.exists } ?? false) == isWanted
        case .foundValue(let name, let pointer, let matcher):
            return fits(matcher, foundValue(name, at: pointer, in: &context), in: &context)
        case .upload(let name, let test): return fits(test, context.request.parts(name), in: &context)
        case .inFlight(let least): return open.count >= least
        case .routeInFlight:
            return context.route.map { open.count(of: $0.id) > 0 } ?? false
        }
    }

    private mutating func fits(
        _ test: UploadTest,
        _ parts: [MultipartForm.Part],
        in context: inout ExchangeContext
    ) -> Bool {
        guard parts.count >= test.count.atLeast, parts.count <= test.count.atMost else { return false }
        for part in parts {
            if let size = test.size, !fits(size, .number(JSONNumber(part.body.count)), in: &context) { return false }
            if let filename = test.filename, !fits(filename, text: part.filename, in: &context) { return false }
            if let type = test.type, !fits(type, text: part.contentType, in: &context) { return false }
        }
        return true
    }
}
