import Basics
import HTTPCodec
import JSON

extension ResponseAssertion {
    /// What is wrong with a response, as a sentence; `nil` when nothing is.
    func complaint(about response: HTTPResponse, _ substitution: Substitution) -> String? {
        switch content {
        case .emptyBody:
            return response.body.isEmpty ? nil : "wanted an empty body, but it has \(response.body.count) bytes"
        case .bytes(let count):
            let found = response.body.count
            return found == count ? nil : "wanted a body of \(count) bytes, but it has \(found)"
        case .header(let name, let wanted):
            guard let found = response.fields[name] else {
                return "wanted \(name): \(wanted), but there is no such field"
            }
            return found == wanted ? nil : "wanted \(name): \(wanted), but it is \(found)"
        case .value(let pointer, let wanted):
            return judge(pointer, in: response) { found in
                guard let text = try? substitution.applied(to: wanted, .json),
                    let value = try? JSONParser().parse(text).root
                else { return "\(wanted) holds a value that was not taken, or is not valid JSON" }
                return found == value ? nil : "wanted \(value) at \(pointer.shown), but it is \(found.cut)"
            }
        case .length(let pointer, let count):
            return judge(pointer, in: response) { found in
                guard let length = found.length else { return "\(found.cut) at \(pointer.shown) has no length" }
                return length == count ? nil : "wanted \(count) at \(pointer.shown), but there are \(length)"
            }
        case .present(let pointer): return judge(pointer, in: response) { _ in nil }
        case .absent(let pointer):
            guard let root = try? JSONParser().parse(response.body).root, let found = pointer.value(in: root) else {
                return nil
            }
            return "wanted nothing at \(pointer.shown), but there is \(found.cut)"
        }
    }

    private func judge(_ pointer: JSONPointer, in response: HTTPResponse, _ body: (JSONValue) -> String?) -> String? {
        let root: JSONValue
        do {
            root = try JSONParser().parse(response.body).root
        } catch {
            return "the body is not valid JSON: \(error.sentence)"
        }
        guard let found = pointer.value(in: root) else {
            return "wanted something at \(pointer.shown), but there is nothing"
        }
        return body(found)
    }
}

extension JSONPointer {
    fileprivate var shown: String { isRoot ? "the whole body" : description }
}

extension JSONValue {
    fileprivate var length: Int? { array?.count ?? object?.count ?? string?.unicodeScalars.count }

    /// The text, cut off where it is long.
    fileprivate var cut: String {
        let text = description
        return text.count > 200 ? "\(text.prefix(200))…" : text
    }
}
