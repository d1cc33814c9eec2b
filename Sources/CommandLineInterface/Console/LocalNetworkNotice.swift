/// The notice of `serve --lan`: how another machine of the network reaches the server.
package struct LocalNetworkNotice {
    package let text: String

    /// - Parameters:
    ///   - addresses: the addresses of this machine, at least one.
    ///   - isSecure: whether the server prefers TLS.
    ///   - secret: the admin token that was made for this start; `nil` where the user has named one, which is not printed.
    package init(_ addresses: [String], port: UInt16, isSecure: Bool = false, secret: String?, isColoured: Bool) {
        let urls = addresses.prefix(3).map { "\(isSecure ? "https" : "http")://\($0):\(port)" }
        var lines = ["On this network: \(urls.joined(separator: ", "))"]
        if let secret { lines.append("Admin token: \(secret)   Commands here: export BACKLOT_ADMIN_TOKEN=\(secret)") }
        let page = "\(urls.first ?? "")/__backlot/" + (secret.map { "#token=\($0)" } ?? "")
        if let code = QRCode(page) {
            lines += ["Page for a phone: \(page)", ""] + code.lines(isColoured: isColoured)
        }
        text = lines.map { $0 + "\n" }.joined() + "\n"
    }

    /// A secret of 128 random bits in hexadecimal digits.
    package static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 8 - digits.utf8.count) + digits
        }.joined()
    }
}
