import HTTPCodec
package import JSON
package import ScenarioFormat

/// The part of a request that is not as a condition wants it.
package struct UnfitPart: Sendable {
    /// The one term that does not hold.
    package var wanted: Condition
    /// What was sent in its place; `nil` for nothing.
    package var sent: JSONValue?
}

extension Exchange {
    /// The first part of the request that is not as a condition wants it; `nil` when all of it is.
    ///
    /// A condition on what only the session knew while it decided, such as its states, does not hold here.
    package func mismatch(with condition: Condition) -> UnfitPart? {
        var view = RequestView(request)
        return mismatch(with: condition, &view)
    }

    private func mismatch(with condition: Condition, _ view: inout RequestView) -> UnfitPart? {
        switch condition {
        case .all(let conditions):
            for condition in conditions {
                if let part = mismatch(with: condition, &view) { return part }
            }
            return nil
        case .any(let conditions):
            for condition in conditions where mismatch(with: condition, &view) == nil { return nil }
            return UnfitPart(wanted: condition, sent: nil)
        case .not(let inner):
            return mismatch(with: inner, &view) == nil ? UnfitPart(wanted: condition, sent: nil) : nil
        case .method(let matcher): return check(matcher, .string(request.method.rawValue), condition)
        case .header(let name, let matcher): return check(matcher, text: request.fields[name], condition)
        case .query(let name, let matcher): return check(matcher, text: view.query(name), condition)
        case .form(let name, let matcher): return check(matcher, text: view.form(name), condition)
        case .body(let pointer, let matcher):
            return check(matcher, view.json().flatMap { pointer.value(in: $0.root) }, condition)
        case .part(let name, let matcher):
            let part = view.part(name)
            return check(matcher, text: part.map { $0.filename ?? String(decoding: $0.body, as: UTF8.self) }, condition)
        case .device(let matcher): return check(matcher, text: device, condition)
        case .account(let matcher): return check(matcher, text: account, condition)
        case .pathParameter, .state, .found, .foundValue, .upload, .routeInFlight, .inFlight:
            return UnfitPart(wanted: condition, sent: nil)
        }
    }

    private func check(_ matcher: Matcher, text: String?, _ condition: Condition) -> UnfitPart? {
        check(matcher, text.map(JSONValue.string), condition)
    }

    private func check(_ matcher: Matcher, _ value: JSONValue?, _ condition: Condition) -> UnfitPart? {
        matcher.fits(value) ? nil : UnfitPart(wanted: condition, sent: value)
    }
}
