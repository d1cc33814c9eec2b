import Foundation

extension RunwithUService {
    /// Pays for a place in a race and has the server check it.
    ///
    /// Further taps wait for the same payment. A payment that the provider has taken, and that the
    /// server could not confirm yet, is confirmed by the next attempt, instead of being made twice.
    ///
    /// - Parameters:
    ///   - race: the race, which has to name a fee.
    ///   - buyer: who pays, by nickname.
    ///   - provider: the payment provider's SDK.
    /// - Returns: the receipt; without one the place is not paid.
    /// - Throws: ``RunwithUError/paymentFailed(_:)`` when the provider says that nothing was paid, and what
    ///   ``confirm(_:)`` throws.
    public func pay(
        for race: RunwithU.Race,
        as buyer: String? = nil,
        through provider: some RunwithU.PaymentProvider
    ) async throws(RunwithUError) -> RunwithU.Receipt {
        guard let fee = race.fee, fee > 0 else { throw .unsendable("the race names no fee") }
        guard let tokens = try await tokens() else { throw .signedOut }
        let desk = RunwithUCheckout.Place(race: race.id, session: tokens.refresh)
        let order = RunwithU.Order(
            number: RunwithUCheckout.orderNumber(at: client.clock.now),
            race: race.id,
            amount: fee,
            name: "\(race.post.title ?? "") 참가신청",
            buyer: buyer
        )
        return try await checkout.receipt(for: desk) { () async throws(RunwithUError) in
            try await payment(of: order, through: provider)
        } confirm: { payment async throws(RunwithUError) in
            try await receipt(for: payment)
        }.get()
    }

    /// Payments that the provider has accepted and that are not confirmed yet, also after the session has ended.
    ///
    /// Keep these where they outlive the app, and ``confirm(_:)`` them when a user is signed in again.
    public var unconfirmedPayments: [RunwithU.Payment] {
        get async { await checkout.unconfirmed }
    }

    private func payment(
        of order: RunwithU.Order,
        through provider: some RunwithU.PaymentProvider
    ) async throws(RunwithUError) -> RunwithU.Payment {
        let answer: RunwithU.ProviderResponse
        do {
            answer = try await provider.pay(order)
        } catch {
            throw .paymentFailed("\(error)")
        }
        guard answer.isSuccess == true else { throw .paymentFailed(answer.message) }
        guard let id = answer.paymentID, !id.isEmpty, answer.orderNumber ?? order.number == order.number else {
            throw .paymentUnconfirmed(message: answer.message)
        }
        return RunwithU.Payment(id: id, race: order.race, orderNumber: order.number)
    }

    /// Has the server check a payment once, and finds out the result when the response does not come.
    ///
    /// - Throws: ``RunwithUError/invalidRequest(message:)`` when the payment was taken back,
    ///   ``RunwithUError/notFound(message:)`` when there is no such race any more, and
    ///   ``RunwithUError/paymentUnconfirmed(message:)`` when the server calls it checked and shows no receipt.
    public func confirm(_ payment: RunwithU.Payment) async throws(RunwithUError) -> RunwithU.Receipt {
        do {
            let receipt = try await receipt(for: payment)
            await checkout.settle(payment)
            return receipt
        } catch {
            if error.refusesPayment { await checkout.settle(payment) }
            throw error
        }
    }

    private func receipt(for payment: RunwithU.Payment) async throws(RunwithUError) -> RunwithU.Receipt {
        do {
            return try await validate(payment)
        } catch {
            if case .alreadyDone(let message) = error { return try await receipt(of: payment, message) }
            guard error.leavesPaymentOpen else { throw error }
            if let receipt = try await receipt(of: payment) { return receipt }
        }
        // The server has not kept it, so it can be asked once more.
        do {
            return try await validate(payment)
        } catch {
            guard case .alreadyDone(let message) = error else { throw error }
            return try await receipt(of: payment, message)
        }
    }

    /// Has the server check a payment, and takes its first response for the last.
    ///
    /// Prefer ``confirm(_:)``, which knows what to do when the response is lost or it was checked before.
    public func validate(_ payment: RunwithU.Payment) async throws(RunwithUError) -> RunwithU.Receipt {
        let validation = RunwithUValidation(paymentID: payment.id, race: payment.race)
        return try await ask(.json(.post, "v1", "payments", "validation", body: .json(validation)))
    }

    /// The purchases of the user.
    public func myReceipts() async throws(RunwithUError) -> [RunwithU.Receipt] {
        let receipts: RunwithUList<RunwithU.Receipt> = try await ask(.json(.get, "v1", "payments", "me"))
        return receipts.data
    }

    private func receipt(of payment: RunwithU.Payment) async throws(RunwithUError) -> RunwithU.Receipt? {
        try await myReceipts().first { $0.isOf(payment) }
    }

    private func receipt(
        of payment: RunwithU.Payment,
        _ message: String?
    ) async throws(RunwithUError) -> RunwithU.Receipt {
        guard let receipt = try await receipt(of: payment) else { throw .paymentUnconfirmed(message: message) }
        return receipt
    }
}

extension RunwithUError {
    /// A Boolean value that indicates whether the server may have kept a receipt although it did not say so.
    fileprivate var leavesPaymentOpen: Bool {
        switch self {
        case .transport(.cancelled): false
        case .server: true
        default: leavesDoubt
        }
    }
}
