package import HTTPCodec

extension Session {
    /// Notes what the contract does not allow in a response, and the message that takes the response's place.
    ///
    /// - Parameters:
    ///   - number: the exchange; one that the journal has dropped is skipped.
    ///   - replacement: what is sent instead; `nil` when the response is sent as it is.
    package mutating func note(
        _ violations: [Violation],
        of number: UInt64,
        replacement: HTTPResponse? = nil
    ) {
        journal.note(violations, of: number, replacement: replacement)
        // What the story had there was not sent.
        if replacement != nil { story.remove(number) }
    }
}

extension Problem {
    /// The tool's answer to an exchange, with the date of the response that it takes the place of.
    package func response(inPlaceOf response: HTTPResponse) -> HTTPResponse {
        var replacement = self.response
        if let date = response.fields["Date"] { replacement.fields.append("Date", date) }
        return replacement
    }
}
