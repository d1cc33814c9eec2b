package import Basics
import HTTPCodec
package import JSON
package import ScenarioFormat

/// The part of a request that does not meet a condition.
package struct UnfitPart: Sendable {
    /// The one term that does not hold.
    package var wanted: Condition
    /// Its replacement; `nil` without one.
    package var sent: JSONValue?
    /// That an expression needs too many steps, where that is why it is not known.
    package var undecided: TextPattern.Undecided?
}

/// The value of a condition for an exchange, as far as the journal decides it.
package enum ConditionOutcome: Sendable {
    case holds
    /// It does not, because of this term.
    case fails(UnfitPart)
    /// Only the session knew while it decided; where the condition is known not to have held, one of these terms did not.
    case unknown([UnfitPart])
}

extension Exchange {
    /// Tells afterwards whether a condition held for the request.
    ///
    /// - Parameter template: the path of the route that took the request, for the parameters in it.
    package func outcome(of condition: Condition, on template: PathTemplate?) -> ConditionOutcome {
        // The response may have signed in who was not when the condition was evaluated.
        var evaluation = Evaluation(self, knowsCaller: self.granted.isEmpty)
        evaluation.parameters = template?.match(request.path)
        return evaluation.outcome(of: condition)
    }

    /// The first part of the request that does not meet a condition; `nil` when all of it does.
    ///
    /// A condition on what only the session knew while it decided, such as its states, does not hold here.
    ///
    /// - Throws: where no other part decides, and an expression needs too many steps to compare the request with.
    package func mismatch(with condition: Condition) throws(TextPattern.Undecided) -> UnfitPart? {
        var evaluation = Evaluation(self, knowsCaller: true)
        switch evaluation.outcome(of: condition) {
        case .holds: return nil
        case .fails(let part): return part
        case .unknown(let parts):
            if let part = parts.first(where: { $0.undecided == nil }) { return part }
            guard let undecided = parts.first?.undecided else { return nil }
            throw undecided
        }
    }

    /// Evaluates conditions with three outcomes (Kleene's strong logic).
    private struct Evaluation {
        let exchange: Exchange
        let knowsCaller: Bool
        var parameters: [(name: String, value: String)]?
        private var view: RequestView

        init(_ exchange: Exchange, knowsCaller: Bool) {
            self.exchange = exchange
            self.knowsCaller = knowsCaller
            view = RequestView(exchange.request)
        }

        mutating func outcome(of condition: Condition) -> ConditionOutcome {
            switch condition {
            case .all(let conditions): return all(conditions)
            case .any(let conditions): return any(conditions, of: condition)
            case .not(let inner):
                switch outcome(of: inner) {
                case .holds: return .fails(UnfitPart(wanted: condition))
                case .fails: return .holds
                case .unknown(let parts):
                    return .unknown([UnfitPart(wanted: condition, undecided: parts.first?.undecided)])
                }
            case .repeated(let names):
                return view.repeats(oneOf: names) ? .holds : .fails(UnfitPart(wanted: condition))
            case .onlyQuery(let names): return view.hasOnly(names) ? .holds : .fails(UnfitPart(wanted: condition))
            case .request(let part, let matcher):
                guard let value = value(of: part) else { break }
                return check(matcher, value, condition)
            case .token, .proof, .state, .found, .foundValue, .upload, .routeInFlight, .inFlight:
                break
            }
            return .unknown([UnfitPart(wanted: condition)])
        }

        private mutating func all(_ conditions: [Condition]) -> ConditionOutcome {
            var unknown: [UnfitPart] = []
            for condition in conditions {
                switch outcome(of: condition) {
                case .holds: continue
                case .fails(let part): return .fails(part)
                case .unknown(let parts): unknown += parts
                }
            }
            return unknown.isEmpty ? .holds : .unknown(unknown)
        }

        private mutating func any(_ conditions: [Condition], of whole: Condition) -> ConditionOutcome {
            var unknown: [UnfitPart] = []
            for condition in conditions {
                switch outcome(of: condition) {
                case .holds: return .holds
                case .fails: continue
                case .unknown(let parts): unknown += parts
                }
            }
            guard !unknown.isEmpty else { return .fails(UnfitPart(wanted: whole)) }
            return .unknown([UnfitPart(wanted: whole, undecided: unknown.lazy.compactMap(\.undecided).first)])
        }

        /// The value of a part, which may be missing; `nil` if only the session knew it.
        private mutating func value(of part: RequestPart) -> JSONValue?? {
            switch part {
            case .device: knowsCaller ? .some(exchange.device.map(JSONValue.string)) : nil
            case .account: knowsCaller ? .some(exchange.account.map(JSONValue.string)) : nil
            case .pathParameter(let name):
                parameters?.first { $0.name.exact == name.exact }.map { .some(.string($0.value)) }
            default: .some(view.value(of: part))
            }
        }

        private func check(_ matcher: Matcher, _ value: JSONValue?, _ condition: Condition) -> ConditionOutcome {
            var part = UnfitPart(wanted: condition, sent: value)
            guard !matcher.dependsOnSession else { return .unknown([part]) }
            do throws(TextPattern.Undecided) {
                return try matcher.fits(value) ? .holds : .fails(part)
            } catch {
                part.undecided = error
                return .unknown([part])
            }
        }
    }
}

extension Matcher {
    /// A Boolean value that indicates whether an operand is only known while a request is answered.
    fileprivate var dependsOnSession: Bool {
        switch self {
        case .all(let matchers): matchers.contains(where: \.dependsOnSession)
        case .not(let matcher), .each(let matcher), .words(let matcher): matcher.dependsOnSession
        case .made: true
        default: false
        }
    }
}
