import Foundation

/// Sees to it that a place in a race is paid once, however often somebody taps.
actor RunwithUCheckout {
    /// What is paid, and in whose session.
    struct Place: Sendable, Hashable {
        var race: String
        /// The refresh token, which stays the same as long as the session does.
        var session: String
    }

    private enum State {
        case paying(Task<Outcome, Never>)
        /// The provider has the money, and the server has yet to say so.
        case unconfirmed(RunwithU.Payment)
        case paid(RunwithU.Receipt)
    }

    typealias Outcome = Result<RunwithU.Receipt, RunwithUError>

    private var states: [Place: State] = [:]

    /// The receipt for a place: the one that there is, or that of the payment under way, or of a new one.
    func receipt(
        for place: Place,
        pay: @escaping @Sendable () async throws(RunwithUError) -> RunwithU.Payment,
        confirm: @escaping @Sendable (RunwithU.Payment) async throws(RunwithUError) -> RunwithU.Receipt
    ) async -> Outcome {
        let earlier: RunwithU.Payment?
        switch states[place] {
        case .paying(let task): return await task.value
        case .paid(let receipt): return .success(receipt)
        case .unconfirmed(let payment): earlier = payment
        case nil: earlier = nil
        }
        let task = Task { await self.outcome(for: place, earlier, pay, confirm) }
        states[place] = .paying(task)
        return await task.value
    }

    private func outcome(
        for place: Place,
        _ earlier: RunwithU.Payment?,
        _ pay: @Sendable () async throws(RunwithUError) -> RunwithU.Payment,
        _ confirm: @Sendable (RunwithU.Payment) async throws(RunwithUError) -> RunwithU.Receipt
    ) async -> Outcome {
        let payment: RunwithU.Payment
        do throws(RunwithUError) {
            if let earlier { payment = earlier } else { payment = try await pay() }
        } catch {
            states[place] = nil
            return .failure(error)
        }
        do throws(RunwithUError) {
            let receipt = try await confirm(payment)
            states[place] = .paid(receipt)
            return .success(receipt)
        } catch {
            states[place] = error.refusesPayment ? nil : .unconfirmed(payment)
            return .failure(error)
        }
    }

    /// What the provider has taken and the server has yet to confirm, by the orders' numbers.
    var unconfirmed: [RunwithU.Payment] {
        states.values.compactMap { state in
            guard case .unconfirmed(let payment) = state else { return nil }
            return payment
        }.sorted { $0.orderNumber < $1.orderNumber }
    }

    /// Forgets a payment of which it is known what has become of it.
    func settle(_ payment: RunwithU.Payment) {
        states = states.filter { _, state in
            guard case .unconfirmed(payment) = state else { return true }
            return false
        }
    }

    /// A number for an order: short enough for every provider, another one for each tap, and nothing secret in it.
    static func orderNumber(at now: Date) -> String {
        let milliseconds = Int(now.timeIntervalSince1970 * 1000)
        return "ios_\(milliseconds)_\(String(UInt32.random(in: .min ... .max), radix: 36))"
    }
}

extension RunwithUError {
    /// Whether the server has looked at the payment and takes it for none.
    var refusesPayment: Bool {
        switch self {
        case .invalidRequest, .notFound: true
        default: false
        }
    }
}
