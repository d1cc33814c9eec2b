import JSON
import ScenarioFormat
import Simulation

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
