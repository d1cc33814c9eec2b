import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The token in a part of a request.
enum PresentedToken {
    case text(String)
    /// The part contains no text that can be a token: it is missing or malformed.
    case none(TokenStanding)

    /// The first token in several parts of a request; a malformed part counts only if no other part contains a token.
    static func first(of found: [PresentedToken]) -> PresentedToken {
        let text = found.first { if case .text = $0 { true } else { false } }
        let malformed = found.first { if case .none(.malformed) = $0 { true } else { false } }
        return text ?? malformed ?? .none(.missing)
    }
}

extension TokenCarrier {
    func look(into request: inout RequestView) -> PresentedToken {
        if case .header(let name) = part, let scheme {
            guard let value = request.request.fields.bytes(of: name), !value.isEmpty else { return .none(.missing) }
            guard request.count(of: part) == 1 else { return .none(.malformed) }
            return isExact
                ? Self.credentials(in: value, afterPrefix: scheme) : Self.credentials(in: value, scheme: scheme)
        }
        guard let value = request.value(of: part), !value.isNull, value.string?.isEmpty != true else {
            return .none(request.hasBroken(part) ? .malformed : .missing)
        }
        guard let text = value.string, request.count(of: part) == 1 else { return .none(.malformed) }
        return .text(text)
    }

    /// The text after a scheme, which is compared without regard to case (RFC 9110, section 11.1).
    private static func credentials(in value: ArraySlice<UInt8>, scheme: String) -> PresentedToken {
        let length = scheme.utf8.count
        guard
            value.count > length + 1,
            zip(value, scheme.utf8).allSatisfy({ $0 == $1 || $0.isLetter && $0 ^ $1 == 0x20 }),
            value[value.startIndex + length] == UInt8(ascii: " ")
        else { return .none(.malformed) }
        let token = value.dropFirst(length).drop { $0 == UInt8(ascii: " ") }
        return token.isEmpty ? .none(.malformed) : .text(String(decoding: token, as: UTF8.self))
    }

    /// The text after a scheme and one space, as for a server that compares only this prefix.
    private static func credentials(in value: ArraySlice<UInt8>, afterPrefix scheme: String) -> PresentedToken {
        let space = UInt8(ascii: " ")
        let rest = value.dropFirst(scheme.utf8.count)
        guard value.starts(with: scheme.utf8), rest.first == space, let first = rest.dropFirst().first, first != space
        else { return .none(.malformed) }
        return .text(String(decoding: rest.dropFirst(), as: UTF8.self))
    }
}

extension UInt8 {
    /// A Boolean value that indicates whether it is an ASCII letter.
    fileprivate var isLetter: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
    }
}
