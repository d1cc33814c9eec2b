import Basics
package import JSON

extension Verdict {
    /// The verdict as a document.
    package var json: JSONObject {
        var object = JSONObject()
        object["verdict"] = .string(outcome.rawValue)
        if let obstacle { object["obstacle"] = .string(obstacle.rawValue) }
        object["summary"] = .string(summary)
        object["expectations"] = .array(expectations.map(\.json))
        if !rules.isEmpty { object["rules"] = .array(rules.map(\.json)) }
        object["findings"] = .array(findings.map(\.json))
        return object
    }
}

extension ExpectationResult {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["status"] = .string(status.rawValue)
        object["rule"] = .string(rule)
        object["wanted"] = .string(wanted)
        object["message"] = .string(message)
        if let advice { object["advice"] = .string(advice) }
        object["exchanges"] = .array(exchanges.map { .number(JSONNumber(Int(clamping: $0))) })
        if let place { object["place"] = .string(place.description) }
        return .object(object)
    }
}

extension RuleResult {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["number"] = .string(profile.number)
        object["name"] = .string(profile.name)
        object["status"] = .string(status.rawValue)
        object["severity"] = .string(profile.severity.rawValue)
        object["why"] = .string(profile.reason)
        object["advice"] = .string(profile.advice)
        object["source"] = .string(profile.source)
        if let reason { object["reason"] = .string(reason) }
        if !violations.isEmpty { object["violations"] = .array(violations.map(\.json)) }
        return .object(object)
    }
}

extension RuleViolation {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["message"] = .string(sentence)
        object["exchanges"] = .array(exchanges.map { .number(JSONNumber(Int(clamping: $0))) })
        if let device { object["device"] = .string(device) }
        return .object(object)
    }
}

extension Finding {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["severity"] = .string(severity.rawValue)
        object["id"] = .string(id)
        object["message"] = .string(message)
        if let advice { object["advice"] = .string(advice) }
        if let file = place?.file { object["file"] = .string(file) }
        if let position = place?.position {
            object["line"] = .number(JSONNumber(position.line))
            object["column"] = .number(JSONNumber(position.column))
        }
        if let exchange = place?.exchange { object["exchange"] = .number(JSONNumber(exchange)) }
        return .object(object)
    }
}
