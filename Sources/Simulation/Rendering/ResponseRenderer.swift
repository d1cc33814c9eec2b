import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// Makes the messages of responses; their framing is the writer's, their date the scenario's.
struct ResponseRenderer: Sendable {
    private var heads = HeadCache()

    /// Makes the message of a chosen response; where that turns out to be impossible, the response says so.
    ///
    /// - Parameters:
    ///   - second: that of the `Date` field.
    ///   - streams: the open ones, which know the events that a client has missed.
    mutating func message(
        of chosen: inout ChosenResponse,
        dated second: Int64,
        in context: inout ExchangeContext,
        _ backend: inout MockBackend,
        _ streams: OpenStreams
    ) -> ResponseMessage {
        switch chosen.source {
        case .problem(let problem): return .made(dated(problem.response, second))
        case .documented(let response): return .made(dated(response, second))
        case .scenario(let response):
            let allowed = chosen.allowedMethods
            let message = message(of: response, allowed, dated: second, in: &context, &backend, streams)
            let excess = context.embeddedWork.excess.map { Problem.tooMuchEmbedded(of: $0) }
            guard let problem = excess ?? context.undecided.map({ Problem.undecided($0) }) else {
                guard !response.isPlain else { return message }
                return .made(negotiated(message.response, of: response.response, dated: second, in: &context, &backend))
            }
            chosen = ChosenResponse(problem)
            return .made(dated(problem.response, second))
        }
    }

    /// - Parameter allowed: the methods that a response with status 405 names.
    private mutating func message(
        of compiled: CompiledResponse,
        _ allowed: [String]?,
        dated second: Int64,
        in context: inout ExchangeContext,
        _ backend: inout MockBackend,
        _ streams: OpenStreams
    ) -> ResponseMessage {
        let response = compiled.response
        if allowed == nil, let prepared = compiled.prepared { return .prepared(prepared, dated: second) }
        let (body, contentType) = compiled.constantBody ?? response.renderedBody(in: &context, &backend, streams)
        var fields: HTTPFields
        if compiled.hasConstantHead {
            fields = heads.fields(of: compiled.number, in: second) { date in
                var fields: HTTPFields = ["Date": date]
                for header in response.headers { fields.append(header.name, header.value.constant ?? "") }
                return fields.naming(contentType)
            }
        } else {
            fields = ["Date": heads.date(of: second)]
            backend.render(response.headers, to: &fields, in: &context)
            fields = fields.naming(contentType)
            if case .webSocket(let script) = response.body { script.accept(context.request.request, by: &fields) }
        }
        // A 405 names the methods that there are (RFC 9110, section 15.5.6).
        if let allowed, response.status == 405, !fields.contains("Allow") {
            fields.append("Allow", allowed.joined(separator: ", "))
        }
        return .made(HTTPResponse(status: HTTPStatus(exactly: response.status) ?? 500, fields: fields, body: body))
    }

    /// A message with the scenario's date.
    mutating func dated(_ response: HTTPResponse, _ second: Int64) -> HTTPResponse {
        var response = response
        response.fields.append("Date", heads.date(of: second))
        return response
    }

    /// The message as this client asks for it.
    private mutating func negotiated(
        _ whole: HTTPResponse,
        of response: StubResponse,
        dated second: Int64,
        in context: inout ExchangeContext,
        _ backend: inout MockBackend
    ) -> HTTPResponse {
        let result = response.negotiation.negotiated(whole, response.status, for: context.request.request) { name in
            context.tag(ofFound: name, &backend)
        } made: { problem in
            dated(problem.response, second)
        }
        (context.isConditional, context.isCompressed) = (result.isConditional, result.isCompressed)
        return result.message
    }
}

extension StubResponse {
    /// The body and its type for an exchange, which gets the stream that the response opens.
    fileprivate func renderedBody(
        in context: inout ExchangeContext,
        _ backend: inout MockBackend,
        _ streams: OpenStreams
    ) -> ([UInt8], String?) {
        switch body {
        case .none, .forwarded: return ([], nil)
        case .bytes(let bytes, let type): return (bytes, type)
        case .json(_, let template): return (backend.render(template, in: &context), ResponseBody.jsonType)
        case .text(let template): return (Array(backend.render(template, in: &context).utf8), ResponseBody.textType)
        case .tree(let template):
            return ((backend.value(of: template, in: &context) ?? .null).utf8(.compact), ResponseBody.jsonType)
        case .content(let name): return backend.content(of: name, in: context).map { ($0.bytes, $0.type) } ?? ([], nil)
        case .events(let events):
            var stream = RenderedStream(events) { backend.valueIfAny(of: $0, in: &context) }
            streams.resume(&stream, in: context)
            context.stream = stream
            return (stream.body, events.contentType)
        case .webSocket(let script):
            context.stream = RenderedStream(script) { backend.valueIfAny(of: $0, in: &context) }
            return ([], nil)
        }
    }
}

extension HTTPFields {
    /// The same with a content type, unless they name one.
    func naming(_ contentType: String?) -> HTTPFields {
        guard let contentType, !contains("Content-Type") else { return self }
        var fields = self
        fields.append("Content-Type", contentType)
        return fields
    }
}
