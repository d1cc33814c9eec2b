import Basics

/// A request method, kept exactly as it was sent: methods are case-sensitive (RFC 9110, section 9.1).
package struct HTTPMethod: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static var get: HTTPMethod { HTTPMethod(rawValue: "GET") }
    package static var head: HTTPMethod { HTTPMethod(rawValue: "HEAD") }
    package static var post: HTTPMethod { HTTPMethod(rawValue: "POST") }
    package static var put: HTTPMethod { HTTPMethod(rawValue: "PUT") }
    package static var patch: HTTPMethod { HTTPMethod(rawValue: "PATCH") }
    package static var delete: HTTPMethod { HTTPMethod(rawValue: "DELETE") }
    package static var options: HTTPMethod { HTTPMethod(rawValue: "OPTIONS") }
    package static var trace: HTTPMethod { HTTPMethod(rawValue: "TRACE") }
    package static var connect: HTTPMethod { HTTPMethod(rawValue: "CONNECT") }

    /// A Boolean value that indicates whether the name is a token, the only valid start of a
    /// request line.
    package var isWellFormed: Bool {
        !rawValue.isEmpty && rawValue.utf8.allSatisfy(ByteClass.isToken)
    }
}

extension HTTPMethod {
    /// Without an allocation for the usual methods, whose names fit into a string's own words.
    init(bytes: UnsafeBufferPointer<UInt8>) {
        rawValue = String(decoding: bytes, as: UTF8.self)
    }
}

extension HTTPMethod: CustomStringConvertible {
    package var description: String { rawValue }
}
