import HTTPCodec
import JSON
import ScenarioFormat

extension Session {
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
        case .method(let matcher):
            return fits(matcher, text: context.request.request.method.rawValue, in: &context)
        case .pathParameter(let name, let matcher):
            return fits(matcher, text: context.request.parameter(name), in: &context)
        case .header(let name, let matcher):
            return fits(matcher, text: context.request.request.fields[name], in: &context)
        case .query(let name, let matcher): return fits(matcher, text: context.request.query(name), in: &context)
        case .body(let pointer, let matcher):
            return fits(matcher, context.request.json().flatMap { pointer.value(in: $0.root) }, in: &context)
        case .form(let name, let matcher): return fits(matcher, text: context.request.form(name), in: &context)
        case .part(let name, let matcher):
            let part = context.request.part(name)
            return fits(
                matcher,
                text: part.map { $0.filename ?? String(decoding: $0.body, as: UTF8.self) },
                in: &context
            )
        case .device(let matcher): return fits(matcher, text: context.device, in: &context)
        case .account(let matcher): return fits(matcher, text: context.account, in: &context)
        case .state(let name, let values):
            return state(name, device: context.device, account: context.account).map(values.contains) ?? false
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
