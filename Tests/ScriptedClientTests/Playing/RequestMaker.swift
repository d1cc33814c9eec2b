import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// Makes the request of a script's line: with the tokens at their places, the body, and taken values.
struct RequestMaker {
    let scenario: Scenario
    let always: [ScriptField]
    let store: ClientStore
    let substitution: Substitution
    /// The base URLs of the backend, under the empty name, and of the story's other servers.
    let servers: [String: String]

    /// Why a request cannot be made, as a sentence.
    struct Problem: Error {
        var sentence: String
    }

    func make(_ scripted: ScriptedRequest) throws(Problem) -> (request: HTTPRequest, origin: String?) {
        var (origin, target) = try destination(of: scripted)
        var body = try scripted.body.map { body throws(Problem) in try RequestBody(body, substitution) }
        var fields: HTTPFields = ["Host": "backlot.test"]
        if let header = scenario.deviceHeader { fields.set(header, store.device) }
        for field in always { fields.set(field.name, field.value) }
        var taken: [String: String] = [:]
        for use in scripted.tokens {
            let carrier = try carrier(of: use.place, for: scripted.method, target, origin)
            let text = try text(of: use)
            switch carrier.part {
            case .header(let name):
                if let other = taken.updateValue(use.place, forKey: name.lowercased()) {
                    throw Problem(sentence: "\(other) and \(use.place) both travel in \(name), so one request has one")
                }
                fields.set(name, carrier.scheme.map { "\($0) \(text)" } ?? text)
            case .body(let pointer):
                if body == nil { body = RequestBody(emptyObject: ()) }
                guard body?.put(text, at: pointer) ?? false else {
                    throw Problem(
                        sentence: "the \(use.place) token travels in a JSON body, and the request has another"
                    )
                }
            case .query(let name):
                target += target.contains("?") ? "&" : "?"
                target += "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(text))"
            case .cookie(let name): fields.append("Cookie", "\(name)=\(text)")
            default:
                throw Problem(sentence: "no script has a \(use.place) token in a form or in Basic so far")
            }
        }
        if let body { fields.set("Content-Type", body.type) }
        for field in scripted.fields {
            fields[field.name] = field.value.isEmpty ? nil : try substituted(field.value, .plain)
        }
        let bytes = body?.bytes ?? []
        if !bytes.isEmpty { fields.set("Content-Length", "\(bytes.count)") }
        let method = HTTPMethod(rawValue: scripted.method)
        return (HTTPRequest(method: method, target: target, fields: fields, body: bytes), origin)
    }

    private func substituted(_ text: String, _ form: Substitution.Form) throws(Problem) -> String {
        do {
            return try substitution.applied(to: text, form)
        } catch {
            throw Problem(sentence: error.sentence)
        }
    }

    // MARK: Where

    private func destination(of scripted: ScriptedRequest) throws(Problem) -> (origin: String?, target: String) {
        var text = scripted.target
        if text.hasPrefix("$") {
            text = try substituted(text, .plain)
            for (name, url) in servers.sorted(by: { $0.key < $1.key }) where text.hasPrefix("\(url)/") {
                return (name.isEmpty ? nil : name, String(text.dropFirst(url.count)).encodedForWire)
            }
        } else {
            let path = text.prefix { $0 != "?" }
            text = try substituted(String(path), .path) + substituted(String(text.dropFirst(path.count)), .encoded)
        }
        text = text.encodedForWire
        if text.hasPrefix("/") || text == "*" { return (nil, text) }
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("/") else {
            throw Problem(sentence: "\"\(text)\" is no target; write /path, or ORIGIN:/path for another server")
        }
        let origin = String(parts[0])
        guard scenario.origins.contains(where: { $0.name == origin }) else {
            let known = scenario.origins.map(\.name).joined(separator: ", ")
            throw Problem(
                sentence: "the story has no other server \"\(origin)\"" + (known.isEmpty ? "" : "; it has \(known)")
            )
        }
        return (origin, String(parts[1]))
    }

    // MARK: Tokens

    private func text(of use: TokenUse) throws(Problem) -> String {
        switch use.source {
        case .text(let text): return try substituted(text, .plain)
        case .stored(let kind):
            guard let token = store[kind] else {
                let kinds = store.kinds.isEmpty ? "none at all" : "only \(store.kinds.joined(separator: " and "))"
                throw Problem(sentence: "\(store.device) has no \(kind) token stored; it has \(kinds)")
            }
            return token
        }
    }

    /// Where a kind of token travels: as the route says, or as its kind does.
    private func carrier(
        of name: String,
        for method: String,
        _ target: String,
        _ origin: String?
    ) throws(Problem) -> TokenCarrier {
        guard let kind = scenario.tokens.kind(named: name) else {
            let known = scenario.tokens.kinds.map(\.name).joined(separator: ", ")
            throw Problem(sentence: "there is no kind of token \"\(name)\"; there are \(known)")
        }
        let path = String(target.prefix { $0 != "?" })
        let routes = origin.map { origin in scenario.origins.first { $0.name == origin }?.routes ?? [] }
        let route = (routes ?? scenario.routes)
            .filter { $0.key.method?.rawValue ?? method == method && $0.key.template.matches(path) }
            .min { $0.key.template.parameterNames.count < $1.key.template.parameterNames.count }
        let own = route?.requirements.first { $0.kind == name }?.carriers?.first
        guard let carrier = own ?? kind.carriers.first else {
            throw Problem(sentence: "it is not said where \(name) tokens travel")
        }
        return carrier
    }
}

extension String {
    /// The text with everything percent-encoded that cannot stand in a target.
    fileprivate var encodedForWire: String {
        PercentEncoding.encode(self, allowing: "!#$%&'()*+,/:;=?@[]{}|^`<>\"\\")
    }
}
