package import Basics
package import ScenarioFormat

/// A TLS handshake that failed, or after which the client sent no request.
package struct FailedHandshake: Sendable, Hashable {
    /// The name of the client's alert (RFC 8446, section 6), `closed`, `timeout`, `unused`, or the library's words.
    package var reason = ""
    /// A Boolean value that indicates whether the alert is about the certificate.
    package var isRejection = false
    /// A Boolean value that indicates whether the scenario's TLS was flawed, so that a correct client rejects it.
    package var isPlanned = false
    /// The time on the session's clock.
    package var time = VirtualTime(seconds: 0)
    /// The time on the machine's clock.
    package var moment = MonotonicTime(nanoseconds: 0)
    /// The number of the newest exchange at that moment; zero before the first.
    package var afterExchange: UInt64 = 0
    package var launch = 1
    /// The process of the client, if several share the session.
    package var process: String?

    package init(_ reason: String = "", isRejection: Bool = false, process: String? = nil) {
        (self.reason, self.isRejection, self.process) = (reason, isRejection, process)
    }
}

extension FailedHandshake {
    /// A Boolean value that indicates whether the handshake was completed, but no request followed.
    package var isUnused: Bool { reason == "unused" }

    /// A sentence without a capital letter and a full stop.
    package var words: String {
        if isRejection { return "the client rejected the certificate (\(reason))" }
        return isUnused
            ? "the client closed a TLS connection without a request" : "a TLS handshake failed (\(reason))"
    }
}

extension FailedHandshake: RecordedObject {
    package init() { self.init("") }

    package mutating func list(in form: inout RecordedForm) {
        form.member("reason", &reason)
        form.member("rejected", &isRejection, or: false)
        form.member("planned", &isPlanned, or: false)
        form.member("time", &time)
        form.member("milliseconds", &moment)
        form.member("afterExchange", &afterExchange)
        form.member("launch", &launch)
        form.member("process", &process)
    }
}
