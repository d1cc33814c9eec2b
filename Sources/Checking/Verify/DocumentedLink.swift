import Basics
import HTTPCodec
import JSON
import OpenAPI

/// A link of a documented response: an operation that can be sent with values of the response (OpenAPI 3.1, section
/// 4.8.20).
struct DocumentedLink {
    /// The label of the operation: `GET /pets/{id}`.
    var target: String
    /// Constants or runtime expressions, by the names of parameters, perhaps with their place: `path.id`.
    var parameters: [(name: String, value: JSONValue)]

    /// The links of a response that is in the contract's main file; those that name no operation are left out.
    static func links(of response: DocumentedResponse, in contract: Contract) -> [DocumentedLink] {
        guard response.uri.utf8.starts(with: contract.uri.utf8),
            let pointer = JSONPointer(fragment: String(response.uri.dropFirst(contract.uri.count))),
            let links = contract.value(at: pointer.appending("links"))?.object
        else { return [] }
        return links.members.compactMap { DocumentedLink(resolved($0.value, in: contract), in: contract) }
    }

    private init?(_ value: JSONValue, in contract: Contract) {
        let target =
            if let id = value["operationId"]?.string {
                contract.operations.first { $0.operationID?.exact == id.exact }
            } else {
                value["operationRef"]?.string.flatMap { Self.operation(at: $0, in: contract) }
            }
        guard let target else { return nil }
        self.target = target.label
        parameters = value["parameters"]?.object?.members.map { ($0.name, $0.value) } ?? []
    }

    private static func resolved(_ value: JSONValue, in contract: Contract) -> JSONValue {
        guard let reference = value["$ref"]?.string, let pointer = JSONPointer(fragment: reference) else {
            return value
        }
        return contract.value(at: pointer) ?? value
    }

    /// `#/paths/~1pets~1{id}/get`.
    private static func operation(at reference: String, in contract: Contract) -> Operation? {
        guard let tokens = JSONPointer(fragment: reference)?.tokens, tokens.count == 3, tokens[0] == "paths" else {
            return nil
        }
        return contract.operations.first {
            $0.path.exact == tokens[1].exact && $0.method.rawValue.lowercased() == tokens[2]
        }
    }
}

/// A runtime expression of OpenAPI (OpenAPI 3.1, section 4.8.20.4), as far as links need it.
enum LinkExpression {
    /// - Returns: a value without an expression as it is; `nil` where the message has no such part.
    static func value(
        of written: JSONValue,
        response: HTTPResponse,
        body: JSONValue?,
        _ request: PlannedRequest
    ) -> JSONValue? {
        guard let text = written.string else { return written }
        func part(_ expression: Substring) -> JSONValue? {
            if let name = remainder(of: expression, behind: "$response.header.") {
                return response.fields[String(name)].map { .string($0) }
            }
            if let pointer = remainder(of: expression, behind: "$response.body") {
                return body.flatMap { value(at: pointer, in: $0) }
            }
            if let pointer = remainder(of: expression, behind: "$request.body") {
                let body = try? JSONParser(duplicateNames: .lastWins).parse(request.body).root
                return body.flatMap { value(at: pointer, in: $0) }
            }
            if let name = remainder(of: expression, behind: "$request.path.") {
                return request.pathValues.first { $0.name.exact == String(name).exact }?.value
            }
            if let name = remainder(of: expression, behind: "$request.query.") {
                let items = QueryItems(parsing: request.query.joined(separator: "&"))
                return items.first(named: String(name)).map { .string($0) }
            }
            if let name = remainder(of: expression, behind: "$request.header.") {
                return request.fields[String(name)].map { .string($0) }
            }
            return nil
        }
        if text.utf8.first == UInt8(ascii: "$") { return part(text[...]) }
        // An expression in braces may be a part of a text.
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            guard let value = part(rest[rest.index(after: start)..<end]) else { return nil }
            result += rest[..<start] + StyledWriting.text(value)
            rest = rest[rest.index(after: end)...]
        }
        return .string(result + rest)
    }

    private static func remainder(of text: Substring, behind prefix: String) -> Substring? {
        text.utf8.starts(with: prefix.utf8) ? Substring(text.utf8.dropFirst(prefix.utf8.count)) : nil
    }

    /// `#/id` or nothing for the whole.
    private static func value(at fragment: Substring, in body: JSONValue) -> JSONValue? {
        fragment.isEmpty ? body : JSONPointer(fragment: String(fragment))?.value(in: body)
    }
}
