import JSON
import ScenarioFormat

/// Matchers whose operands are only known while a request is answered.
extension Session {
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
        case .made: return settled(matcher, in: &context).fits(value, isLoose: true)
        default: return matcher.fits(value)
        }
    }

    mutating func fits(_ matcher: Matcher, text: String?, in context: inout ExchangeContext) -> Bool {
        fits(matcher, text.map(JSONValue.string), in: &context)
    }

    /// The same matcher with operands that are made, so that many values can be compared with them.
    mutating func settled(_ matcher: Matcher, in context: inout ExchangeContext) -> Matcher {
        switch matcher {
        case .all(let matchers):
            var settled: [Matcher] = []
            for matcher in matchers { settled.append(self.settled(matcher, in: &context)) }
            return settled.count == 1 ? settled[0] : .all(settled)
        case .not(let matcher): return .not(settled(matcher, in: &context))
        case .each(let matcher): return .each(settled(matcher, in: &context))
        case .made(let relation, let template):
            return valueIfAny(of: template, in: &context).map(relation.matcher) ?? .oneOf([])
        default: return matcher
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
    /// What values are compared with by their size.
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
