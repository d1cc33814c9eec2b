import ClientServices
import Foundation
import Testing

@Suite struct `RunwithU's payments` {
    private func race() throws -> RunwithU.Race {
        let text = RunwithUBench.post("race", namespace: .races, content1: "2024-09-29", content3: "50000")
        let post = try JSONDecoder().decode(RunwithU.Post.self, from: Data(text.utf8))
        return try #require(RunwithU.Race(post))
    }

    private static func receipt(_ number: String) -> String {
        #"{"buyer_id":"u1","post_id":"race","merchant_uid":"\#(number)","productName":"p","price":50000,"#
            + #""paidAt":"2024-09-07T06:20:11.000Z"}"#
    }

    /// A server that knows every order of a provider.
    private func bench(
        _ provider: Provider,
        _ validation: @escaping @Sendable (_ order: String, _ count: Int) -> StubServer.Answer
    ) throws -> RunwithUBench {
        try RunwithUBench { request, number in
            let order = await provider.orders.last?.number ?? ""
            guard request.line == "GET /v1/payments/me" else { return validation(order, number) }
            return .response(200, #"{"data":[\#(Self.receipt(order))]}"#)
        }
    }

    @Test func `are made once for two taps, under one number without the key`() async throws {
        let provider = Provider()
        let bench = try bench(provider) { order, _ in .response(200, Self.receipt(order)) }
        let race = try race()
        async let first = bench.service.pay(for: race, through: provider)
        async let second = bench.service.pay(for: race, through: provider)
        #expect(try await first == second)
        #expect(try await bench.service.pay(for: race, through: provider) == first)
        let orders = await provider.orders
        #expect(orders.count == 1)
        #expect(orders.first?.amount == 50000)
        #expect(orders.first?.number.hasPrefix("ios_") == true)
        #expect(orders.first?.number.contains("key") == false)
        #expect(await bench.server.lines == ["POST /v1/payments/validation"])
    }

    @Test func `have another number for each attempt`() async throws {
        let provider = Provider(isSuccess: false)
        let bench = try bench(provider) { order, _ in .response(200, Self.receipt(order)) }
        let race = try race()
        for _ in 1...2 {
            await #expect(throws: RunwithUError.refused(.paymentFailed("no"))) {
                try await bench.service.pay(for: race, through: provider)
            }
        }
        #expect(Set(await provider.orders.map(\.number)).count == 2)
        #expect(await bench.server.requests.isEmpty)
    }

    @Test func `are found among the receipts when the answer is lost`() async throws {
        let provider = Provider()
        let bench = try bench(provider) { _, _ in .failure(.connectionLost) }
        let receipt = try await bench.service.pay(for: race(), through: provider)
        #expect(receipt.orderNumber == (await provider.orders.first?.number))
        #expect(await bench.server.lines == ["POST /v1/payments/validation", "GET /v1/payments/me"])
    }

    @Test func `are found among the receipts when they were checked before`() async throws {
        let provider = Provider()
        let bench = try bench(provider) { _, _ in .refusal(409) }
        #expect(try await bench.service.pay(for: race(), through: provider).price == 50000)
        #expect(await bench.server.lines == ["POST /v1/payments/validation", "GET /v1/payments/me"])
    }

    @Test func `are checked again when the server has not kept the first time`() async throws {
        let bench = try RunwithUBench { request, number in
            if request.line == "GET /v1/payments/me" { return .response(200, #"{"data":[]}"#) }
            if number == 1 { return .failure(.timedOut) }
            return .response(200, Self.receipt("ios_1"))
        }
        let payment = RunwithU.Payment(id: "imp_1", race: "race", orderNumber: "ios_1")
        #expect(try await bench.service.confirm(payment).orderNumber == "ios_1")
        #expect(await bench.server.count(beginning: "POST") == 2)
    }

    @Test func `are not paid when the receipts are somebody else's`() async throws {
        let bench = try RunwithUBench { request, _ in
            request.line == "GET /v1/payments/me"
                ? .response(200, #"{"data":[\#(Self.receipt("ios_2"))]}"#) : .refusal(409, "m")
        }
        await #expect(throws: RunwithUError.refused(.paymentUnconfirmed(message: "m"))) {
            try await bench.service.confirm(RunwithU.Payment(id: "imp_1", race: "race", orderNumber: "ios_1"))
        }
    }

    @Test(arguments: [
        (400, RunwithUError.refused(.invalidRequest(message: "m"))), (410, .refused(.notFound(message: "m"))),
    ])
    func `are not paid when the server refuses them, and can be made anew`(
        status: Int,
        error: RunwithUError
    ) async throws {
        let provider = Provider()
        let bench = try bench(provider) { _, _ in .refusal(status, "m") }
        let race = try race()
        for _ in 1...2 {
            await #expect(throws: error) { try await bench.service.pay(for: race, through: provider) }
        }
        #expect(await provider.orders.count == 2)
        #expect(await bench.server.lines == ["POST /v1/payments/validation", "POST /v1/payments/validation"])
    }

    @Test func `are confirmed by the next tap when nobody could do so before`() async throws {
        let provider = Provider()
        let bench = try bench(provider) { order, number in
            if number == 1 { return .failure(.unreachable) }
            return .response(200, Self.receipt(order))
        }
        let race = try race()
        await #expect(throws: RunwithUError.transport(.unreachable)) {
            try await bench.service.pay(for: race, through: provider)
        }
        #expect(try await bench.service.pay(for: race, through: provider).price == 50000)
        #expect(await provider.orders.count == 1)
        #expect(await bench.service.unconfirmedPayments.isEmpty)
    }

    @Test func `outlive the session in which nobody could confirm them`() async throws {
        let provider = Provider()
        let bench = try RunwithUBench { request, _ in
            switch (request.line, request.access) {
            case ("POST /v1/users/login", _): return nil
            case ("GET /v1/auth/refresh", _): return .refusal(418)
            case (_, "A9"): return .response(200, Self.receipt(await provider.orders.last?.number ?? ""))
            default: return .refusal(419)
            }
        }
        let race = try race()
        await #expect(throws: RunwithUError.sessionEnded(.expired)) {
            try await bench.service.pay(for: race, through: provider)
        }
        let kept = await bench.service.unconfirmedPayments
        #expect(kept.map(\.id) == ["imp_1"])
        try await bench.service.signInAgain()
        for payment in kept { #expect(try await bench.service.confirm(payment).isOf(payment)) }
        #expect(await bench.service.unconfirmedPayments.isEmpty)
        #expect(await provider.orders.count == 1)
    }
}

/// A payment provider's SDK.
private actor Provider: RunwithU.PaymentProvider {
    let isSuccess: Bool
    private(set) var orders: [RunwithU.Order] = []

    init(isSuccess: Bool = true) {
        self.isSuccess = isSuccess
    }

    func pay(_ order: RunwithU.Order) async throws -> RunwithU.ProviderResponse {
        orders.append(order)
        return RunwithU.ProviderResponse(
            isSuccess: isSuccess,
            paymentID: isSuccess ? "imp_\(orders.count)" : nil,
            orderNumber: order.number,
            message: isSuccess ? nil : "no"
        )
    }
}
