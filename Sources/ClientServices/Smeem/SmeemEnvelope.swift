import Foundation

/// What every JSON answer that went well is wrapped in.
struct SmeemEnvelope<Value: Decodable>: Decodable {
    var data: Value

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SmeemEnvelopeKey.self)
        try container.requireSuccess()
        data = try container.decode(Value.self, forKey: .data)
    }
}

/// An answer that went well, of a server that leaves out what it has nothing to say about.
struct SmeemOptionalEnvelope<Value: Decodable>: Decodable {
    var data: Value?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SmeemEnvelopeKey.self)
        try container.requireSuccess()
        // Left out is one thing; null is another, which no server has ever sent.
        data = container.contains(.data) ? try container.decode(Value.self, forKey: .data) : nil
    }
}

/// An answer that went well and has nothing to tell, or nothing at all.
struct SmeemDone: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SmeemEnvelopeKey.self)
        try container.requireSuccess()
        guard try container.decodeNil(forKey: .data) else {
            throw DecodingError.dataCorruptedError(forKey: .data, in: container, debugDescription: "null is expected")
        }
    }
}

enum SmeemEnvelopeKey: String, CodingKey {
    case success
    case message
    case data
}

extension KeyedDecodingContainer<SmeemEnvelopeKey> {
    fileprivate func requireSuccess() throws {
        guard try decode(Bool.self, forKey: .success) else {
            throw DecodingError.dataCorruptedError(
                forKey: .success,
                in: self,
                debugDescription: "the status says that it went well, and the body that it did not"
            )
        }
        _ = try decode(String.self, forKey: .message)
    }
}
