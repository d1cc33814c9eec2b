import HTTPWire
import JSONText
import ScenarioFormat

extension Session {
    /// Tells whether a condition holds for a request and the session as it is.
    func holds(_ condition: Condition, in context: inout ExchangeContext) -> Bool {
        switch condition {
        case .all(let conditions):
            for condition in conditions where !holds(condition, in: &context) { return false }
            return true
        case .any(let conditions):
            for condition in conditions where holds(condition, in: &context) { return true }
            return false
        case .not(let condition): return !holds(condition, in: &context)
        case .method(let matcher): return matcher.fits(.string(context.request.request.method.rawValue))
        case .pathParameter(let name, let matcher): return matcher.fits(text: context.request.parameter(name))
        case .header(let name, let matcher): return matcher.fits(text: context.request.request.fields[name])
        case .query(let name, let matcher): return matcher.fits(text: context.request.query(name))
        case .body(let pointer, let matcher):
            return matcher.fits(context.request.json().flatMap { pointer.value(in: $0.root) })
        case .form(let name, let matcher): return matcher.fits(text: context.request.form(name))
        case .part(let name, let matcher):
            let part = context.request.part(name)
            return matcher.fits(text: part.map { $0.filename ?? String(decoding: $0.body, as: UTF8.self) })
        case .device(let matcher): return matcher.fits(text: context.device)
        case .account(let matcher): return matcher.fits(text: context.account)
        case .state(let name, let values):
            return state(name, device: context.device, account: context.account).map(values.contains) ?? false
        case .found, .foundValue: return false
        case .upload(let name, let test): return test.fits(context.request.parts(name))
        case .inFlight(let least): return open.count >= least
        case .routeInFlight:
            return context.route.map { open.count(of: $0.id) > 0 } ?? false
        }
    }
}

extension UploadTest {
    fileprivate func fits(_ parts: [MultipartForm.Part]) -> Bool {
        guard parts.count >= count.atLeast, parts.count <= count.atMost else { return false }
        return parts.allSatisfy { part in
            size?.fits(.number(JSONNumber(part.body.count))) ?? true
                && filename?.fits(text: part.filename) ?? true && type?.fits(text: part.contentType) ?? true
        }
    }
}

extension Matcher {
    fileprivate func fits(text: String?) -> Bool {
        fits(text.map(JSONValue.string))
    }
}
