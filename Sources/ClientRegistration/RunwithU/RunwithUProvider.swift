import ClientServices
import Foundation

/// The payment provider's SDK, as the app sees it: it takes an order, and says how it went.
struct RunwithUProvider: RunwithU.PaymentProvider {
    let url: String
    let transport: any Transport

    func pay(_ order: RunwithU.Order) async throws -> RunwithU.ProviderResponse {
        guard let url = URL(string: url + "/payments") else { throw URLError(.badURL) }
        let form = Form(merchantUID: order.number, amount: String(order.amount), name: order.name)
        let request = TransportRequest(
            .post,
            url,
            fields: ["Content-Type": "application/json"],
            body: try JSONEncoder().encode(form)
        )
        let answer = try JSONDecoder().decode(Answer.self, from: try await transport.send(request).body)
        return RunwithU.ProviderResponse(
            isSuccess: answer.success,
            paymentID: answer.imp_uid,
            orderNumber: answer.merchant_uid,
            message: answer.error_msg
        )
    }

    private struct Form: Encodable {
        var merchantUID: String
        var amount: String
        var method = "card"
        var name: String

        enum CodingKeys: String, CodingKey {
            case merchantUID = "merchant_uid"
            case amount
            case method = "pay_method"
            case name
        }
    }

    /// The members bear the SDK's own names.
    private struct Answer: Decodable {
        var success: Bool?
        var imp_uid: String?
        var merchant_uid: String?
        var error_msg: String?
    }
}
