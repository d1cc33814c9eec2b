import JSON
import ScenarioFormat

extension Session {
    /// Makes a value; `nil` for one that is left out.
    mutating func value(of template: TreeTemplate, in context: inout ExchangeContext) -> JSONValue? {
        switch template {
        case .constant(let value): return value
        case .value(let placeholder):
            return valueIfAny(of: placeholder, in: &context) ?? (placeholder.mayBeOmitted ? nil : .null)
        case .text(let text): return .string(render(text, in: &context))
        case .array(let templates): return array(of: templates, in: &context)
        case .object(let members): return object(of: members, in: &context)
        }
    }

    /// The same, but for a lone placeholder without a value it is `nil` instead of null.
    mutating func valueIfAny(of template: TreeTemplate, in context: inout ExchangeContext) -> JSONValue? {
        if case .value(let placeholder) = template { return valueIfAny(of: placeholder, in: &context) }
        return value(of: template, in: &context)
    }

    // On their own, so that what they need does not lie on the stack at every depth.

    private mutating func array(of templates: [TreeTemplate], in context: inout ExchangeContext) -> JSONValue {
        var values: [JSONValue] = []
        values.reserveCapacity(templates.count)
        for template in templates {
            if let value = value(of: template, in: &context) { values.append(value) }
        }
        return .array(values)
    }

    private mutating func object(of members: [TreeTemplate.Member], in context: inout ExchangeContext) -> JSONValue {
        var object = JSONObject()
        for member in members {
            if let value = value(of: member.value, in: &context) { object[member.name] = value }
        }
        return .object(object)
    }
}
