import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// The client retries before the time that Retry-After names.
///
/// A client may wait on the machine's clock or on the story's: it is enough to have waited on one of them.
///
/// - Evidence: a request with the method and path of a failed one arrives before its `Retry-After` has passed on either
///   clock, the real or the virtual one.
/// - Excuses: the failed response was lost; the request was under way already or may have waited in the platform's
///   pool.
/// - Undecided: whether the request was sent before the response arrived, where the server noticed it late.
package enum RetryAfterIgnored: Rule {
    package static let profile = RuleProfile(
        .retryAfterIgnored,
        reason: "clients that retry too early keep an overloaded server down and get blocked",
        advice: "wait as long as Retry-After says before the request is sent again",
        source: "RFC 9110, section 10.2.3; RFC 6585, section 4"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var requestedWaits: [Caller: RequestedWait] = [:]
        var violations: [RuleViolation] = []
        for step in history.steps {
            let caller = Caller(step.exchange)
            if let requested = requestedWaits[caller], let (early, isUnclear) = requested.isIgnored(by: step) {
                let asked = requested.step
                violations.append(
                    RuleViolation(
                        "\(step.exchange.subject) was sent \(DurationText.text(early)) after exchange \(asked.number), which "
                            + "had got status \(asked.status) with Retry-After: \(requested.text)",
                        [step, asked],
                        device: step.device,
                        isUnclear: isUnclear
                    )
                )
            }
            if let requested = RequestedWait(step), step.isReceived { requestedWaits[caller] = requested }
        }
        return violations
    }

    /// Who asks for what, as far as waiting goes.
    private struct Caller: Hashable {
        var device: ExactText?
        var origin: ExactText?
        var launch: LaunchIdentity
        var method: HTTPMethod
        var path: ExactText

        init(_ exchange: Exchange) {
            (device, origin) = (exchange.device.map(ExactText.init), exchange.origin.map(ExactText.init))
            launch = exchange.launchIdentity
            (method, path) = (exchange.request.method, ExactText(exchange.request.path))
        }
    }

    /// What a response asks for.
    private struct RequestedWait {
        var step: Step
        var wait: Duration
        var text: String

        /// - Returns: `nil` for a response that asks for nothing, or that was a success anyway.
        init?(_ step: Step) {
            guard
                !step.exchange.hasSucceeded, let text = step.exchange.response.fields["Retry-After"],
                let wait = Self.wait(text, in: step.exchange), wait > .zero
            else { return nil }
            (self.step, self.wait, self.text) = (step, wait, text)
        }

        private static func wait(_ text: String, in exchange: Exchange) -> Duration? {
            if 1...9 ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
                return Int(text).map { .seconds($0) }
            }
            // A date is one of the server's clock, as its Date header shows it.
            let now = exchange.response.fields["Date"].flatMap { HTTPDate.parse($0) } ?? exchange.time.seconds
            return HTTPDate.parse(text, now: now).map { .seconds($0 - now) }
        }

        /// How long the client has waited on the clock on which it waited longer, where that was too short.
        ///
        /// It is unclear where the server was late itself, so that the request may have been under way before.
        func isIgnored(by request: Step) -> (waited: Duration, isUnclear: Bool)? {
            // Moments may be coarse; on one connection a request follows the response before it.
            guard let end = step.end,
                end < request.arrival || end == request.arrival && request.sharesConnection(with: step)
            else { return nil }
            let waited = max(request.arrival.since(end), request.time - step.time)
            guard waited + TimeLimit.timer.value < wait else { return nil }
            // Another request may have been under way; one that asks for the very same thing responds to the refusal,
            // unless it may be a copy that waited in the platform's pool.
            let following = step.essence == request.essence ? .yes : request.follows(step)
            let waiting = request.mayHaveWaited(for: step)
            guard following != .no, waiting != .yes else { return nil }
            return (waited, following == .unclear || waiting == .unclear)
        }
    }
}
