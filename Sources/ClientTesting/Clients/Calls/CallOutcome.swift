/// What came of asking a client.
package enum CallOutcome: Sendable {
    case value(CallValue)
    case failed(CallFailure)
    /// Nothing of the call is under way any more, and it has not ended.
    case hung
    /// It goes on and on.
    case looping
}

/// What a client has thrown.
package struct CallFailure: Sendable {
    /// As ``ClientAdapter/name(of:)`` calls it.
    package var name: String
    package var error: any Error
    /// The decoder's own error, where it has come from one.
    package var decoding: DecodingError?
}

extension CallOutcome: CustomStringConvertible {
    /// What tables call it.
    package var description: String {
        switch self {
        case .value: "value"
        case .failed(let failure): failure.name
        case .hung: "hang"
        case .looping: "loop"
        }
    }

    /// Whether the call has not ended.
    package var isEndless: Bool {
        switch self {
        case .hung, .looping: true
        case .value, .failed: false
        }
    }

    package var isValue: Bool {
        if case .value = self { true } else { false }
    }
}
