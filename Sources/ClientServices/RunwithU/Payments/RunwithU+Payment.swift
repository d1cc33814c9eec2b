extension RunwithU {
    /// What the payment provider is asked for.
    public struct Order: Codable, Sendable, Hashable {
        /// The app's own number of the order: another one for each, and nothing secret in it.
        public var number: String
        /// The race that is paid.
        public var race: Post.ID
        /// The fee in won.
        public var amount: Int
        /// What the payer reads.
        public var name: String
        /// Who pays, by nickname.
        public var buyer: String?
    }

    /// What the payment provider's SDK says when its page closes.
    public struct ProviderResponse: Codable, Sendable, Hashable {
        /// Whether it was paid; providers may leave it open, which is no yes.
        public var isSuccess: Bool?
        /// The provider's id of the payment.
        public var paymentID: String?
        /// The number of the order that was paid.
        public var orderNumber: String?
        /// Why it was not paid, in the provider's words.
        public var message: String?

        /// An answer as the SDK gives it.
        public init(isSuccess: Bool?, paymentID: String?, orderNumber: String?, message: String? = nil) {
            self.isSuccess = isSuccess
            self.paymentID = paymentID
            self.orderNumber = orderNumber
            self.message = message
        }
    }

    /// Asks the user for money, as the provider's SDK does in its own page.
    public protocol PaymentProvider: Sendable {
        /// Has an order paid, and waits until the user is through with it.
        func pay(_ order: Order) async throws -> ProviderResponse
    }

    /// A payment that the provider has taken and the server has yet to check.
    public struct Payment: Codable, Sendable, Hashable {
        /// The provider's id of it.
        public var id: String
        /// The race that it is for.
        public var race: Post.ID
        /// The number of its order, by which its receipt is found.
        public var orderNumber: String

        /// A payment as the provider tells of it.
        public init(id: String, race: Post.ID, orderNumber: String) {
            self.id = id
            self.race = race
            self.orderNumber = orderNumber
        }
    }

    /// The server's word that a place in a race is paid.
    public struct Receipt: Codable, Sendable, Hashable, Identifiable {
        /// Who has paid.
        public var buyer: Runner.ID
        /// The race.
        public var race: Post.ID
        /// The number of the order.
        public var orderNumber: String
        /// What was paid for, in words.
        public var productName: String
        /// How much, in won.
        public var price: Int
        /// When.
        public var paidAt: Moment

        /// The number of the order.
        public var id: String { orderNumber }

        /// Whether it belongs to a payment.
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

/// What the server is asked about a payment.
struct RunwithUValidation: Encodable, Sendable {
    var paymentID: String
    var race: String

    private enum CodingKeys: String, CodingKey {
        case paymentID = "imp_uid"
        case race = "post_id"
    }
}
