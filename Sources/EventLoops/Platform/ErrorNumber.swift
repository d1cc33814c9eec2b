#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The kernel's reason for refusing a call, as `errno` gives it.
package struct ErrorNumber: Error, Sendable, Hashable {
    package var rawValue: Int32

    package static let addressFamilyNotSupported = ErrorNumber(rawValue: EAFNOSUPPORT)
    package static let addressInUse = ErrorNumber(rawValue: EADDRINUSE)
    package static let addressNotAvailable = ErrorNumber(rawValue: EADDRNOTAVAIL)
    package static let brokenPipe = ErrorNumber(rawValue: EPIPE)
    package static let connectionAborted = ErrorNumber(rawValue: ECONNABORTED)
    package static let connectionRefused = ErrorNumber(rawValue: ECONNREFUSED)
    package static let connectionReset = ErrorNumber(rawValue: ECONNRESET)
    package static let invalidArgument = ErrorNumber(rawValue: EINVAL)
    package static let noSpace = ErrorNumber(rawValue: ENOSPC)
    package static let noSuchFile = ErrorNumber(rawValue: ENOENT)
    package static let notAProgram = ErrorNumber(rawValue: ENOEXEC)
    package static let notPermitted = ErrorNumber(rawValue: EACCES)
    package static let processFileLimit = ErrorNumber(rawValue: EMFILE)
    package static let systemFileLimit = ErrorNumber(rawValue: ENFILE)
    package static let noBufferSpace = ErrorNumber(rawValue: ENOBUFS)
    package static let noMemory = ErrorNumber(rawValue: ENOMEM)
    package static let timedOut = ErrorNumber(rawValue: ETIMEDOUT)

    /// A Boolean value that indicates whether the machine does not support this protocol or has no such address, as
    /// opposed to not now.
    package var meansNoSuchAddress: Bool {
        self == .addressFamilyNotSupported || self == .addressNotAvailable || rawValue == EPROTONOSUPPORT
    }

    /// A Boolean value that indicates whether something ran out that other connections will give back: worth waiting
    /// for, not worth ending for.
    package var meansExhaustion: Bool {
        [.processFileLimit, .systemFileLimit, .noBufferSpace, .noMemory].contains(self)
    }

    var meansWouldBlock: Bool { rawValue == EAGAIN || rawValue == EWOULDBLOCK }

    var meansInterrupted: Bool { rawValue == EINTR }

    /// Errors that Linux and the BSDs pass from a fresh connection to `accept`: that connection is lost, no more.
    var concernsOneConnection: Bool {
        let codes = [
            ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH, EPERM,
            ETIMEDOUT,
        ]
        return codes.contains(rawValue)
    }
}

extension ErrorNumber: CustomStringConvertible {
    package var description: String { String(cString: strerror(rawValue)) }
}

/// A system call that failed, and why.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The call's name, such as `bind`.
    package var call: String
    package var number: ErrorNumber

    package init(_ call: String, _ number: ErrorNumber) {
        self.call = call
        self.number = number
    }

    package var description: String { "\(call): \(number)" }
}
