import HTTPCodec

/// What a response parser made of some bytes that answer GET requests, the end of the connection included.
struct ResponseTranscript: Equatable {
    var interim: [HTTPReceivedResponse] = []
    var responses: [HTTPReceivedResponse] = []
    var error: HTTPResponseError?
    var partial: HTTPReceivedResponse?

    static func == (left: ResponseTranscript, right: ResponseTranscript) -> Bool {
        // How much of some garbage was at hand when it was seen does depend on the cuts.
        switch (left.error, right.error) {
        case (.notHTTP, .notHTTP), (.unexpectedBytes, .unexpectedBytes): break
        default: guard left.error == right.error else { return false }
        }
        return left.responses == right.responses && left.interim == right.interim && left.partial == right.partial
    }

    init(
        _ bytes: [UInt8],
        pieces: [Int] = [],
        answering methods: [HTTPMethod] = [.get, .get],
        limits: HTTPLimits = .standard
    ) {
        var parser = HTTPResponseParser(limits: limits)
        for method in methods { parser.expectResponse(to: method) }
        var input = InputBuffer()
        var rest = bytes[...]
        var turn = 0
        while !rest.isEmpty, error == nil {
            let length = pieces.isEmpty ? rest.count : max(1, pieces[min(turn, pieces.count - 1)])
            turn += 1
            input.append(rest.prefix(length))
            rest = rest.dropFirst(length)
            steps: while true {
                let step = parser.next(&input)
                note(step)
                switch step {
                case .needsMoreBytes, .failed: break steps
                default: continue
                }
            }
        }
        if error == nil {
            partial = parser.partial
            if let step = parser.endOfStream(&input) { note(step) }
        }
    }

    private mutating func note(_ step: HTTPResponseParser.Step) {
        switch step {
        case .needsMoreBytes, .head: break
        case .interim(let response): interim.append(response)
        case .complete(let response): responses.append(response)
        case .failed(let error): self.error = error
        }
    }
}
