import Basics
import HTTPCodec
import JSON
import ScenarioFormat

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
