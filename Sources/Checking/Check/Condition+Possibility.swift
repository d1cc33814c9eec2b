import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

extension Condition {
    /// What is known of the requests that a guard looks at.
    struct Requests {
        var method: HTTPMethod
        var template: PathTemplate
        /// Whether a request says which device or account it comes from.
        var isAnonymous: Bool
    }

    /// Whether a condition may hold for some of these requests.
    func mayHold(for requests: Requests) -> Bool {
        truth(for: requests) != .no
    }

    private enum Truth {
        case no, maybe, yes

        init(_ verdict: Bool?) {
            self = verdict.map { $0 ? .yes : .no } ?? .maybe
        }
    }

    private func truth(for requests: Requests) -> Truth {
        switch self {
        case .all(let conditions):
            let truths = conditions.map { $0.truth(for: requests) }
            return truths.contains(.no) ? .no : truths.contains(.maybe) ? .maybe : .yes
        case .any(let conditions):
            let truths = conditions.map { $0.truth(for: requests) }
            return truths.contains(.yes) ? .yes : truths.contains(.maybe) ? .maybe : .no
        case .not(let condition):
            switch condition.truth(for: requests) {
            case .no: return .yes
            case .maybe: return .maybe
            case .yes: return .no
            }
        case .method(let matcher):
            return Truth(matcher.accepts(requests.method.rawValue))
        case .pathParameter(let name, let matcher) where !requests.template.parameterNames.contains(name):
            return Truth(matcher.accepts(nil))
        case .device(let matcher) where requests.isAnonymous, .account(let matcher) where requests.isAnonymous:
            return Truth(matcher.accepts(nil))
        default:
            return .maybe
        }
    }
}

extension Matcher {
    /// Whether a text, or its absence, is accepted; `nil` where only the engine knows.
    fileprivate func accepts(_ text: String?) -> Bool? {
        switch self {
        case .all(let matchers):
            let verdicts = matchers.map { $0.accepts(text) }
            return verdicts.contains(false) ? false : verdicts.contains(nil) ? nil : true
        case .not(let matcher): return matcher.accepts(text).map { !$0 }
        case .equals(let wanted): return text.map { wanted == .string($0) } ?? false
        case .oneOf(let wanted): return text.map { wanted.contains(.string($0)) } ?? false
        case .exists(let wanted): return (text != nil) == wanted
        default: return nil
        }
    }
}

extension SurveyedResponse {
    /// Whether the response may be given where the route has found a value under a name.
    func isPossible(where name: String, is value: JSONValue) -> Bool {
        condition?.holds(where: name, is: value) != false
            && !earlier.contains { $0.holds(where: name, is: value) == true }
    }
}

extension Condition {
    /// Whether it holds where a value was found under a name; `nil` where that does not decide.
    fileprivate func holds(where name: String, is value: JSONValue) -> Bool? {
        switch self {
        case .all(let conditions):
            let verdicts = conditions.map { $0.holds(where: name, is: value) }
            return verdicts.contains(false) ? false : verdicts.contains(nil) ? nil : true
        case .any(let conditions):
            let verdicts = conditions.map { $0.holds(where: name, is: value) }
            return verdicts.contains(true) ? true : verdicts.contains(nil) ? nil : false
        case .not(let condition): return condition.holds(where: name, is: value).map { !$0 }
        case .found(let found, let isThere) where found.hasSameUTF8(as: name):
            return (value["exists"]?.bool ?? true) == isThere
        case .foundValue(let found, let pointer, let matcher) where found.hasSameUTF8(as: name):
            return matcher.operands.isEmpty ? matcher.isMet(by: pointer.value(in: value)) : nil
        default: return nil
        }
    }
}
