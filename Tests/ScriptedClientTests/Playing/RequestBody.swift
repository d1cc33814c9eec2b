import Basics
import HTTPCodec
import JSON

/// The body of a request, ready for the wire.
struct RequestBody {
    private enum Content {
        case json(JSONValue)
        case other([UInt8])
    }

    private static let boundary = "backlot-scripted-client"

    let type: String
    private var content: Content

    init(emptyObject: Void) {
        type = "application/json"
        content = .json(.object(JSONObject()))
    }

    init(_ scripted: ScriptedBody, _ substitution: Substitution) throws(RequestMaker.Problem) {
        func text(_ text: String, _ form: Substitution.Form) throws(RequestMaker.Problem) -> String {
            do {
                return try substitution.applied(to: text, form)
            } catch {
                throw RequestMaker.Problem(sentence: error.sentence)
            }
        }
        switch scripted {
        case .json(let source):
            type = "application/json"
            content = .json(try Self.value(of: try text(source, .json)))
        case .form(let source):
            type = "application/x-www-form-urlencoded"
            let encoded = PercentEncoding.encode(try text(source, .encoded), allowing: "%&=+*:/?@!,;'()$[]")
            content = .other(Array(encoded.utf8))
        case .parts(let parts):
            type = "multipart/form-data; boundary=\(Self.boundary)"
            var bytes: [UInt8] = []
            for part in parts {
                bytes += "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"".utf8
                switch part.content {
                case .text(let value): bytes += try "\r\n\r\n\(text(value, .plain))".utf8
                case .json(let value):
                    bytes += try "\r\nContent-Type: application/json\r\n\r\n\(text(value, .json))".utf8
                case .file(let name, let type, let size):
                    bytes += "; filename=\"\(name)\"\r\nContent-Type: \(type)\r\n\r\n".utf8
                    bytes += Self.file(of: size)
                }
                bytes += "\r\n".utf8
            }
            content = .other(bytes + "--\(Self.boundary)--\r\n".utf8)
        }
    }

    private static func value(of text: String) throws(RequestMaker.Problem) -> JSONValue {
        do {
            return try JSONParser().parse(text).root
        } catch {
            throw RequestMaker.Problem(sentence: "\(text) is not valid JSON: \(error.sentence)")
        }
    }

    /// Bytes that begin as a JPEG does, and never look like a boundary.
    private static func file(of size: Int) -> [UInt8] {
        // Made in one go: some stories send megabytes.
        var bytes = [UInt8](repeating: 0xE5, count: size)
        for (index, byte) in ([0xFF, 0xD8, 0xFF, 0xE0] as [UInt8]).prefix(size).enumerated() { bytes[index] = byte }
        return bytes
    }

    var bytes: [UInt8] {
        switch content {
        case .json(let value): Array(value.description.utf8)
        case .other(let bytes): bytes
        }
    }

    /// Puts a text into a JSON body, in objects that are made where there are none; false for any other body.
    mutating func put(_ text: String, at pointer: JSONPointer) -> Bool {
        guard case .json(let value) = content else { return false }
        content = .json(value.with(text, at: pointer.tokens[...]))
        return true
    }
}

extension JSONValue {
    fileprivate func with(_ text: String, at path: ArraySlice<String>) -> JSONValue {
        guard let name = path.first else { return .string(text) }
        var object = object ?? JSONObject()
        object[name] = (object[name] ?? .object(JSONObject())).with(text, at: path.dropFirst())
        return .object(object)
    }
}
