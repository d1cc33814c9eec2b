import Foundation

/// Ensures that a place in a race is paid once, however often the user taps.
actor RunwithUCheckout {
    /// The purchase and its session.
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

    /// The payments that the provider accepted and the server has not confirmed yet, by order number.
    var unconfirmed: [RunwithU.Payment] {
        states.values.compactMap { state in
            guard case .unconfirmed(let payment) = state else { return nil }
            return payment
        }.sorted { $0.orderNumber < $1.orderNumber }
    }

    /// Forgets a payment whose result is known.
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
    /// A Boolean value that indicates whether the server has looked at the payment and takes it for none.
    var refusesPayment: Bool {
        switch self {
        case .refused(.invalidRequest), .refused(.notFound): true
        default: false
        }
    }
}

extension RunwithU {
    /// An order for the payment provider.
    public struct Order: Codable, Sendable, Hashable {
        /// The unique order number, which the app assigns and which does not contain secrets.
        public var number: String
        /// The race's ID.
        public var race: Post.ID
        /// The fee in Korean won.
        public var amount: Int
        /// The order description that the payer sees.
        public var name: String
        /// The payer's nickname.
        public var buyer: String?
    }

    /// The result that the payment provider's SDK returns when its payment page closes.
    public struct ProviderResponse: Codable, Sendable, Hashable {
        /// A Boolean value that indicates whether the order was paid, or `nil` if the provider does not know.
        ///
        /// A value of `nil` counts as not paid.
        public var isSuccess: Bool?
        /// The provider's payment ID.
        public var paymentID: String?
        /// The order number.
        public var orderNumber: String?
        /// The provider's reason for an unsuccessful payment.
        public var message: String?

        /// Creates a response with the SDK's values.
        public init(isSuccess: Bool?, paymentID: String?, orderNumber: String?, message: String? = nil) {
            self.isSuccess = isSuccess
            self.paymentID = paymentID
            self.orderNumber = orderNumber
            self.message = message
        }
    }

    /// A payment provider, usually an SDK that shows its own payment page.
    public protocol PaymentProvider: Sendable {
        /// Requests payment for an order and waits until the user has finished.
        func pay(_ order: Order) async throws -> ProviderResponse
    }

    /// A payment that the provider has accepted but the server has not validated yet.
    public struct Payment: Codable, Sendable, Hashable {
        /// The provider's payment ID.
        public var id: String
        /// The race's ID.
        public var race: Post.ID
        /// The order number, which identifies the receipt.
        public var orderNumber: String

        /// Creates a payment with the provider's values.
        public init(id: String, race: Post.ID, orderNumber: String) {
            self.id = id
            self.race = race
            self.orderNumber = orderNumber
        }
    }

    /// The server's confirmation of a payment.
    public struct Receipt: Codable, Sendable, Hashable, Identifiable {
        /// The payer's ID.
        public var buyer: Runner.ID
        /// The race's ID.
        public var race: Post.ID
        /// The order number.
        public var orderNumber: String
        /// The purchase description.
        public var productName: String
        /// The amount in Korean won.
        public var price: Int
        /// The payment time.
        public var paidAt: Moment

        /// The order number.
        public var id: String { orderNumber }

        /// Returns a Boolean value that indicates whether the receipt belongs to a payment.
        public func isOf(_ payment: Payment) -> Bool {
            orderNumber == payment.orderNumber && race == payment.race
        }

        private enum CodingKeys: String, CodingKey {
            case buyer = "buyer_id"
            case race = "post_id"
            case orderNumber = "merchant_uid"
            case productName
            case price
            case paidAt
        }
    }
}

/// A request to verify a payment.
struct RunwithUValidation: Encodable, Sendable {
    var paymentID: String
    var race: String

    private enum CodingKeys: String, CodingKey {
        case paymentID = "imp_uid"
        case race = "post_id"
    }
}
