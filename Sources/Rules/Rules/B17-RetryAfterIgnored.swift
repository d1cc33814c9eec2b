import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// The client retries before the time in `Retry-After`.
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
        rule: .retryAfterIgnored,
        reason: "clients that retry too early keep an overloaded server down and are blocked",
        advice: "wait for the time in Retry-After before you send the request again",
        source: "RFC 9110, section 10.2.3; RFC 6585, section 4"
    )

    package static func findings(in history: TokenHistory) -> [RuleViolation] {
        var waits: [ExactText: (step: Step, wait: Duration, text: String)] = [:]
        return history.steps.compactMap { step in
            let caller = step.exchange.caller
            defer {
                if step.isReceived, let (wait, text) = step.exchange.requestedWait {
                    waits[caller] = (step, wait, text)
                }
            }
            guard let (asked, wait, text) = waits[caller],
                let (early, isUnclear) = step.pause(after: asked, within: wait)
            else { return nil }
            return RuleViolation(
                "\(step.exchange.subject) was sent \(DurationText.text(early)) after exchange \(asked.number), which had "
                    + "received status \(asked.status) with Retry-After: \(text)",
                [step, asked],
                isUnclear: isUnclear
            )
        }
    }
}

extension Exchange {
    /// The device, target and method that a delay applies to.
    fileprivate var caller: ExactText {
        ExactText(
            "\(self.device ?? "") \(self.origin ?? "") \(self.process ?? "") \(launch) \(request.method.rawValue) \(request.path)"
        )
    }

    /// The delay that the response demands of the client, and its words; `nil` for one that demands none, or that was
    /// a success anyway.
    fileprivate var requestedWait: (Duration, text: String)? {
        guard !hasSucceeded, let text = response.fields["Retry-After"],
            let delay = response.fields.retryDelay(at: time.seconds), delay > .zero
        else { return nil }
        return (delay, text)
    }
}

extension Step {
    /// The client's delay on the clock on which it waited longer, if that was too short.
    ///
    /// It is unclear where the server was late itself, so that the request may have been under way before.
    fileprivate func pause(after asked: Step, within wait: Duration) -> (Duration, isUnclear: Bool)? {
        // Moments may be coarse; on one connection a request follows the response before it.
        guard let end = asked.end, end < arrival || end == arrival && sharesConnection(with: asked) else { return nil }
        let waited = max(arrival.since(end), time - asked.time)
        guard waited + TimeLimit.timer.value < wait else { return nil }
        // Another request may have been under way; one that asks for the very same thing responds to the refusal, unless it
        // may be a copy that waited in the platform's pool.
        let following = asked.essence == essence ? .yes : follows(asked)
        let reaction = following.unless(waiting: mayHaveWaited(for: asked))
        return reaction == .no ? nil : (waited, reaction == .unclear)
    }
}
