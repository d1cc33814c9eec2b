import Foundation

extension RunwithUService {
    /// Pays for a race and has the server validate the payment.
    ///
    /// Repeated taps wait for the same payment. If the provider has accepted a payment that the server could not
    /// confirm, the next attempt confirms that payment instead of making another payment.
    ///
    /// - Parameters:
    ///   - race: The race, which must have a fee.
    ///   - buyer: The payer's nickname.
    ///   - provider: The payment provider's SDK.
    /// - Returns: The receipt, which confirms the payment.
    /// - Throws: ``RunwithU/Reason/paymentFailed(_:)`` if the provider reports that nothing was paid, or an error that
    ///   ``confirm(_:)`` throws.
    public func pay(
        for race: RunwithU.Race,
        as buyer: String? = nil,
        through provider: some RunwithU.PaymentProvider
    ) async throws(RunwithUError) -> RunwithU.Receipt {
        guard let fee = race.fee, fee > 0 else { throw .unsendable("the race does not have a fee") }
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

    /// The payments that the provider has accepted but the server has not confirmed yet, including payments from ended
    /// sessions.
    ///
    /// Store these payments persistently, and call ``confirm(_:)`` for each payment after the user has signed in again.
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
            throw .refused(.paymentFailed("\(error)"))
        }
        guard answer.isSuccess == true else { throw .refused(.paymentFailed(answer.message)) }
        guard let id = answer.paymentID, !id.isEmpty, answer.orderNumber ?? order.number == order.number else {
            throw .refused(.paymentUnconfirmed(message: answer.message))
        }
        return RunwithU.Payment(id: id, race: order.race, orderNumber: order.number)
    }

    /// Has the server validate a payment once, and determines the result if the response is lost.
    ///
    /// - Throws: ``RunwithU/Reason/invalidRequest(message:)`` if the payment was canceled,
    ///   ``RunwithU/Reason/notFound(message:)`` if the race no longer exists, or
    ///   ``RunwithU/Reason/paymentUnconfirmed(message:)`` if the server reports that it has validated the payment but
    ///   does not return a receipt.
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
            if case .refused(.alreadyDone(let message)) = error { return try await receipt(of: payment, message) }
            guard error.leavesPaymentOpen else { throw error }
            if let receipt = try await receipt(of: payment) { return receipt }
        }
        // The server has not kept it, so it can be asked once more.
        do {
            return try await validate(payment)
        } catch {
            guard case .refused(.alreadyDone(let message)) = error else { throw error }
            return try await receipt(of: payment, message)
        }
    }

    /// Has the server validate a payment and accepts the first response as final.
    ///
    /// Prefer ``confirm(_:)``, which also handles lost responses and payments that were already validated.
    public func validate(_ payment: RunwithU.Payment) async throws(RunwithUError) -> RunwithU.Receipt {
        let validation = RunwithUValidation(paymentID: payment.id, race: payment.race)
        return try await ask(.json(.post, "v1", "payments", "validation", body: .json(validation)))
    }

    /// Returns the signed-in user's receipts.
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
        guard let receipt = try await receipt(of: payment) else {
            throw .refused(.paymentUnconfirmed(message: message))
        }
        return receipt
    }
}

extension RunwithUError {
    /// A Boolean value that indicates whether the server may have kept a receipt although it did not say so.
    fileprivate var leavesPaymentOpen: Bool {
        switch self {
        case .transport(.cancelled): false
        case .refused(.server): true
        default: leavesDoubt
        }
    }
}
