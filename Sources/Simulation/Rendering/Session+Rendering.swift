import HTTPCodec
import JSON
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
                // The template has the quotes.
                let start = bytes.count
                JSONWriter.append(quoted: value(of: placeholder, in: &context).plainText, to: &bytes)
                bytes.remove(at: start)
                bytes.removeLast()
            }
        }
        return bytes
    }

    /// Makes the message of a response.
    ///
    /// The framing is the writer's; the date is the scenario's.
    mutating func render(
        _ compiled: CompiledResponse,
        allowed: [String]?,
        in context: inout ExchangeContext
    ) -> HTTPResponse {
        let response = compiled.response
        let (body, contentType) = body(of: response, in: &context)
        let second = (context.now + clock.skew).seconds
        var fields: HTTPFields
        if compiled.hasConstantHead {
            fields = heads.fields(of: compiled.number, in: second) { date in
                var fields: HTTPFields = ["Date": date]
                for header in response.headers { fields.append(header.name, header.value.constant ?? "") }
                return fields.naming(contentType)
            }
        } else {
            fields = ["Date": heads.date(of: second)]
            // A control character that a placeholder brings in becomes a space there.
            for header in response.headers { fields.append(header.name, render(header.value, in: &context)) }
            fields = fields.naming(contentType)
        }
        // A 405 names the methods that there are (RFC 9110, section 15.5.6).
        if let allowed, response.status == 405, !fields.contains("Allow") {
            fields.append("Allow", allowed.joined(separator: ", "))
        }
        return HTTPResponse(status: HTTPStatus(exactly: response.status) ?? 500, fields: fields, body: body)
    }

    private mutating func body(of response: StubResponse, in context: inout ExchangeContext) -> ([UInt8], String?) {
        switch response.body {
        case .none: ([], nil)
        case .bytes(let bytes, let type): (bytes, type)
        case .json(let template): (render(template, in: &context), "application/json")
        case .text(let template): (Array(render(template, in: &context).utf8), "text/plain; charset=utf-8")
        case .tree(let template): ((value(of: template, in: &context) ?? .null).utf8(.compact), "application/json")
        case .content(let name): content(of: name, in: context).map { ($0.bytes, $0.type) } ?? ([], nil)
        }
    }

    /// Makes the message of the tool's own answer, with the scenario's date.
    mutating func render(_ problem: Problem, at time: VirtualTime) -> HTTPResponse {
        dated(problem.response, at: time)
    }

    /// A message with the scenario's date.
    mutating func dated(_ response: HTTPResponse, at time: VirtualTime) -> HTTPResponse {
        var response = response
        response.fields.append("Date", heads.date(of: (time + clock.skew).seconds))
        return response
    }
}

extension HTTPFields {
    /// The same with a content type, unless they name one.
    fileprivate func naming(_ contentType: String?) -> HTTPFields {
        guard let contentType, !contains("Content-Type") else { return self }
        var fields = self
        fields.append("Content-Type", contentType)
        return fields
    }
}
