import HTTPWire
import JSONText
import ScenarioFormat

extension Session {
    mutating func render(_ template: TextTemplate, in context: inout ExchangeContext) -> String {
        if let constant = template.constant { return constant }
        var text = ""
        for part in template.parts {
            switch part {
            case .literal(let literal): text += literal
            case .placeholder(let placeholder): text += value(of: placeholder, in: &context).plainText
            }
        }
        return text
    }

    mutating func render(_ template: ValueTemplate, in context: inout ExchangeContext) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in template.parts {
            switch part {
            case .bytes(let fixed): bytes += fixed
            case .value(let placeholder): JSONWriter().append(value(of: placeholder, in: &context), to: &bytes)
            case .fragment(let placeholder):
                bytes += JSONValue.string(value(of: placeholder, in: &context).plainText).utf8().dropFirst().dropLast()
            }
        }
        return bytes
    }

    /// Makes the message of a reply.
    ///
    /// The framing is the writer's; the date is the scenario's.
    mutating func render(_ reply: Reply, in context: inout ExchangeContext) -> HTTPResponse {
        var fields = HTTPFields()
        fields.append("Date", HTTPDate.text(secondsSince1970: (context.now + clock.skew).seconds))
        var body: [UInt8] = []
        var contentType: String?
        switch reply.body {
        case .none: break
        case .bytes(let bytes, let type): (body, contentType) = (bytes, type)
        case .json(let template): (body, contentType) = (render(template, in: &context), "application/json")
        case .text(let template):
            (body, contentType) = (Array(render(template, in: &context).utf8), "text/plain; charset=utf-8")
        }
        for header in reply.headers {
            // A placeholder may bring in a control character; the field is then left out rather than forged.
            let value = render(header.value, in: &context)
            if HTTPFields.isValue(value) { fields.append(header.name, value) }
        }
        if let contentType, !fields.contains("Content-Type") { fields.append("Content-Type", contentType) }
        return HTTPResponse(status: HTTPStatus(exactly: reply.status) ?? 500, fields: fields, body: body)
    }
}

extension Reply {
    /// Every placeholder of the reply's message and sign-in.
    var placeholders: [Placeholder] {
        let own: [Placeholder] =
            switch body {
            case .none, .bytes: []
            case .json(let template): template.placeholders
            case .text(let template): template.placeholders
            }
        let signIn = (self.signIn?.device?.placeholders ?? []) + (self.signIn?.account?.placeholders ?? [])
        return own + signIn + headers.flatMap { $0.value.placeholders }
    }
}
