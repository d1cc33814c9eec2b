import HTTPWire
import JSONText
import ScenarioFormat

extension Condition {
    /// Whether a condition may hold for some request with a method on a route.
    func mayHold(for method: HTTPMethod, on template: PathTemplate) -> Bool {
        truth(for: method, on: template) != .no
    }

    private enum Truth {
        case no, maybe, yes
    }

    private func truth(for method: HTTPMethod, on template: PathTemplate) -> Truth {
        switch self {
        case .all(let conditions):
            let truths = conditions.map { $0.truth(for: method, on: template) }
            return truths.contains(.no) ? .no : truths.contains(.maybe) ? .maybe : .yes
        case .any(let conditions):
            let truths = conditions.map { $0.truth(for: method, on: template) }
            return truths.contains(.yes) ? .yes : truths.contains(.maybe) ? .maybe : .no
        case .not(let condition):
            switch condition.truth(for: method, on: template) {
            case .no: return .yes
            case .maybe: return .maybe
            case .yes: return .no
            }
        case .method(let matcher):
            return matcher.accepts(method.rawValue).map { $0 ? .yes : .no } ?? .maybe
        case .pathParameter(let name, let matcher) where !template.parameterNames.contains(name):
            return matcher.accepts(nil).map { $0 ? .yes : .no } ?? .maybe
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
