import CommandLineInterface
import TestSupport
import Testing

@Suite struct `The option --lan` {
    @Test func `shows how a phone reaches the server`() throws {
        let addresses = ["192.168.1.23", "10.0.0.2", "172.17.0.1", "203.0.113.7"]
        let notice = LocalNetworkNotice(addresses, port: 9847, secret: "5ec2e7", isColoured: false)
        let page = "http://192.168.1.23:9847/__backlot/#token=5ec2e7"
        let code = try #require(QRCode(page)).lines(isColoured: false).joined(separator: "\n")
        #expect(
            notice.text == """
                On this network: http://192.168.1.23:9847, http://10.0.0.2:9847, http://172.17.0.1:9847
                Admin token: 5ec2e7   Commands here: export BACKLOT_ADMIN_TOKEN=5ec2e7
                Page for a phone: \(page)

                \(code)


                """
        )
    }

    @Test func `does not show a token that the user has named`() throws {
        let notice = LocalNetworkNotice(["10.0.0.2"], port: 80, secret: nil, isColoured: false)
        #expect(notice.text.contains("\nPage for a phone: http://10.0.0.2:80/__backlot/\n"))
        #expect(!notice.text.contains("oken"))
    }

    @Test func `makes another secret each time`() {
        let secrets = Set((0..<20).map { _ in LocalNetworkNotice.secret() })
        #expect(secrets.count == 20)
        #expect(secrets.allSatisfy { $0.utf8.count == 32 && UInt64($0.prefix(16), radix: 16) != nil })
    }

    @Test(.enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests"))
    func `excludes --host and an empty token`() async throws {
        let host = try await SpawnedCommand.run(["serve", "--lan", "--host", "127.0.0.1"])
        #expect(host.status == 2)
        #expect(host.errors.hasPrefix("error: --lan and --host cannot be combined; keep one\n"))
        let token = try await SpawnedCommand.run(["serve", "--lan", "--admin-token", ""])
        #expect(token.status == 2)
        #expect(token.errors.hasPrefix("error: --admin-token requires a secret, not an empty value\n"))
    }
}
