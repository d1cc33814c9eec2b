import Checking
import HTTPCodec
import JSON
import OpenAPI
import ScenarioFormat

extension ResponseCheckEvaluator {
    /// Judges requests that are sent again, to the letter, though the server has responded or may have done its work, or
    /// before the time that its response names is over.
    func judgeRepetition(
        of call: MadeCall,
        in cell: ResponseCheckPlan.Cell,
        _ terms: Terms,
        _ verdict: inout Verdict
    ) {
        // The platform sends things again by itself, and a call without end is reported anyway.
        guard network == .raw, !call.outcome.isEndless, cell.answer.kind != .notModified else { return }
        var former: [RepeatableRequest: RecordedRequest] = [:]
        for exchange in call.requests {
            guard let operation = exchange.operation else { continue }
            let request = RepeatableRequest(exchange.request)
            // A token that a refresh has just granted may be refused, too.
            if let status = exchange.answer.status, roles.refusals.expired.contains(status) {
                former = former.filter { $0.value.operation.map(roles.isPlain) ?? true }
            }
            // Another call's result may be asked for until it is there.
            let isPolled =
                [.get, .head].contains(operation.method)
                && (operation.id != cell.operation.id || terms.isPolling || former[request]?.answer.status == 202)
            if !isPolled, let first = former[request], let reason = reason(against: first, operation, exchange.request)
            {
                let message = "\(cell.name), \(cell.answer.words), sends \(operation.id) again, \(reason)"
                if first.hasSucceeded {
                    verdict.add(.sentTwice, message, at: place(of: cell), advice: "send the request once")
                } else {
                    let advice =
                        "find out the result of the first request, or send a key by which the server recognizes both as one"
                    // A server may promise with its status that it has not processed the request.
                    if first.answer.status == nil {
                        verdict.add(.sentTwice, message, at: place(of: cell), advice: advice)
                    } else {
                        verdict.warn(.sentTwice, message, at: place(of: cell), advice: advice)
                    }
                }
            }
            if let first = former[request], isPolled || !first.hasSucceeded {
                judgeDelay(of: exchange, after: first, operation, in: cell, &verdict)
            }
            former[request] = exchange
        }
    }

    /// Warns of a request that is sent again before `Retry-After` allows it (RFC 9110, section 10.2.3).
    private func judgeDelay(
        of exchange: RecordedRequest,
        after first: RecordedRequest,
        _ operation: Operation,
        in cell: ResponseCheckPlan.Cell,
        _ verdict: inout Verdict
    ) {
        let waited = exchange.arrival.since(first.arrival)
        guard case .response(let response) = first.answer,
            let delay = response.fields.retryDelay(), waited < delay
        else { return }
        // Digits of real time below a tenth of a second differ from run to run.
        let tenths = Int(waited / .milliseconds(100))
        let pause = tenths == 0 ? "at once" : "after \(DurationText.text(.milliseconds(tenths * 100)))"
        let message =
            "\(cell.name), \(cell.answer.words), sends \(operation.id) again \(pause), although "
            + "Retry-After asks for \(DurationText.text(delay))"
        let advice = "wait for the time in Retry-After before you send the request again"
        verdict.warn(.sentTwice, message, at: place(of: cell), advice: advice)
    }

    private func reason(against former: RecordedRequest, _ operation: Operation, _ request: HTTPRequest) -> String? {
        let answer = former.answer
        switch answer {
        case .response(let response) where response.status.isSuccessful && request.body == former.request.body:
            return "although the client has already received \(response.status.code)"
        // RFC 9110, section 9.2.2; 503 says that the server processes no request now.
        case .response(let response) where ![500, 502, 504].contains(response.status.code): return nil
        case .fault(.refused, _): return nil
        case .fault, .response:
            // New tokens that were lost on their way are worth another try.
            if ![.post, .patch].contains(operation.method) || !roles.isPlain(operation) { return nil }
            // The server refuses the second one if it has processed the first (RFC 9110, section 13.1.1).
            if request.fields["If-Match"] != nil || request.fields["If-Unmodified-Since"] != nil { return nil }
            guard let key = request.idempotencyKey else {
                if request.carriesID(of: former.request) || operation.isSearch { return nil }
                return "although the server may already have processed the first request"
            }
            return key == former.request.idempotencyKey
                ? nil : "with another idempotency key, although the server may already have processed the first request"
        }
    }
}

/// The properties that make two requests equal; tokens and idempotency keys do not count.
private struct RepeatableRequest: Hashable {
    let method: HTTPMethod
    let target: String
    let body: [UInt8]
    /// The fields that make a request conditional (RFC 9110, section 13).
    let conditions: [String?]

    init(_ request: HTTPRequest) {
        method = request.method
        target = request.target
        body = request.keyMember.map { JSONValue.object($0.rest).utf8() } ?? request.body
        conditions = ["If-None-Match", "If-Modified-Since", "If-Match", "Range"].map { request.fields[$0] }
    }
}

extension HTTPRequest {
    /// The value by which a server recognizes a request that it has processed already: of a header field such as
    /// Idempotency-Key, or of a member of the body such as `requestId`; `nil` without one.
    fileprivate var idempotencyKey: String? {
        if let field = fields.first(where: { $0.name.lowercased().contains("idempoten") }) { return field.value }
        return keyMember?.key
    }

    /// Returns whether the request has an ID of the other one by which a server may recognize it, in a header field such
    /// as PayPal-Request-Id or in a member of the body such as `client_msg_id`.
    fileprivate func carriesID(of other: HTTPRequest) -> Bool {
        if fields.contains(where: { RequestIDName.isID($0.name) && $0.value == other.fields[$0.name] }) { return true }
        guard body == other.body, let object = try? JSONParser().parse(body).root.object else { return false }
        return object.names.contains(where: RequestIDName.isID)
    }

    /// The key among the members of the body, and the other members; `nil` without one.
    fileprivate var keyMember: (key: String, rest: JSONObject)? {
        guard var object = try? JSONParser().parse(body).root.object else { return nil }
        guard let member = object.members.first(where: { RequestIDName.isKey($0.name) }) else { return nil }
        object[member.name] = nil
        return (member.value.text(), object)
    }
}

/// The names under which clients send an ID of their request.
private enum RequestIDName {
    /// Returns whether a member of a body is a key, which a client must not change when it sends the request again.
    static func isKey(_ name: String) -> Bool {
        let name = TokenNames.plain(name)
        return name.contains("idempoten") || ["requestid", "clientrequestid", "clienttoken"].contains(name)
    }

    /// Returns whether a server may recognize a request by an equal value; other values may be those of each attempt.
    static func isID(_ name: String) -> Bool {
        let name = TokenNames.plain(name.lowercased().hasPrefix("x-") ? String(name.dropFirst(2)) : name)
        let isOfClient = name.hasPrefix("client") && name != "clientid"
        return ["requestid", "messageid", "nonce", "dedup"].contains(where: name.contains)
            || isOfClient && ["id", "key", "ref", "reference"].contains(where: name.hasSuffix)
    }
}

extension Operation {
    /// A Boolean value that indicates whether its path says that it only reads, regardless of the method.
    fileprivate var isSearch: Bool {
        path.split(separator: "/").last.map { ["search", "query", "lookup"].contains($0.lowercased()) } ?? false
    }
}
