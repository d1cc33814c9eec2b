import Basics
import HTTPCodec
import HTTPServing

/// The page on which a browser shows the running server.
///
/// One document of a few files, which are compiled in. It holds nothing of any session; its script asks the admin API
/// for that, from the same origin and under the rules of ``AdminAccess``. What comes from clients becomes text nodes and
/// never markup, and the browser enforces it: it runs only what has the response's nonce, and gives the script no way to
/// turn text into code (Content Security Policy Level 3, section 6; Trusted Types, section 4).
enum LivePage {
    /// Returns whether the index of the API is asked for by a browser that shows pages.
    static func answers(_ request: HTTPRequest) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        guard request.path.split(separator: "/").count == 1 else { return false }
        return request.fields.values(of: "Accept").contains { accepted in
            accepted.split(separator: ",").contains { MediaType(parsing: String($0))?.essence == "text/html" }
        }
    }

    /// The page for a request from this machine.
    ///
    /// It is given without the token of `--admin-token`, which a browser cannot send when it opens an address. The page
    /// asks for the token and sends it with each call.
    static func response(to request: HTTPRequest, _ access: AdminAccess) throws(AdminError) -> OutgoingResponse {
        var access = access
        access.token = nil
        try access.check(request)
        let nonce = nonce()
        return OutgoingResponse(
            HTTPResponse(status: .ok, fields: fields(nonce: nonce), body: Array(pieces.joined(separator: nonce).utf8))
        )
    }

    private static func fields(nonce: String) -> HTTPFields {
        [
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": """
            default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; \
            connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
            require-trusted-types-for 'script'; trusted-types 'none'
            """,
            "X-Frame-Options": "DENY",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-store",
            "Vary": "Accept",
            "Server": "Backlot",
        ]
    }

    /// 128 random bits, as the specification asks for (Content Security Policy Level 3, section 7.1).
    private static func nonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64.encode((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The parts between the places for the nonce.
    private static let pieces: [String] = {
        let page = text("page.html")
            .filling("{{style}}", with: text("page.css"))
            .filling("{{script}}", with: scripts.map(text).joined(separator: "\n"))
        return page.pieces(around: "{{nonce}}")
    }()

    /// One script: later files use what earlier ones declare.
    private static let scripts = ["page.js", "steering.js", "keeping.js"]

    private static func text(_ file: String) -> String {
        String(decoding: EmbeddedFile.bytes(of: file), as: UTF8.self)
    }
}

extension String {
    fileprivate func filling(_ place: String, with text: String) -> String {
        pieces(around: place).joined(separator: text)
    }

    fileprivate func pieces(around place: String) -> [String] {
        var (pieces, rest) = ([String](), self)
        while let range = rest.firstRange(of: place) {
            pieces.append(String(rest[..<range.lowerBound]))
            rest = String(rest[range.upperBound...])
        }
        return pieces + [rest]
    }
}
