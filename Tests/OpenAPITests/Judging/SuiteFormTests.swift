import Basics
import HTTPCodec
import OpenAPI
import TestSupport
import Testing

/// Reads a real contract of very many forms; without the folder of test data there is none.
@Suite(.enabled(if: Suites.has("openapi"), "suites/openapi is not there; set BACKLOT_SUITES"))
struct `Forms of a real contract` {
    /// Loaded once, because it is large.
    private static let judge: ContractEvaluator? = {
        let file = "\(Suites.folder)/openapi/stripe/spec3.json"
        let files = DiskFiles()
        guard let project = ProjectRoot(enclosing: file, files: files) else { return nil }
        return (try? ContractLoader(files: files, project: project).load(file)).map(ContractEvaluator.init)
    }()

    private func parts(_ target: String, _ body: String) throws -> [String] {
        let judge = try #require(Self.judge)
        let fields: HTTPFields = [
            "Content-Type": "application/x-www-form-urlencoded", "Authorization": "Bearer sk_test",
        ]
        let request = HTTPRequest(method: .post, target: target, fields: fields, body: Array(body.utf8))
        let match = try #require(judge.contract.operation(.post, request.path))
        return judge.violations(of: request, for: match).map { "\($0.part)" }
    }

    @Test(arguments: [
        ("/v1/charges", "amount=2000&currency=usd&source=tok_visa&description=My+First"),
        ("/v1/charges", "amount=2000&currency=usd&metadata[order_id]=6735&expand[]=customer"),
        ("/v1/customers", "name=Jenny&email=j%40example.com&address[city]=Ulm&address[country]=DE&metadata="),
        ("/v1/customers", "invoice_settings[custom_fields][0][name]=a&invoice_settings[custom_fields][0][value]=b"),
        ("/v1/subscriptions", "customer=cus_1&items[0][price]=price_1&items[0][quantity]=2"),
        ("/v1/subscriptions", "customer=cus_1&items[][price]=price_1&items[][price]=price_2"),
        ("/v1/refunds", "charge=ch_1&amount=100"),
    ])
    func `are allowed`(target: String, body: String) throws {
        #expect(try parts(target, body) == [])
    }

    @Test(arguments: [
        ("/v1/charges", "amount=much&currency=usd", "body /amount"),
        ("/v1/subscriptions", "customer=cus_1&items[0][quantity]=two", "body /items/0/quantity"),
        ("/v1/customers", "name=Jenny&nickname=J", "body /nickname"),
        ("/v1/products", "active=true", "body"),
    ])
    func `are refused where a value is wrong`(target: String, body: String, part: String) throws {
        #expect(try parts(target, body).first == part)
    }
}
